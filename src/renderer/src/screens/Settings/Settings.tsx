// The settings: a page for each part of the program, in the order in which users look for them.
import { SearchX } from 'lucide-react'
import { useState } from 'react'
import type { AppInfoView } from '../../../../contract/app'
import type { OptionView } from '../../../../contract/options'
import { REMOTE_CONSENT, type SwitchesView } from '../../../../contract/signer'
import { Choice } from '../../components/forms/Choice'
import { TextField } from '../../components/forms/TextField'
import { Card, Fact, Facts } from '../../components/layout/Card'
import { useLanguage, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { useAttempt, useCall, useRestart } from '../../state/answers/use-answer'
import { useApp, useCanControl, useEnvironment, useNow, usePreference, useSigner } from '../../state/environment'
import { Button, Failure } from '../../widgets/controls/Button'
import { ConfirmDialog } from '../../widgets/controls/ConfirmDialog'
import { LanguageChoices, ThemeChoices } from '../../widgets/controls/LanguageChoices'
import { RestartDialog } from '../../widgets/controls/RestartDialog'
import { FolderChooser } from '../../widgets/data-folder/FolderChooser'
import { StatePill } from '../../widgets/facts/StatePill'
import { EmptyState, Skeleton } from '../../widgets/facts/States'
import { Screen } from '../Screen'
import { OptionPage, type Options, optionsOf } from './OptionPage'
import { type PageName, pageOf, pages } from './option-pages'
import { Updates } from './pages/Updates'
import { Setting, Switch } from './Setting'
import styles from './Settings.module.css'
import remoteApprovalsStyles from './sharing/RemoteApprovals.module.css'
import { ShownOnce } from './sharing/ShownOnce'
import { ViewLinks } from './sharing/ViewLinks'

/** How this device is used: keys, holding, motion. The time to decide belongs to the program and is further down. */
export function Accessibility() {
  const t = useText()
  const { preferences } = useEnvironment().stores
  const letterKeys = usePreference((state) => state.letterKeys)
  const noTimedHolds = usePreference((state) => state.noTimedHolds)
  const lessMotion = usePreference((state) => state.lessMotion)
  return (
    <>
      <Card title={t('ui.settings.thisDevice')}>
        <Switch
          label={t('ui.settings.letterKeys')}
          isOn={letterKeys}
          onChange={(isOn) => preferences.setState({ letterKeys: isOn })}
        />
        <Switch
          label={t('ui.settings.noTimedHolds')}
          isOn={noTimedHolds}
          onChange={(isOn) => preferences.setState({ noTimedHolds: isOn })}
        />
        <Switch
          label={t('ui.settings.lessMotion')}
          isOn={lessMotion}
          onChange={(isOn) => preferences.setState({ lessMotion: isOn })}
        />
      </Card>
      <p className={styles.reason}>{t('ui.settings.tenMinutes')}</p>
    </>
  )
}

// Where chain, keys and logs are stored, and how much space is left there.

function DataFolder() {
  const { t, format } = useLanguage()
  const dataDir = useApp((state) => state.info?.dataDir ?? '')
  const place = useCall('app.place', {}).value
  return (
    <Card title={t('ui.settings.dataDir')} testId="data-folder">
      <Facts>
        <Fact label={t('ui.settings.folder')}>
          <code>{dataDir}</code>
        </Fact>
        <Fact label={t('ui.settings.freeRoom')}>{format.text('bytes', place?.freeBytes ?? null)}</Fact>
      </Facts>
      {place?.isNetworkDrive === true && <p className={styles.danger}>{t('ui.settings.networkDrive')}</p>}
      <FolderChooser />
    </Card>
  )
}

/** Who can reach this program from elsewhere: its address, its token, and view-only links. */
export function Sharing({ options }: { readonly options: Options }) {
  const t = useText()
  const api = useApp((state) => state.info?.endpoints.api ?? null)
  const token = optionsOf(options).find(({ key }) => key === 'api.token')
  return (
    <>
      <Card title={t('ui.settings.reach')} testId="reach">
        <Facts>
          <Fact label={t('ui.settings.api')}>
            <code>{api ?? t('ui.common.off')}</code>
          </Fact>
        </Facts>
        <p className={api !== null && !isLocal(api) ? styles.danger : styles.reason}>
          {t(api === null ? 'ui.settings.reachOff' : isLocal(api) ? 'ui.settings.reachLocal' : 'ui.settings.reachOpen')}
        </p>
      </Card>
      {token !== undefined && <TokenCard option={token} onMade={() => void options.retry()} />}
      <ViewLinks />
    </>
  )
}

function isLocal(address: string): boolean {
  return /^(127\.|localhost:|\[::1\])/.test(address)
}

export function Settings({ section }: { readonly section: string }) {
  const t = useText()
  const options = useCall('app.options', {})
  const [typed, setTyped] = useState('')
  const search = typed.trim()
  const page = pageOf(section)
  return (
    <Screen title={t('ui.nav.settings')} isForm>
      <div className={styles.layout}>
        <div className={styles.side}>
          <input
            type="search"
            className={styles.input}
            data-testid="settings-search"
            aria-label={t('ui.settings.search')}
            placeholder={t('ui.settings.search')}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          <nav className={styles.sections} aria-label={t('ui.settings.sections')}>
            {pages.map((name) => (
              <a
                key={name}
                href={hrefOf(`/settings/${name}`)}
                aria-current={name === page && search === '' ? 'page' : undefined}
                onClick={() => setTyped('')}
              >
                {t(`ui.settings.page.${name}`)}
              </a>
            ))}
          </nav>
        </div>
        <Found page={page} options={options} search={search} />
      </div>
    </Screen>
  )
}

interface FoundProps {
  /** Null: the address names no page. */
  readonly page: PageName | null
  readonly options: Options
  readonly search: string
}

function Found({ page, options, search }: FoundProps) {
  const t = useText()
  if (search !== '') return <OptionPage key="search" page={page ?? 'general'} options={options} search={search} />
  if (page === null) return <EmptyState icon={SearchX} title={t('ui.shell.unknownPage')} />
  return <Page key={page} page={page} options={options} />
}

function Page({ page, options }: { readonly page: PageName; readonly options: Options }) {
  if (page === 'about') return <About />
  return (
    <OptionPage page={page} options={options} also={page === 'accessibility' ? ['signer.approvalTimeoutSeconds'] : []}>
      {page === 'general' && <Appearance />}
      {page === 'pools' && <PoolLinks />}
      {page === 'signer' && <RemoteApprovals />}
      {page === 'node' && <DataFolder />}
      {page === 'api' && <Sharing options={options} />}
      {page === 'updates' && <Updates />}
      {page === 'accessibility' && <Accessibility />}
    </OptionPage>
  )
}

/** Pools and rigs are edited on their own screens; this page has the options about them. */
function PoolLinks() {
  const t = useText()
  return (
    <p className={styles.links}>
      <a href={hrefOf('/pools')}>{t('ui.settings.toPools')}</a>
      <a href={hrefOf('/rigs')}>{t('ui.settings.toRigs')}</a>
    </p>
  )
}

const degrees = ['celsius', 'fahrenheit'] as const

function Appearance() {
  const t = useText()
  const { preferences } = useEnvironment().stores
  const chosen = usePreference((state) => state.degrees)
  return (
    <Card title={t('ui.settings.appearance')}>
      <Setting label={t('ui.settings.theme')} text={t('ui.settings.themeText')}>
        <ThemeChoices />
      </Setting>
      <Setting label={t('ui.settings.language')} text={t('ui.settings.languageText')}>
        <LanguageChoices />
      </Setting>
      <Setting label={t('ui.settings.degrees')} text={t('ui.settings.degreesText')}>
        <Choice
          label={t('ui.settings.degrees')}
          value={chosen}
          options={degrees.map((value) => ({ value, label: t(`ui.settings.degrees.${value}`) }))}
          onChange={(value) => preferences.setState({ degrees: value })}
        />
      </Setting>
    </Card>
  )
}

function About() {
  const { t, format } = useLanguage()
  const info = useApp((state) => state.info)
  const now = useNow()
  const build = useCall('app.build', {}).value
  if (info === null) return <Skeleton lines={6} />
  const engine = t(`ui.engine.${info.engine.kind}`)
  return (
    <div className={styles.cards}>
      <Card title={t('ui.settings.page.about')} testId="about">
        <Facts>
          <Fact label={t('ui.settings.version')}>{info.version}</Fact>
          <Fact label={t('ui.settings.build')}>
            <code>{build === null ? t('ui.settings.notKnown') : build.build || t('ui.settings.fromSources')}</code>
          </Fact>
          <Fact label={t('ui.settings.runsOn')}>
            {build === null ? t('ui.settings.notKnown') : `${build.runtime}, ${build.system}`}
          </Fact>
          <Fact label={t('ui.settings.network')}>
            {t('ui.settings.networkIds', {
              name: t(`ui.network.${info.network}`),
              chainId: info.chainId,
              networkId: info.networkId,
            })}
          </Fact>
          <Fact label={t('ui.settings.engine')}>
            {[engine, info.engine.simd].filter((part) => part !== '').join(', ')}
          </Fact>
          <Fact label={t('ui.settings.uptime')}>{format.text('duration', (now - info.startedAt) / 1000)}</Fact>
          {(info.link ?? null) === null && <Whereabouts info={info} />}
          <Fact label={t('ui.settings.licence')}>{t('ui.settings.licenceName')}</Fact>
        </Facts>
        <p className={styles.reason}>{t('ui.settings.licenceOthers')}</p>
      </Card>
      <Services />
    </div>
  )
}

/** Its folders and addresses; hidden from visitors of a link. */
function Whereabouts({ info }: { readonly info: AppInfoView }) {
  const t = useText()
  const off = t('ui.common.off')
  return (
    <>
      <Fact label={t('ui.settings.dataDir')}>
        <code>{info.dataDir}</code>
      </Fact>
      <Fact label={t('ui.settings.api')}>
        <code>{info.endpoints.api ?? off}</code>
      </Fact>
      <Fact label={t('ui.settings.rpc')}>
        <code>{info.endpoints.rpc ?? off}</code>
      </Fact>
      <Fact label={t('ui.settings.signer')}>
        <code>{info.endpoints.signer ?? off}</code>
      </Fact>
    </>
  )
}

const tones = { off: 'neutral', starting: 'info', running: 'ok', failed: 'danger' } as const
const marks = { off: 'waiting', starting: 'waiting', running: 'ok', failed: 'error' } as const

function Services() {
  const t = useText()
  const services = useApp((state) => state.status?.services ?? null)
  if (services === null) return null
  return (
    <Card title={t('ui.settings.services')}>
      <Facts>
        {services.map(({ name, state, reason }) => (
          <Fact key={name} label={name}>
            <StatePill tone={tones[state]} mark={marks[state]}>
              {t(`ui.service.${state}`)}
            </StatePill>
            {reason !== '' && <p className={styles.reason}>{reason}</p>}
          </Fact>
        ))}
      </Facts>
    </Card>
  )
}

/** The control port's token: whether there is one, and a new one that is shown once. */
function TokenCard({ option, onMade }: { readonly option: OptionView; readonly onMade: () => void }) {
  const t = useText()
  const { backend } = useEnvironment()
  const canControl = useCanControl()
  const [isAsking, setAsking] = useState(false)
  const [token, setToken] = useState<string | null>(null)
  const { failure, run } = useAttempt()
  const hasToken = option.value !== null
  const make = async (): Promise<void> => {
    setToken((await backend.call('app.newToken', {})).token)
    onMade()
  }
  return (
    <Card title={t('ui.settings.token')} testId="token-card">
      <p>{t(hasToken ? 'ui.settings.tokenSet' : 'ui.settings.tokenMissing')}</p>
      {option.locked === 'machine' && <p className={styles.reason}>{t('ui.settings.lockedMachine')}</p>}
      {option.locked !== 'machine' && option.locked !== '' && (
        <p className={styles.reason}>{t('ui.settings.lockedSource', { name: option.source.name })}</p>
      )}
      {canControl && option.locked === '' && token === null && (
        <div>
          <Button data-testid="token-new" needsContact onClick={() => setAsking(true)}>
            {t(hasToken ? 'ui.settings.tokenRotate' : 'ui.settings.tokenMake')}
          </Button>
        </div>
      )}
      <Failure text={failure} />
      {token !== null && <MadeToken token={token} />}
      {isAsking && (
        <ConfirmDialog
          title={t(hasToken ? 'ui.settings.tokenRotate' : 'ui.settings.tokenMake')}
          action={t('ui.settings.tokenMakeShort')}
          testId="token-dialog"
          onConfirm={() => run(make)}
          onClose={() => setAsking(false)}
        >
          <p>{t(hasToken ? 'ui.settings.tokenRotateText' : 'ui.settings.tokenMakeText')}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}

/** Shown once, and valid only after a restart. */
function MadeToken({ token }: { readonly token: string }) {
  const t = useText()
  const restart = useRestart()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <ShownOnce text={token} label={t('ui.settings.tokenNew')} hasCode={false} testId="token-text" />
      <p>{t('ui.settings.tokenNext')}</p>
      <div>
        <Button
          variant="primary"
          needsContact
          data-testid="token-apply"
          isBusy={restart.state === 'asked'}
          onClick={() => setAsking(true)}
        >
          {t('ui.settings.applyRestart')}
        </Button>
      </div>
      <Failure text={restart.reason} />
      {isAsking && <RestartDialog onConfirm={() => void restart.ask()} onClose={() => setAsking(false)} />}
    </>
  )
}

/** Renders nothing without a signer. */
export function RemoteApprovals() {
  const switches = useSigner((state) => state.switches)
  if (switches === null) return null
  return (
    <div className={styles.cards}>
      <Remote switches={switches} />
      <KeepUnlocked switches={switches} />
    </div>
  )
}

interface PartProps {
  readonly switches: SwitchesView
}

function Remote({ switches }: PartProps) {
  const t = useText()
  const { mode } = switches.remote
  return (
    <Card title={t('ui.remote.title')} testId="remote-approvals">
      <p>{t('ui.remote.text')}</p>
      <StateLine switches={switches} />
      <div>
        <p>{t('ui.remote.exposes')}</p>
        <ul className={remoteApprovalsStyles.list}>
          <li>{t('ui.remote.exposes1')}</li>
          <li>{t('ui.remote.exposes2')}</li>
          <li>{t('ui.remote.exposes3')}</li>
        </ul>
      </div>
      {!switches.maySet && <p className={remoteApprovalsStyles.note}>{t('ui.remote.atMachine')}</p>}
      {switches.maySet && !switches.remote.hasToken && (
        <p className={remoteApprovalsStyles.note}>{t('ui.remote.needsToken')}</p>
      )}
      {switches.maySet && mode === 'off' && switches.remote.hasToken && <SwitchOn />}
      {switches.maySet && mode !== 'off' && <SwitchOff />}
    </Card>
  )
}

function StateLine({ switches }: PartProps) {
  const { t, format } = useLanguage()
  const { mode, expiresAt } = switches.remote
  const time = expiresAt === null ? '' : format.moment(expiresAt)
  const keys = { off: 'ui.remote.off', encrypted: 'ui.remote.onEncrypted', plain: 'ui.remote.onPlain' } as const
  return (
    <p role="status" data-testid="remote-state" data-state={mode}>
      <strong>{t(keys[mode], { time })}</strong>
    </p>
  )
}

function SwitchOn() {
  const t = useText()
  const { backend } = useEnvironment()
  const { failure, run } = useAttempt()
  const [isPlain, setPlain] = useState(false)
  const [consent, setConsent] = useState('')
  const isReady = !isPlain || consent.trim() === REMOTE_CONSENT
  return (
    <div className={remoteApprovalsStyles.form}>
      <fieldset className={remoteApprovalsStyles.how}>
        <legend>{t('ui.remote.how')}</legend>
        <label>
          <input type="radio" name="how" checked={!isPlain} onChange={() => setPlain(false)} />{' '}
          {t('ui.remote.encrypted')}
        </label>
        <label>
          <input type="radio" name="how" data-testid="remote-plain" checked={isPlain} onChange={() => setPlain(true)} />{' '}
          {t('ui.remote.plain')}
        </label>
      </fieldset>
      {isPlain && (
        <TextField
          label={t('ui.remote.consent', { word: REMOTE_CONSENT })}
          value={consent}
          onChange={setConsent}
          data-testid="remote-consent"
          isMono
        />
      )}
      <div>
        <Button
          variant="dangerQuiet"
          needsContact
          disabledReason={isReady ? undefined : t('ui.remote.consent', { word: REMOTE_CONSENT })}
          data-testid="remote-on"
          onClick={() =>
            run(
              () => backend.call('signer.setRemote', { mode: isPlain ? 'plain' : 'encrypted', consent }),
              'ui.remote.failed',
              true,
            )
          }
        >
          {t('ui.remote.switchOn')}
        </Button>
      </div>
      <Failure text={failure} />
    </div>
  )
}

function SwitchOff() {
  const t = useText()
  const { backend } = useEnvironment()
  const { failure, run } = useAttempt()
  return (
    <div>
      <Button
        needsContact
        data-testid="remote-off"
        onClick={() => run(() => backend.call('signer.setRemote', { mode: 'off', consent: '' }), 'ui.remote.failed')}
      >
        {t('ui.remote.switchOff')}
      </Button>
      <Failure text={failure} />
    </div>
  )
}

function KeepUnlocked({ switches }: PartProps) {
  const t = useText()
  const { backend } = useEnvironment()
  const { failure, run } = useAttempt()
  return (
    <Card title={t('ui.keep.title')} testId="keep-unlocked">
      <p>{t('ui.keep.text')}</p>
      {switches.maySet ? (
        <Switch
          label={t('ui.keep.switch')}
          isOn={switches.keepUnlocked}
          onChange={(isOn) => run(() => backend.call('signer.setKeepUnlocked', { isOn }), 'ui.remote.failed', isOn)}
        />
      ) : (
        <p className={remoteApprovalsStyles.note}>{t('ui.remote.atMachine')}</p>
      )}
      <Failure text={failure} />
    </Card>
  )
}
