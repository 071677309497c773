// Transactions between peers: ours go out (whole to a square root of the peers, by hash to the rest), announced ones are
// asked for, received ones go to the pool. Source: p2p.md 7; prlx prl/fetcher/tx_fetcher.go
import { messageOf } from '../../../base/errors'
import { toBareHex } from '../../../base/hex'
import { Disposables } from '../../../base/lifecycle'
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import { decodeTransaction } from '../../chain/transaction'
import { P2pError } from '../../errors'
import type { P2pChain } from '../p2p-chain'
import { fetchPooled } from '../peer/fetch'
import type { Peer } from '../peer/peer'
import type { PeerSet } from '../peer/peer-set'
import { DISCONNECT } from '../wire/base-messages'
import { CODES, decodeHashes, decodeRawTransactions, encodeHashes, wrapList } from '../wire/messages'

export interface TransactionExchangeDeps {
  readonly chain: P2pChain
  readonly peers: PeerSet
  readonly clock: Clock
  readonly log: Logger
  /** Transactions are of no use before the chain is. */
  readonly isSyncing: () => boolean
}

const MOST_HASHES = 4096
const MOST_REQUEST = 256
/** Raw transactions in one message, bytes. */
const PACK_BYTES = 100 * 1024
const ARRIVAL_MS = 500
const FETCH_MS = 5_000
const TICK_MS = 250
const MOST_ANNOUNCED = 32_768
/** Received transactions that wait for the pool, bytes of all peers. */
const MOST_WAITING_BYTES = 16 * 1024 * 1024

interface Announced {
  readonly hash: Uint8Array
  readonly announcers: Peer[]
  at: number
}

export class TransactionExchange {
  readonly #deps: TransactionExchangeDeps
  readonly #announced = new Map<string, Announced>()
  readonly #ofPeer = new WeakMap<Peer, number>()
  readonly #fetching = new Set<Peer>()
  readonly #held = new Disposables()
  #waitingBytes = 0

  constructor(deps: TransactionExchangeDeps) {
    this.#deps = deps
  }

  start(): void {
    const { clock, peers } = this.#deps
    this.#held.add(clock.setInterval(() => this.#fetchDue(), TICK_MS))
    this.#held.add(peers.events.on('joined', (peer) => this.#guard(this.#greet(peer))))
  }

  stop(): void {
    this.#held.dispose()
    this.#announced.clear()
  }

  /** Tells peers of transactions that became executable here. @param hashes 32 bytes each */
  spread(hashes: readonly Uint8Array[]): void {
    if (this.#deps.peers.size > 0) this.#guard(this.#spread(hashes))
  }

  /** A Transactions message. */
  takeTransactions(peer: Peer, payload: Uint8Array): void {
    if (this.#deps.isSyncing()) return
    const raws = decodeRawTransactions('transactions', payload)
    if (raws.ok) this.#guard(this.#add(peer, raws.value))
    else peer.disconnect(DISCONNECT.subprotocol)
  }

  /** A NewPooledTransactionHashes message. */
  takeHashes(peer: Peer, payload: Uint8Array): void {
    if (this.#deps.isSyncing()) return
    const hashes = decodeHashes('announcement', payload)
    if (hashes.ok) this.#guard(this.#remember(peer, hashes.value.slice(0, MOST_HASHES)))
    else peer.disconnect(DISCONNECT.subprotocol)
  }

  async #greet(peer: Peer): Promise<void> {
    this.#announce(peer, await this.#deps.chain.pendingHashes())
  }

  #announce(peer: Peer, hashes: readonly Uint8Array[]): void {
    const news = hashes.filter((hash) => !peer.knownTransactions.has(hash))
    for (let at = 0; at < news.length; at += MOST_HASHES) {
      const part = news.slice(at, at + MOST_HASHES)
      for (const hash of part) peer.knownTransactions.add(hash)
      peer.send(CODES.newPooledTransactionHashes, encodeHashes(part))
    }
  }

  async #spread(hashes: readonly Uint8Array[]): Promise<void> {
    const { chain, peers } = this.#deps
    const list = peers.list()
    const whole = list.slice(0, Math.floor(Math.sqrt(list.length)))
    for (let at = 0; at < hashes.length; at += MOST_REQUEST) {
      const part = hashes.slice(at, at + MOST_REQUEST)
      const bodies = await chain.pooled(part)
      const found = bodies.flatMap((body) => {
        const hash = hashOf(body)
        return hash === null ? [] : [{ body, hash }]
      })
      for (const peer of whole) this.#sendWhole(peer, found)
      for (const peer of list.slice(whole.length)) this.#announce(peer, part)
    }
  }

