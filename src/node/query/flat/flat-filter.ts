// Which flat calls a filter matches: by caller and callee.
import { bigintFromBytes } from '../../../base/bytes'
import type { FlatFilter } from '../query-wire'
import type { FlatCall } from './flat-calls'
import type { Payout } from './flat-text'

/** The two sides of `trace_filter`; an empty one matches everybody. */
export class FlatMatch {
  readonly #senders: ReadonlySet<bigint>
  readonly #receivers: ReadonlySet<bigint>
  readonly #both: boolean

  constructor({ senders, receivers, both }: Pick<FlatFilter, 'senders' | 'receivers' | 'both'>) {
    this.#senders = new Set(senders.map(bigintFromBytes))
    this.#receivers = new Set(receivers.map(bigintFromBytes))
    this.#both = both
  }

  /** A failed creation has no callee. */
  takes({ kind, from, to, end }: FlatCall): boolean {
    const isNobody = (kind === 'CREATE' || kind === 'CREATE2') && end.error !== null
    return this.#takes(from, isNobody ? null : to)
  }

  takesPayout({ receiver }: Payout): boolean {
    return this.#takes(null, bigintFromBytes(receiver))
  }

  #takes(from: bigint | null, to: bigint | null): boolean {
    const isFrom = from !== null && this.#senders.has(from)
    const isTo = to !== null && this.#receivers.has(to)
    if (this.#both) return (isFrom || this.#senders.size === 0) && (isTo || this.#receivers.size === 0)
    return isFrom || isTo || (this.#senders.size === 0 && this.#receivers.size === 0)
  }
}
