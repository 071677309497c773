// The checkbox before a row; see use-marks.ts for how the keyboard moves from one to the next.
import { useLanguage } from '../../i18n/text'

interface RowMarkProps {
  readonly id: number
  readonly index: number
  /** UTC ms of what the row reports. */
  readonly at: number
  readonly isMarked: boolean
  readonly isStop: boolean
  readonly onMark: (id: number, index: number) => void
}

export function RowMark({ id, index, at, isMarked, isStop, onMark }: RowMarkProps) {
  const { t, format } = useLanguage()
  return (
    <input
      type="checkbox"
      data-index={index}
      data-testid="log-mark"
      tabIndex={isStop ? 0 : -1}
      checked={isMarked}
      aria-label={t('ui.logs.markLine', { time: format.timeOfDay(at) })}
      onChange={() => onMark(id, index)}
    />
  )
}