  #sendWhole(peer: Peer, found: readonly { readonly body: Uint8Array; readonly hash: Uint8Array }[]): void {
    let pack: Uint8Array[] = []
    let bytes = 0
    const flush = (): void => {
      if (pack.length > 0) peer.send(CODES.transactions, wrapList(pack))
      pack = []
      bytes = 0
    }
    for (const { body, hash } of found) {
      if (peer.knownTransactions.has(hash)) continue
      peer.knownTransactions.add(hash)
      pack.push(body)
      bytes += body.length
      if (bytes >= PACK_BYTES) flush()
    }
    flush()
  }

  async #remember(peer: Peer, hashes: readonly Uint8Array[]): Promise<void> {
    for (const hash of hashes) peer.knownTransactions.add(hash)
    const unknown: Uint8Array[] = []
    for (let at = 0; at < hashes.length; at += 2048)
      unknown.push(...(await this.#deps.chain.unknownTransactions(hashes.slice(at, at + 2048))))
    const now = this.#deps.clock.monotonic()
    for (const hash of unknown) {
      const name = toBareHex(hash)
      const entry = this.#announced.get(name)
      const mine = this.#ofPeer.get(peer) ?? 0
      if (mine >= MOST_HASHES) return
      if (entry !== undefined) {
        if (entry.announcers.length < 4 && !entry.announcers.includes(peer)) entry.announcers.push(peer)
        continue
      }
      if (this.#announced.size >= MOST_ANNOUNCED) return
      this.#ofPeer.set(peer, mine + 1)
      this.#announced.set(name, { hash, announcers: [peer], at: now })
    }
  }

  #forget(name: string): void {
    const entry = this.#announced.get(name)
    const [first] = entry?.announcers ?? []
    this.#announced.delete(name)
    if (first !== undefined) this.#ofPeer.set(first, Math.max(0, (this.#ofPeer.get(first) ?? 1) - 1))
  }

  #fetchDue(): void {
    const now = this.#deps.clock.monotonic()
    const asks = new Map<Peer, Uint8Array[]>()
    for (const [name, entry] of this.#announced) {
      if (now - entry.at < ARRIVAL_MS) continue
      const alive = entry.announcers.filter((peer) => !peer.isClosed)
      if (alive.length === 0) this.#forget(name)
      const peer = alive.find((candidate) => !this.#fetching.has(candidate))
      if (peer === undefined) continue
      const list = asks.get(peer) ?? []
      if (list.length >= MOST_REQUEST) continue
      list.push(entry.hash)
      asks.set(peer, list)
    }
    for (const [peer, hashes] of asks) this.#guard(this.#fetch(peer, hashes))
  }

  async #fetch(peer: Peer, hashes: readonly Uint8Array[]): Promise<void> {
    this.#fetching.add(peer)
    try {
      const raws = await fetchPooled(peer, hashes, FETCH_MS)
      await this.#add(peer, raws)
      for (const hash of hashes) this.#forget(toBareHex(hash))
    } catch (error: unknown) {
      if (error instanceof P2pError && error.code === 'P2P_BAD_DATA') peer.disconnect(DISCONNECT.subprotocol)
      for (const hash of hashes) this.#passOn(toBareHex(hash), peer)
    } finally {
      this.#fetching.delete(peer)
    }
  }

  /** The next announcer gets its turn. */
  #passOn(name: string, failed: Peer): void {
    const entry = this.#announced.get(name)
    if (entry === undefined) return
    const others = entry.announcers.filter((peer) => peer !== failed)
    const [next] = others
    this.#forget(name)
    if (next === undefined) return
    this.#ofPeer.set(next, (this.#ofPeer.get(next) ?? 0) + 1)
    this.#announced.set(name, { hash: entry.hash, announcers: others, at: entry.at })
  }

  async #add(peer: Peer, raws: readonly Uint8Array[]): Promise<void> {
    for (const raw of raws) {
      const tx = decodeTransaction(raw)
      if (!tx.ok) {
        peer.disconnect(DISCONNECT.subprotocol)
        return
      }
      peer.knownTransactions.add(tx.value.hash)
      this.#forget(toBareHex(tx.value.hash))
    }
    const bytes = raws.reduce((sum, raw) => sum + raw.length, 0)
    if (this.#waitingBytes + bytes > MOST_WAITING_BYTES) return
    this.#waitingBytes += bytes
    try {
      for (let at = 0; at < raws.length; at += MOST_REQUEST)
        await this.#deps.chain.addTransactions(raws.slice(at, at + MOST_REQUEST))
    } finally {
      this.#waitingBytes -= bytes
    }
  }

  #guard(work: Promise<void>): void {
    work.catch((error: unknown) => this.#deps.log.debug('transactions not exchanged', { error: messageOf(error) }))
  }
}

/** @param body a transaction as it stands in a block */
function hashOf(body: Uint8Array): Uint8Array | null {
  const list = decodeRawTransactions('pool', wrapList([body]))
  const raw = list.ok ? list.value[0] : undefined
  const tx = raw === undefined ? null : decodeTransaction(raw)
  return tx?.ok === true ? tx.value.hash : null
}
