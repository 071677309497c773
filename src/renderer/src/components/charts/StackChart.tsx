// Hashes done, stacked by device; hashes lost, as bands below the usual hashrate. A reading draws nothing anew.
import type { LucideIcon } from 'lucide-react'
import { memo, type PointerEvent, type ReactNode, useMemo, useState } from 'react'
import { ForeignText } from '../values/HexText'
import { niceTicks, offsetAt, type Size, spread, tenth, timeTicks, useSize } from './chart-scale'
import { type LossKind, lossColor, Swatch } from './Hatches'
import styles from './StackChart.module.css'

export interface StackLayer {
  readonly key: string
  readonly label: string
  /** A CSS color. */
  readonly color: string
  /** Mean hashes per second of each bin; null where nothing was recorded. */
  readonly values: readonly (number | null)[]
  /** What it usually does; null while that isn't known. */
  readonly usual: number | null
  /** What it does now; null if unknown. */
  readonly now: number | null
}

export interface StackBand {
  readonly id: string
  readonly kind: LossKind
  /** UTC ms. */
  readonly from: number
  readonly to: number
  readonly isLive: boolean
  /** Hashes per second lost on average while it lasted. */
  readonly rate: number
  /** One word for its pin. */
  readonly short: string
  /** Its whole sentence. */
  readonly title: string
  readonly icon: LucideIcon
}

/** How the chart writes what it shows. */
export interface StackWords {
  readonly label: string
  readonly hashrate: string
  readonly usual: string
  /** A number of the axis. */
  readonly tick: (rate: number) => string
  /** A number of an end label, in the unit of the axis. */
  readonly value: (rate: number | null) => string
  /** With its unit. */
  readonly rate: (rate: number) => string
  readonly clock: (ms: number) => string
  readonly day: (ms: number) => string
  readonly moment: (ms: number) => string
}

interface StackChartProps {
  /** From the top down. */
  readonly layers: readonly StackLayer[]
  readonly bands: readonly StackBand[]
  /** UTC ms of the first bin's start and the last bin's end. */
  readonly from: number
  readonly to: number
  /** The usual hashrate of all layers; null while that isn't known. */
  readonly usual: number | null
  readonly words: StackWords
  /** Nothing of it counts: the labels turn gray. */
  readonly isDead: boolean
  readonly marked: string | null
  readonly onMark: (id: string | null) => void
  readonly onPick: (id: string) => void
}

const AXIS_PX = 44
/** The labels at the right: at least, and at most. */
const ENDS_PX = 122
const MAX_ENDS_PX = 220
/** Beside a label's name: its mark and its value. */
const END_REST_PX = 66
const FOOT = 22
const TOP = 6
/** Above the usual hashrate. */
const HEADROOM = 1.03
const NARROW = 560
const LABEL_GAP = 17

interface Geometry {
  readonly left: number
  readonly width: number
  readonly height: number
  readonly isNarrow: boolean
  readonly bins: number
  readonly top: number
  /** False while nothing of a rate is known: an axis would be made up. */
  readonly hasScale: boolean
  readonly x: (bin: number) => number
  readonly xAt: (ms: number) => number
  readonly y: (rate: number) => number
}

interface DrawnProps extends StackChartProps {
  readonly geometry: Geometry
}

