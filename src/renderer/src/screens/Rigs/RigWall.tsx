// Every GPU of all rigs as one small square, by group, colored by what is looked for: a hall seen from above.
import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { Choice } from '../../components/forms/Choice'
import { ForeignText } from '../../components/values/HexText'
import { useFormat, useText } from '../../i18n/text'
import styles from './RigTable.module.css'
import type { RigFacts } from './rig-rows'
import { type Cell, heatStep, layOut, metrics, type WallMetric } from './wall-layout'

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
  const t = useText()
  const format = useFormat()
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
