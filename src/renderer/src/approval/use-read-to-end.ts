// Whether everything that matters was on the screen for long enough to count as read.
import { type RefObject, useEffect, useState } from 'react'
import type { Clock } from '../../../base/time'

const LOOK_MS = 100
const READ_MS = 500
/** Fractions of a pixel that scrolling leaves. */
const SLACK_PX = 2

/** True once `end` was in view inside the scrolling `box` for half a second without a break; stays true. */
export function useReadToEnd(
  box: RefObject<HTMLElement | null>,
  end: RefObject<HTMLElement | null>,
  clock: Clock,
): boolean {
  const [isRead, setRead] = useState(false)
  useEffect(() => {
    const state: { seenAt: number | null } = { seenAt: null }
    const timer = clock.setInterval(() => {
      if (!isInView(box.current, end.current)) {
        state.seenAt = null
        return
      }
      state.seenAt ??= clock.monotonic()
      if (clock.monotonic() - state.seenAt < READ_MS) return
      setRead(true)
      timer.dispose()
    }, LOOK_MS)
    return () => timer.dispose()
  }, [box, end, clock])
  return isRead
}

function isInView(box: HTMLElement | null, end: HTMLElement | null): boolean {
  if (box === null || end === null) return false
  return end.getBoundingClientRect().bottom <= box.getBoundingClientRect().bottom + SLACK_PX
}
