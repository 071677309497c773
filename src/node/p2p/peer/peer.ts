// A peer that completed the handshake: its state, our open requests to it, and what it is known to have.
import { equalBytes } from '../../../base/bytes'
import { Emitter } from '../../../base/events'
import { toBareHex } from '../../../base/hex'
import { RecentSet } from '../../../base/limits/bounded-map'
import { TokenBucket } from '../../../base/limits/token-bucket'
import type { Clock } from '../../../base/time'
import type { RlpSlice } from '../../codec/rlp'
import { P2pError } from '../../errors'
import { region } from '../../identity/ip-address'
import { DISCONNECT, type DisconnectReason, FIRST_CAPABILITY_CODE } from '../../protocol/base-messages'
import { answersOf, CODES, decodeRequestId } from '../../protocol/messages'
import { type SnapCode, snapCodeOf } from '../../protocol/snap-messages'
import type { Connection } from '../rlpx/connection'

/** Weight of a new sample. */
const WEIGHT = 0.3

/** So that each request asks for what the peer can deliver in the time we want to wait. */
class Throughput {
  /** @param perSecond estimated items, a moving average; at first assumed */
  constructor(public perSecond: number) {}

  /** Number of items to request so that they take about `wantedMs`. */
  share(wantedMs: number, least: number, most: number): number {
    return Math.max(least, Math.min(most, Math.floor((this.perSecond * wantedMs) / 1000)))
  }

  delivered(items: number, elapsedMs: number): void {
    const now = (items * 1000) / Math.max(1, elapsedMs)
    this.perSecond = (1 - WEIGHT) * this.perSecond + WEIGHT * now
  }

  failed(): void {
    this.perSecond /= 2
  }
}

export interface PeerInfo {
  readonly direction: 'inbound' | 'outbound'
  readonly host: string
  readonly port: number
  /** Exempt from limits and eviction. */
  readonly trusted: boolean
  readonly isStatic: boolean
}

interface PeerEvents {
  /** Everything except answers to our requests. @see CODES */
  message: { readonly code: number; readonly payload: Uint8Array }
  closed: { readonly reason: string }
}

/** A block that a peer provably has. */
export interface ProvenBlock {
  readonly number: bigint
  /** 32 bytes */
  readonly hash: Uint8Array
  /** Total difficulty including its own. */
  readonly total: bigint
}

const { blockHeaders, blockBodies, pooledTransactions, nodeData, receipts } = CODES
/** Each is one above the code of its request. */
const ANSWERS: ReadonlySet<number> = new Set([blockHeaders, blockBodies, pooledTransactions, nodeData, receipts])

interface OpenRequest {
  readonly answer: number
  readonly resolve: (items: readonly RlpSlice[]) => void
  readonly reject: (error: Error) => void
}

const MAX_KNOWN_BLOCKS = 1024
const MAX_KNOWN_TRANSACTIONS = 4096
/** Unsolicited answers allowed per connection: late ones are honest, a flood isn't. */
const MAX_UNSOLICITED = 1000
/** Allowed unsolicited bytes, uncompressed: even dropping them costs time, and they may compress to a thirtieth. */
const UNASKED = { perSecond: 2 * 1024 * 1024, burst: 64 * 1024 * 1024 }
/** Broadcasts may be dropped for a peer with this much unsent data; answers may not. */
const MAX_UNSENT_NEWS = 2 * 1024 * 1024

/** Requests reject with P2P_TIMEOUT or P2P_CLOSED; events end with `closed`. */
export class Peer {
  readonly events = new Emitter<PeerEvents>()
  /** 128 hex digits of the id. */
  readonly name: string
  readonly knownBlocks = new RecentSet(MAX_KNOWN_BLOCKS)
  readonly knownTransactions = new RecentSet(MAX_KNOWN_TRANSACTIONS)
  readonly headers = new Throughput(192)
  readonly bodies = new Throughput(64)
  /** Of the head it last announced. */
  totalDifficulty: bigint
  head: Uint8Array
  /** Key of its wide neighborhood; null inside private networks. */
  readonly region: string | null
  /** monotonic ms */
  readonly joinedAt: number
  /** Its best block whose proof of work we verified; null before the first. */
  proven: ProvenBlock | null = null
  /** Whether the peer announced that total difficulty itself: then it must be true. */
  isTotalTold = true
  readonly #open = new Map<bigint, OpenRequest>()
  readonly #unasked: TokenBucket
  #nextId = 1n
  #unsolicited = 0