export function StackChart(props: StackChartProps) {
  const { bands, marked, onMark, onPick, from, to, words } = props
  const [plot, size] = useSize<HTMLDivElement>()
  const [hover, setHover] = useState<number | null>(null)
  const geometry = useMemo(() => (size === null ? null : geometryOf(props, size)), [props, size])
  const onMove = (event: PointerEvent<HTMLDivElement>): void => {
    if (geometry === null) return
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left
    const isInside = at >= geometry.left && at <= geometry.left + geometry.width
    setHover(
      isInside
        ? Math.min(geometry.bins - 1, Math.floor(((at - geometry.left) / geometry.width) * geometry.bins))
        : null,
    )
  }
  return (
    <div className={styles.stack} data-marking={marked === null ? undefined : ''}>
      <div className={styles.pins}>
        {geometry !== null &&
          pinsOf(bands, geometry).map(({ band, x, isFull }) => (
            <Pin
              key={band.id}
              band={band}
              x={x}
              isFull={isFull}
              isOn={band.id === marked}
              onMark={onMark}
              onPick={onPick}
            />
          ))}
      </div>
      <div ref={plot} className={styles.plot} onPointerMove={onMove} onPointerLeave={() => setHover(null)}>
        {geometry !== null && size !== null && (
          <svg width={size.width} height={size.height} role="img" aria-label={words.label} data-testid="stack-chart">
            <Picture {...props} geometry={geometry} />
            <Ends {...props} geometry={geometry} width={size.width} hover={hover} />
            {hover !== null && (
              <line
                className={styles.cross}
                x1={tenth(geometry.x(hover + 0.5))}
                x2={tenth(geometry.x(hover + 0.5))}
                y1={TOP}
                y2={TOP + geometry.height}
              />
            )}
          </svg>
        )}
      </div>
      {hover !== null && geometry !== null && (
        <Tip {...props} geometry={geometry} bin={hover} at={from + ((hover + 0.5) / geometry.bins) * (to - from)} />
      )}
    </div>
  )
}

function geometryOf({ layers, usual, from, to }: StackChartProps, size: Size): Geometry {
  const isNarrow = size.width < NARROW
  const left = isNarrow ? 0 : AXIS_PX
  const letters = Math.max(0, ...layers.map(({ label }) => label.length))
  const ends = Math.min(MAX_ENDS_PX, Math.max(ENDS_PX, END_REST_PX + letters * LETTER_PX))
  const width = size.width - left - (isNarrow ? 0 : ends)
  const height = size.height - FOOT - TOP
  const bins = Math.max(1, ...layers.map(({ values }) => values.length))
  const known = usual ?? highest(layers, bins)
  const top = known * HEADROOM || 1
  return {
    left,
    width,
    height,
    isNarrow,
    bins,
    top,
    hasScale: known > 0,
    x: (bin) => left + (bin / bins) * width,
    xAt: (ms) => left + ((ms - from) / (to - from)) * width,
    // A spike above the axis is clipped.
    y: (rate) => TOP + height - (Math.min(Math.max(rate, 0), top) / top) * height,
  }
}

/** All but one in a hundred recorded bins stay below it; before the first bin, what the devices do now. */
function highest(layers: readonly StackLayer[], bins: number): number {
  const isRecorded = (bin: number): boolean => layers.some(({ values }) => values[bin] != null)
  const recorded = Array.from({ length: bins }, (_, bin) => bin).filter(isRecorded)
  const sums = recorded.map((bin) => sumAt(layers, bin)).sort((a, b) => a - b)
  return sums[Math.floor(0.99 * (sums.length - 1))] ?? layers.reduce((sum, { now }) => sum + (now ?? 0), 0)
}

const sumAt = (layers: readonly StackLayer[], bin: number): number =>
  layers.reduce((sum, { values }) => sum + (values[bin] ?? 0), 0)

