// How fast a sync is and how long it will take, from the work of the last minutes. A single rate isn't reliable: blocks
// differ, peers come and go. A time is only shown when it agrees with the estimate of a minute ago.
import type { Clock } from '../../../base/time'
import type { SyncView } from '../../../contract/network'

const RATE_WINDOW_MS = 60_000
const WORK_WINDOW_MS = 600_000
/** A rate over less time is meaningless. */
const MIN_MS = 2_000
const APART_MS = 60_000
/** Fraction of the greater one. */
const AGREE_WITHIN = 0.3

interface Sample {
  readonly at: number
  readonly height: number
  /** All gas executed so far. */
  readonly gas: number
}

interface Estimate {
  readonly at: number
  /** Estimated end, on the same clock. */
  readonly endsAt: number
}

type SyncEstimateView = Pick<SyncView, 'blocksPerSecond' | 'gasPerSecond' | 'remaining'>

export class SyncEstimate {
  #samples: Sample[] = []
  #estimates: Estimate[] = []
  #gas = 0

  constructor(private readonly clock: Clock) {}

  /** Call it for executed blocks. */
  worked(gas: number): void {
    this.#gas += gas
  }

  /** Call it about once a second while a sync runs. */
  reached(height: number, highest: number): void {
    const at = this.clock.monotonic()
    const last = this.#samples[this.#samples.length - 1]
    if (last !== undefined && height < last.height) this.forget()
    this.#samples = [
      ...this.#samples.filter((sample) => at - sample.at <= WORK_WINDOW_MS),
      { at, height, gas: this.#gas },
    ]
    const rate = this.#rates(WORK_WINDOW_MS)?.blocks ?? 0
    if (rate <= 0) return
    const endsAt = at + (Math.max(0, highest - height) * 1_000) / rate
    this.#estimates = [...this.#estimates.filter((one) => at - one.at <= 2 * APART_MS), { at, endsAt }]
  }

  /** Call it when no sync runs. */
  forget(): void {
    this.#samples = []
    this.#estimates = []
  }

  view(): SyncEstimateView {
    const rates = this.#rates(RATE_WINDOW_MS)
    return {
      blocksPerSecond: rates?.blocks ?? null,
      gasPerSecond: rates?.gas ?? null,
      remaining: this.#remaining(),
    }
  }

  #remaining(): SyncEstimateView['remaining'] {
    const now = this.clock.monotonic()
    const latest = this.#estimates[this.#estimates.length - 1]
    const before = this.#estimates.filter((one) => now - one.at >= APART_MS).pop()
    if (latest === undefined || before === undefined) return null
    const [a, b] = [latest, before].map(({ endsAt }) => Math.max(0, endsAt - now) / 1_000)
    if (a === undefined || b === undefined) return null
    const [least, most] = a < b ? [a, b] : [b, a]
    return most - least > AGREE_WITHIN * most ? null : { least, most }
  }

  #rates(windowMs: number): { readonly blocks: number; readonly gas: number } | null {
    const last = this.#samples[this.#samples.length - 1]
    const first = this.#samples.find(({ at }) => last !== undefined && last.at - at <= windowMs)
    if (first === undefined || last === undefined || last.at - first.at < MIN_MS) return null
    const seconds = (last.at - first.at) / 1_000
    return { blocks: (last.height - first.height) / seconds, gas: (last.gas - first.gas) / seconds }
  }
}
