// Transactions between peers: ours go out in batches (whole to the square root of the number of peers, by hash to the
// rest), received ones go to the pool.
import { setImmediate } from 'node:timers/promises'
import { bytesName } from '../../../base/bytes'
import type { Disposable } from '../../../base/disposable'
import { hasCode, messageOf } from '../../../base/errors'
import { Disposables } from '../../../base/lifecycle'
import { Mutex } from '../../../base/mutex'
import { keccak256 } from '../../codec/keccak'
import { encodedList, rlpSlice } from '../../codec/rlp'
import { decodeTransaction, rawOf } from '../../model/transaction'
import { DISCONNECT } from '../../protocol/base-messages'
import { CODES, decodeHashes, decodeRawTransactions, encodeHashes } from '../../protocol/messages'
import { chosen, type NetworkParts } from '../network-parts'
import { fetchPooled } from '../peer/fetch'
import type { Peer } from '../peer/peer'
import type { Intake } from './intake'

// Fetches announced transactions: waits a moment for them to arrive unrequested, asks one announcer at a time, and
// continues with the next for whatever that one doesn't deliver. Source: prlx prl/fetcher/tx_fetcher.go

interface Announced<P> {
  /** Short arrays: a Set each would take most of the memory. */
  readonly announcers: P[]
  /** monotonic ms */
  readonly at: number
  asked: P | null
}

/** Per peer. */
const MAX_OF_PEER = 4096
/** In total. Above it a peer may only have one open request: fifty that announce nonexistent ones would cost 100 MB. */
const MAX_OF_ALL = 32_768
const MAX_OF_PEER_THEN = 256

/** Transactions are keyed by `bytesName`. */
export class AnnouncedTransactions<P extends object> {
  readonly #entries = new Map<string, Announced<P>>()
  readonly #ofPeer = new Map<P, Set<string>>()

  get size(): number {
    return this.#entries.size
  }

