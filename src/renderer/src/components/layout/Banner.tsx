// One line across the page that must be read: the network, lost contact, a missing engine, a waiting request.
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './Banner.module.css'

interface BannerProps {
  readonly tone: 'accent' | 'info' | 'warn' | 'danger'
  readonly icon: LucideIcon
  readonly children: ReactNode
  readonly action?: ReactNode
  /** The action is one small icon: it stays beside the text at any width. */
  readonly isSlim?: boolean
  readonly testId?: string
  /** `status` for news; absent for what is permanent. */
  readonly role?: 'status' | 'alert'
}

export function Banner({ tone, icon: Icon, children, action, isSlim = false, testId, role }: BannerProps) {
  return (
    <div className={`${styles.banner} ${styles[tone]} ${isSlim ? styles.slim : ''}`} data-testid={testId} role={role}>
      <Icon aria-hidden="true" />
      <div className={styles.text}>{children}</div>
      {action}
    </div>
  )
}
