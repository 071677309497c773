// The network that everything on the page belongs to.
import { useText } from '../../i18n/text'
import { useApp } from '../../state/environment'
import styles from './NetworkBadge.module.css'

export function NetworkBadge() {
  const t = useText()
  const network = useApp((state) => state.info?.network ?? null)
  if (network === null) return null
  return (
    <span className={styles.badge} data-network="" data-testid="network-badge" data-state={network}>
      <i className={styles.dot} />
      {t(`ui.network.${network}`)}
    </span>
  )
}
