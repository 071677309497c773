// All devices beside each other: which one runs away from the others in heat, and which one earns less than it costs.
import { type CSSProperties, useMemo, useState } from 'react'
import type { HistoryWindow } from '../../../../contract/miner'
import { niceTicks, type Size, tenth, useSize } from '../../components/charts/chart-scale'
import { Card } from '../../components/layout/Card'
import { type useFormat, useLanguage, useText } from '../../i18n/text'
import { useMiner } from '../../state/environment'
import type { MinerState } from '../../state/stores/program-store'
import { type ChartLine, TimeChart } from '../../widgets/charts/TimeChart'
import { deviceColor, deviceLabel } from '../../widgets/devices/device-names'
import { MinerValue } from '../../widgets/devices/WrittenValue'
import { WindowChoice } from './DeviceCharts'
import styles from './Gpus.module.css'
import { type Rates, readings } from './use-figures'

interface ComparedDevicesProps {
  /** What each H/s earns and each watt costs; null while that isn't known. */
  readonly rates: Rates | null
}

export function ComparedDevices({ rates }: ComparedDevicesProps) {
  return (
    <div className={styles.pair}>
      <Temperatures />
      <Scatter rates={rates} />
    </div>
  )
}

/** More lines couldn't be told apart. */
const MAX_LINES = 12
const COLORS = 8
const CELSIUS = [20, 115] as const
/** The one that memory and cooling make critical first. */
const PLACES = ['memory', 'hotspot', 'core'] as const

/** How much hotter, in °C, another device has to be to take a line: drifting readings change no lines. */
const LEAD_CELSIUS = 5

/** Devices with a sensor, as text: a new reading doesn't render the chart again. With too many, the hottest ones. */
function selectSensors(): (state: MinerState) => string {
  let chosen = new Set<string>()
  return ({ devices }) => {
    const found = (devices?.devices ?? []).flatMap(({ index, backend, temperature }, at) => {
      const place = PLACES.find((each) => temperature[each] !== null)
      if (place === undefined) return []
      const name = `${index} ${backend} ${place} ${at}`
      return [{ name, index, heat: (temperature[place] ?? 0) + (chosen.has(name) ? LEAD_CELSIUS : 0) }]
    })
    const shown = [...found].sort((a, b) => b.heat - a.heat).slice(0, MAX_LINES)
    chosen = new Set(shown.sort((a, b) => a.index - b.index).map(({ name }) => name))
    return [...chosen].join()
  }
}

/** Renders nothing for fewer than two devices: the device's own chart shows that. */
function Temperatures() {
  const t = useText()
  const sensors = useMiner(useMemo(selectSensors, []))
  const [shown, setShown] = useState<HistoryWindow>('10m')
  const lines = useMemo(
    () =>
      sensors.split(',').map((sensor): ChartLine => {
        const [index = '0', backend = '', series = 'core', at = '0'] = sensor.split(' ')
        const device = Number(index)
        const name = series === 'memory' || series === 'hotspot' ? series : 'core'
        return {
          ring: `${device}.${name}`,
          history: { device, series: name },
          label: deviceLabel({ index: device, backend: backend === 'cpu' ? 'cpu' : 'cuda' }, t),
          color: (Number(at) % COLORS) + 1,
        }
      }),
    [sensors, t],
  )
  if (lines.length < 2) return null
  return (
    <div className={styles.chart}>
      <TimeChart
        title={t('ui.chart.temperature')}
        testId="all-temperature"
        lines={lines}
        kind="celsius"
        window={shown}
        range={CELSIUS}
        syncKey="all-devices"
        heightPx={Math.max(264, 24 * lines.length)}
        isFilling
        figure={<Hottest />}
        aside={<WindowChoice value={shown} onChange={setShown} />}
      />
    </div>
  )
}

/** The hottest reading of all, and whose it is. */
function Hottest() {
  const t = useText()
  const whose = useMiner(selectHottestDevice)
  if (whose === '') return null
  const [index = '0', backend = ''] = whose.split(' ')
  return (
    <>
      <MinerValue kind="celsius" read={selectHottestCelsius} size="lead" testId="hottest-now" />{' '}
      <span className={styles.limit}>
        {deviceLabel({ index: Number(index), backend: backend === 'cpu' ? 'cpu' : 'cuda' }, t)}
      </span>
    </>
  )
}

type Hot = { readonly index: number; readonly backend: string; readonly celsius: number }

/** Of equally hot devices the first. */
function hottestOf({ devices }: MinerState): Hot | null {
  return (devices?.devices ?? []).reduce<Hot | null>((most, device) => {
    const celsius = readings.hottest(device)
    if (celsius === null || (most !== null && celsius <= most.celsius)) return most
    return { index: device.index, backend: device.backend, celsius }
  }, null)
}

