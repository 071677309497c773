// What one device does and draws over the last minute: hashes and watts of the same seconds, so that their quotient is
// the efficiency of those seconds.

import { HashrateMeter, SHORT_SECONDS } from './hashrate-meter'
import { SlotRing } from './slot-ring'
import type { Hashrate } from './snapshot'

interface DeviceSample {
  /** hashes finished so far, never decreasing */
  readonly count: bigint
  /** its last reading; null when it reports none */
  readonly watts: number | null
}

export class DeviceMeter {
  readonly #hashes = new HashrateMeter()
  readonly #watts = new SlotRing(SHORT_SECONDS)
  readonly #readings = new SlotRing(SHORT_SECONDS)
  #sampledAt = 0

  /** It was given work; later calls have no effect. @param at monotonic ms */
  begin(at: number): void {
    this.#hashes.begin(at)
  }

  /** @param at monotonic ms, never decreasing */
  sample(at: number, { count, watts }: DeviceSample): void {
    this.#hashes.sample(at, count)
    this.#sampledAt = at
    if (watts === null) return
    this.#watts.add(at, watts)
    this.#readings.add(at, 1)
  }

  /** As of the last sample. */
  get rate(): Hashrate {
    return this.#hashes.rate
  }

  /** Mean of the power readings within the window of `rate.s60`, pauses included; null when there is none. */
  get meanWatts(): number | null {
    const since = this.#hashes.startedAt ?? undefined
    const readings = this.#readings.sum(this.#sampledAt, SHORT_SECONDS, since)
    return readings === 0 ? null : this.#watts.sum(this.#sampledAt, SHORT_SECONDS, since) / readings
  }
}
