// Counts of shares, and what each device adds to them.
import { memo } from 'react'
import { useLanguage } from '../../i18n/text'
import type { DeviceParts } from '../why/WhyText'
import styles from './Value.module.css'

export const ACCEPTED: DeviceParts = { kind: 'count', read: ({ shares }) => shares.accepted }

interface SharesProps {
  readonly accepted: number
  readonly rejected: number
  readonly failed: number
  readonly size?: 'lead' | 'normal'
}

/** Accepted shares, and in words those that were rejected or wrong. Rendered again only when one of them changed. */
export const Shares = memo(function Shares({ accepted, rejected, failed, size = 'normal' }: SharesProps) {
  const { t, format } = useLanguage()
  const count = (of: number): string => format.text('count', of)
  const others = [
    ...(rejected > 0 ? [t('ui.gpus.rejectedCount', { count: count(rejected) })] : []),
    ...(failed > 0 ? [t('ui.gpus.wrongCount', { count: count(failed) })] : []),
  ]
  return (
    <span title={t('ui.gpus.sharesWords', { accepted, rejected, failed })}>
      <span className={size === 'lead' ? styles.lead : undefined}>{count(accepted)}</span>
      {others.length > 0 && <span className={styles.others}> {others.join(format.separator)}</span>}
    </span>
  )
})
