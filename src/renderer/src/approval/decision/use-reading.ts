// Whether everything that has to be read was on the screen: each field of a document, and the end of what matters.
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { Clock } from '../../../../base/time'

const LOOK_MS = 100
const READ_MS = 500
/** Fractions of a pixel that remain after scrolling. */
const SLACK_PX = 2

interface ReadingOptions {
  /**
   * The element that scrolls. In it, `data-fields` of one element is the number of fields, `data-field` of each field
   * its place from 0, and `data-cut` marks what is folded or cut off: it counts as unread.
   */
  readonly box: RefObject<HTMLElement | null>
  readonly end: RefObject<HTMLElement | null>
  readonly content: string
  readonly clock: Clock
}

export type Reading = ReturnType<typeof useReading>

interface Progress {
  readonly content: string
  readonly isEndRead: boolean
  readonly unread: number
}

export function useReading({ box, end, content, clock }: ReadingOptions) {
  const [progress, setProgress] = useState<Progress | null>(null)
  const seen = useRef<ReadonlySet<number>>(new Set())
  useLayoutEffect(() => {
    const fields = new Set<number>()
    seen.current = fields
    const state: { endSeenAt: number | null; isEndRead: boolean } = { endSeenAt: null, isEndRead: false }
    const look = (): boolean => {
      const unread = box.current === null ? 0 : lookAtFields(box.current, fields)
      if (!state.isEndRead) {
        const isSeen = isEndInView(box.current, end.current)
        state.endSeenAt = isSeen ? (state.endSeenAt ?? clock.monotonic()) : null
        state.isEndRead = state.endSeenAt !== null && clock.monotonic() - state.endSeenAt >= READ_MS
      }
      const { isEndRead } = state
      setProgress((old) =>
        old?.content === content && old.isEndRead === isEndRead && old.unread === unread
          ? old
          : { content, isEndRead, unread },
      )
      return isEndRead && unread === 0
    }
    if (isEndInView(box.current, end.current) && box.current?.scrollTop === 0) state.isEndRead = true
    if (look()) return
    const scrolling = box.current
    const timer = clock.setInterval(() => {
      if (look()) stop()
    }, LOOK_MS)
    const onScroll = (): void => void look()
    const stop = (): void => {
      timer.dispose()
      scrolling?.removeEventListener('scroll', onScroll)
    }
    scrolling?.addEventListener('scroll', onScroll, { passive: true })
    return stop
  }, [box, end, content, clock])

  const goOn = useCallback(() => {
    if (box.current !== null) scrollOn(box.current, seen.current)
  }, [box])
  const isOfThis = progress?.content === content
  const unread = isOfThis ? progress.unread : 0
  return { isRead: isOfThis && progress.isEndRead && unread === 0, unread, goOn }
}

/** Adds the fields in view to `seen`. Returns how many weren't in view yet. */
function lookAtFields(box: HTMLElement, seen: Set<number>): number {
  const all = Number(box.querySelector<HTMLElement>('[data-fields]')?.dataset.fields ?? 0)
  if (seen.size >= all) return 0
  const view = box.getBoundingClientRect()
  for (const field of box.querySelectorAll<HTMLElement>('[data-field]')) {
    const { bottom } = field.getBoundingClientRect()
    if (bottom >= view.top && bottom <= view.bottom + SLACK_PX) seen.add(Number(field.dataset.field))
  }
  return Math.max(0, all - seen.size)
}

function isEndInView(box: HTMLElement | null, end: HTMLElement | null): boolean {
  if (box === null || end === null) return false
  // What is folded or cut off isn't on the screen.
  if (box.querySelector('[data-cut]') !== null) return false
  return end.getBoundingClientRect().bottom <= box.getBoundingClientRect().bottom + SLACK_PX
}

/** Part of a page that stays on the screen, so that no line is skipped. */
const OVERLAP_PX = 32

/** To the last field above the view that was skipped, to what is cut off in the view, or down by a page. */
function scrollOn(box: HTMLElement, seen: ReadonlySet<number>): void {
  const view = box.getBoundingClientRect()
  const skipped = [...box.querySelectorAll<HTMLElement>('[data-field]')].find(
    (field) => !seen.has(Number(field.dataset.field)) && field.getBoundingClientRect().bottom < view.top,
  )
  if (skipped !== undefined) {
    box.scrollTop += skipped.getBoundingClientRect().top - view.top
    return
  }
  const page = Math.max(OVERLAP_PX, box.clientHeight - OVERLAP_PX)
  const isAtEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - SLACK_PX
  // Nothing is left below: something above was skipped.
  if (isAtEnd && seen.size > 0) box.scrollTop = 0
  else box.scrollTop += page
}
