// Hashes done and lost: the large chart, and what each cause cost.
import { useCallback, useMemo, useState } from 'react'
import { HOUR_MS, SECOND_MS } from '../../../../base/time'
import type { HistoryView, HistoryWindow } from '../../../../contract/miner'
import type { LossRowView, MoneyView } from '../../../../contract/money'
import { Hatches, Swatch } from '../../components/charts/Hatches'
import { type StackBand, StackChart, type StackLayer, type StackWords } from '../../components/charts/StackChart'
import { Choice } from '../../components/forms/Choice'
import { ForeignText } from '../../components/values/HexText'
import { UNKNOWN } from '../../format/formatter'
import { type Text, type useFormat, useLanguage, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { type Answered, useAnswer } from '../../state/answers/use-answer'
import { useApp, useEnvironment, useMiner } from '../../state/environment'
import { useIncidentSpans } from '../../state/incidents'
import {
  lostPart,
  selectHidesMoney,
  useDayBounds,
  useHourBounds,
  useMoney,
  useMoneyAnswer,
} from '../../state/money/use-money'
import { type MinerState, selectDeviceIndexes, selectHashrate } from '../../state/stores/program-store'
import {
  type DeviceNamer,
  deviceColor,
  deviceLabel,
  devicesText,
  shortName,
  useDeviceNamer,
} from '../../widgets/devices/device-names'
import { MinerValue } from '../../widgets/devices/WrittenValue'
import { AnswerState, Skeleton } from '../../widgets/facts/States'
import { useMinerAge } from '../../widgets/facts/Value'
import { causeIcon, incidentSentence, incidentShort, lossSentence } from '../../widgets/incidents/incident-words'
import styles from './Flow.module.css'
import { missingText } from './Income'

/** Periods that can be shown, with the length of a bin. */
const chartPeriods = {
  '1h': { hours: 1, binMs: 30 * SECOND_MS },
  '24h': { hours: 24, binMs: 120 * SECOND_MS },
  '7d': { hours: 168, binMs: 900 * SECOND_MS },
} as const satisfies Readonly<Partial<Record<HistoryWindow, { readonly hours: number; readonly binMs: number }>>>
type ChartPeriod = keyof typeof chartPeriods
const periods = Object.keys(chartPeriods) as readonly ChartPeriod[]
/** With more devices, a layer is a model. */
const MAX_LAYERS = 12
/** Rows of the list; with more causes the last one sums up the rest. */
const MAX_ROWS = 5

export function Flow() {
  const t = useText()
  const { layers } = useEnvironment().stores
  const [chosen, setChosen] = useState<ChartPeriod | null>(null)
  const period = useShown(chosen)
  const [marked, setMarked] = useState<string | null>(null)
  const series = useHashSeries(period)
  const hasMoney = !useApp(selectHidesMoney)
  const { value: money, reason: moneyFault } = useMoneyAnswer(useHourBounds(chartPeriods[period].hours))
  const bands = useBands(series.value, money)
  const open = (id: string): void => layers.open({ kind: 'incidents', id })
  const age = useMinerAge(statusAt)
  const isDead = bands.some(
    ({ kind, isLive, rate }) =>
      isLive && kind === 'work' && rate > 0 && rate >= 0.95 * (usualOf(money) ?? Number.POSITIVE_INFINITY),
  )
  return (
    <section className={styles.flow} aria-label={t('ui.overview.hashrate')}>
      <Hatches />
      <div className={styles.chart}>
        <div className={styles.head}>
          <h2 className={styles.name}>{t('ui.overview.hashrate')}</h2>
          <span className={styles.figure}>
            <MinerValue kind="hashrate" read={selectHashrate} age={age} size="figure" testId="hashrate" />
          </span>
          {isDead && <span className={styles.none}>{t('ui.flow.noneAccepted')}</span>}
          <Choice
            label={t('ui.chart.window')}
            value={period}
            options={periods.map((value) => ({ value, label: t(`ui.chart.window.${value}`) }))}
            onChange={setChosen}
          />
        </div>
        <Stack
          series={series}
          money={money}
          bands={bands}
          isDead={isDead}
          marked={marked}
          onMark={setMarked}
          onPick={open}
        />
      </div>
      {hasMoney && <Losses money={money} isFailed={moneyFault !== ''} bands={bands} onMark={setMarked} onPick={open} />}
    </section>
  )
}

/** A day, or what was chosen; an hour before there is more than that to show. */
function useShown(chosen: ChartPeriod | null): ChartPeriod {
  const money = useMoney(useDayBounds('30d'))
  if (chosen !== null) return chosen
  const since = money?.firstAt ?? null
  return since !== null && (money?.takenAt ?? since) - since > HOUR_MS ? '24h' : '1h'
}

const statusAt = ({ status }: MinerState) => status?.takenAt

/** The usual hashrate of all devices; null while one of them isn't known. */
function usualOf(money: MoneyView | null): number | null {
  const known = money?.devices.filter(({ index }) => index !== null) ?? []
  if (known.length === 0 || known.some(({ usualHashrate }) => usualHashrate.value === null)) return null
  return known.reduce((sum, { usualHashrate }) => sum + (usualHashrate.value ?? 0), 0)
}

function useBands(series: HashSeries | null, money: MoneyView | null): readonly StackBand[] {
  const { t, format } = useLanguage()
  const incidents = useIncidentSpans()
  const nameOf = useDeviceNamer()
  return useMemo(() => {
    if (series === null || money === null) return []
    return incidents.flatMap((incident): readonly StackBand[] => {
      const to = incident.until ?? series.to
      const { value } = incident.hashes
      const seconds = (to - incident.since) / 1000
      if (value === null || value <= 0 || seconds <= 0 || to <= series.from || incident.since >= series.to) return []
      return [
        {
          id: incident.id,
          kind: incident.kind,
          from: incident.since,
          to,
          isLive: incident.until === null && incident.level === 'problem',
          rate: value / seconds,
          short: incidentShort(incident, t),
          title: `${incidentSentence(incident, t, nameOf)}, ${format.when(incident.since, series.to)}`,
          icon: causeIcon(incident.cause),
        },
      ]
    })
  }, [series, money, incidents, t, format, nameOf])
}

interface StackProps {
  readonly series: Answered<HashSeries>
  readonly money: MoneyView | null
  readonly bands: readonly StackBand[]
  readonly isDead: boolean
  readonly marked: string | null
  readonly onMark: (id: string | null) => void
  readonly onPick: (id: string) => void
}

function Stack({ series: answered, money, bands, isDead, marked, onMark, onPick }: StackProps) {
  const t = useText()
  const { value: series } = answered
  const usual = usualOf(money)
  const words = useStackWords(usual)
  const layers = useLayers(series, money)
  const state = <AnswerState answer={answered} failed="ui.money.failed" lines={1} heightPx={280} />
  if (series === null) return state
  return (
    <>
      {state}
      <StackChart
        layers={layers}
        bands={bands}
        from={series.from}
        to={series.to}
        usual={usual}
        words={words}
        isDead={isDead}
        marked={marked}
        onMark={onMark}
        onPick={onPick}
      />
      <div className="visually-hidden">
        <table data-testid="stack-table">
          <caption>{t('ui.flow.table')}</caption>
          <tbody>
            {layers.map(({ key, label, now }) => (
              <tr key={key}>
                <th scope="row">
                  <ForeignText text={label} />
                </th>
                <td>{now === null ? '' : words.rate(now)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function useLayers(series: HashSeries | null, money: MoneyView | null): readonly StackLayer[] {
  const t = useText()
  const devices = useMiner((state) => state.devices?.devices ?? NONE)
  return useMemo(() => {
    const all = devices.map(
      (device, place): StackLayer => ({
        key: String(device.index),
        label: deviceLabel(device, t),
        color: deviceColor(device, place),
        values: series?.devices.find(({ index }) => index === device.index)?.values ?? [],
        usual: money?.devices.find(({ index }) => index === device.index)?.usualHashrate.value ?? null,
        now: device.hashrate.now,
      }),
    )
    return all.length <= MAX_LAYERS
      ? all
      : byModel(
          all,
          devices.map(({ name }) => shortName(name)),
        )
  }, [series, money, devices, t])
}

const NONE: NonNullable<MinerState['devices']>['devices'] = []

/** One layer per model, in the color of its first device; what it sums has a gap where a device has no reading. */
export function byModel(layers: readonly StackLayer[], models: readonly string[]): readonly StackLayer[] {
  const sum = (values: readonly (number | null)[]): number | null =>
    values.reduce<number | null>((total, value) => (total === null || value === null ? null : total + value), 0)
  return [...new Set(models)].map((model, place) => {
    const group = layers.filter((_, index) => models[index] === model)
    const bins = Math.max(0, ...group.map(({ values }) => values.length))
    // Before its first reading a device wasn't there.
    const firsts = group.map(({ values }) => values.findIndex((value) => value !== null))
    const isThere = (at: number, bin: number): boolean => (firsts[at] ?? -1) >= 0 && (firsts[at] ?? 0) <= bin
    const sumAt = (bin: number): number | null => {
      const there = group.filter((_, at) => isThere(at, bin))
      return there.length === 0 ? null : sum(there.map(({ values }) => values[bin] ?? null))
    }
    return {
      key: model,
      label: `${group.length} × ${model}`,
      color: `var(--dev-${(place % 8) + 1})`,
      values: Array.from({ length: bins }, (_, bin) => sumAt(bin)),
      usual: sum(group.map(({ usual }) => usual)),
      now: sum(group.map(({ now }) => now)),
    }
  })
}

function useStackWords(usual: number | null): StackWords {
  const { t, format } = useLanguage()
  const largest = useMiner((state) => format.hashratePrefix(usual ?? selectHashrate(state) ?? 0))
  return useMemo(
    () => ({
      label: t('ui.flow.label'),
      hashrate: t('ui.overview.hashrate'),
      usual: t('ui.flow.usual'),
      tick: (rate) => format.tickIn(rate, largest),
      value: (rate) => format.hashrateIn(rate, largest),
      rate: (rate) => format.text('hashrate', rate),
      clock: format.clock,
      day: format.weekday,
      moment: (ms) => `${format.weekday(ms)} ${format.clock(ms)}`,
    }),
    [t, format, largest],
  )
}

interface LossesProps extends Pick<StackProps, 'money' | 'bands' | 'onMark' | 'onPick'> {
  /** The income above says why. */
  readonly isFailed: boolean
}

function Losses({ money, isFailed, bands, onMark, onPick }: LossesProps) {
  const { t, format } = useLanguage()
  const losses = money?.whole.losses ?? null
  const rows = (losses?.rows ?? []).filter(({ hashes }) => hashes > 0)
  const shown = rows.length > MAX_ROWS ? rows.slice(0, MAX_ROWS - 1) : rows
  const rest = rows.slice(shown.length)
  const part = money === null ? null : lostPart(money.whole.losses, money.whole)
  const figure =
    losses === null || losses.lostIncome.value === null ? null : format.laxLost(BigInt(losses.lostIncome.value))
  return (
    <div className={styles.side} data-testid="losses" data-value={losses?.lostHashes.value ?? ''}>
      <div className={styles.lostHead}>
        <h2 className={styles.name}>
          {part === null ? t('ui.flow.lost') : t('ui.flow.lostPart', { percent: format.text('percent', 100 * part) })}
        </h2>
        {figure !== null && (
          <span className={styles.lostFigure}>
            {figure.number}
            <span className={styles.unit}>{figure.unit}</span>
          </span>
        )}
      </div>
      {losses === null && (isFailed ? <p className={styles.quiet}>{UNKNOWN}</p> : <Skeleton lines={3} />)}
      {losses !== null && losses.lostHashes.value === null && (
        <p className={styles.quiet}>{missingText(losses.lostHashes, t)}</p>
      )}
      {losses?.lostHashes.value != null && rows.length === 0 && <p className={styles.quiet}>{t('ui.flow.nothing')}</p>}
      <ul className={styles.list}>
        {shown.map((row) => (
          <LossRow
            key={`${row.cause} ${row.reason} ${row.from}`}
            row={row}
            id={bandOf(row, bands)}
            now={money?.takenAt ?? 0}
            onMark={onMark}
            onPick={onPick}
          />
        ))}
        {rest.length > 0 && <MoreLosses rest={rest} onPick={onPick} />}
      </ul>
      <p className={styles.foot}>
        <span>{t('ui.flow.basis')}</span>
        <a href={hrefOf('/activity')}>{t('ui.flow.all')}</a>
      </p>
    </div>
  )
}

interface MoreLossesProps {
  readonly rest: readonly LossRowView[]
  readonly onPick: (id: string) => void
}

/** The rows that aren't listed, in one, so that rows add up. */
function MoreLosses({ rest, onPick }: MoreLossesProps) {
  const { t, format } = useLanguage()
  return (
    <li>
      <button
        type="button"
        className={styles.loss}
        data-testid="losses-more"
        data-value={rest.reduce((sum, { hashes }) => sum + hashes, 0)}
        onClick={() => onPick('')}
      >
        <span />
        <span className={styles.what}>{t('ui.flow.more', { count: rest.length })}</span>
        <span className={styles.amount}>{incomeOf(rest, format)}</span>
        <span className={styles.when}>
          {[...new Set(rest.map((row) => t(`ui.lossShort.${row.cause}`)))].join(format.separator)}
        </span>
      </button>
    </li>
  )
}

type Format = ReturnType<typeof useFormat>

function incomeOf(rows: readonly LossRowView[], format: Format): string {
  if (rows.some(({ income }) => income.value === null)) return ''
  return format.laxLost(rows.reduce((sum, { income }) => sum + BigInt(income.value ?? 0), 0n)).number
}

/** The band that shows a row's loss; empty if none does. */
function bandOf(row: LossRowView, bands: readonly StackBand[]): string {
  const to = row.to ?? Number.POSITIVE_INFINITY
  return bands.find((band) => band.kind === row.kind && band.from < to && band.to > row.from)?.id ?? ''
}

interface LossRowProps {
  readonly row: LossRowView
  readonly id: string
  readonly now: number
  readonly onMark: (id: string | null) => void
  readonly onPick: (id: string) => void
}

function LossRow({ row, id, now, onMark, onPick }: LossRowProps) {
  const { t, format } = useLanguage()
  const nameOf = useDeviceNamer()
  const mark = (): void => onMark(id === '' ? null : id)
  return (
    <li>
      <button
        type="button"
        className={styles.loss}
        data-testid="losses-row"
        data-state={row.kind}
        data-value={row.hashes}
        onClick={() => onPick(id)}
        onPointerEnter={mark}
        onPointerLeave={() => onMark(null)}
        onFocus={mark}
        onBlur={() => onMark(null)}
      >
        <Swatch kind={row.kind} />
        <span className={styles.what}>{lossSentence(row, t)}</span>
        <span className={styles.amount}>
          {row.income.value === null ? '–' : format.laxLost(BigInt(row.income.value)).number}
        </span>
        <span className={styles.when}>{whenText(row, { now, nameOf, t, format })}</span>
      </button>
    </li>
  )
}

interface WhenWords {
  readonly now: number
  readonly nameOf: DeviceNamer
  readonly t: Text
  readonly format: Format
}

function whenText({ devices, from, to, ms }: LossRowView, { now, nameOf, t, format }: WhenWords): string {
  const known = devices.flatMap(({ index }) => (index === null ? [] : [{ index }]))
  const who =
    known.length === 0 || known.length > 3
      ? t('ui.flow.devices', { count: devices.length })
      : devicesText(known, nameOf, format)
  // Shares are lost at moments: between the first and the last of them.
  const spent = ms > 0 ? Math.max(1_000, ms / Math.max(1, devices.length)) : (to ?? now) - from
  const long = to === null ? t('ui.flow.ongoing') : spent < 1_000 ? '' : format.text('duration', spent / 1_000)
  // Within half a day a time alone is clear, also past midnight.
  const when = now - from < 12 * HOUR_MS ? format.clock(from) : format.when(from, now)
  return [who, when, long].filter((text) => text !== '').join(format.separator)
}

/** At least this many bins are shown, however short the record is. */
const MIN_BINS = 8

interface HashSeries {
  /** UTC ms of the first bin's start and the last one's end: the period, or less while the record is younger. */
  readonly from: number
  readonly to: number
  /** By device: mean hashes per second of each bin; null where nothing was recorded. */
  readonly devices: readonly { readonly index: number; readonly values: readonly (number | null)[] }[]
}

/** Read again whenever a bin is full. */
function useHashSeries(period: ChartPeriod): Answered<HashSeries> {
  const { stores, clock } = useEnvironment()
  const key = useMiner((state) => selectDeviceIndexes(state).join())
  const { binMs } = chartPeriods[period]
  const ask = useCallback(async (): Promise<HashSeries> => {
    const indexes = key === '' ? [] : key.split(',').map(Number)
    const histories = await Promise.all(indexes.map((index) => stores.queries.history(index, 'hashrate', period)))
    const { from, to } = binsAt(clock.now(), period)
    const all = histories.map((history) => inBins(history, { from, to, binMs }))
    const skipped = emptyBins(all, Math.round((to - from) / binMs))
    return {
      from: from + skipped * binMs,
      to,
      devices: all.map((values, place) => ({ index: indexes[place] ?? 0, values: values.slice(skipped) })),
    }
  }, [stores, clock, key, period, binMs])
  return useAnswer(ask, { everyMs: binMs })
}

/** The period that ends with the bin that is running at `now`. */
function binsAt(now: number, period: ChartPeriod): { readonly from: number; readonly to: number } {
  const { hours, binMs } = chartPeriods[period]
  const to = (Math.floor(now / binMs) + 1) * binMs
  return { from: to - hours * HOUR_MS, to }
}

/** How many bins before the first record aren't worth their room. */
export function emptyBins(devices: readonly (readonly (number | null)[])[], count: number): number {
  const first = Math.min(
    count,
    ...devices.map((values) => values.findIndex((value) => value !== null)).filter((at) => at >= 0),
  )
  return Math.max(0, Math.min(first, count - MIN_BINS))
}

/** The mean of what was recorded in each bin; null where that is nothing. */
function inBins(
  { firstAt, stepMs, values }: Pick<HistoryView, 'firstAt' | 'stepMs' | 'values'>,
  { from, to, binMs }: { readonly from: number; readonly to: number; readonly binMs: number },
): readonly (number | null)[] {
  const count = Math.round((to - from) / binMs)
  const sums = new Array<number>(count).fill(0)
  const counts = new Array<number>(count).fill(0)
  for (let place = 0; place < values.length; place++) {
    const value = values[place]
    const bin = Math.floor((firstAt + place * stepMs - from) / binMs)
    if (value == null || bin < 0 || bin >= count) continue
    sums[bin] = (sums[bin] ?? 0) + value
    counts[bin] = (counts[bin] ?? 0) + 1
  }
  const means = sums.map((sum, bin) => ((counts[bin] ?? 0) === 0 ? null : sum / (counts[bin] ?? 1)))
  return bridged(means, Math.ceil(stepMs / binMs))
}

/** A record coarser than the bins fills those between two of its points. */
function bridged(means: readonly (number | null)[], most: number): readonly (number | null)[] {
  if (most <= 1) return means
  const filled = [...means]
  let last: { readonly bin: number; readonly value: number } | null = null
  for (let bin = 0; bin < filled.length; bin++) {
    const value = means[bin]
    if (value != null) last = { bin, value }
    else if (last !== null && bin - last.bin < most) filled[bin] = last.value
  }
  return filled
}
