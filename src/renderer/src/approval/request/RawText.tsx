// The request as received. A caller may make it 5 MiB long and slow to render, so it is rendered on demand, beginning
// first: nothing a caller sends may keep the user from rejecting.
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
