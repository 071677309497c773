// Where everything is stored, and whether there is enough space.
import { Fact, Facts } from '../../components/layout/Card'
import { useText } from '../../i18n/text'
import { usePlace } from '../../state/answers/use-place'
import { useApp } from '../../state/environment'
import { FolderChooser } from '../../widgets/data-folder/FolderChooser'
import { Value } from '../../widgets/facts/Value'
import type { Planning } from './use-plan'
import styles from './Welcome.module.css'

/**
 * The whole chain of a young network with its state, and space to grow for a year; measured sizes are far below this.
 */
const NEEDED_BYTES = { practice: 200_000_000, test: 20_000_000_000, main: 20_000_000_000 } as const

export function FolderStep({ planning: { plan } }: { readonly planning: Planning }) {
  const t = useText()
  const dataDir = useApp((state) => state.info?.dataDir ?? '')
  const place = usePlace()
  const needed = NEEDED_BYTES[plan.network]
  const free = place?.freeBytes ?? null
  const isShort = free !== null && free < needed
  return (
    <>
      <p>{t('ui.welcome.folderText')}</p>
      <Facts>
        <Fact label={t('ui.settings.dataDir')}>
          <code>{dataDir}</code>
        </Fact>
        <Fact label={t('ui.settings.freeRoom')}>
          <Value kind="bytes" value={place?.freeBytes ?? null} />
        </Fact>
        <Fact label={t('ui.welcome.needed')}>
          <Value kind="bytes" value={needed} />
        </Fact>
      </Facts>
      {isShort && (
        <p className={styles.warning} role="status" data-testid="welcome-no-room">
          {t('ui.welcome.noRoom')}
        </p>
      )}
      {place?.isNetworkDrive === true && (
        <p className={styles.warning} role="status" data-testid="welcome-network-drive">
          {t('ui.welcome.networkDrive')}
        </p>
      )}
      <FolderChooser />
    </>
  )
}