/** Layers, bands, axes: drawn again only with new data or another size. */
const Picture = memo(function Picture(props: DrawnProps) {
  const { layers, usual, words, geometry } = props
  const { left, width, height, isNarrow, y } = geometry
  const right = left + width
  const ticks =
    isNarrow || !geometry.hasScale
      ? []
      : niceTicks(0, geometry.top, height < 190 ? 2 : 3).filter(
          (tick) => tick > 0 && (usual === null || Math.abs(y(tick) - y(usual)) > 14),
        )
  return (
    <>
      {ticks.map((tick) => (
        <g key={tick}>
          <line className={styles.grid} x1={left} x2={right} y1={tenth(y(tick))} y2={tenth(y(tick))} />
          <text className={styles.tick} x={left - 10} y={tenth(y(tick)) + 4} textAnchor="end">
            {words.tick(tick)}
          </text>
        </g>
      ))}
      <g className={styles.layers}>
        {stackedPaths(layers, geometry).map(({ key, color, area, edge }) => (
          <g key={key}>
            <path className={styles.layer} d={area} fill={color} />
            <path className={styles.edge} d={edge} stroke={color} />
          </g>
        ))}
      </g>
      <Bands {...props} />
      {usual !== null && (
        <>
          <line className={styles.usual} x1={left} x2={right} y1={tenth(y(usual))} y2={tenth(y(usual))} />
          {!isNarrow && (
            <>
              <text
                className={`${styles.tick} ${styles.strong}`}
                x={left - 10}
                y={tenth(y(usual)) + 4}
                textAnchor="end"
              >
                {words.value(usual)}
              </text>
              <text className={styles.tick} x={left - 10} y={tenth(y(usual)) + 18} textAnchor="end">
                {words.usual}
              </text>
            </>
          )}
        </>
      )}
      <line className={styles.base} x1={left} x2={right} y1={tenth(y(0))} y2={tenth(y(0))} />
      <Times {...props} />
    </>
  )
})

function Times({ from, to, words, geometry }: DrawnProps) {
  const { left, width, height, xAt } = geometry
  return timeTicks(from, to, width, offsetAt(to))
    .filter(({ at }) => xAt(at) > left + 16 && xAt(at) < left + width - 16)
    .map(({ at, isDay }) => (
      <text
        key={at}
        className={`${styles.tick} ${isDay ? styles.strong : ''}`}
        x={tenth(xAt(at))}
        y={height + FOOT + TOP - 5}
        textAnchor="middle"
      >
        {isDay ? words.day(at) : words.clock(at)}
      </text>
    ))
}

/** From the bottom up; a jump of more than this many pixels isn't joined by the edge. */
const JUMP_PX = 5

function stackedPaths(layers: readonly StackLayer[], { bins, x, y }: Geometry) {
  const sums = new Array<number>(bins).fill(0)
  return [...layers].reverse().map(({ key, color, values }) => {
    const low = [...sums]
    for (let bin = 0; bin < bins; bin++) sums[bin] = (sums[bin] ?? 0) + (values[bin] ?? 0)
    let up = ''
    let down = ''
    let edge = ''
    for (let bin = 0; bin < bins; bin++) {
      const [start, end, top] = [tenth(x(bin)), tenth(x(bin + 1)), tenth(y(sums[bin] ?? 0))]
      up += `${bin === 0 ? 'M' : 'L'}${start} ${top}L${end} ${top}`
      const isEmpty = values[bin] == null || (values[bin] ?? 0) <= 0
      const before = tenth(y(sums[bin - 1] ?? 0))
      const isJump = bin === 0 || Math.abs(top - before) > JUMP_PX || values[bin - 1] == null
      edge += isEmpty ? '' : `${isJump ? 'M' : 'L'}${start} ${top}L${end} ${top}`
    }
    for (let bin = bins - 1; bin >= 0; bin--) {
      const bottom = tenth(y(low[bin] ?? 0))
      down += `L${tenth(x(bin + 1))} ${bottom}L${tenth(x(bin))} ${bottom}`
    }
    return { key, color, area: `${up}${down}Z`, edge: edge.startsWith('L') ? `M${edge.slice(1)}` : edge }
  })
}

/** Nearest the usual line: faults, then heat, then what was planned, then missing work. */
const rank: Readonly<Record<LossKind, number>> = { fault: 0, heat: 1, planned: 2, work: 3 }
/** A shorter band couldn't be seen. */
const MIN_BAND_PX = 1.5

interface BandBox {
  readonly band: StackBand
  readonly x0: number
  readonly x1: number
  readonly high: number
  readonly low: number
}

