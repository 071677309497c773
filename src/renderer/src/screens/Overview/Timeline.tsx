// Blocks found in thirty days and the odds of the next one; for a pool, what each day's shares were worth.

import { useMemo } from 'react'
import { DAY_MS } from '../../../../base/time'
import type { MoneyView } from '../../../../contract/money'
import { tenth, useSize } from '../../components/charts/chart-scale'
import { useFormat, useText } from '../../i18n/text'
import { useMiner } from '../../state/environment'
import { useDayBounds, useMoney } from '../../state/money/use-money'
import styles from './Timeline.module.css'

const BACK_DAYS = 30
const NARROW = 520
const LINE_Y = 18
const LABEL_GAP_PX = 86

interface Mark {
  readonly at: number
  readonly count: number
  /** wei */
  readonly income: string | null
}

/** Renders nothing before the ledger is read, or if nothing was mined yet. */
export function Timeline() {
  const t = useText()
  const isSolo = useMiner((state) => state.status?.source.kind !== 'pool')
  const money = useMoney(useDayBounds('30d'))
  const marks = useMemo(() => marksOf(money, isSolo), [money, isSolo])
  if (money === null || money.firstAt === null) return null
  return (
    <section className={styles.found} aria-label={t(isSolo ? 'ui.overview.blocksFound' : 'ui.timeline.days')}>
      <h2 className={styles.name}>
        {t(isSolo ? 'ui.overview.blocksFound' : 'ui.timeline.days')}
        <small>{t('ui.money.span.30d')}</small>
      </h2>
      <Line money={money} marks={marks} isSolo={isSolo} />
    </section>
  )
}

/** A mark on each day on which something came. */
function marksOf(money: MoneyView | null, isSolo: boolean): readonly Mark[] {
  return (money?.periods ?? []).flatMap(({ from, to, total }) => {
    const count = isSolo ? (total.foundBlocks.value ?? 0) : total.shares.accepted
    return count > 0 ? [{ at: (from + Math.min(to, money?.takenAt ?? to)) / 2, count, income: total.income.value }] : []
  })
}

interface LineProps {
  readonly money: MoneyView
  readonly marks: readonly Mark[]
  readonly isSolo: boolean
}

function Line({ money, marks, isSolo }: LineProps) {
  const t = useText()
  const format = useFormat()
  const [box, size] = useSize<HTMLDivElement>()
  const now = money.takenAt
  const median = isSolo ? money.forecast.nextBlock.median.value : null
  const next = median === null ? null : now + median * 1000
  const label = [
    t(isSolo ? 'ui.timeline.foundLabel' : 'ui.timeline.daysLabel', {
      count: marks.reduce((sum, { count }) => sum + (isSolo ? count : 1), 0),
    }),
    next === null ? '' : t('ui.money.nextBlock', { time: format.when(next, now) }),
  ].join(' ')
  return (
    <div ref={box} className={styles.box}>
      {size !== null && (
        <svg width={size.width} height={size.height} role="img" aria-label={label.trim()}>
          <Drawing money={money} marks={marks} isSolo={isSolo} next={next} width={size.width} />
        </svg>
      )}
    </div>
  )
}

interface MarksProps extends Pick<LineProps, 'marks' | 'isSolo'> {
  /** Times of the marks that have room for a label. */
  readonly labels: ReturnType<typeof labelled>
  readonly x: (ms: number) => number
}

function Marks({ marks, labels, isSolo, x }: MarksProps) {
  const t = useText()
  const format = useFormat()
  return (
    <>
      {marks.map((mark) => (
        <g key={mark.at}>
          <circle className={styles.block} cx={tenth(x(mark.at))} cy={LINE_Y} r="7.5" />
          {labels.has(mark.at) && (
            <>
              <text className={styles.label} x={tenth(x(mark.at))} y={LINE_Y + 27} textAnchor="middle">
                {format.day(mark.at)}
              </text>
              <text className={styles.note} x={tenth(x(mark.at))} y={LINE_Y + 42} textAnchor="middle">
                {isSolo
                  ? t('ui.timeline.count', { count: mark.count })
                  : mark.income === null
                    ? t('ui.timeline.shares', { count: mark.count })
                    : `${format.laxRound(BigInt(mark.income)).number}\u00a0LAX`}
              </text>
            </>
          )}
        </g>
      ))}
    </>
  )
}

function Drawing({
  money,
  marks,
  isSolo,
  next,
  width,
}: LineProps & { readonly next: number | null; readonly width: number }) {
  const t = useText()
  const format = useFormat()
  const now = money.takenAt
  const from = now - BACK_DAYS * DAY_MS
  // The odds of the next block reach as far as a quarter of the past; a later median is said, not drawn.
  const to = now + (BACK_DAYS / 4) * DAY_MS
  const x = (ms: number): number => 6 + ((ms - from) / (to - from)) * (width - 12)
  const isNarrow = width < NARROW
  const days = Array.from({ length: BACK_DAYS }, (_, index) => from + index * DAY_MS)
  const labels = labelled(marks, x, isNarrow)
  return (
    <>
      <defs>
        <linearGradient id="timeline-odds" x1="0" x2="1">
          <stop offset="0" stopColor="var(--gold)" stopOpacity="0.34" />
          <stop offset="1" stopColor="var(--gold)" stopOpacity="0" />
        </linearGradient>
      </defs>
      <line className={styles.past} x1={tenth(x(from))} x2={tenth(x(now))} y1={LINE_Y} y2={LINE_Y} />
      {next !== null && (
        <rect
          fill="url(#timeline-odds)"
          x={tenth(x(now))}
          y={LINE_Y - 5}
          width={tenth(width - 6 - x(now))}
          height="10"
          rx="2"
        />
      )}
      {days.map((day) => (
        <line key={day} className={styles.axis} x1={tenth(x(day))} x2={tenth(x(day))} y1={LINE_Y - 3} y2={LINE_Y + 3} />
      ))}
      <line className={styles.past} x1={tenth(x(now))} x2={tenth(x(now))} y1={LINE_Y - 9} y2={LINE_Y + 9} />
      <Marks marks={marks} labels={labels} isSolo={isSolo} x={x} />
      {next !== null && next < to && (
        <>
          <circle className={styles.hollow} cx={tenth(x(next))} cy={LINE_Y} r="6.5" />
          {x(next) - x(marks.at(-1)?.at ?? from) > LABEL_GAP_PX && (
            <>
              <text className={styles.label} x={tenth(x(next))} y={LINE_Y + 27} textAnchor="middle">
                {format.when(next, now)}
              </text>
              <text className={styles.note} x={tenth(x(next))} y={LINE_Y + 42} textAnchor="middle">
                {t('ui.timeline.odds')}
              </text>
            </>
          )}
        </>
      )}
    </>
  )
}

/** Those with room for their words, the newest first. */
function labelled(marks: readonly Mark[], x: (ms: number) => number, isNarrow: boolean): ReadonlySet<number> {
  const kept: number[] = []
  for (const { at } of [...marks].reverse()) {
    if (isNarrow && kept.length >= 3) break
    const last = kept.at(-1)
    if (x(at) > 40 && (last === undefined || x(last) - x(at) > LABEL_GAP_PX)) kept.push(at)
  }
  return new Set(kept)
}
