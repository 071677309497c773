// A table of any length that renders only the rows in view. All rows have the same height.
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { ScrollRegion } from '../layout/ScrollRegion'
import table from './Table.module.css'
import styles from './VirtualTable.module.css'

/** Rows rendered above and below the view, so that scrolling shows no gaps. */
const OVERSCAN = 12
/** Rendering costs something each time, and many new rows at once cost more than a frame has. Less than `OVERSCAN`. */
const STEP = 4
/** Browsers can't scroll further than about 16 million pixels. */
const MAX_ROWS = 300_000

interface VirtualTableProps {
  readonly label: string
  readonly count: number
  readonly rowPx: number
  /** Null: as high as its class makes it. */
  readonly heightPx: number | null
  /** Instead of the usual look; the region has `data-wide` while it can be scrolled sideways. */
  readonly look?: { readonly region: string | undefined; readonly table: string | undefined }
  readonly head: ReactNode
  /** A `<tr>` with its key. */
  readonly row: (index: number) => ReactNode
  /** Called whenever other rows come into view, with first and last included. */
  readonly onRange?: (first: number, last: number) => void
}

/** Before a view of its own height was measured. */
const FIRST_VIEW_PX = 800

/** The rows to render, of `count` rows of `rowPx`, when the view shows `viewPx` from `topPx` on. */
export function visibleRange(topPx: number, viewPx: number, rowPx: number, count: number) {
  const first = Math.max(0, Math.floor(topPx / rowPx) - OVERSCAN)
  const last = Math.min(count, Math.ceil((topPx + viewPx) / rowPx) + OVERSCAN) - 1
  return { first: Math.min(first, Math.max(0, count - 1)), last }
}

export function VirtualTable(props: VirtualTableProps) {
  const { label, rowPx, heightPx, head, row, onRange, look = { region: styles.scroll, table: table.table } } = props
  const count = Math.min(props.count, MAX_ROWS)
  const region = useRef<HTMLElement>(null)
  // Rounded to whole steps: within one step, the number stays the same and nothing is rendered again.
  const [top, setTop] = useState(0)
  const [measuredPx, setMeasured] = useState(FIRST_VIEW_PX)
  const { first, last } = visibleRange(top, heightPx ?? measuredPx, rowPx, count)

  useEffect(() => {
    const element = region.current
    if (element === null) return
    let frame = 0
    const onScroll = (): void => {
      if (frame !== 0) return
      frame = requestAnimationFrame(() => {
        frame = 0
        const stepPx = STEP * rowPx
        setTop(Math.floor(element.scrollTop / stepPx) * stepPx)
      })
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    const measure = (): void => {
      setMeasured(element.clientHeight || FIRST_VIEW_PX)
      element.toggleAttribute('data-wide', element.scrollWidth > element.clientWidth)
    }
    const observer = 'ResizeObserver' in window ? new ResizeObserver(measure) : null
    for (const each of [element, ...element.children]) observer?.observe(each)
    return () => {
      observer?.disconnect()
      cancelAnimationFrame(frame)
      element.removeEventListener('scroll', onScroll)
    }
  }, [rowPx])
  useLayoutEffect(() => onRange?.(first, last), [onRange, first, last])

  const rows = Array.from({ length: Math.max(0, last - first + 1) }, (_, offset) => row(first + offset))
  return (
    <ScrollRegion ref={region} className={look.region} label={label} style={{ maxBlockSize: heightPx ?? undefined }}>
      <table className={look.table} aria-rowcount={count + 1}>
        <thead>{head}</thead>
        <tbody>
          <Spacer heightPx={first * rowPx} />
          {rows}
          <Spacer heightPx={Math.max(0, count - 1 - last) * rowPx} />
        </tbody>
      </table>
    </ScrollRegion>
  )
}

/** In place of rows that aren't rendered. One cell: more would bring back columns that a narrow window hides. */
function Spacer({ heightPx }: { readonly heightPx: number }) {
  if (heightPx === 0) return null
  return (
    <tr data-spacer="">
      <td style={{ display: 'block', blockSize: heightPx, padding: 0, border: 0 }} />
    </tr>
  )
}
