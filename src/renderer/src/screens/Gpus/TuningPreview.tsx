// What was measured on a card at other settings, and what the chosen ones would change. Nothing is guessed: between two
// measured power limits the line is straight, and settings that weren't measured have no figures.
import type { TunedCardView, TuningKnob } from '../../../../contract/miner'
import { niceTicks, tenth, useSize } from '../../components/charts/chart-scale'
import { Card } from '../../components/layout/Card'
import { UNKNOWN } from '../../format/formatter'
import { useFormat, useText } from '../../i18n/text'
import { useMiner } from '../../state/environment'
import styles from './Gpus.module.css'

/** Null: left to the card. */
export type Settings = Readonly<Partial<Record<TuningKnob, number | null>>>

interface Point {
  readonly settings: Settings
  /** H/s */
  readonly rate: number
  readonly watts: number
}

interface Prediction extends Pick<Point, 'rate' | 'watts'> {
  /** False: on the line between two that were. */
  readonly isMeasured: boolean
}

/** The steps that gave something, by the power that they took. */
export function pointsOf(search: TunedCardView['search']): readonly Point[] {
  return (search?.points ?? [])
    .flatMap(({ settings, rate, watts, faults }) =>
      rate === null || watts === null || watts <= 0 || faults > 0 ? [] : [{ settings, rate, watts }],
    )
    .sort((a, b) => a.watts - b.watts)
}

/** What these settings would give: measured, or between two measured power limits that are alike in everything else. */
export function predict(points: readonly Point[], wanted: Settings): Prediction | null {
  const { power = null, ...rest } = wanted
  const alike = points.filter(({ settings: { power: _power, ...others } }) =>
    (['coreClock', 'memoryClock', 'fan'] as const).every((knob) => (others[knob] ?? null) === (rest[knob] ?? null)),
  )
  const same = alike.find(({ settings }) => (settings.power ?? null) === power)
  if (same !== undefined) return { rate: same.rate, watts: same.watts, isMeasured: true }
  if (power === null) return null
  const limited = alike.flatMap((point) =>
    point.settings.power == null ? [] : [{ ...point, limit: point.settings.power }],
  )
  const below = limited.filter(({ limit }) => limit < power).sort((a, b) => b.limit - a.limit)[0]
  const above = limited.filter(({ limit }) => limit > power).sort((a, b) => a.limit - b.limit)[0]
  if (below === undefined || above === undefined) return null
  const part = (power - below.limit) / (above.limit - below.limit)
  const between = (from: number, to: number): number => from + part * (to - from)
  return { rate: between(below.rate, above.rate), watts: between(below.watts, above.watts), isMeasured: false }
}

interface PreviewProps {
  readonly index: number
  readonly search: TunedCardView['search']
  readonly wanted: Settings
}

export function TuningPreview({ index, search, wanted }: PreviewProps) {
  const t = useText()
  const points = pointsOf(search)
  const then = predict(points, wanted)
  return (
    <Card title={t('ui.tuning.measured')} testId={`tuning-preview-${index}`}>
      {points.length === 0 ? (
        <p className={styles.hint}>{t('ui.tuning.unmeasured')}</p>
      ) : (
        <>
          <Curve points={points} then={then} index={index} />
          <Comparison index={index} then={then} />
        </>
      )}
    </Card>
  )
}

function useNow(index: number): Pick<Point, 'rate' | 'watts'> | null {
  const rate = useMiner(
    ({ devices }) => devices?.devices.find((device) => device.index === index)?.hashrate.s60 ?? null,
  )
  const watts = useMiner(({ devices }) => devices?.devices.find((device) => device.index === index)?.powerWatts ?? null)
  return rate === null || rate <= 0 || watts === null || watts <= 0 ? null : { rate, watts }
}

const AXIS_PX = 64
const FOOT = 20
const TOP = 14
const RIGHT = 16

/** Efficiency over power: a dot for each measured setting, one for the present, one for what is chosen. */
function Curve({
  points,
  then,
  index,
}: {
  readonly points: readonly Point[]
  readonly then: Prediction | null
  readonly index: number
}) {
  const t = useText()
  const format = useFormat()
  const now = useNow(index)
  const [box, size] = useSize<HTMLDivElement>()
  const all = [...points, ...(now === null ? [] : [now]), ...(then === null ? [] : [then])]
  const [low, high] = span(all.map(score))
  const [from, to] = span(all.map(({ watts }) => watts))
  const best = Math.max(...points.map(score))
  const label = t('ui.tuning.curve', { count: points.length, best: format.text('efficiency', best) })
  const width = size?.width ?? 0
  const height = size?.height ?? 0
  const x = (watts: number): number => AXIS_PX + ((watts - from) / (to - from)) * (width - AXIS_PX - RIGHT)
  const y = (value: number): number => TOP + (1 - (value - low) / (high - low)) * (height - FOOT - TOP)
  return (
    <div ref={box} className={styles.curve}>
      {size !== null && (
        <svg width={width} height={height} role="img" aria-label={label}>
          {niceTicks(low, high).map((tick) => (
            <g key={tick}>
              <line className={styles.curveGrid} x1={AXIS_PX} x2={width} y1={tenth(y(tick))} y2={tenth(y(tick))} />
              <text x={AXIS_PX - 8} y={tenth(y(tick)) + 4} textAnchor="end">
                {format.text('efficiency', tick)}
              </text>
            </g>
          ))}
          {niceTicks(from, to).map((tick) => (
            <text key={tick} x={tenth(x(tick))} y={height - 4} textAnchor="middle">
              {format.text('watts', tick)}
            </text>
          ))}
          <Marks points={points} now={now} then={then} x={x} y={(point) => y(score(point))} width={width} />
        </svg>
      )}
    </div>
  )
}