  peers(): readonly P[] {
    return [...this.#ofPeer.keys()]
  }

  /** Drops what exceeds the peer's share. @param now monotonic ms */
  add(peer: P, name: string, now: number): void {
    const mine = this.#ofPeer.get(peer) ?? new Set<string>()
    if (mine.size >= (this.#entries.size < MAX_OF_ALL ? MAX_OF_PEER : MAX_OF_PEER_THEN)) return
    const entry = this.#entries.get(name) ?? { announcers: [], at: now, asked: null }
    if (!entry.announcers.includes(peer)) entry.announcers.push(peer)
    mine.add(name)
    this.#entries.set(name, entry)
    this.#ofPeer.set(peer, mine)
  }

  /** Marks up to `most` that the peer announced at `until` or before as requested from it. @param until monotonic ms */
  share(peer: P, until: number, most: number): string[] {
    const names: string[] = []
    for (const name of this.#ofPeer.get(peer) ?? []) {
      const entry = this.#entries.get(name)
      if (entry === undefined || entry.asked !== null || entry.at > until) continue
      entry.asked = peer
      names.push(name)
      if (names.length === most) break
    }
    return names
  }

  /** It arrived, or is no longer wanted. */
  forget(name: string): void {
    for (const peer of this.#entries.get(name)?.announcers ?? []) this.#unlink(peer, name)
    this.#entries.delete(name)
  }

  /** The peer lacks it after all: ask the next announcer. */
  lacks(peer: P, name: string): void {
    this.#unlink(peer, name)
    const entry = this.#entries.get(name)
    if (entry === undefined) return
    const place = entry.announcers.indexOf(peer)
    if (place >= 0) entry.announcers.splice(place, 1)
    if (entry.asked === peer) entry.asked = null
    if (entry.announcers.length === 0) this.#entries.delete(name)
  }

  /** The peer didn't answer for it: it may be requested again, from any announcer. */
  giveBack(peer: P, name: string): void {
    const entry = this.#entries.get(name)
    if (entry?.asked === peer) entry.asked = null
  }

  drop(peer: P): void {
    for (const name of [...(this.#ofPeer.get(peer) ?? [])]) this.lacks(peer, name)
    this.#ofPeer.delete(peer)
  }

  clear(): void {
    this.#entries.clear()
    this.#ofPeer.clear()
  }

  #unlink(peer: P, name: string): void {
    const mine = this.#ofPeer.get(peer)
    mine?.delete(name)
    if (mine?.size === 0) this.#ofPeer.delete(peer)
  }
}

interface TransactionFetcherDeps extends Pick<NetworkParts, 'chain' | 'peers' | 'clock' | 'log'> {
  readonly add: (peer: Peer, raws: readonly Uint8Array[]) => Promise<void>
}

/** The inverse of `bytesName`. */
const bytesOfName = (name: string): Uint8Array => new Uint8Array(Buffer.from(name, 'latin1'))

const MAX_REQUEST = 256
const ARRIVAL_MS = 500
const FETCH_MS = 5_000
const TICK_MS = 250
/** Consecutive requests that a peer may leave unanswered. */
const MAX_UNANSWERED = 4

/** A hash is requested from one peer at a time; a peer that doesn't answer is skipped. */
class TransactionFetcher {
  readonly #announced = new AnnouncedTransactions<Peer>()
  readonly #asked = new Set<Peer>()
  readonly #unanswered = new WeakMap<Peer, number>()
  readonly #held = new Disposables()

  constructor(private readonly deps: TransactionFetcherDeps) {}

  start(): void {
    const { clock, peers } = this.deps
    this.#held.add(clock.setInterval(() => this.#tick(), TICK_MS))
    this.#held.add(peers.events.on('left', ({ peer }) => this.#announced.drop(peer)))
  }

  stop(): void {
    this.#held.dispose()
    this.#announced.clear()
  }

  /** Transactions being awaited: at most 4096 per peer. */
  get size(): number {
    return this.#announced.size
  }

  /** @param hashes 32 bytes each */
  announced(peer: Peer, hashes: readonly Uint8Array[]): void {
    const now = this.deps.clock.monotonic()
    if (!peer.isClosed) for (const hash of hashes) this.#announced.add(peer, bytesName(hash), now)
  }

  /** It arrived. @param hash 32 bytes */
  arrived(hash: Uint8Array): void {
    this.#announced.forget(bytesName(hash))
  }

  #tick(): void {
    for (const peer of this.#announced.peers()) {
      if (this.#asked.has(peer)) continue
      this.#asked.add(peer)
      this.#askAll(peer)
        .catch((error: unknown) => this.deps.log.debug('transactions not fetched', { error: messageOf(error) }))
        .finally(() => this.#asked.delete(peer))
    }
  }

  async #askAll(peer: Peer): Promise<void> {
    while (!peer.isClosed) {
      const names = this.#announced.share(peer, this.deps.clock.monotonic() - ARRIVAL_MS, MAX_REQUEST)
      if (names.length === 0) return
      await this.#ask(peer, names)
    }
  }

  async #ask(peer: Peer, names: readonly string[]): Promise<void> {
    const { chain, add } = this.deps
    try {
      const unknown = await chain.unknownTransactions(names.map(bytesOfName))
      const wanted = new Set(unknown.map(bytesName))
      for (const name of names) if (!wanted.has(name)) this.#announced.forget(name)
      if (wanted.size === 0) return
      const raws = await fetchPooled(peer, [...wanted].map(bytesOfName), FETCH_MS)
      this.#unanswered.delete(peer)
      this.#settle(peer, [...wanted], raws)
      await add(peer, raws)
    } catch (error: unknown) {
      this.#failed(peer, names, error)
    }
  }

  /** Answers keep the request's order: gaps before the last item are missing, everything after it was cut off. */
  #settle(peer: Peer, names: readonly string[], raws: readonly Uint8Array[]): void {
    const given = new Set(raws.map((raw) => bytesName(keccak256(raw))))
    const last = names.reduce((found, name, index) => (given.has(name) ? index : found), -1)
    for (const [index, name] of names.entries()) {
      if (given.has(name)) this.#announced.forget(name)
      else if (index < last || last < 0) this.#announced.lacks(peer, name)
      else this.#announced.giveBack(peer, name)
    }
  }

  #failed(peer: Peer, names: readonly string[], error: unknown): void {
    for (const name of names) this.#announced.lacks(peer, name)
    if (!hasCode(error, 'P2P_TIMEOUT')) throw error
    const unanswered = (this.#unanswered.get(peer) ?? 0) + 1
    this.#unanswered.set(peer, unanswered)
    if (unanswered >= MAX_UNANSWERED) peer.disconnect(DISCONNECT.uselessPeer)
  }
}

/** The pool, and how invalid signatures are punished. */
export interface TransactionLaneDeps extends Pick<NetworkParts, 'bans' | 'ratings' | 'log'> {
  readonly chain: Pick<NetworkParts['chain'], 'addTransactions'>
  readonly intake: Intake
  /** Called for each received transaction, 32 bytes. */
  readonly onArrived: (hash: Uint8Array) => void
  /** Called with what doesn't fit at the moment. */
  readonly onFull: (peer: Peer, raws: readonly Uint8Array[]) => void
}

/** Passed to the chain at once: some milliseconds, mostly for signatures. */
const MAX_TAKEN_AT_ONCE = 32
/** Waiting transactions, bytes over all peers. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024
/** The pool's answer to a transaction that another peer sent before: harmless, and cheap to detect. */
const KNOWN = 'already known'
/** The answer to an invalid signature. Every node verifies it before relaying a transaction. */
const BAD_SIGNATURE = 'invalid sender'
const MAX_BAD_SIGNATURES = 16
const BAN_MS = 60 * 60_000
/** Cost of a rejected transaction: rejecting one takes as long as receiving some kilobytes. */
const REFUSED_BYTES = 4 * 1024

/** Limited in bytes: what arrives while it is full is left for later. */
export class TransactionLane {
  readonly #turns = new Mutex()
  readonly #bad = new WeakMap<Peer, number>()
  #waitingBytes = 0

  constructor(private readonly deps: TransactionLaneDeps) {}

  get waitingBytes(): number {
    return this.#waitingBytes
  }

  /** Resolves when all were added or rejected, or the peer disconnected, or it doesn't fit. */
  async add(peer: Peer, raws: readonly Uint8Array[]): Promise<void> {
    const bytes = raws.reduce((sum, raw) => sum + raw.length, 0)
    if (this.#waitingBytes + bytes > MAX_WAITING_BYTES) return this.deps.onFull(peer, raws)
    this.#waitingBytes += bytes
    try {
      for (let at = 0; at < raws.length && !peer.isClosed; at += MAX_TAKEN_AT_ONCE)
        await this.#turns.run(() => this.#take(peer, raws.slice(at, at + MAX_TAKEN_AT_ONCE)))
    } finally {
      this.#waitingBytes -= bytes
    }
  }

  async #take(peer: Peer, raws: readonly Uint8Array[]): Promise<void> {
    if (peer.isClosed) return
    await setImmediate() // yield to other messages
    for (const raw of raws) {
      const tx = decodeTransaction(raw)
      if (!tx.ok) return peer.disconnect(DISCONNECT.subprotocol)
      peer.knownTransactions.add(tx.value.hash)
      this.deps.onArrived(tx.value.hash)
    }
    this.#judge(peer, await this.deps.chain.addTransactions(raws))
  }

  #judge(peer: Peer, refusals: readonly (string | null)[]): void {
    const { intake, bans, ratings, log } = this.deps
    const refused = refusals.filter((refusal) => refusal !== null && refusal !== KNOWN).length
    intake.charge(peer, 'transactions', refused * REFUSED_BYTES)
    const bad = (this.#bad.get(peer) ?? 0) + refusals.filter((refusal) => refusal === BAD_SIGNATURE).length
    this.#bad.set(peer, bad)
    if (bad < MAX_BAD_SIGNATURES || peer.isClosed) return
    const reason = `${bad} transactions without a valid signature`
    log.info('peer dropped: invalid transactions', { peer: peer.name.slice(0, 16), reason })
    bans.add(peer.name, reason, BAN_MS)
    ratings.wasted(peer.info.host, 1)
    peer.disconnect(DISCONNECT.uselessPeer)
  }
}

/** Soft size of a message, bytes. */
const PACK_BYTES = 100 * 1024

interface Pooled {
  /** As it appears in a block. */
  readonly body: Uint8Array
  /** 32 bytes */
  readonly hash: Uint8Array
}

/** Builds messages of up to the soft size for one peer. */
class TransactionPacks {
  #pack: Pooled[] = []
  #bytes = 0

  constructor(private readonly peer: Peer) {}

  add(entries: readonly Pooled[]): void {
    for (const entry of entries) {
      if (this.peer.knownTransactions.has(entry.hash)) continue
      this.#pack.push(entry)
      this.#bytes += entry.body.length
      if (this.#bytes >= PACK_BYTES) this.flush()
    }
  }

  flush(): void {
    const pack = this.#pack
    this.#pack = []
    this.#bytes = 0
    if (pack.length === 0 || !this.peer.offer(CODES.transactions, encodedList(pack.map(({ body }) => body)))) return
    for (const { hash } of pack) this.peer.knownTransactions.add(hash)
  }
}

/** Adds its hash. @param body a transaction as it appears in a block */
function pooledOf(body: Uint8Array): readonly Pooled[] {
  const item = rlpSlice(body)
  const tx = item.ok ? decodeTransaction(rawOf(item.value).slice()) : null
  return tx?.ok === true ? [{ body, hash: tx.value.hash }] : []
}

interface TransactionExchangeDeps extends Omit<NetworkParts, 'ownTotal'> {
  readonly intake: Intake
  /** Transactions are useless before the chain is synced. */
  readonly isSyncing: () => boolean
}

/** Maximum per announcement, and maximum gathered before sending. */
const MAX_HASHES = 4096
const MAX_ASKED_AT_ONCE = 256
/** What becomes executable within this time is sent together; the longer one while a long message is processed. */
const GATHER_MS = 10
const MAX_GATHER_MS = 5_000

/** Transactions in both directions between the pool and the peers. */
export class TransactionExchange {
  readonly #fetcher: TransactionFetcher
  readonly #lane: TransactionLane
  readonly #held = new Disposables()
  /** Not sent yet, 32 bytes each. */
  #gathered: Uint8Array[] = []
  /** monotonic ms */
  #gatheredSince = 0
  #timer: Disposable | null = null

  constructor(private readonly deps: TransactionExchangeDeps) {
    this.#lane = new TransactionLane({
      ...deps,
      onArrived: (hash) => this.#fetcher.arrived(hash),
      onFull: (peer, raws) => this.#later(peer, raws),
    })
    this.#fetcher = new TransactionFetcher({ ...deps, add: (peer, raws) => this.#lane.add(peer, raws) })
  }

  start(): void {
    const { chain, peers } = this.deps
    const greet = async (peer: Peer): Promise<void> => this.#announce(peer, await chain.pendingHashes())
    this.#held.add(peers.events.on('joined', (peer) => this.#guard(greet(peer))))
    this.#fetcher.start()
  }

  stop(): void {
    this.#timer?.dispose()
    this.#timer = null
    this.#gathered = []
    this.#held.dispose()
    this.#fetcher.stop()
  }

  /** Announced transactions being awaited, and bytes waiting for the pool. */
  get load(): { readonly announced: number; readonly waitingBytes: number } {
    return { announced: this.#fetcher.size, waitingBytes: this.#lane.waitingBytes }
  }

  /** Announces transactions that became executable here. @param hashes 32 bytes each */
  spread(hashes: readonly Uint8Array[]): void {
    if (this.deps.peers.size === 0) return
    if (this.#gathered.length === 0) this.#gatheredSince = this.deps.clock.monotonic()
    this.#gathered.push(...hashes)
    if (this.#gathered.length >= MAX_HASHES) this.#flush()
    else this.#wait()
  }

  takeTransactions(peer: Peer, payload: Uint8Array): void {
    const { isSyncing, intake } = this.deps
    if (isSyncing()) return
    const isNow = intake.takes(peer, 'transactions', payload.length)
    if (!isNow && !intake.takes(peer, 'laterTransactions', payload.length)) return
    const raws = decodeRawTransactions('transactions', payload)
    if (!raws.ok) peer.disconnect(DISCONNECT.subprotocol)
    else if (isNow) this.#guard(this.#lane.add(peer, raws.value))
    else this.#later(peer, raws.value)
  }

  /** Remembers what can't be taken now: it is fetched like what a peer announced. */
  #later(peer: Peer, raws: readonly Uint8Array[]): void {
    this.#announced(
      peer,
      raws.slice(0, MAX_HASHES).map((raw) => keccak256(raw)),
    )
  }

  takeHashes(peer: Peer, payload: Uint8Array): void {
    const { isSyncing, intake } = this.deps
    if (isSyncing() || !intake.takes(peer, 'transactionHashes', payload.length)) return
    const hashes = decodeHashes('announcement', payload)
    if (hashes.ok) this.#announced(peer, hashes.value.slice(0, MAX_HASHES))
    else peer.disconnect(DISCONNECT.subprotocol)
  }

  #announced(peer: Peer, hashes: readonly Uint8Array[]): void {
    for (const hash of hashes) peer.knownTransactions.add(hash)
    this.#fetcher.announced(peer, hashes)
  }

  #announce(peer: Peer, hashes: readonly Uint8Array[]): void {
    const news = hashes.filter((hash) => !peer.knownTransactions.has(hash))
    for (let at = 0; at < news.length; at += MAX_HASHES) {
      const part = news.slice(at, at + MAX_HASHES)
      if (!peer.offer(CODES.newPooledTransactionHashes, encodeHashes(part))) return
      for (const hash of part) peer.knownTransactions.add(hash)
    }
  }

  #wait(): void {
    const { clock } = this.deps
    this.#timer ??= clock.setTimeout(() => {
      this.#timer = null
      const isLong = clock.monotonic() - this.#gatheredSince >= MAX_GATHER_MS
      if (this.#lane.waitingBytes > 0 && !isLong) this.#wait()
      else this.#flush()
    }, GATHER_MS)
  }

  #flush(): void {
    this.#timer?.dispose()
    this.#timer = null
    const hashes = this.#gathered
    this.#gathered = []
    if (hashes.length > 0) this.#guard(this.#send(hashes))
  }

  /** Whole to some, by hash to the rest; the former also get hashes of what the chain no longer has, or is too large. */
  async #send(hashes: readonly Uint8Array[]): Promise<void> {
    const { chain, peers, randomBytes } = this.deps
    const list = peers.list()
    const whole = chosen(list, Math.floor(Math.sqrt(list.length)), randomBytes)
    const packs = whole.map((peer) => new TransactionPacks(peer))
    for (const peer of list) if (!whole.includes(peer)) this.#announce(peer, hashes)
    for (let at = 0; at < hashes.length; at += MAX_ASKED_AT_ONCE) {
      const found = (await chain.pooled(hashes.slice(at, at + MAX_ASKED_AT_ONCE))).flatMap(pooledOf)
      for (const pack of packs) pack.add(found)
    }
    for (const pack of packs) pack.flush()
    for (const peer of whole) this.#announce(peer, hashes)
  }

  #guard(work: Promise<void>): void {
    work.catch((error: unknown) => this.deps.log.debug('transactions not exchanged', { error: messageOf(error) }))
  }
}
