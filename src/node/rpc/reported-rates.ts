// The hashrate known to the node: its own miner's, and rates reported by eth_submitHashrate, each valid for 10 s.
import { toHex } from '../../base/hex'
import { CallerCounts } from '../../base/limits/caller-counts'
import type { Clock } from '../../base/time'

const LIFETIME_MS = 10_000
const MAX_REPORTERS = 10_000
/** Maximum reporters per caller: a farm's proxy has hundreds. */
const MAX_PER_CALLER = 1_000

interface Reported {
  readonly rate: bigint
  readonly at: number
  readonly caller: string
}

export class ReportedRates {
  /** By the reporter's name; most recently reported last. */
  readonly #rates = new Map<string, Reported>()
  readonly #counts = new CallerCounts()

  /** @param own H/s of this program's miner; 0 without one */
  constructor(
    private readonly clock: Clock,
    private readonly own: () => number,
  ) {}

  /** Above the total limit, the oldest report of the caller with most is dropped. @param id 32 bytes, the reporter */
  report(id: Uint8Array, rate: bigint, caller = ''): void {
    this.#forgetOld()
    const name = toHex(id)
    const before = this.#rates.get(name)
    if (before?.caller !== caller && this.#counts.of(caller) >= MAX_PER_CALLER) return
    if (before !== undefined) this.#drop(name, before)
    else if (this.#rates.size >= MAX_REPORTERS) {
      const greatest = this.#counts.greatest()
      const oldest = [...this.#rates].find(([, reported]) => reported.caller === greatest)
      if (oldest !== undefined) this.#drop(...oldest)
    }
    this.#rates.set(name, { rate, at: this.clock.monotonic(), caller })
    this.#counts.add(caller)
  }

  /** H/s in total */
  total(): bigint {
    this.#forgetOld()
    return [...this.#rates.values()].reduce((sum, { rate }) => sum + rate, BigInt(Math.round(this.own())))
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
