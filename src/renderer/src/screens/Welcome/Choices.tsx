// What a first start asks besides the pool: each choice with its meaning, and where everything is stored.
import { Choice } from '../../components/forms/Choice'
import { Fact, Facts } from '../../components/layout/Card'
import { HashText } from '../../components/values/HexText'
import { QrCode } from '../../components/values/QrCode'
import { useText } from '../../i18n/text'
import { usePlace } from '../../state/answers/use-place'
import { useApp } from '../../state/environment'
import { HOME_BIND, type Plan } from '../../state/welcome-plan'
import { FolderChooser } from '../../widgets/data-folder/FolderChooser'
import { Value } from '../../widgets/facts/Value'
import type { Planning } from './use-plan'
import styles from './Welcome.module.css'

/** The whole chain of a young network with its state, and space to grow for a year; measured sizes are far below this. */
const NEEDED_BYTES = { practice: 200_000_000, test: 20_000_000_000, main: 20_000_000_000 } as const

interface OptionsProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly options: readonly { readonly value: T; readonly title: string; readonly text: string }[]
  readonly onChange: (value: T) => void
}

/** A few exclusive options, and what the chosen one means. */
export function Options<T extends string>({ label, value, options, onChange }: OptionsProps<T>) {
  return (
    <div className={styles.options}>
      <span className={styles.label} aria-hidden="true">
        {label}
      </span>
      <Choice
        label={label}
        value={value}
        options={options.map((option) => ({
          value: option.value,
          label: option.title,
          testId: `welcome-${option.value}`,
        }))}
        onChange={onChange}
      />
      <p className={styles.text} role="status">
        {options.find((option) => option.value === value)?.text}
      </p>
    </div>
  )
}

/** Where everything is stored. */
export function Folder({ network }: Pick<Plan, 'network'>) {
  const t = useText()
  const dataDir = useApp((state) => state.info?.dataDir ?? '')
  const place = usePlace()
  return (
    <>
      <p className={styles.text}>{t('ui.welcome.folderText')}</p>
      <Facts>
        <Fact label={t('ui.settings.dataDir')}>
          <code>{dataDir}</code>
        </Fact>
        <Fact label={t('ui.settings.freeRoom')}>
          <Value kind="bytes" value={place?.freeBytes ?? null} />
        </Fact>
        <Fact label={t('ui.welcome.needed')}>
          <Value kind="bytes" value={NEEDED_BYTES[network]} />
        </Fact>
      </Facts>
      <FolderChooser />
    </>
  )
}

/** What speaks against starting like this, never folded away. */
export function Warnings({ network }: Pick<Plan, 'network'>) {
  const t = useText()
  const place = usePlace()
  const free = place?.freeBytes ?? null
  return (
    <>
      {free !== null && free < NEEDED_BYTES[network] && (
        <p className={styles.warning} role="status" data-testid="welcome-no-room">
          {t('ui.welcome.noRoom')}
        </p>
      )}
      {place?.isNetworkDrive === true && (
        <p className={styles.warning} role="status" data-testid="welcome-network-drive">
          {t('ui.welcome.networkDrive')}
        </p>
      )}
      <NoWindow network={network} />
    </>
  )
}

/** In an Electron without security fixes the next start on a public network opens no window. */
function NoWindow({ network }: Pick<Plan, 'network'>) {
  const t = useText()
  const version = useApp(({ info }) => (info?.headless === false ? (info.oldElectron ?? null) : null))
  const folder = useApp(({ info }) => info?.dataDir ?? '')
  if (version === null || network === 'practice') return null
  const separator = folder.includes('\\') ? '\\' : '/'
  return (
    <p className={styles.warning} role="status" data-testid="welcome-no-window">
      {t('ui.welcome.oldElectron', { version, file: `${folder}${separator}dashboard-link` })}
    </p>
  )
}

/** Who may view this miner: only this machine, or phones and computers at home with a token. */
export function Sharing({ planning: { plan, secrets, change } }: { readonly planning: Planning }) {
  const t = useText()
  const place = usePlace()
  const host = place?.addresses[0] ?? null
  const port = HOME_BIND.split(':')[1]
  const link = host === null ? null : `http://${host}:${port}/#token=${secrets.token}`
  return (
    <>
      <Options
        label={t('ui.welcome.step.sharing')}
        value={plan.sharing}
        options={[
          { value: 'local', title: t('ui.welcome.local'), text: t('ui.welcome.localText') },
          { value: 'home', title: t('ui.welcome.home'), text: t('ui.welcome.homeText') },
        ]}
        onChange={(sharing) => change({ sharing })}
      />
      {plan.sharing === 'home' && (
        <div className={styles.share}>
          {link !== null && <QrCode text={link} label={t('ui.welcome.qr')} />}
          <div>
            <p>{t('ui.welcome.tokenText')}</p>
            <p data-testid="welcome-token">
              <HashText hex={secrets.token} isFull label={t('ui.login.token')} />
            </p>
            {link === null && <p className={styles.text}>{t('ui.welcome.noAddress')}</p>}
          </div>
        </div>
      )}
    </>
  )
}
