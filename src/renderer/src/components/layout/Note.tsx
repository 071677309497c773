// One line that must be read: what happened, what follows, and at most one button.
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './Note.module.css'

interface NoteProps {
  readonly tone: 'plain' | 'ok' | 'warn' | 'danger'
  readonly icon: LucideIcon
  readonly children: ReactNode
  readonly action?: ReactNode
  /** The action is one small icon: it stays beside the text at any width. */
  readonly isSlim?: boolean
  readonly testId?: string
  /** `status` for news; absent for what is permanent. */
  readonly role?: 'status' | 'alert'
}

export function Note({ tone, icon: Icon, children, action, isSlim = false, testId, role }: NoteProps) {
  return (
    <div className={`${styles.note} ${styles[tone]} ${isSlim ? styles.slim : ''}`} data-testid={testId} role={role}>
      <Icon aria-hidden="true" />
      <div className={styles.text}>{children}</div>
      {action}
    </div>
  )
}