/** H/s per W. */
const score = ({ rate, watts }: Pick<Point, 'rate' | 'watts'>): number => rate / watts

interface MarksProps {
  readonly points: readonly Point[]
  readonly now: Pick<Point, 'rate' | 'watts'> | null
  readonly then: Prediction | null
  readonly x: (watts: number) => number
  readonly y: (point: Pick<Point, 'rate' | 'watts'>) => number
  readonly width: number
}

/** px that a name beside a mark needs. */
const NAME_PX = 60

/** Whether the curve goes up there: the other side of the mark is free. */
function isRising(points: readonly Point[], watts: number): boolean {
  const before = points.filter((point) => point.watts < watts).at(-1)
  const after = points.find((point) => point.watts > watts)
  return before !== undefined && after !== undefined && score(after) > score(before)
}

function Marks({ points, now, then, x, y, width }: MarksProps) {
  const t = useText()
  const isBefore = (point: Pick<Point, 'rate' | 'watts'>): boolean =>
    x(point.watts) > width - NAME_PX || (x(point.watts) > AXIS_PX + NAME_PX && isRising(points, point.watts))
  return (
    <>
      <polyline
        className={styles.curveLine}
        points={points.map((point) => `${tenth(x(point.watts))},${tenth(y(point))}`).join(' ')}
      />
      {points.map((point) => (
        <circle
          key={`${point.watts} ${point.rate}`}
          className={styles.curveDot}
          cx={tenth(x(point.watts))}
          cy={tenth(y(point))}
          r="3.5"
        />
      ))}
      {now !== null && (
        <g className={styles.curveNow}>
          <circle cx={tenth(x(now.watts))} cy={tenth(y(now))} r="5" />
          <text
            x={tenth(x(now.watts) + (isBefore(now) ? -9 : 9))}
            y={tenth(Math.max(TOP, y(now) - 7))}
            textAnchor={isBefore(now) ? 'end' : 'start'}
          >
            {t('ui.gpus.now')}
          </text>
        </g>
      )}
      {then !== null && <circle className={styles.curveThen} cx={tenth(x(then.watts))} cy={tenth(y(then))} r="6" />}
    </>
  )
}

/** Their range with a tenth of room, never empty. */
function span(values: readonly number[]): readonly [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const room = (high - low) * 0.1 || Math.abs(high) * 0.05 || 1
  return [low - room, high + room]
}

function Comparison({ index, then }: { readonly index: number; readonly then: Prediction | null }) {
  const t = useText()
  const format = useFormat()
  const now = useNow(index)
  const rows = [
    ['hashrate', 'ui.overview.hashrate', now?.rate, then?.rate, 1],
    ['watts', 'ui.gpus.power', now?.watts, then?.watts, -1],
    [
      'efficiency',
      'ui.gpus.efficiency',
      now === null ? undefined : now.rate / now.watts,
      then === null ? undefined : then.rate / then.watts,
      1,
    ],
  ] as const
  return (
    <>
      <table className={styles.compare} data-testid={`tuning-compare-${index}`}>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{t('ui.tuning.figure')}</span>
            </th>
            <th scope="col">{t('ui.gpus.now')}</th>
            <th scope="col">{t('ui.tuning.then')}</th>
            <th scope="col">{t('ui.tuning.change')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([kind, label, before, after, good]) => (
            <tr key={kind}>
              <th scope="row">{t(label)}</th>
              <td>{format.text(kind, before ?? null)}</td>
              <td>{format.text(kind, after ?? null)}</td>
              <td data-level={before != null && after != null && (after - before) * good > 0 ? 'ok' : undefined}>
                {before == null || after == null ? UNKNOWN : changeText(before, after, format.locale)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {then?.isMeasured !== true && (
        <p className={styles.hint}>{t(then === null ? 'ui.tuning.notMeasured' : 'ui.tuning.between')}</p>
      )}
    </>
  )
}

function changeText(before: number, after: number, locale: string): string {
  const format = new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: 1,
    signDisplay: 'exceptZero',
  })
  return format.format(after / before - 1)
}