/** Each band's part of the height below the usual line, in the stretches in which the same bands last. */
function bandBoxes(
  bands: readonly StackBand[],
  usual: number,
  from: number,
  to: number,
): readonly (BandBox & { readonly key: string })[] {
  const edges = [...new Set(bands.flatMap((band) => [Math.max(from, band.from), Math.min(to, band.to)]))].sort(
    (a, b) => a - b,
  )
  const sorted = [...bands].sort((a, b) => rank[a.kind] - rank[b.kind] || a.from - b.from)
  return edges.slice(1).flatMap((end, index) => {
    const start = edges[index] ?? end
    let high = usual
    return sorted
      .filter((band) => band.from < end && band.to > start)
      .map((band) => {
        const low = Math.max(0, high - band.rate)
        const box = { key: `${band.id} ${start}`, band, x0: start, x1: end, high, low }
        high = low
        return box
      })
  })
}

function Bands({ bands, usual, from, to, marked, onMark, onPick, geometry }: DrawnProps) {
  if (usual === null) return null
  const { xAt, y } = geometry
  return bandBoxes(bands, usual, from, to).map(({ key, band, x0, x1, high, low }) => {
    const box = {
      x: tenth(xAt(x0)),
      y: tenth(y(high)),
      width: Math.max(MIN_BAND_PX, tenth(xAt(x1) - xAt(x0))),
      height: Math.max(MIN_BAND_PX, tenth(y(low) - y(high))),
    }
    return (
      <g key={key}>
        <rect className={styles.under} {...box} />
        {/* biome-ignore lint/a11y/noStaticElementInteractions: its pin is the button; a click here is a shortcut */}
        <rect
          className={styles.band}
          data-on={band.id === marked ? '' : undefined}
          {...box}
          fill={`url(#loss-${band.kind})`}
          stroke={lossColor(band.kind)}
          onClick={() => onPick(band.id)}
          onPointerEnter={() => onMark(band.id)}
          onPointerLeave={() => onMark(null)}
        />
      </g>
    )
  })
}

/** Labels at the layers' ends: the name and what it does now, or at the time under the pointer. */
function Ends(
  props: StackChartProps & { readonly geometry: Geometry; readonly width: number; readonly hover: number | null },
) {
  const { layers, isDead, words, geometry, width, hover } = props
  const { left, width: inner, height, isNarrow, bins, y } = geometry
  if (isNarrow) return null
  const sizes = [...layers]
    .reverse()
    .map(({ values, now, usual }) => Math.max(0, (isDead ? usual : null) ?? values[bins - 1] ?? now ?? 0))
  const bottoms = [0]
  for (const size of sizes) bottoms.push((bottoms.at(-1) ?? 0) + size)
  const rows = layers.map((layer, index) => {
    const place = layers.length - 1 - index
    return { layer, low: bottoms[place] ?? 0, high: bottoms[place + 1] ?? 0 }
  })
  const gap = Math.min(LABEL_GAP, (height + 6) / Math.max(1, rows.length))
  const places = spread(
    rows.map(({ low, high }) => y((low + high) / 2)),
    gap,
    TOP + 4,
    TOP + height - 4,
  )
  const names = endNames(layers)
  return rows.map(({ layer, low, high }, index) => (
    <g key={layer.key} className={isDead ? styles.dead : undefined}>
      <rect
        x={left + inner + 3}
        y={tenth(y(high) + 0.75)}
        width="3"
        height={Math.max(2, tenth(y(low) - y(high) - 1.5))}
        rx="1"
        fill={layer.color}
      />
      <foreignObject
        x={left + inner + 14}
        y={tenth(places[index] ?? 0) - 8}
        width={Math.max(0, tenth(width - left - inner - END_REST_PX))}
        height="16"
      >
        <div className={styles.endName} title={layer.label}>
          <ForeignText text={names[index] ?? ''} />
        </div>
      </foreignObject>
      <text className={styles.endValue} x={width - 1} y={tenth(places[index] ?? 0) + 4} textAnchor="end">
        {words.value(hover === null ? layer.now : (layer.values[hover] ?? null))}
      </text>
    </g>
  ))
}

