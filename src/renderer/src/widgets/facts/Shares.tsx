// Counts of shares, and what each device adds to them.
import { memo } from 'react'
import { useFormat, useText } from '../../i18n/text'
import type { DeviceParts } from '../why/WhyText'

/** Accepted shares of each device. */
export const ACCEPTED: DeviceParts = { kind: 'count', read: ({ shares }) => shares.accepted }

interface SharesProps {
  readonly accepted: number
  readonly rejected: number
  readonly failed: number
}

/**
 * Accepted, rejected, failed: with labels for users who can't see the order. Rendered again only when one of them
 * changed.
 */
export const Shares = memo(function Shares({ accepted, rejected, failed }: SharesProps) {
  const t = useText()
  const format = useFormat()
  const text = [accepted, rejected, failed].map((count) => format.text('count', count))
  return (
    <span title={t('ui.gpus.sharesWords', { accepted, rejected, failed })}>
      <span aria-hidden="true">{text.join('/')}</span>
      <span className="visually-hidden">{t('ui.gpus.sharesWords', { accepted, rejected, failed })}</span>
    </span>
  )
})
