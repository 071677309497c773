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
/** The usual rate: points of a quarter of an hour over a day, half an hour at least. */
const USUAL = { stepMs: 900_000, points: 96, series: 1 }
const MIN_USUAL_POINTS = 2
/** Before this its rate says nothing. */
const MIN_KNOWN_MS = 120_000
/** Standard deviations beyond which a rate by shares isn't chance: once in 700 cases. */
const SURE = 3

/** What the rules look at. Rates are H/s. */
export interface RigCareView {
  /** median of the last day, or what an earlier run knew; null while less than half an hour is known */
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

interface RigLook {
  /** since the look before */
  readonly ms: number
  /** monotonic ms, and UTC ms */
  readonly at: number
  readonly now: number
  /** expected hashes of its accepted shares of the last 15 min: what it reports proves nothing */
  readonly worth: number
  /** ms since its first login */
  readonly knownMs: number
  /** expected hashes per share */
  readonly difficulty: number
}

/** Counts of one slot in one number, so that a rig costs one ring: exact below 2^17 each. */
const STALE = 2 ** 34
const REFUSED = 2 ** 17

const NOTHING: RigCareView = {
  usualHashrate: null,
  mostHashrate: null,
  silentMs: 0,
  dueShares: null,
  minedMs: 0,
  recent: { accepted: 0, refused: 0, stale: 0 },
}

/** The memory about one rig. Its view is as of the last look: thousands of rigs are judged every second. */
export class RigCare {
  readonly #recent = new SlotRing(RECENT_SLOTS)
  /** squares of the accepted shares' difficulties: the variance of their sum */
  readonly #variance = new SlotRing(RATE_SLOTS)
  readonly #rates = new HistoryRing(USUAL)
  readonly #proof = new ProofWatch()
  #usual: { readonly point: number; readonly rate: number | null }
  #silentMs = 0
  #isRateKnown = false
  #minedMs = 0
  view: RigCareView

  /** @param remembered its usual rate in an earlier run, until this one knows it; null: unknown */
  constructor(private readonly remembered: number | null = null) {
    this.#usual = { point: Number.NaN, rate: remembered }
    this.view = { ...NOTHING, usualHashrate: remembered }
  }

  /** @param at monotonic ms @param difficulty of the share @param knownMs since its first login */
  share(
    outcome: RigShareOutcome,
    { at, difficulty, knownMs }: { at: number; difficulty: number; knownMs: number },
  ): void {
    // A share that we had no time for says nothing about the rig.
    if (outcome === 'busy') return
    const slot = (at * 1_000) / SLOT_MS
    const isAccepted = outcome === 'accepted'
    this.#recent.add(slot, isAccepted ? 1 : outcome === 'stale' ? STALE : REFUSED)
    if (!isAccepted) return
    this.#variance.add(slot, difficulty ** 2)
    this.#proof.reset()
    this.#silentMs = 0
    this.#minedMs = knownMs
    this.view = { ...this.view, silentMs: 0, dueShares: 0, minedMs: knownMs }
  }

  look({ ms, at, now, worth, knownMs, difficulty }: RigLook): void {
    const seconds = Math.min(RATE_MS, knownMs) / 1_000
    const rate = knownMs < MIN_KNOWN_MS ? null : worth / seconds
    this.#silentMs += ms
    this.#isRateKnown = rate !== null && rate > 0
    const likely = Math.max(rate ?? 0, this.#usual.rate ?? 0)
    if (likely > 0) this.#proof.worked((likely * ms) / 1_000, difficulty)
    if (rate !== null) this.#rates.record(now, [rate])
    const point = Math.floor(now / USUAL.stepMs)
    if (point !== this.#usual.point)
      this.#usual = { point, rate: usualValue(this.#rates.slice(now, 0).values, MIN_USUAL_POINTS) ?? this.remembered }
    const slot = (at * 1_000) / SLOT_MS
    const recent = this.#recent.sum(slot, RECENT_SLOTS)
    const most = (worth + SURE * Math.sqrt(this.#variance.sum(slot, RATE_SLOTS))) / seconds
    this.view = {
      usualHashrate: this.#usual.rate,
      mostHashrate: knownMs < RATE_MS ? null : most,
      silentMs: this.#silentMs,
      dueShares: this.#isRateKnown || this.#usual.rate !== null ? this.#proof.expected : null,
      minedMs: this.#minedMs,
      recent: {
        accepted: recent % REFUSED,
        refused: Math.floor((recent % STALE) / REFUSED),
        stale: Math.floor(recent / STALE),
      },
    }
  }
}
