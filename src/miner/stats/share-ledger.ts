// The only place that counts shares: per device, by outcome, and the value of accepted ones.

import { SlotRing } from './slot-ring'
import type { SettledShare, ShareCounts, ShareOutcome } from './snapshot'

const EFFECTIVE_SECONDS = 900
const EFFECTIVE_MIN_UPTIME_SECONDS = 120
/** Settled shares kept for lists. */
const KEPT_SHARES = 512
/** Wrong results kept per device, however many shares follow. */
const KEPT_FAILED = 50

/** Shares by outcome since startup. */
export type OutcomeCounts = Readonly<Record<ShareOutcome, number>>

const NO_OUTCOMES: OutcomeCounts = { accepted: 0, rejected: 0, failed: 0, stale: 0, lost: 0 }

/** Records settled shares. */
export class ShareLedger {
  readonly #byDevice = new Map<number, OutcomeCounts>()
  readonly #worth = new SlotRing(EFFECTIVE_SECONDS)
  readonly #worthByDevice = new Map<number, SlotRing>()
  readonly #failed = new Map<number, readonly SettledShare[]>()
  /** Newest last, at most 512. */
  recent: SettledShare[] = []
  lastAccepted: SettledShare | null = null
  /** monotonic ms of each device's last accepted share */
  readonly #lastByDevice = new Map<number, number>()

  /** @param at monotonic ms of the settlement */
  record(share: SettledShare, at: number): void {
    const counts = this.outcomes(share.device)
    this.#byDevice.set(share.device, { ...counts, [share.outcome]: counts[share.outcome] + 1 })
    this.recent = [...this.recent.slice(1 - KEPT_SHARES), share]
    if (share.outcome === 'failed')
      this.#failed.set(share.device, [...this.failed(share.device).slice(1 - KEPT_FAILED), share])
    if (share.outcome !== 'accepted') return
    this.#worth.add(at, share.jobDifficulty)
    const own = this.#worthByDevice.get(share.device) ?? new SlotRing(EFFECTIVE_SECONDS)
    own.add(at, share.jobDifficulty)
    this.#worthByDevice.set(share.device, own)
    this.lastAccepted = share
    this.#lastByDevice.set(share.device, at)
  }

  /** All outcomes of one device, including those that the mining API doesn't show. */
  outcomes(device: number): OutcomeCounts {
    return this.#byDevice.get(device) ?? NO_OUTCOMES
  }

  /** Shares of all devices that were never answered or couldn't be sent. */
  get lost(): number {
    return [...this.#byDevice.values()].reduce((total, counts) => total + counts.lost, 0)
  }

  /** The three counters of one device, or of all for null; a stale share earned nothing either: it counts as rejected. */
  counts(device: number | null): ShareCounts {
    const chosen = device === null ? [...this.#byDevice.values()] : [this.outcomes(device)]
    const sum = (outcome: ShareOutcome): number => chosen.reduce((total, counts) => total + counts[outcome], 0)
    return { accepted: sum('accepted'), rejected: sum('rejected') + sum('stale'), failed: sum('failed') }
  }

  /** Monotonic ms of the last accepted share of one device, or of all for null; null without one. */
  lastAcceptedAt(device: number | null): number | null {
    if (device !== null) return this.#lastByDevice.get(device) ?? null
    return this.#lastByDevice.size === 0 ? null : Math.max(...this.#lastByDevice.values())
  }

  /** Wrong results of one device, newest last, at most 50. */
  failed(device: number): readonly SettledShare[] {
    return this.#failed.get(device) ?? []
  }

  /**
   * H/s that the accepted shares of the last 15 min account for; null in the first two minutes.
   * @param at monotonic ms; @param uptimeSeconds since the miner started; @param device null for all of them
   */
  effective(at: number, uptimeSeconds: number, device: number | null = null): number | null {
    if (uptimeSeconds < EFFECTIVE_MIN_UPTIME_SECONDS) return null
    const worth = device === null ? this.#worth : this.#worthByDevice.get(device)
    return (worth?.sum(at, EFFECTIVE_SECONDS) ?? 0) / Math.min(EFFECTIVE_SECONDS, uptimeSeconds)
  }
}
