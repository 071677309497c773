// The request as it was received. A caller may make it 5 MiB long and slow to draw, so it is drawn when it is asked for,
// and its begin first: nothing that a caller sends may keep the user from refusing.
import { useState } from 'react'
import { Button } from '../components/Button'
import { ForeignText } from '../components/HexText'
import { useText } from '../i18n/text'
import styles from './Approval.module.css'

/** Characters that are shown before the rest is asked for (ui.md 4.4). */
const SHOWN_FIRST = 64 * 1024

export function RawText({ text }: { readonly text: string }) {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  const [isWhole, setWhole] = useState(false)
  const isCut = !isWhole && text.length > SHOWN_FIRST
  return (
    <details className={styles.raw} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('ui.approval.raw')}</summary>
      {isOpen && (
        <pre data-testid="approval-raw">
          <ForeignText text={isCut ? text.slice(0, SHOWN_FIRST) : text} keepLines />
        </pre>
      )}
      {isOpen && isCut && (
        <Button onClick={() => setWhole(true)}>{t('ui.severity.showAll', { count: text.length })}</Button>
      )}
    </details>
  )
}
