// How much news a peer may send per unit of time. The excess is dropped unread: honest peers stay far below, and other
// peers bring the same news. Transactions are remembered by hash first, as far as their own rate goes.
import { TokenBucket, type TokenRate } from '../../../base/limits/token-bucket'
import type { Clock } from '../../../base/time'

/** The kinds that are counted separately, each with its own rate. */
type NewsKind = keyof typeof RATES

const KIB = 1024
const RATES = {
  /** messages */
  blocks: { perSecond: 8, burst: 64 },
  /** bytes: one of the largest at once; processing it takes half a second */
  blockBytes: { perSecond: 256 * KIB, burst: 12 * KIB * KIB },
  /** bytes, with each message counted as at least `MIN_HASHES`: 32 messages a second, 256 at once */
  blockHashes: { perSecond: 16 * KIB, burst: 128 * KIB },
  /** bytes: 2,000 hashes a second, 32,000 at once */
  transactionHashes: { perSecond: 64 * KIB, burst: 1024 * KIB },
  /** bytes: some thousand transactions a second */
  transactions: { perSecond: 512 * KIB, burst: 4096 * KIB },
  /** bytes of transactions beyond that, which are only hashed, to be fetched later */
  laterTransactions: { perSecond: 2048 * KIB, burst: 32_768 * KIB },
} as const satisfies Readonly<Record<string, TokenRate>>

/** What an announcement message counts as at least, bytes. */
export const MIN_HASHES = 512

/** A token bucket per peer and kind; when `takes` is false, drop the news. */
export class Intake {
  readonly #buckets = new WeakMap<object, Map<NewsKind, TokenBucket>>()

  constructor(private readonly clock: Clock) {}

  /** Whether to process this. @param amount messages or bytes, see the rates; capped at the burst */
  takes(peer: object, kind: NewsKind, amount: number): boolean {
    return this.#bucketOf(peer, kind).take(Math.min(amount, RATES[kind].burst))
  }

  /** Counts unconditionally: processing cost more than the message's bytes suggest. */
  charge(peer: object, kind: NewsKind, amount: number): void {
    this.#bucketOf(peer, kind).charge(amount)
  }

  #bucketOf(peer: object, kind: NewsKind): TokenBucket {
    const ofPeer = this.#buckets.get(peer) ?? new Map<NewsKind, TokenBucket>()
    const bucket = ofPeer.get(kind) ?? new TokenBucket(RATES[kind], this.clock)
    this.#buckets.set(peer, ofPeer.set(kind, bucket))
    return bucket
  }
}