const selectHottestCelsius = (state: MinerState): number | null => hottestOf(state)?.celsius ?? null

/** As text: a new reading of the same device renders nothing again. */
function selectHottestDevice(state: MinerState): string {
  const hottest = hottestOf(state)
  return hottest === null ? '' : `${hottest.index} ${hottest.backend}`
}

/** A device's mean hashrate, H/s, and power, W. */
interface Spot {
  readonly index: number
  readonly place: number
  readonly isCpu: boolean
  readonly rate: number
  readonly watts: number
}

/** Readings to three digits: what moves less isn't seen, and isn't drawn again. */
const DIGITS = 3

/** Metered devices that compute, as text: an equal reading doesn't render the chart again. */
function selectSpots({ devices }: MinerState): string {
  const spots = (devices?.devices ?? []).flatMap(({ index, backend, hashrate, meanPowerWatts }, place): Spot[] => {
    const rate = Number((hashrate.m15 ?? 0).toPrecision(DIGITS))
    const watts = Number((meanPowerWatts ?? 0).toPrecision(DIGITS))
    return rate > 0 && watts > 0 ? [{ index, place, isCpu: backend === 'cpu', rate, watts }] : []
  })
  return JSON.stringify(spots)
}

/** Renders nothing for fewer than two devices. */
function Scatter({ rates }: ComparedDevicesProps) {
  const { t, format } = useLanguage()
  const found = useMiner(selectSpots)
  const spots = useMemo((): readonly Spot[] => JSON.parse(found), [found])
  const [box, size] = useSize<HTMLDivElement>()
  if (spots.length < 2) return null
  const even = rates === null || rates.earned <= 0 ? null : rates.cost / rates.earned
  const losing = even === null ? [] : spots.filter(({ rate, watts }) => rate < even * watts)
  const score = ({ rate, watts }: Spot): number => rate / watts
  const ordered = [...spots].sort((a, b) => score(b) - score(a))
  const nameOf = (spot: Spot | undefined): string =>
    spot === undefined ? '' : deviceLabel({ index: spot.index, backend: spot.isCpu ? 'cpu' : 'cuda' }, t)
  const label = t('ui.gpus.scatterLabel', {
    best: nameOf(ordered[0]),
    worst: nameOf(ordered.at(-1)),
    count: losing.length,
  })
  return (
    <Card
      title={t('ui.gpus.scatter')}
      testId="scatter"
      aside={even === null ? undefined : t('ui.gpus.losing', { count: losing.length })}
    >
      <div ref={box} className={styles.scatter} role="img" aria-label={label} data-losing={losing.length}>
        {size !== null && (
          <svg width={size.width} height={size.height} aria-hidden="true">
            <ScatterMarks spots={spots} even={even} size={size} format={format} />
          </svg>
        )}
      </div>
    </Card>
  )
}

const AXIS = { start: 64, foot: 22, top: 12, end: 20 } as const
/** A narrower chart has no room for the sentence, which its title line says, too. */
const SAID_FROM_PX = 420
/** A line isn't named this near a spot. */
const NEAR_PX = 60
/** Room above the highest. */
const HEADROOM = 1.08

interface MarksProps {
  readonly spots: readonly Spot[]
  /** H/s per W at which a device earns what it costs. */
  readonly even: number | null
  readonly size: Size
  readonly format: ReturnType<typeof useFormat>
}

