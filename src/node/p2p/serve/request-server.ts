// Answers what peers ask of the chain: one request of a peer at a time and so many a second, every request answered, nobody may
// queue without end.
import { messageOf } from '../../../base/errors'
import type { Logger } from '../../../base/logger'
import { type Clock, sleep } from '../../../base/time'
import type { Result } from '../../codec/result'
import { encodeRlp } from '../../codec/rlp'
import type { P2pChain } from '../p2p-chain'
import type { Peer } from '../peer/peer'
import { TokenBucket } from '../peer/token-bucket'
import { DISCONNECT } from '../wire/base-messages'
import { CODES, decodePaired, encodeAnswer, hashesOf, headersQueryOf, type Paired, wrapList } from '../wire/messages'
import type { SnapCode } from '../wire/snap-messages'
import { HalfTime } from './half-time'

/** The chain that answers. */
export interface RequestServerDeps {
  readonly chain: P2pChain
  readonly clock: Clock
  readonly log: Logger
}

/** A peer may have so many requests waiting here. */
const MAX_WAITING = 128
const MAX_WAITING_BYTES = 320 * 1024
/** Requests of one peer; what is over waits. A sync at thousands of blocks a second makes some dozens. */
const RATE = { perSecond: 200, burst: 400 }
/** An answer counts as one request more for so many looked up, and for so many bytes. */
const ITEMS_OF_REQUEST = 128
const BYTES_OF_REQUEST = 128 * 1024
/** While more than this is unsent to a peer, it gets no further answer. */
const MAX_UNSENT = 1024 * 1024
const DRAIN_MS = 50
/** Longer lists of hashes are cut: nobody is answered more. */
const MAX_LOOKUPS = 2048
/** Lists and strings in the biggest request that passes the bound on bytes. */
const MAX_ITEMS = 4096

interface Request {
  readonly code: number
  readonly payload: Uint8Array
}

interface Found {
  readonly code: number
  readonly items: readonly Uint8Array[]
}

interface Answer extends Found {
  /** What it cost to find, whether it was there or not. */
  readonly lookUps: number
}

/** What a peer asked and waits for. */
interface Line {
  count: number
  bytes: number
  tail: Promise<void>
  readonly bucket: TokenBucket
}

/**
 * Answers are cut at the soft size of the protocol, as the reference cuts them; an unknown hash is left out, not an
 * error.
 */
export class RequestServer {
  readonly #lines = new WeakMap<Peer, Line>()

  readonly #states: HalfTime

  constructor(private readonly deps: RequestServerDeps) {
    this.#states = new HalfTime(deps.clock)
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

  /** Waits until the peer may have its next answer, and has taken those before. */
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
    if (!paired.ok || answer === null) {
      peer.disconnect(DISCONNECT.subprotocol)
      return
    }
    const bytes = encodeAnswer(paired.value.id, answer.items)
    bucket.charge(answer.lookUps / ITEMS_OF_REQUEST + bytes.length / BYTES_OF_REQUEST)
    peer.send(answer.code, bytes)
  }

  /** Answers of states, one at a time for all peers together. */
  async #tellState(peer: Peer, { bucket }: Line, { code, answer }: SnapCode, request: Uint8Array): Promise<void> {
    const found = await this.#states.run(() => (peer.isClosed ? null : this.deps.chain.snap(code, request)))
    if (peer.isClosed) return
    if (found === null) {
      peer.disconnect(DISCONNECT.subprotocol)
      return
    }
    bucket.charge(found.reads / ITEMS_OF_REQUEST + found.payload.length / BYTES_OF_REQUEST)
    peer.send(answer, found.payload)
  }

  /** Null for what is malformed. */
  async #lookUp(code: number, { items }: Paired): Promise<Answer | null> {
    const { chain } = this.deps
    if (code === CODES.getBlockHeaders) {
      const query = headersQueryOf(items)
      if (!query.ok) return null
      const found = await chain.headers(query.value)
      return { code: CODES.blockHeaders, items: found, lookUps: found.length }
    }
    const hashes: Result<readonly Uint8Array[]> = hashesOf('request', items.slice(0, MAX_LOOKUPS))
    if (!hashes.ok) return null
    const found = await this.#byHash(code, hashes.value)
    return found === null ? null : { ...found, lookUps: hashes.value.length }
  }

  async #byHash(code: number, wanted: readonly Uint8Array[]): Promise<Found | null> {
    const { chain } = this.deps
    switch (code) {
      case CODES.getBlockBodies:
        // A body on the wire is a list of one item, the transactions.
        return { code: CODES.blockBodies, items: (await chain.bodies(wanted)).map((body) => wrapList([body])) }
      case CODES.getReceipts:
        return { code: CODES.receipts, items: await chain.receipts(wanted) }
      case CODES.getPooledTransactions:
        return { code: CODES.pooledTransactions, items: await chain.pooled(wanted) }
      case CODES.getNodeData:
        return { code: CODES.nodeData, items: (await chain.nodeData(wanted)).map((bytes) => encodeRlp(bytes)) }
      default:
        return null
    }
  }
}

const REQUESTS: ReadonlySet<number> = new Set([
  CODES.getBlockHeaders,
  CODES.getBlockBodies,
  CODES.getReceipts,
  CODES.getPooledTransactions,
  CODES.getNodeData,
])
