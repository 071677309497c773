// What the rules of incidents need to know about one served rig: its usual rate, how long it has been silent, and how its
// last shares ended.
import { HistoryRing, usualValue } from '../stats/history-ring'
import { ProofWatch } from '../stats/proof'
import { SlotRing } from '../stats/slot-ring'
import type { RigShareOutcome } from './share-check'

/** Windows in slots of 15 s: shares of ten minutes, rates of fifteen. */
const SLOT_MS = 15_000
const RECENT_SLOTS = 40
const RATE_SLOTS = 60
const RATE_MS = RATE_SLOTS * SLOT_MS
/** The usual rate: points of ten minutes over a day, half an hour at least. */
const USUAL = { stepMs: 600_000, points: 144, series: 1 }
const MIN_USUAL_POINTS = 3
/** Standard deviations beyond which a rate by shares isn't chance: once in 700 cases. */
const SURE = 3

/** What the rules look at. Rates are H/s. */
export interface RigCareView {
  /** median of the last day; null while less than half an hour is known */
  readonly usualHashrate: number | null
  /** it computes no more than this, as its shares of 15 min allow but for chance; null: unknown */
  readonly mostHashrate: number | null
  /** connected and with work since its last accepted share, ms */
  readonly silentMs: number
  /** shares that were due on average in that time; null: its rate isn't known */
  readonly dueShares: number | null
  /** from its first login to its last accepted share, ms; 0 before that */
  readonly minedMs: number
  /** shares of the last ten minutes; `refused`: wrong, repeated, or for no job of ours */
  readonly recent: { readonly accepted: number; readonly refused: number; readonly stale: number }
}

/** One look at a rig that is connected and has work. */
export interface RigLook {
  /** monotonic ms since the look before */
  readonly ms: number
  /** UTC ms */
  readonly at: number
  /** as its shares are worth: what it reports proves nothing; null: unknown */
  readonly rate: number | null
  /** expected hashes per share */
  readonly difficulty: number
}

/** The memory about one rig. */
export class RigCare {
  readonly #recent = {
    accepted: new SlotRing(RATE_SLOTS),
    refused: new SlotRing(RATE_SLOTS),
    stale: new SlotRing(RATE_SLOTS),
  }
  /** difficulties of accepted shares, and their squares: the variance of their sum */
  readonly #worth = new SlotRing(RATE_SLOTS)
  readonly #variance = new SlotRing(RATE_SLOTS)
  readonly #rates = new HistoryRing(USUAL)
  readonly #proof = new ProofWatch()
  #usual: { readonly point: number; readonly rate: number | null } = { point: Number.NaN, rate: null }
  #silentMs = 0
  #isRateKnown = false
  #minedMs = 0

  /** @param at monotonic ms @param difficulty of the share @param knownMs since its first login */
  share(
    outcome: RigShareOutcome,
    { at, difficulty, knownMs }: { at: number; difficulty: number; knownMs: number },
  ): void {
    const slot = (at * 1_000) / SLOT_MS
    const isAccepted = outcome === 'accepted'
    // A share that we had no time for says nothing about the rig.
    if (outcome !== 'busy') this.#recent[isAccepted || outcome === 'stale' ? outcome : 'refused'].add(slot, 1)
    if (!isAccepted) return
    this.#worth.add(slot, difficulty)
    this.#variance.add(slot, difficulty ** 2)
    this.#proof.reset()
    this.#silentMs = 0
    this.#minedMs = knownMs
  }

  look({ ms, at, rate, difficulty }: RigLook): void {
    this.#silentMs += ms
    this.#isRateKnown = rate !== null && rate > 0
    const likely = rate ?? this.#usual.rate
    if (likely !== null) this.#proof.worked((Math.max(likely, this.#usual.rate ?? 0) * ms) / 1_000, difficulty)
    if (rate !== null) this.#rates.record(at, [rate])
    const point = Math.floor(at / USUAL.stepMs)
    if (point !== this.#usual.point)
      this.#usual = { point, rate: usualValue(this.#rates.slice(at, 0).values, MIN_USUAL_POINTS) }
  }

  /** @param at monotonic ms @param knownMs since its first login */
  view(at: number, knownMs: number): RigCareView {
    const slot = (at * 1_000) / SLOT_MS
    const count = (name: keyof RigCareView['recent']): number => this.#recent[name].sum(slot, RECENT_SLOTS)
    const seconds = Math.min(RATE_MS, knownMs) / 1_000
    const worth = this.#worth.sum(slot, RATE_SLOTS)
    const most = (worth + SURE * Math.sqrt(this.#variance.sum(slot, RATE_SLOTS))) / seconds
    return {
      usualHashrate: this.#usual.rate,
      mostHashrate: knownMs < RATE_MS ? null : most,
      silentMs: this.#silentMs,
      dueShares: this.#isRateKnown || this.#usual.rate !== null ? this.#proof.expected : null,
      minedMs: this.#minedMs,
      recent: { accepted: count('accepted'), refused: count('refused'), stale: count('stale') },
    }
  }
}
