// How much news a peer may bring in a time. What is over is dropped unread: honest peers stay far below, and what they have is
// told by others as well.
import type { Clock } from '../../../base/time'
import { TokenBucket, type TokenRate } from '../peer/token-bucket'

/** What is counted by itself, each with its own rate. */
export type NewsKind = keyof typeof RATES

const KIB = 1024
const RATES = {
  /** messages */
  blocks: { perSecond: 8, burst: 64 },
  /** bytes: one of the greatest at once; to look at it takes half a second */
  blockBytes: { perSecond: 256 * KIB, burst: 12 * KIB * KIB },
  /** bytes, of which a message counts as `MIN_HASHES` at least: 32 messages a second, 256 at once */
  blockHashes: { perSecond: 16 * KIB, burst: 128 * KIB },
  /** bytes: 2,000 hashes a second, 32,000 at once */
  transactionHashes: { perSecond: 64 * KIB, burst: 1024 * KIB },
  /** bytes: some thousand transactions a second */
  transactions: { perSecond: 512 * KIB, burst: 4096 * KIB },
} as const satisfies Readonly<Record<string, TokenRate>>

/** What a message of announcements counts as however short it is, bytes. */
export const MIN_HASHES = 512

/** A token bucket for each peer and kind; `takes` is false when the news is to be dropped. */
export class Intake {
  readonly #buckets: Readonly<Record<NewsKind, WeakMap<object, TokenBucket>>> = {
    blocks: new WeakMap(),
    blockBytes: new WeakMap(),
    blockHashes: new WeakMap(),
    transactionHashes: new WeakMap(),
    transactions: new WeakMap(),
  }

  constructor(private readonly clock: Clock) {}

  /** Whether this may be looked at. @param amount messages or bytes, see the rates; more than fits at once counts as that much */
  takes(peer: object, kind: NewsKind, amount: number): boolean {
    return this.#bucketOf(peer, kind).take(Math.min(amount, RATES[kind].burst))
  }

  /** Counts in any case: what was taken has cost more than its bytes say. */
  charge(peer: object, kind: NewsKind, amount: number): void {
    this.#bucketOf(peer, kind).charge(amount)
  }

  #bucketOf(peer: object, kind: NewsKind): TokenBucket {
    const buckets = this.#buckets[kind]
    const bucket = buckets.get(peer) ?? new TokenBucket(RATES[kind], this.clock)
    buckets.set(peer, bucket)
    return bucket
  }
}
