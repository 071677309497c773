// Seconds left until a time, announced to screen readers at a few marks only.
import { useText } from '../../i18n/text'
import { useLiveNow } from '../../state/environment'

/** Whole seconds until `atMs`, never negative. */
export function secondsUntil(atMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((atMs - nowMs) / 1000))
}

/** `m:ss` */
export function clockText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** Seconds; a mark is announced when it is passed, even if the exact second was missed. */
const ANNOUNCED = [10, 30, 60]

interface CountdownProps {
  readonly until: number
  readonly testId?: string
  readonly className?: string | undefined
  /** Seconds; rendered only from then on, so that the live region exists before its first announcement. */
  readonly from?: number
}

export function Countdown({ until, testId, className, from = Number.POSITIVE_INFINITY }: CountdownProps) {
  const t = useText()
  const left = secondsUntil(until, useLiveNow())
  const mark = ANNOUNCED.find((seconds) => left <= seconds)
  const announced = mark === undefined ? '' : t('ui.approval.secondsLeft', { seconds: mark })
  return (
    <span className={className}>
      {left <= from && (
        <span data-testid={testId} data-value={left}>
          {t('ui.approval.timeLeft', { time: clockText(left) })}
        </span>
      )}
      <span className="visually-hidden" role="status">
        {announced}
      </span>
    </span>
  )
}
