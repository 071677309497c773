// How much news a peer may bring in a time. What is over is dropped unread: honest peers stay far below, and what they have is
// told by others as well.
import type { Clock } from '../../../base/time'
import { TokenBucket, type TokenRate } from '../peer/token-bucket'

export type NewsKind = keyof typeof RATES

const KIB = 1024
const RATES = {
  /** messages */
  blocks: { perSecond: 8, burst: 64 },
  /** messages */
  blockHashes: { perSecond: 32, burst: 256 },
  /** bytes: 2,000 hashes a second, 32,000 at once */
  transactionHashes: { perSecond: 64 * KIB, burst: 1024 * KIB },
  /** bytes: some thousand transactions a second */
  transactions: { perSecond: 512 * KIB, burst: 4096 * KIB },
} as const satisfies Readonly<Record<string, TokenRate>>

export class Intake {
  readonly #buckets: Readonly<Record<NewsKind, WeakMap<object, TokenBucket>>> = {
    blocks: new WeakMap(),
    blockHashes: new WeakMap(),
    transactionHashes: new WeakMap(),
    transactions: new WeakMap(),
  }

  constructor(private readonly clock: Clock) {}

  /** Whether this may be looked at. @param amount messages or bytes, see the rates; more than fits at once counts as that much */
  takes(peer: object, kind: NewsKind, amount: number): boolean {
    const rate = RATES[kind]
    const buckets = this.#buckets[kind]
    const bucket = buckets.get(peer) ?? new TokenBucket(rate, this.clock)
    buckets.set(peer, bucket)
    return bucket.take(Math.min(amount, rate.burst))
  }
}