  constructor(
    readonly connection: Connection,
    readonly info: PeerInfo,
    status: { readonly totalDifficulty: bigint; readonly head: Uint8Array },
    readonly clock: Clock,
  ) {
    this.name = toBareHex(connection.remoteId)
    this.#unasked = new TokenBucket(UNASKED, clock)
    this.joinedAt = clock.monotonic()
    this.region = region(info.host)
    this.totalDifficulty = status.totalDifficulty
    this.head = status.head
    connection.events.on('closed', ({ reason }) => this.#closed(reason))
  }

  get id(): Uint8Array {
    return this.connection.remoteId
  }

  /** How to read a message of a state capability; null for other messages. @param code as in messages */
  snapCode(code: number): SnapCode | null {
    return snapCodeOf(this.connection.remoteHello?.capabilities ?? [], code)
  }

  get clientId(): string {
    return this.connection.remoteHello?.clientId ?? ''
  }

  get isClosed(): boolean {
    return this.connection.isClosed
  }

  /** Handles a message. @param wireCode as on the connection */
  take(wireCode: number, payload: Uint8Array): void {
    const code = wireCode - FIRST_CAPABILITY_CODE
    if (!ANSWERS.has(code)) {
      if (this.#mayTell(payload.length)) this.events.emit('message', { code, payload })
      return
    }
    const id = decodeRequestId('answer', payload)
    const request = id.ok ? this.#open.get(id.value) : undefined
    const items = request?.answer === code ? answersOf(payload) : null
    if (!id.ok || items?.ok === false) this.disconnect(DISCONNECT.subprotocol)
    else if (request === undefined || items === null) {
      if (++this.#unsolicited > MAX_UNSOLICITED) this.disconnect(DISCONNECT.uselessPeer)
      this.#mayTell(payload.length)
    } else {
      this.#open.delete(id.value)
      request.resolve(items.value)
    }
  }

  /** The items of the answer, not decoded. @throws P2pError P2P_TIMEOUT, P2P_CLOSED */
  request(code: number, timeoutMs: number, encode: (id: bigint) => Uint8Array): Promise<readonly RlpSlice[]> {
    const answer = code + 1
    const id = this.#nextId++
    const answered = new Promise<readonly RlpSlice[]>((resolve, reject) => {
      this.#open.set(id, { answer, resolve, reject })
    })
    const fail = (error: Error): void => {
      this.#open.get(id)?.reject(error)
      this.#open.delete(id)
    }
    const what = `answer ${answer}`
    const timer = this.clock.setTimeout(() => fail(new P2pError('P2P_TIMEOUT', { what, timeoutMs })), timeoutMs)
    if (!this.send(code, encode(id))) fail(new P2pError('P2P_CLOSED', { reason: 'it is gone' }))
    return answered.finally(() => timer.dispose())
  }

  /** @param code of the capability, see `CODES` */
  send(code: number, payload: Uint8Array): boolean {
    return this.connection.send(FIRST_CAPABILITY_CODE + code, payload)
  }

  /** Sends news that other peers will bring too: false, and nothing sent, when the peer is slow to read. */
  offer(code: number, payload: Uint8Array): boolean {
    return this.connection.unsentBytes <= MAX_UNSENT_NEWS && this.send(code, payload)
  }

  disconnect(reason: DisconnectReason): void {
    this.connection.disconnect(reason)
  }

  /** Records a head that the peer must have. */
  sawHead(head: Uint8Array, totalDifficulty: bigint): void {
    if (totalDifficulty <= this.totalDifficulty) return
    this.head = head
    this.totalDifficulty = totalDifficulty
    this.isTotalTold = true
  }

  /** Records a block whose proof of work, and that of all blocks below it, was verified. */
  proved(block: ProvenBlock): void {
    if (this.proven === null || block.total > this.proven.total) this.proven = block
  }

  /** A block with valid proof of work turned out to be invalid: having it puts nobody ahead. */
  disproved(hash: Uint8Array): void {
    if (this.proven !== null && equalBytes(this.proven.hash, hash)) this.proven = null
  }

  /** Records a head whose total difficulty wasn't announced: it may exceed ours. */
  guessHead(head: Uint8Array, totalDifficulty: bigint): void {
    if (totalDifficulty <= this.totalDifficulty) return
    this.sawHead(head, totalDifficulty)
    this.isTotalTold = false
  }

  /** False, and disconnects, when the allowance is exceeded. */
  #mayTell(bytes: number): boolean {
    if (this.#unasked.take(bytes)) return true
    this.disconnect(DISCONNECT.uselessPeer)
    return false
  }

  #closed(reason: string): void {
    const open = [...this.#open.values()]
    this.#open.clear()
    for (const request of open) request.reject(new P2pError('P2P_CLOSED', { reason }))
    this.events.emit('closed', { reason })
  }
}
