// What alarms need to remember: shares of the last ten minutes, and a day's median hashrate.

import type { DeviceView, SharesView } from '../../../../contract/miner'

const SHARES_WINDOW_MS = 600_000
const SHARES_STEP_MS = 15_000
/** With less than half an hour of minutes there is no usual rate yet. */
const MIN_POINTS = 30

interface Counted {
  readonly at: number
  readonly shares: SharesView
}

export class AlarmMemory {
  readonly #shares = new Map<number, Counted[]>()
  readonly #medians = new Map<number, number | null>()

  addDevices(devices: readonly DeviceView[], now: number): void {
    for (const { index, shares } of devices) {
      const kept = this.#shares.get(index) ?? []
      const last = kept[kept.length - 1]
      // Counters restart at zero with the miner.
      const isReset = last !== undefined && last.shares.accepted > shares.accepted
      if (isReset) kept.length = 0
      if (last !== undefined && !isReset && now - last.at < SHARES_STEP_MS) continue
      kept.push({ at: now, shares })
      while ((kept[1]?.at ?? now) <= now - SHARES_WINDOW_MS) kept.shift()
      this.#shares.set(index, kept)
    }
  }

  /** Since the oldest reading of the last ten minutes; null before the first. */
  recentShares(device: Pick<DeviceView, 'index' | 'shares'>): SharesView | null {
    const first = this.#shares.get(device.index)?.[0]?.shares
    if (first === undefined) return null
    const { accepted, rejected, failed } = device.shares
    return { accepted: accepted - first.accepted, rejected: rejected - first.rejected, failed: failed - first.failed }
  }

  setHistory(device: number, values: readonly (number | null)[]): void {
    this.#medians.set(device, medianOf(values.flatMap((value) => (value !== null && value > 0 ? [value] : []))))
  }

  median(device: number): number | null {
    return this.#medians.get(device) ?? null
  }
}

/** The median; null if there are too few. */
function medianOf(values: readonly number[]): number | null {
  if (values.length < MIN_POINTS) return null
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? null
}
