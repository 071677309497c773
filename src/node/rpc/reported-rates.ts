// The hashrate the node knows of: its own program's miner, and what others told it by eth_submitHashrate, each for 10 s.
import { toHex } from '../../base/hex'
import type { Clock } from '../../base/time'

const LIFETIME_MS = 10_000
const MOST_REPORTERS = 10_000

export class ReportedRates {
  readonly #rates = new Map<string, { readonly rate: bigint; readonly at: number }>()

  /** @param own H/s of this program's miner; 0 without one */
  constructor(
    private readonly clock: Clock,
    private readonly own: () => number,
  ) {}

  /** @param id 32 bytes that name the reporter */
  report(id: Uint8Array, rate: bigint): void {
    this.#forgetOld()
    if (this.#rates.size < MOST_REPORTERS || this.#rates.has(toHex(id)))
      this.#rates.set(toHex(id), { rate, at: this.clock.monotonic() })
  }

  /** H/s, all together */
  total(): bigint {
    this.#forgetOld()
    return [...this.#rates.values()].reduce((sum, { rate }) => sum + rate, BigInt(Math.round(this.own())))
  }

  #forgetOld(): void {
    const oldest = this.clock.monotonic() - LIFETIME_MS
    for (const [id, { at }] of this.#rates) if (at < oldest) this.#rates.delete(id)
  }
}
