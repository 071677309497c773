// Whether everything that matters was on the screen for long enough to count as read.
import { type RefObject, useLayoutEffect, useState } from 'react'
import type { Clock } from '../../../../base/time'

const LOOK_MS = 100
const READ_MS = 500
/** Fractions of a pixel that scrolling leaves. */
const SLACK_PX = 2

export interface ReadToEndOptions {
  /** What scrolls. */
  readonly box: RefObject<HTMLElement | null>
  /** Stands behind everything that has to be read. */
  readonly end: RefObject<HTMLElement | null>
  /** Names what is shown; another one has to be read again. */
  readonly content: string
  readonly clock: Clock
}

/**
 * True at once where nothing has to be scrolled, else once `end` was in view for half a second without a break; then true
 * until other content is shown.
 */
export function useReadToEnd({ box, end, content, clock }: ReadToEndOptions): boolean {
  const [read, setRead] = useState<string | null>(null)
  useLayoutEffect(() => {
    if (isInView(box.current, end.current) && box.current?.scrollTop === 0) {
      setRead(content)
      return
    }
    const state: { seenAt: number | null } = { seenAt: null }
    const timer = clock.setInterval(() => {
      if (!isInView(box.current, end.current)) {
        state.seenAt = null
        return
      }
      state.seenAt ??= clock.monotonic()
      if (clock.monotonic() - state.seenAt < READ_MS) return
      setRead(content)
      timer.dispose()
    }, LOOK_MS)
    return () => timer.dispose()
  }, [box, end, content, clock])
  return read === content
}

function isInView(box: HTMLElement | null, end: HTMLElement | null): boolean {
  if (box === null || end === null) return false
  // A text that is cut off has its end nowhere on the screen.
  if (box.querySelector('[data-cut]') !== null) return false
  return end.getBoundingClientRect().bottom <= box.getBoundingClientRect().bottom + SLACK_PX
}
