// What the charts share: robust ranges, ticks that read well, and the size they are drawn at.
import { type RefObject, useEffect, useRef, useState } from 'react'

/** Whole tenths are enough for a path, and a third of its length. */
export const tenth = (value: number): number => Math.round(value * 10) / 10

const STEPS = [1, 2, 2.5, 5, 10] as const

/** About `count` round values between two others, ends included. */
export function niceTicks(low: number, high: number, count = 3): readonly number[] {
  if (!(high > low)) return []
  const power = 10 ** Math.floor(Math.log10((high - low) / count))
  const found = (step: number): number => Math.floor(high / step + 1e-9) - Math.ceil(low / step - 1e-9) + 1
  const off = (step: number): number => Math.abs(found(step) - count)
  // Of two steps that are equally far from the count, the smaller one: a chart with one tick says little.
  const step = STEPS.map((each) => each * power).reduce((best, each) => (off(each) < off(best) ? each : best))
  const ticks: number[] = []
  for (let value = Math.ceil(low / step - 1e-9) * step; value <= high + step * 1e-9; value += step)
    ticks.push(Number(value.toPrecision(12)))
  return ticks
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const TIME_STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 4, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 5, 7].map((count) => count * DAY),
]
/** Pixels that a time needs. */
const TIME_PX = 92

interface TimeTick {
  /** UTC ms. */
  readonly at: number
  /** A local midnight, whose label is the day. */
  readonly isDay: boolean
}

/** Ticks at whole local times, no denser than their labels allow. @param offsetMs of local time to UTC, east is positive */
export function timeTicks(from: number, to: number, widthPx: number, offsetMs: number): readonly TimeTick[] {
  const wanted = Math.max(2, Math.floor(widthPx / TIME_PX))
  const step = TIME_STEPS.find((each) => (to - from) / each <= wanted) ?? 7 * DAY
  const ticks: TimeTick[] = []
  for (let local = Math.ceil((from + offsetMs) / step) * step; local < to + offsetMs; local += step)
    ticks.push({ at: local - offsetMs, isDay: local % DAY === 0 })
  return ticks
}

/** The offset of local time at a moment, in ms; east of Greenwich is positive. */
export const offsetAt = (ms: number): number => -new Date(ms).getTimezoneOffset() * MINUTE

export interface Size {
  readonly width: number
  readonly height: number
}

/** The element's size in whole pixels; null until it is laid out. */
export function useSize<E extends HTMLElement>(): readonly [RefObject<E | null>, Size | null] {
  const element = useRef<E>(null)
  const [size, setSize] = useState<Size | null>(null)
  useEffect(() => {
    const current = element.current
    if (current === null || typeof ResizeObserver === 'undefined') return
    const look = (): void => {
      const width = Math.round(current.clientWidth)
      const height = Math.round(current.clientHeight)
      if (width > 0 && height > 0)
        setSize((before) => (before?.width === width && before.height === height ? before : { width, height }))
    }
    const observer = new ResizeObserver(look)
    observer.observe(current)
    look()
    return () => observer.disconnect()
  }, [])
  return [element, size]
}

/** Moves labels apart: each at least `gap` below the one before, none below `bottom`. In and out in drawing order. */
export function spread(wanted: readonly number[], gap: number, top: number, bottom: number): readonly number[] {
  const placed = [...wanted]
  let last = top - gap
  for (let index = 0; index < placed.length; index++) {
    last = Math.max(placed[index] ?? 0, last + gap)
    placed[index] = last
  }
  let limit = bottom
  for (let index = placed.length - 1; index >= 0; index--) {
    const value = Math.min(placed[index] ?? 0, limit)
    placed[index] = value
    limit = value - gap
  }
  return placed
}