const NUMBERED = /^(\p{L}+) (\d+)$/u

/** Whole, unless all are of one kind: then the first names it, `GPU 0`, and the others are `1` and `2`. */
function endNames(layers: readonly StackLayer[]): readonly string[] {
  const parts = layers.map(({ label }) => NUMBERED.exec(label))
  const isOneKind = new Set(parts.map((part) => part?.[1])).size === 1
  return layers.map(({ label }, index) => (isOneKind && index > 0 ? parts[index]?.[2] : undefined) ?? label)
}

interface PlacedPin {
  readonly band: StackBand
  readonly x: number
  /** With its word; otherwise its mark alone. */
  readonly isFull: boolean
}

const PIN_PX = 24
const LETTER_PX = 6.4

/** Left to right; one without room for its word is a mark alone. */
function pinsOf(bands: readonly StackBand[], { left, width, isNarrow, xAt }: Geometry): readonly PlacedPin[] {
  const state = { last: Number.NEGATIVE_INFINITY }
  return [...bands]
    .sort((a, b) => a.from - b.from)
    .map((band) => {
      const middle = (Math.max(left, xAt(band.from)) + Math.min(left + width, xAt(band.to))) / 2
      const wide = 30 + band.short.length * LETTER_PX
      const inside = (size: number): number => Math.min(left + width - size / 2, Math.max(left + size / 2, middle))
      const isFull = !isNarrow && inside(wide) - wide / 2 >= state.last + 4
      const size = isFull ? wide : PIN_PX
      const x = Math.max(inside(size), state.last + 2 + size / 2)
      state.last = x + size / 2
      return { band, x: Math.min(x, left + width - size / 2), isFull }
    })
}

interface PinProps extends PlacedPin, Pick<StackChartProps, 'onMark' | 'onPick'> {
  readonly isOn: boolean
}

function Pin({ band, x, isFull, isOn, onMark, onPick }: PinProps) {
  const Icon = band.icon
  return (
    <button
      type="button"
      className={`${styles.pin} ${band.kind === 'planned' ? '' : styles[band.kind]}`}
      data-on={isOn ? '' : undefined}
      data-live={band.isLive ? '' : undefined}
      data-testid="stack-pin"
      style={{ insetInlineStart: `${tenth(x)}px` }}
      aria-label={`${isFull ? `${band.short}: ` : ''}${band.title}`}
      title={band.title}
      onClick={() => onPick(band.id)}
      onPointerEnter={() => onMark(band.id)}
      onPointerLeave={() => onMark(null)}
      onFocus={() => onMark(band.id)}
      onBlur={() => onMark(null)}
    >
      <Icon aria-hidden="true" />
      {isFull && <span>{band.short}</span>}
    </button>
  )
}

interface TipProps extends DrawnProps {
  readonly bin: number
  readonly at: number
}

function Tip({ layers, bands, words, geometry, bin, at }: TipProps): ReactNode {
  const x = geometry.x(bin + 0.5)
  const isRight = x > geometry.left + geometry.width / 2
  const lost = bands.filter((band) => band.from <= at && band.to >= at)
  return (
    <div
      className={styles.tip}
      aria-hidden="true"
      style={
        isRight ? { insetInlineEnd: `calc(100% - ${tenth(x - 14)}px)` } : { insetInlineStart: `${tenth(x + 14)}px` }
      }
    >
      <b>{words.moment(at)}</b>
      <div>
        <span>{words.hashrate}</span>
        <span>{words.rate(sumAt(layers, bin))}</span>
      </div>
      {lost.map((band) => (
        <div key={band.id}>
          <Swatch kind={band.kind} />
          <span>{band.short}</span>
          <span>−{words.rate(band.rate)}</span>
        </div>
      ))}
    </div>
  )
}
