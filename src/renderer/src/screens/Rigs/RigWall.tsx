// Every GPU of all rigs as one small square, by group, colored by what is looked for: a hall seen from above.
import { type PointerEvent, useEffect, useRef, useState } from 'react'
import type { RigGpuView } from '../../../../contract/rigs'
import { Choice } from '../../components/forms/Choice'
import { ForeignText } from '../../components/values/HexText'
import { useLanguage, useText } from '../../i18n/text'
import styles from './RigTable.module.css'
import { heatOf, type RigFacts } from './rig-rows'

/** Part of the window's height that it may take. */
const MAX_PART = 0.3
const LABEL_PX = 18
/** A group narrower than this has no room for its name. */
const NAME_PX = 34

interface RigWallProps {
  /** The groups from left to right, with their names; empty for rigs without one. */
  readonly groups: readonly { readonly name: string; readonly rigs: readonly RigFacts[] }[]
  readonly onOpen: (group: string) => void
}

export function RigWall({ groups, onOpen }: RigWallProps) {
  const t = useText()
  const [metric, setMetric] = useState<WallMetric>('temperature')
  const box = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const width = useWidth(box)
  const [hovered, setHovered] = useState<Cell | null>(null)
  const wall = layOut(groups, width, window.innerHeight * MAX_PART)
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      if (canvas.current !== null)
        draw(canvas.current, { cells: wall.cells, labels: wall.labels, metric, width, height: wall.height })
    })
    return () => cancelAnimationFrame(frame)
  })
  const at = (event: PointerEvent<HTMLCanvasElement>): Cell | null => {
    const { left, top } = event.currentTarget.getBoundingClientRect()
    return wall.at(event.clientX - left, event.clientY - top)
  }
  const gpus = groups.reduce((sum, { rigs }) => sum + rigs.reduce((all, rig) => all + rig.gpus, 0), 0)
  const offline = groups.reduce((sum, { rigs }) => sum + rigs.filter(({ rig }) => !rig.online).length, 0)
  const hottest = hottestOf(groups)
  return (
    <section className={styles.wall} aria-label={t('ui.rigs.wall')} data-testid="rig-wall">
      <div className={styles.wallHead}>
        <h2>{t('ui.rigs.wall')}</h2>
        <Choice
          label={t('ui.rigs.colorBy')}
          value={metric}
          options={metrics.map((each) => ({ value: each, label: t(`ui.rigs.metric.${each}`) }))}
          onChange={setMetric}
        />
        <Legend metric={metric} />
      </div>
      <div ref={box} className={styles.canvas} style={{ blockSize: wall.height + LABEL_PX }}>
        {/* The groups of the table lead to the same rigs by keyboard. */}
        <canvas
          ref={canvas}
          role="img"
          aria-label={t('ui.rigs.wallSays', { gpus, groups: groups.length, offline, hottest: hottest ?? '–' })}
          onPointerMove={(event) => setHovered(at(event))}
          onPointerLeave={() => setHovered(null)}
          onClick={() => hovered !== null && onOpen(hovered.group)}
        />
        {hovered !== null && <Tip cell={hovered} widthPx={width} />}
      </div>
    </section>
  )
}

function hottestOf(groups: RigWallProps['groups']): string | null {
  const all = groups.flatMap(({ rigs }) => rigs).filter(({ rig, hottest }) => rig.online && hottest !== null)
  const [worst] = all.sort((one, other) => (other.hottest ?? 0) - (one.hottest ?? 0))
  return worst === undefined ? null : `${worst.rig.name}, ${worst.hottest} °C`
}

function Legend({ metric }: { readonly metric: WallMetric }) {
  const t = useText()
  return (
    <span className={styles.legend} aria-hidden="true">
      <span>{t(`ui.rigs.legend.${metric}.from`)}</span>
      {[1, 2, 3, 4, 5, 6, 7].map((step) => (
        <i key={step} style={{ background: `var(--heat-${step})` }} />
      ))}
      <span>{t(`ui.rigs.legend.${metric}.to`)}</span>
      <i className={styles.offline} />
      <span>{t('ui.rigs.offline')}</span>
    </span>
  )
}

function Tip({ cell, widthPx }: { readonly cell: Cell; readonly widthPx: number }) {
  const { t, format } = useLanguage()
  const { facts, gpu, index, x, y } = cell
  return (
    <div className={styles.tip} style={{ insetInlineStart: Math.min(widthPx - 190, x + 16), insetBlockStart: y + 16 }}>
      <b>
        <ForeignText text={t('ui.rigs.gpuOf', { index, name: gpu.name, rig: facts.rig.name })} />
      </b>
      {facts.rig.online ? (
        <>
          <span>{format.text('hashrate', gpu.hashrate.s60)}</span>
          <span>{format.text('celsius', cell.hottest)}</span>
          <span>{format.text('watts', gpu.powerWatts > 0 ? gpu.powerWatts : null)}</span>
        </>
      ) : (
        <span>{t('ui.rigs.offline')}</span>
      )}
    </div>
  )
}

