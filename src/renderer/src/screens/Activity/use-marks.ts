// Which rows are marked, and which one has the keyboard: the Tab key stops only at that one.
import { type KeyboardEvent, useCallback, useState } from 'react'

export type Marks = ReturnType<typeof useMarks>

export function useMarks() {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const [active, setActive] = useState(0)
  // Stable, so that rows are rendered again only when their own props change.
  const toggle = useCallback((id: number, index: number): void => {
    setIds((before) => {
      const next = new Set(before)
      if (!next.delete(id)) next.add(id)
      return next
    })
    setActive(index)
  }, [])
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, lastIndex: number): void => {
    const isAtRow = event.target instanceof HTMLInputElement && event.target.dataset.index !== undefined
    const to = isAtRow ? nextIndex(event.key, active, lastIndex) : null
    if (to === null) return
    event.preventDefault()
    setActive(to)
    // Rows around the active one are rendered already; the first and last only after a scroll.
    event.currentTarget.querySelector<HTMLInputElement>(`input[data-index="${to}"]`)?.focus()
  }
  return { ids, count: ids.size, active, toggle, clear: () => setIds(new Set()), onKeyDown }
}

/** Null if the key moves nothing. */
function nextIndex(key: string, from: number, last: number): number | null {
  const to = { ArrowDown: from + 1, ArrowUp: from - 1, Home: 0, End: last }[key]
  return to === undefined ? null : Math.min(last, Math.max(0, to))
}
