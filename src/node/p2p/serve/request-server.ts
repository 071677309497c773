// Answers peers' chain requests: one per peer at a time with a rate limit, every request answered, bounded queues.
import { messageOf } from '../../../base/errors'
import { TokenBucket } from '../../../base/limits/token-bucket'
import { type Clock, sleep } from '../../../base/time'
import { encodedList, encodeRlp } from '../../codec/rlp'
import { DISCONNECT } from '../../protocol/base-messages'
import { CODES, decodePaired, encodeAnswer, hashesOf, headersQueryOf, type Paired } from '../../protocol/messages'
import type { SnapCode } from '../../protocol/snap-messages'
import type { NetworkParts } from '../network-parts'
import type { Peer } from '../peer/peer'

// Limits work for strangers to half of a thread: one task at a time, then a pause as long as the task took.

/** A task that was slow because the thread was busy isn't charged in full. */
const MAX_PAUSE_MS = 100

/** A rejected task doesn't stop the next; the pause is bounded. */
export class DutyCycle {
  #last: Promise<void> = Promise.resolve()

  constructor(private readonly clock: Clock) {}

  /** Runs `work` after all earlier tasks and their pauses. */
  run<T>(work: () => Promise<T> | T): Promise<T> {
    const before = this.#last
    const result = before.then(work)
    this.#last = before.then(async () => {
      const start = this.clock.monotonic()
      await result.catch(() => undefined)
      const tookMs = this.clock.monotonic() - start
      if (tookMs > 0) await sleep(this.clock, Math.min(tookMs, MAX_PAUSE_MS))
    })
    return result
  }
}

const MAX_WAITING = 128
const MAX_WAITING_BYTES = 320 * 1024
/** Request rate per peer; the excess waits. A sync at thousands of blocks a second needs a few dozen. */
const RATE = { perSecond: 200, burst: 400 }
/** An answer costs one extra request per this many lookups, and per this many bytes. */
const ITEMS_OF_REQUEST = 128
const BYTES_OF_REQUEST = 128 * 1024
/** A peer with more unsent data than this gets no further answer. */
const MAX_UNSENT = 1024 * 1024
const DRAIN_MS = 50
/** Longer hash lists are truncated: nobody gets more answers. */
const MAX_LOOKUPS = 2048
/** Lists and strings in the largest request within the byte limit. */
const MAX_ITEMS = 4096

interface Request {
  readonly code: number
  readonly payload: Uint8Array
}

interface Line {
  count: number
  bytes: number
  tail: Promise<void>
  readonly bucket: TokenBucket
}

/** Answers are cut at the protocol's soft size, as in prlx; an unknown hash is skipped, not an error. */
export class RequestServer {
  readonly #lines = new WeakMap<Peer, Line>()
  readonly #states: DutyCycle

  constructor(private readonly deps: Pick<NetworkParts, 'chain' | 'clock' | 'log'>) {
    this.#states = new DutyCycle(deps.clock)
  }

  /** True when the message was a request. */
  take(peer: Peer, code: number, payload: Uint8Array): boolean {
    const snap = peer.snapCode(code)
    if (snap === null && !REQUESTS.has(code)) return false
    const line = this.#lineOf(peer)
    line.count++
    line.bytes += payload.length
    if (line.count > MAX_WAITING || line.bytes > MAX_WAITING_BYTES) {
      peer.disconnect(DISCONNECT.uselessPeer)
      return true
    }
    line.tail = line.tail
      .then(() => this.#turn(peer, line))
      .then(() =>
        snap === null ? this.#answer(peer, line, { code, payload }) : this.#tellState(peer, line, snap, payload),
      )
      .catch((error: unknown) => this.deps.log.debug('request not answered', { code, error: messageOf(error) }))
      .finally(() => {
        line.count--
        line.bytes -= payload.length
      })
    return true
  }

  #lineOf(peer: Peer): Line {
    const known = this.#lines.get(peer)
    if (known !== undefined) return known
    const line = { count: 0, bytes: 0, tail: Promise.resolve(), bucket: new TokenBucket(RATE, this.deps.clock) }
    this.#lines.set(peer, line)
    return line
  }

  /** Waits until the peer's rate allows the next answer, and it has read the previous ones. */
  async #turn(peer: Peer, { bucket }: Line): Promise<void> {
    const { clock } = this.deps
    if (peer.isClosed) return
    const waitMs = bucket.charge(1)
    if (waitMs > 0) await sleep(clock, waitMs)
    while (!peer.isClosed && peer.connection.unsentBytes > MAX_UNSENT) await sleep(clock, DRAIN_MS)
  }

  async #answer(peer: Peer, { bucket }: Line, { code, payload }: Request): Promise<void> {
    if (peer.isClosed) return
    const paired = decodePaired('request', payload, MAX_ITEMS)
    const answer = paired.ok ? await this.#lookUp(code, paired.value) : null
    if (!paired.ok || answer === null) return peer.disconnect(DISCONNECT.subprotocol)
    const bytes = encodeAnswer(paired.value.id, answer.items)
    bucket.charge(answer.lookUps / ITEMS_OF_REQUEST + bytes.length / BYTES_OF_REQUEST)
    peer.send(code + 1, bytes) // an answer's code is one above its request's
  }

  /** State answers, one at a time over all peers. */
  async #tellState(peer: Peer, { bucket }: Line, { code, answer }: SnapCode, request: Uint8Array): Promise<void> {
    const found = await this.#states.run(() => (peer.isClosed ? null : this.deps.chain.snap(code, request)))
    if (peer.isClosed) return
    if (found === null) return peer.disconnect(DISCONNECT.subprotocol)
    bucket.charge(found.reads / ITEMS_OF_REQUEST + found.payload.length / BYTES_OF_REQUEST)
    peer.send(answer, found.payload)
  }

  /** Null when malformed. */
  async #lookUp(
    code: number,
    { items }: Paired,
  ): Promise<{ readonly items: readonly Uint8Array[]; readonly lookUps: number } | null> {
    const { chain } = this.deps
    if (code === CODES.getBlockHeaders) {
      const query = headersQueryOf(items)
      if (!query.ok) return null
      const found = await chain.headers(query.value)
      return { items: found, lookUps: found.length }
    }
    const hashes = hashesOf('request', items.slice(0, MAX_LOOKUPS))
    if (!hashes.ok) return null
    const found = await this.#byHash(code, hashes.value)
    return found === null ? null : { items: found, lookUps: hashes.value.length }
  }

  async #byHash(code: number, wanted: readonly Uint8Array[]): Promise<readonly Uint8Array[] | null> {
    const { chain } = this.deps
    // A body on the wire is a one-item list, the transactions.
    if (code === CODES.getBlockBodies) return (await chain.bodies(wanted)).map((body) => encodedList([body]))
    if (code === CODES.getReceipts) return chain.receipts(wanted)
    if (code === CODES.getPooledTransactions) return chain.pooled(wanted)
    return code === CODES.getNodeData ? (await chain.nodeData(wanted)).map((bytes) => encodeRlp(bytes)) : null
  }
}

const { getBlockHeaders, getBlockBodies, getReceipts, getPooledTransactions, getNodeData } = CODES
const REQUESTS: ReadonlySet<number> = new Set([
  getBlockHeaders,
  getBlockBodies,
  getReceipts,
  getPooledTransactions,
  getNodeData,
])