/** The element's width in CSS pixels, kept up to date. */
function useWidth(element: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const box = element.current
    if (box === null) return
    setWidth(box.clientWidth)
    if (!('ResizeObserver' in window)) return
    const observer = new ResizeObserver(() => setWidth(box.clientWidth))
    observer.observe(box)
    return () => observer.disconnect()
  }, [element])
  return width
}

interface Drawing {
  readonly cells: readonly Cell[]
  readonly labels: readonly { readonly text: string; readonly x: number; readonly width: number }[]
  readonly metric: WallMetric
  readonly width: number
  readonly height: number
}

function draw(canvas: HTMLCanvasElement, { cells, labels, metric, width, height }: Drawing): void {
  const ratio = Math.max(1, window.devicePixelRatio)
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round((height + LABEL_PX) * ratio)
  canvas.style.width = `${width}px`
  canvas.style.height = `${height + LABEL_PX}px`
  const pen = canvas.getContext('2d')
  if (pen === null) return
  const style = getComputedStyle(canvas)
  const color = (name: string): string => style.getPropertyValue(name)
  const heat = [0, 1, 2, 3, 4, 5, 6, 7].map((step) => color(`--heat-${step}`))
  pen.scale(ratio, ratio)
  pen.strokeStyle = color('--heat-off')
  for (const cell of cells) {
    const step = heatStep(cell, metric)
    if (step === null) pen.strokeRect(cell.x + 0.5, cell.y + 0.5, cell.size - 1, cell.size - 1)
    else {
      pen.fillStyle = heat[step] ?? ''
      pen.fillRect(cell.x, cell.y, cell.size, cell.size)
    }
  }
  pen.fillStyle = color('--text-3')
  pen.font = `11px ${style.fontFamily}`
  pen.textAlign = 'center'
  for (const label of labels) {
    // Where the whole name doesn't fit, its number does.
    const text = label.width < NAME_PX ? (/\d+$/.exec(label.text)?.[0] ?? '') : label.text
    pen.fillText(text, label.x, height + LABEL_PX - 4, label.width)
  }
}

const metrics = ['temperature', 'usual', 'power'] as const
/** `usual`: against the median of all GPUs of its model. */
type WallMetric = (typeof metrics)[number]

interface Cell {
  readonly group: string
  readonly facts: RigFacts
  readonly gpu: RigGpuView
  readonly index: number
  /** °C of its hottest sensor; null if it reports none. */
  readonly hottest: number | null
  /** Of the median of its model; null if that is 0. */
  readonly share: number | null
  readonly x: number
  readonly y: number
  readonly size: number
}

/** Between groups, and between the rigs of one. */
const GROUP_GAP_PX = 8
const RIG_GAP_PX = 4
const MAX_PITCH_PX = 14
const MIN_PITCH_PX = 4
/** Cells side by side in one group, at least. */
const MIN_COLUMNS = 4
/** Cells of one rig side by side, where a group is wide enough for several rigs. */
const RIG_COLUMNS = 5

interface WallGroup {
  readonly name: string
  readonly rigs: readonly RigFacts[]
}

/** The largest cells with which all groups fit side by side, within the height if possible. */
export function layOut(groups: readonly WallGroup[], width: number, maxHeight: number) {
  if (groups.length === 0 || width <= 0) return { cells: [], labels: [], height: 0, at: () => null }
  const groupWidth = width / groups.length
  const inner = Math.max(MIN_COLUMNS * MIN_PITCH_PX, groupWidth - GROUP_GAP_PX)
  let pitch = MAX_PITCH_PX
  while (pitch > MIN_PITCH_PX && (inner / pitch < MIN_COLUMNS || heightAt(groups, inner, pitch) > maxHeight))
    pitch -= 0.5
  const { columns, strips, stepPx } = stripsAt(inner, pitch)
  const height = Math.ceil(heightAt(groups, inner, pitch))
  const medians = mediansOf(groups)
  const leftOf = (at: number): number => at * groupWidth + GROUP_GAP_PX / 2
  const cells = groups.flatMap(({ name, rigs }, at) =>
    inStrips(rigs, strips).flatMap((strip, place) =>
      cellsOf({ name, rigs: strip }, { left: leftOf(at) + place * stepPx, floor: height, columns, pitch, medians }),
    ),
  )
  const labels = groups.map(({ name, rigs }, at) => ({
    text: name,
    x: leftOf(at) + ((inStrips(rigs, strips).length - 1) * stepPx + columns * pitch) / 2,
    width: inner,
  }))
  const hit = (x: number, y: number): Cell | null =>
    cells.find((cell) => x >= cell.x && x < cell.x + pitch && y >= cell.y && y < cell.y + pitch) ?? null
  return { cells, labels, height, at: hit }
}

