// Tuning of a device's card: its knobs, what they would change, and the search for the best settings.

import { memo, useState } from 'react'
import type { TunedCardView, TuningKnob } from '../../../../contract/miner'
import { niceTicks, tenth, useSize } from '../../components/charts/chart-scale'
import { TextField } from '../../components/forms/TextField'
import { Card } from '../../components/layout/Card'
import { hiddenHeading, TableHead } from '../../components/tables/Table'
import { UNKNOWN } from '../../format/formatter'
import { useLanguage, useText } from '../../i18n/text'
import { RARELY, useAttempt, useCall } from '../../state/answers/use-answer'
import { useCanControl, useEnvironment, useMiner } from '../../state/environment'
import { Button, Failure } from '../../widgets/controls/Button'
import { AnswerState } from '../../widgets/facts/States'
import styles from './Gpus.module.css'

type KnobView = TunedCardView['knobs'][number]
type Typed = Readonly<Partial<Record<TuningKnob, string>>>

/** Says so if nothing can be set on the card, or by this person. */
export const TuningCard = memo(function TuningCard({ index }: { readonly index: number }) {
  const t = useText()
  const { backend } = useEnvironment()
  const canControl = useCanControl()
  const tuning = useCall('miner.tuning', { device: index }, RARELY)
  const card = tuning.value?.card ?? null
  const [typed, setTyped] = useState<Typed>({})
  const { isBusy, failure, attempt } = useAttempt()
  if (!canControl || card === null || card.knobs.length === 0) {
    return (
      <Card title={t('ui.tuning.title')} testId={`gpu-untuned-${index}`}>
        {tuning.value === null && canControl ? (
          <AnswerState answer={tuning} lines={2} />
        ) : (
          <p className={styles.hint}>{t(canControl ? 'ui.tuning.none' : 'ui.tuning.viewOnly')}</p>
        )}
      </Card>
    )
  }
  const run = (work: () => Promise<unknown>): void =>
    void attempt(async () => {
      await work()
      setTyped({})
    }, 'ui.tuning.failed').finally(tuning.retry)
  return (
    <div className={styles.tuning}>
      <Card title={t('ui.tuning.title')} testId={`gpu-tuning-${index}`}>
        <p className={styles.hint}>{t('ui.tuning.text')}</p>
        {card.knobs.some(({ allowed }) => allowed === false) && (
          <p className={styles.hint}>{t('ui.tuning.noRights')}</p>
        )}
        <KnobForm index={index} card={card} isBusy={isBusy} typed={typed} onType={setTyped} onSend={run} />
        <Search
          index={index}
          search={card.search}
          hasTariff={tuning.value?.hasTariff ?? false}
          isBusy={isBusy}
          onSearch={(goal) => run(() => backend.call('miner.tuneSearch', { device: index, goal }))}
        />
        <Failure text={failure} />
      </Card>
      <TuningPreview index={index} search={card.search} wanted={wantedOf(card.knobs, typed)} />
    </div>
  )
})

interface KnobFormProps {
  readonly index: number
  readonly card: TunedCardView
  readonly isBusy: boolean
  readonly typed: Typed
  readonly onType: (typed: Typed) => void
  /** Runs a call, then discards what was typed. */
  readonly onSend: (work: () => Promise<unknown>) => void
}

function KnobForm({ index, card, isBusy, typed, onType, onSend }: KnobFormProps) {
  const t = useText()
  const { backend } = useEnvironment()
  const isSearching = card.search?.running === true
  const count = Object.keys(changesOf(card.knobs, typed) ?? {}).length
  const apply = (): void => {
    const settings = changesOf(card.knobs, typed)
    if (settings !== null) onSend(() => backend.call('miner.tune', { device: index, settings }))
  }
  return (
    <form
      className={styles.knobs}
      onSubmit={(event) => {
        event.preventDefault()
        apply()
      }}
    >
      <div className={styles.knobs}>
        {card.knobs.map((view) => (
          <KnobField
            key={view.knob}
            index={index}
            view={view}
            value={typed[view.knob] ?? textOf(view)}
            isOff={isSearching || isBusy}
            onChange={(text) => onType({ ...typed, [view.knob]: text })}
          />
        ))}
      </div>
      {!isSearching && (
        <div className={styles.faults}>
          <Button type="submit" variant="primary" isBusy={isBusy} data-testid={`tuning-apply-${index}`}>
            {count === 0 ? t('ui.tuning.apply') : t('ui.tuning.applyCount', { count })}
          </Button>
          {card.knobs.some(({ isSet }) => isSet) && (
            <Button
              size="small"
              variant="quiet"
              isBusy={isBusy}
              data-testid={`tuning-reset-${index}`}
              onClick={() => onSend(() => backend.call('miner.tuneReset', { device: index }))}
            >
              {t('ui.tuning.reset')}
            </Button>
          )}
        </div>
      )}
    </form>
  )
}

interface KnobFieldProps {
  readonly index: number
  readonly view: KnobView
  readonly value: string
  readonly isOff: boolean
  readonly onChange: (text: string) => void
}