function ScatterMarks({ spots, even, size: { width, height }, format }: MarksProps) {
  const t = useText()
  const most = {
    rate: HEADROOM * Math.max(...spots.map(({ rate }) => rate)),
    watts: HEADROOM * Math.max(...spots.map(({ watts }) => watts)),
  }
  const floor = height - AXIS.foot
  const right = width - AXIS.end
  const x = (watts: number): number => tenth(AXIS.start + (watts / most.watts) * (right - AXIS.start))
  const y = (rate: number): number => tenth(floor - (rate / most.rate) * (floor - AXIS.top))
  /** Where a line of equal efficiency leaves the chart. */
  const end = (score: number): readonly [number, number] =>
    score * most.watts <= most.rate ? [right, y(score * most.watts)] : [x(most.rate / score), AXIS.top]
  const labels = placeLabels(spots.map((spot) => ({ x: x(spot.watts), y: y(spot.rate) })))
  return (
    <>
      {even !== null && even > 0 && <Loss end={end(even)} origin={[x(0), floor]} right={right} />}
      {niceTicks(0, most.rate).map((tick) => (
        <g key={tick}>
          <line className={styles.curveGrid} x1={AXIS.start} x2={right} y1={y(tick)} y2={y(tick)} />
          <text x={AXIS.start - 8} y={y(tick) + 4} textAnchor="end">
            {format.tick('hashrate', tick)}
          </text>
        </g>
      ))}
      {niceTicks(0, most.watts)
        .filter((tick) => tick > 0)
        .map((tick) => (
          <text key={tick} x={x(tick)} y={height - 5} textAnchor="middle">
            {format.tick('watts', tick)}
          </text>
        ))}
      <EqualLines
        scores={niceTicks(0, (most.rate / most.watts) * 2)}
        endOf={end}
        origin={[x(0), floor]}
        spots={spots.map((spot) => ({ x: x(spot.watts), y: y(spot.rate) }))}
        format={format}
      />
      {even !== null && even > 0 && width >= SAID_FROM_PX && (
        <text className={styles.lossText} x={right} y={floor - 8} textAnchor="end">
          {t('ui.gpus.breakEven', { efficiency: format.text('efficiency', even) })}
        </text>
      )}
      {spots.map((spot, place) => (
        <g
          key={spot.index}
          style={{ '--c': deviceColor({ backend: spot.isCpu ? 'cpu' : 'cuda' }, spot.place) } as CSSProperties}
        >
          <circle className={styles.spot} cx={x(spot.watts)} cy={y(spot.rate)} r="5" />
          {labels[place] != null && (
            <text className={styles.spotName} x={labels[place].x} y={labels[place].y} textAnchor="middle">
              {spot.isCpu ? t('ui.gpus.cpu') : spot.index}
            </text>
          )}
        </g>
      ))}
    </>
  )
}

interface EqualLinesProps extends Pick<MarksProps, 'format'> {
  /** H/s per W. */
  readonly scores: readonly number[]
  readonly endOf: (score: number) => readonly [number, number]
  readonly origin: readonly [number, number]
  readonly spots: readonly Point[]
}

/** Lines of equal efficiency, each named at its middle where no spot is near. */
function EqualLines({ scores, endOf, origin: [left, floor], spots, format }: EqualLinesProps) {
  const names = format.ticks('efficiency', scores)
  const lines = scores
    .map((score, place) => ({ score, name: names[place], end: endOf(score) }))
    .filter(({ score }) => score > 0)
    .map((line) => ({ ...line, x: (left + line.end[0]) / 2, y: (floor + line.end[1]) / 2 }))
  const named = lines.filter((line) => spots.every(({ x, y }) => Math.hypot(x - line.x, y - line.y) > NEAR_PX))
  return (
    <>
      {lines.map(({ score, end }) => (
        <line key={score} className={styles.curveGrid} x1={left} y1={floor} x2={end[0]} y2={end[1]} />
      ))}
      {named.map(({ score, name, x, y }) => (
        <text key={score} x={tenth(x - 6)} y={tenth(y - 2)} textAnchor="end">
          {name}
        </text>
      ))}
    </>
  )
}

interface Point {
  readonly x: number
  readonly y: number
}

/** Where a label may stand around its spot, the best first. */
const AROUND = [
  { x: 11, y: -6 },
  { x: -11, y: -6 },
  { x: 11, y: 14 },
  { x: -11, y: 14 },
] as const
const LABEL_PX = { x: 12, y: 11 } as const

/** A place beside each spot that no other label takes and no spot is under; null where there is none. */
function placeLabels(spots: readonly Point[]): readonly (Point | null)[] {
  const taken: Point[] = spots.map(({ x, y }) => ({ x, y: y + 4 }))
  return spots.map((spot) => {
    const free = AROUND.map((off) => ({ x: spot.x + off.x, y: spot.y + off.y })).find(({ x, y }) =>
      taken.every((other) => Math.abs(other.x - x) >= LABEL_PX.x - 3 || Math.abs(other.y - y) >= LABEL_PX.y),
    )
    if (free !== undefined) taken.push(free)
    return free ?? null
  })
}

interface LossProps {
  readonly end: readonly [number, number]
  readonly origin: readonly [number, number]
  readonly right: number
}

/** Below the line that begins at nothing, a device costs more than it earns. */
function Loss({ end, origin: [left, floor], right }: LossProps) {
  const corner = end[0] < right ? `${right},${AXIS.top} ` : ''
  return (
    <>
      <polygon className={styles.loss} points={`${left},${floor} ${end[0]},${end[1]} ${corner}${right},${floor}`} />
      <line className={styles.lossLine} x1={left} y1={floor} x2={end[0]} y2={end[1]} />
    </>
  )
}
