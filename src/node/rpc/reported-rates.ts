// Hashrates that miners told the node by eth_submitHashrate; each counts for 10 s.
import { toHex } from '../../base/hex'
import type { Clock } from '../../base/time'

const LIFETIME_MS = 10_000
const MOST_REPORTERS = 10_000

export class ReportedRates {
  readonly #rates = new Map<string, { readonly rate: bigint; readonly at: number }>()

  constructor(private readonly clock: Clock) {}

  /** @param id 32 bytes that name the reporter */
  report(id: Uint8Array, rate: bigint): void {
    this.#forgetOld()
    if (this.#rates.size < MOST_REPORTERS || this.#rates.has(toHex(id)))
      this.#rates.set(toHex(id), { rate, at: this.clock.monotonic() })
  }

  /** H/s, all together */
  total(): bigint {
    this.#forgetOld()
    return [...this.#rates.values()].reduce((sum, { rate }) => sum + rate, 0n)
  }

  #forgetOld(): void {
    const oldest = this.clock.monotonic() - LIFETIME_MS
    for (const [id, { at }] of this.#rates) if (at < oldest) this.#rates.delete(id)
  }
}