/** How many stacks of rigs stand side by side in a group, how far apart, and how many cells wide each is. */
function stripsAt(inner: number, pitch: number) {
  const stepPx = RIG_COLUMNS * pitch + RIG_GAP_PX
  const strips = Math.floor((inner + RIG_GAP_PX) / stepPx)
  return strips > 1
    ? { columns: RIG_COLUMNS, strips, stepPx }
    : { columns: Math.max(1, Math.floor(inner / pitch)), strips: 1, stepPx: inner }
}

/** The rigs of a group in stacks of the same length. */
function inStrips(rigs: readonly RigFacts[], strips: number): readonly (readonly RigFacts[])[] {
  const length = Math.max(1, Math.ceil(rigs.length / strips))
  return Array.from({ length: Math.ceil(rigs.length / length) }, (_, at) => rigs.slice(at * length, (at + 1) * length))
}

function heightAt(groups: readonly WallGroup[], inner: number, pitch: number): number {
  const { columns, strips } = stripsAt(inner, pitch)
  const all = groups.flatMap(({ rigs }) => inStrips(rigs, strips))
  return Math.max(
    0,
    ...all.map((rigs) =>
      rigs.reduce((sum, { gpus }) => sum + Math.ceil(Math.max(1, gpus) / columns) * pitch + RIG_GAP_PX, 0),
    ),
  )
}

interface Place {
  readonly left: number
  readonly floor: number
  readonly columns: number
  readonly pitch: number
  readonly medians: ReadonlyMap<string, number>
}

/** Bottom aligned, the last rig lowest. */
function cellsOf({ name, rigs }: WallGroup, { left, floor, columns, pitch, medians }: Place): readonly Cell[] {
  const size = pitch - Math.max(1, pitch * 0.14)
  const cells: Cell[] = []
  let top = floor
  for (const facts of [...rigs].reverse()) {
    const gpus = facts.rig.figures?.gpus ?? []
    top -= Math.ceil(Math.max(1, gpus.length) / columns) * pitch
    gpus.forEach((gpu, index) => {
      const known = Object.values(gpu.temperature).filter((one) => one > 0)
      const median = medians.get(gpu.name) ?? 0
      cells.push({
        group: name,
        facts,
        gpu,
        index,
        hottest: known.length === 0 ? null : Math.max(...known),
        share: median > 0 ? gpu.hashrate.s60 / median : null,
        x: left + (index % columns) * pitch,
        y: top + Math.floor(index / columns) * pitch,
        size,
      })
    })
    top -= RIG_GAP_PX
  }
  return cells
}

/** Median hashrate of the mining GPUs of each model. */
function mediansOf(groups: readonly WallGroup[]): ReadonlyMap<string, number> {
  const rates = new Map<string, number[]>()
  for (const { rigs } of groups)
    for (const { rig } of rigs)
      for (const { name, hashrate, paused } of rig.online ? (rig.figures?.gpus ?? []) : [])
        if (!paused && hashrate.s60 > 0) {
          const known = rates.get(name)
          if (known === undefined) rates.set(name, [hashrate.s60])
          else known.push(hashrate.s60)
        }
  return new Map([...rates].map(([name, all]) => [name, all.sort((one, other) => one - other)[all.length >> 1] ?? 0]))
}

const WATT_STEPS = [20, 80, 120, 160, 200, 250]
const SHARE_STEPS = [0.97, 0.93, 0.86, 0.8, 0.6, 0.3]
const CELSIUS_STEPS = [68, 76, 84, 90, 95, 100]

/** 1 (calm) to 7 (worst); null while its rig is offline, or what is asked isn't reported. */
function heatStep(cell: Cell, metric: WallMetric): number | null {
  const { facts, gpu, hottest, share } = cell
  if (!facts.rig.online) return null
  if (metric === 'power')
    return gpu.powerWatts > 0 ? 1 + WATT_STEPS.filter((watts) => gpu.powerWatts >= watts).length : null
  if (metric === 'usual')
    return share === null || gpu.paused ? null : 1 + SHARE_STEPS.filter((part) => share < part).length
  if (hottest === null) return null
  // What alarms call critical is the worst color, whatever sensor it is.
  if (heatOf(gpu) === 'danger') return 7
  return 1 + CELSIUS_STEPS.filter((celsius) => hottest >= celsius).length
}
