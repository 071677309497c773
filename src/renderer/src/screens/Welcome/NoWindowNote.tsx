// Before a public network is chosen in an Electron without security fixes: the next start opens no window there.
import { useText } from '../../i18n/text'
import { useApp } from '../../state/environment'
import type { Plan } from '../../state/welcome-plan'
import styles from './Welcome.module.css'

/** Renders nothing if the window stays: on the practice network, with a current Electron, or without a window anyway. */
export function NoWindowNote({ network }: Pick<Plan, 'network'>) {
  const t = useText()
  const version = useApp(({ info }) => (info?.headless === false ? (info.oldElectron ?? null) : null))
  const folder = useApp(({ info }) => info?.dataDir ?? '')
  if (version === null || network === 'practice') return null
  const separator = folder.includes('\\') ? '\\' : '/'
  return (
    <p className={styles.warning} role="status" data-testid="welcome-no-window">
      {t('ui.welcome.noWindow', { version, file: `${folder}${separator}dashboard-link` })}
    </p>
  )
}
