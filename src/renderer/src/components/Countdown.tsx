// Seconds left until a time, told to screen readers at a few marks only.
import { useText } from '../i18n/text'
import { useNow } from '../state/environment'

/** Whole seconds until `atMs`, never negative. */
export function secondsUntil(atMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((atMs - nowMs) / 1000))
}

/** `m:ss` */
export function clockText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

const ANNOUNCED = [60, 30, 10]

export interface CountdownProps {
  readonly until: number
  readonly testId?: string
  readonly className?: string | undefined
}

export function Countdown({ until, testId, className }: CountdownProps) {
  const t = useText()
  const left = secondsUntil(until, useNow())
  const announced = ANNOUNCED.includes(left) ? t('ui.approval.secondsLeft', { seconds: left }) : ''
  return (
    <span className={className} data-testid={testId} data-value={left}>
      <span>{t('ui.approval.timeLeft', { time: clockText(left) })}</span>
      <span className="visually-hidden" role="status">
        {announced}
      </span>
    </span>
  )
}
