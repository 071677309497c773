// What replaces the content of a card that could not be rendered.
import { CircleAlert } from 'lucide-react'
import { useText } from '../../i18n/text'
import type { Fault } from './Boundary'
import styles from './BrokenPanel.module.css'

export function BrokenPanel({ error, retry }: Fault) {
  const t = useText()
  return (
    <div className={styles.panel} data-testid="broken-panel">
      <CircleAlert aria-hidden="true" />
      <div role="alert">
        <p>{t('ui.fault.panel')}</p>
        <p className={styles.reason}>{error.message}</p>
      </div>
      <button type="button" className={styles.retry} onClick={retry}>
        {t('ui.common.retry')}
      </button>
    </div>
  )
}
