// The network that everything on the page belongs to.
import type { NetworkName } from '../../../../contract/app'
import { useText } from '../../i18n/text'
import { useApp } from '../../state/environment'
import styles from './NetworkBadge.module.css'

const tones: Readonly<Record<NetworkName, string>> = {
  main: 'neutral',
  test: 'info',
  practice: 'accent',
  custom: 'info',
}

export function NetworkBadge() {
  const t = useText()
  const network = useApp((state) => state.info?.network ?? null)
  if (network === null) return null
  return (
    <span className={`${styles.badge} ${styles[tones[network]]}`} data-testid="network-badge" data-state={network}>
      {t(`ui.network.${network}`)}
    </span>
  )
}
