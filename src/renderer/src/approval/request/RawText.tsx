// The request as it was received. A caller may make it 5 MiB long and slow to draw, so it is drawn when it is asked for,
// and its begin first: nothing that a caller sends may keep the user from refusing.
import { useState } from 'react'
import { useText } from '../../i18n/text'
import styles from '../Approval.module.css'
import { LongText } from './LongText'

export function RawText({ text }: { readonly text: string }) {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={styles.raw} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('ui.approval.raw')}</summary>
      {isOpen && <LongText text={text} testId="approval-raw" />}
    </details>
  )
}
