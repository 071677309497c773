// Whether everything that matters was on the screen long enough to count as read.
import { type RefObject, useLayoutEffect, useState } from 'react'
import type { Clock } from '../../../../base/time'

const LOOK_MS = 100
const READ_MS = 500
/** Fractions of a pixel that remain after scrolling. */
const SLACK_PX = 2

interface ReadToEndOptions {
  /** The element that scrolls. */
  readonly box: RefObject<HTMLElement | null>
  /** Comes after everything that has to be read. */
  readonly end: RefObject<HTMLElement | null>
  /** Identifies the content; new content has to be read again. */
  readonly content: string
  readonly clock: Clock
}

/**
 * True immediately if nothing has to be scrolled, otherwise once `end` was in view for half a second without
 * interruption. Stays true until the content changes.
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
  // The end of a truncated text isn't on the screen.
  if (box.querySelector('[data-cut]') !== null) return false
  return end.getBoundingClientRect().bottom <= box.getBoundingClientRect().bottom + SLACK_PX
}