function KnobField({ index, view, value, isOff, onChange }: KnobFieldProps) {
  const t = useText()
  const { knob, least, most, now, usual } = view
  const bounds = { least: Math.round(least), most: Math.round(most) }
  const hint =
    now === null ? t('ui.tuning.range', bounds) : t('ui.tuning.rangeNow', { ...bounds, now: Math.round(now) })
  const setting = settingOf(view, value)
  return (
    <div className={styles.knob}>
      <TextField
        label={t(`ui.tuning.${knob}`)}
        inputMode="numeric"
        maxLength={5}
        value={value}
        disabled={isOff}
        hint={hint}
        error={setting === undefined ? t('ui.tuning.outOfRange', bounds) : ''}
        data-testid={`tuning-${knob}-${index}`}
        onChange={onChange}
      />
      <input
        type="range"
        className={styles.slider}
        aria-label={t(`ui.tuning.${knob}`)}
        min={bounds.least}
        max={bounds.most}
        value={setting ?? Math.round(now ?? usual ?? most)}
        disabled={isOff}
        data-testid={`tuning-slider-${knob}-${index}`}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}

interface SearchProps {
  readonly index: number
  readonly search: TunedCardView['search']
  readonly hasTariff: boolean
  readonly isBusy: boolean
  /** Null ends the search. */
  readonly onSearch: (goal: 'efficiency' | 'margin' | null) => void
}

function Search({ index, search, hasTariff, isBusy, onSearch }: SearchProps) {
  const t = useText()
  const goals = hasTariff ? (['efficiency', 'margin'] as const) : (['efficiency'] as const)
  const words = useSearchWords(search)
  return (
    <div className={styles.knobs}>
      <p className={styles.hint}>{t('ui.tuning.searchText')}</p>
      {words !== '' && (
        <p role="status" data-testid={`tuning-search-${index}`} data-state={search?.running ? 'running' : 'done'}>
          {words}
        </p>
      )}
      <div className={styles.faults}>
        {search?.running === true ? (
          <Button size="small" isBusy={isBusy} data-testid={`tuning-stop-${index}`} onClick={() => onSearch(null)}>
            {t('ui.tuning.stop')}
          </Button>
        ) : (
          goals.map((goal) => (
            <Button
              key={goal}
              size="small"
              isBusy={isBusy}
              data-testid={`tuning-${goal}-${index}`}
              onClick={() => onSearch(goal)}
            >
              {t(`ui.tuning.${goal}`)}
            </Button>
          ))
        )}
      </div>
    </div>
  )
}

/** Progress of a search, or its result; empty without one. */
function useSearchWords(search: TunedCardView['search']): string {
  const { t, format } = useLanguage()
  if (search === null) return ''
  const { goal, running, steps, error } = search
  if (error !== '') return t('ui.tuning.ended', { reason: error })
  if (search.best === null) return running ? t('ui.tuning.searching', { steps }) : ''
  const best = goal === 'efficiency' ? format.text('efficiency', search.best) : format.money(search.best)
  return t(running ? 'ui.tuning.searchingBest' : 'ui.tuning.found', { steps, best })
}

function textOf({ isSet, now }: KnobView): string {
  return isSet && now !== null ? String(Math.round(now)) : ''
}

/** Null: left to the card. Undefined: neither empty nor a value that the knob accepts. */
function settingOf({ least, most }: KnobView, text: string): number | null | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return null
  const value = /^\d{1,5}$/.test(trimmed) ? Number(trimmed) : Number.NaN
  return value >= least && value <= most ? value : undefined
}

/** All settings as they would be; a wrong field stays as it is now. */
function wantedOf(knobs: readonly KnobView[], typed: Typed): Settings {
  return Object.fromEntries(
    knobs.map((view) => {
      const setting = settingOf(view, typed[view.knob] ?? textOf(view))
      return [view.knob, setting === undefined ? (settingOf(view, textOf(view)) ?? null) : setting]
    }),
  )
}

/** Typed values that differ from the current ones; null if there are none, or a field is wrong. */
function changesOf(knobs: readonly KnobView[], typed: Typed): Partial<Record<TuningKnob, number | null>> | null {
  const changes: Partial<Record<TuningKnob, number | null>> = {}
  for (const view of knobs) {
    const text = typed[view.knob]
    if (text === undefined || text.trim() === textOf(view)) continue
    const value = settingOf(view, text)
    if (value === undefined) return null
    changes[view.knob] = value
  }
  return Object.keys(changes).length === 0 ? null : changes
}

/** Null: left to the card. */
type Settings = Readonly<Partial<Record<TuningKnob, number | null>>>

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

function TuningPreview({ index, search, wanted }: PreviewProps) {
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
  const { t, format } = useLanguage()
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
  const { t, format } = useLanguage()
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
        <TableHead
          headings={[
            hiddenHeading(t('ui.tuning.figure')),
            t('ui.gpus.now'),
            t('ui.tuning.then'),
            t('ui.tuning.change'),
          ]}
        />
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
