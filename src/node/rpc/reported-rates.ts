// The hashrate the node knows of: its own program's miner, and what others told it by eth_submitHashrate, each for 10 s.

import { toHex } from '../../base/hex'
import { CallerCounts } from '../../base/limits/caller-counts'
import type { Clock } from '../../base/time'

const LIFETIME_MS = 10_000
const MAX_REPORTERS = 10_000
/** Of those, what one caller may name: a proxy for a farm has hundreds. */
const MAX_PER_CALLER = 1_000

interface Reported {
  readonly rate: bigint
  readonly at: number
  readonly caller: string
}

export class ReportedRates {
  /** By the reporter's name; those that were told of last come last. */
  readonly #rates = new Map<string, Reported>()
  readonly #counts = new CallerCounts()

  /** @param own H/s of this program's miner; 0 without one */
  constructor(
    private readonly clock: Clock,
    private readonly own: () => number,
  ) {}

  /**
   * What a caller names over its limit isn't counted. When there are too many of all callers, the oldest of the one with most
   * gives way, so that nobody can keep others from being counted.
   * @param id 32 bytes that name the reporter @param caller who tells of it
   */
  report(id: Uint8Array, rate: bigint, caller = ''): void {
    this.#forgetOld()
    const name = toHex(id)
    const before = this.#rates.get(name)
    if (before?.caller !== caller && this.#counts.of(caller) >= MAX_PER_CALLER) return
    if (before !== undefined) this.#drop(name, before)
    else if (this.#rates.size >= MAX_REPORTERS) this.#dropOfGreatest()
    this.#rates.set(name, { rate, at: this.clock.monotonic(), caller })
    this.#counts.add(caller)
  }

  /** H/s, all together */
  total(): bigint {
    this.#forgetOld()
    return [...this.#rates.values()].reduce((sum, { rate }) => sum + rate, BigInt(Math.round(this.own())))
  }

  #dropOfGreatest(): void {
    const greatest = this.#counts.greatest()
    for (const [name, reported] of this.#rates)
      if (reported.caller === greatest) {
        this.#drop(name, reported)
        return
      }
  }

  #forgetOld(): void {
    const oldest = this.clock.monotonic() - LIFETIME_MS
    for (const [name, reported] of this.#rates) {
      if (reported.at >= oldest) return
      this.#drop(name, reported)
    }
  }

  #drop(name: string, { caller }: Reported): void {
    this.#rates.delete(name)
    this.#counts.remove(caller)
  }
}
