// What a screen shows when it has nothing to show: loading, nothing there, failed.
import { CircleAlert, type LucideIcon } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useText } from '../i18n/text'
import { Button } from './Button'
import styles from './States.module.css'

const SKELETON_AFTER_MS = 150

/** Bars in the shape of what will come; nothing at all for the first moment. */
export function Skeleton({ lines = 3, heightPx }: { readonly lines?: number; readonly heightPx?: number }) {
  const t = useText()
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SKELETON_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className={styles.skeleton} role="status" aria-label={t('ui.common.loading')} style={{ minHeight: heightPx }}>
      {isShown &&
        Array.from({ length: lines }, (_, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: identical bars
          <span key={line} className={styles.bar} />
        ))}
    </div>
  )
}

export interface EmptyStateProps {
  readonly icon: LucideIcon
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}

export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <Icon aria-hidden="true" />
      <p className={styles.title}>{title}</p>
      {children !== undefined && <p className={styles.text}>{children}</p>}
      {action}
    </div>
  )
}

export interface ErrorStateProps {
  readonly title: string
  /** The other side's words. */
  readonly reason: string
  readonly onRetry?: () => void
}

export function ErrorState({ title, reason, onRetry }: ErrorStateProps) {
  const t = useText()
  return (
    <div className={styles.error} role="alert">
      <CircleAlert aria-hidden="true" />
      <div>
        <p className={styles.title}>{title}</p>
        <p className={styles.text}>{reason}</p>
      </div>
      {onRetry !== undefined && (
        <Button size="small" onClick={onRetry}>
          {t('ui.common.retry')}
        </Button>
      )}
    </div>
  )
}
