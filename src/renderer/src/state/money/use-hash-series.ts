// The hashrate of every device over a period, in bins: what the large chart stacks.

import { useCallback } from 'react'
import { HOUR_MS, SECOND_MS } from '../../../../base/time'
import type { HistoryView, HistoryWindow } from '../../../../contract/miner'
import type { Answered } from '../answers/use-answer'
import { useRegularAnswer } from '../answers/use-regular-answer'
import { useEnvironment, useMiner } from '../environment'
import { selectDeviceIndexes } from '../stores/miner-store'

/** Periods that can be shown, with the length of a bin. */
export const chartPeriods = {
  '1h': { hours: 1, binMs: 30 * SECOND_MS },
  '24h': { hours: 24, binMs: 120 * SECOND_MS },
  '7d': { hours: 168, binMs: 900 * SECOND_MS },
} as const satisfies Readonly<Partial<Record<HistoryWindow, { readonly hours: number; readonly binMs: number }>>>
export type ChartPeriod = keyof typeof chartPeriods

/** At least this many bins are shown, however short the record is. */
const MIN_BINS = 8

export interface HashSeries {
  /** UTC ms of the first bin's start and the last one's end: the period, or less while the record is younger. */
  readonly from: number
  readonly to: number
  /** By device: mean hashes per second of each bin; null where nothing was recorded. */
  readonly devices: readonly { readonly index: number; readonly values: readonly (number | null)[] }[]
}

/** Read again whenever a bin is full. */
export function useHashSeries(period: ChartPeriod): Answered<HashSeries> {
  const { stores, clock } = useEnvironment()
  const key = useMiner((state) => selectDeviceIndexes(state).join())
  const { binMs } = chartPeriods[period]
  const ask = useCallback(async (): Promise<HashSeries> => {
    const indexes = key === '' ? [] : key.split(',').map(Number)
    const histories = await Promise.all(indexes.map((index) => stores.queries.history(index, 'hashrate', period)))
    const { from, to } = binsAt(clock.now(), period)
    const all = histories.map((history) => inBins(history, { from, to, binMs }))
    const skipped = emptyBins(all, Math.round((to - from) / binMs))
    return {
      from: from + skipped * binMs,
      to,
      devices: all.map((values, place) => ({ index: indexes[place] ?? 0, values: values.slice(skipped) })),
    }
  }, [stores, clock, key, period, binMs])
  return useRegularAnswer(ask, { everyMs: binMs })
}

/** The period that ends with the bin that is running at `now`. */
function binsAt(now: number, period: ChartPeriod): { readonly from: number; readonly to: number } {
  const { hours, binMs } = chartPeriods[period]
  const to = (Math.floor(now / binMs) + 1) * binMs
  return { from: to - hours * HOUR_MS, to }
}

/** How many bins before the first record aren't worth their room. */
export function emptyBins(devices: readonly (readonly (number | null)[])[], count: number): number {
  const first = Math.min(
    count,
    ...devices.map((values) => values.findIndex((value) => value !== null)).filter((at) => at >= 0),
  )
  return Math.max(0, Math.min(first, count - MIN_BINS))
}

/** The mean of what was recorded in each bin; null where that is nothing. */
function inBins(
  { firstAt, stepMs, values }: Pick<HistoryView, 'firstAt' | 'stepMs' | 'values'>,
  { from, to, binMs }: { readonly from: number; readonly to: number; readonly binMs: number },
): readonly (number | null)[] {
  const count = Math.round((to - from) / binMs)
  const sums = new Array<number>(count).fill(0)
  const counts = new Array<number>(count).fill(0)
  for (let place = 0; place < values.length; place++) {
    const value = values[place]
    const bin = Math.floor((firstAt + place * stepMs - from) / binMs)
    if (value == null || bin < 0 || bin >= count) continue
    sums[bin] = (sums[bin] ?? 0) + value
    counts[bin] = (counts[bin] ?? 0) + 1
  }
  const means = sums.map((sum, bin) => ((counts[bin] ?? 0) === 0 ? null : sum / (counts[bin] ?? 1)))
  return bridged(means, Math.ceil(stepMs / binMs))
}

/** A record coarser than the bins fills those between two of its points. */
function bridged(means: readonly (number | null)[], most: number): readonly (number | null)[] {
  if (most <= 1) return means
  const filled = [...means]
  let last: { readonly bin: number; readonly value: number } | null = null
  for (let bin = 0; bin < filled.length; bin++) {
    const value = means[bin]
    if (value != null) last = { bin, value }
    else if (last !== null && bin - last.bin < most) filled[bin] = last.value
  }
  return filled
}
