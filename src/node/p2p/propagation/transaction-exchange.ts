// Transactions between peers: ours go out (whole to a square root of the peers, by hash to the rest), received ones go to the
// pool. Source: p2p.md 7
import { messageOf } from '../../../base/errors'
import { Disposables } from '../../../base/lifecycle'
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import { decodeTransaction } from '../../chain/transaction'
import type { P2pChain } from '../p2p-chain'
import type { Peer } from '../peer/peer'
import type { PeerSet } from '../peer/peer-set'
import type { RandomBytes } from '../rlpx/ecies'
import { DISCONNECT } from '../wire/base-messages'
import { CODES, decodeHashes, decodeRawTransactions, encodeHashes, wrapList } from '../wire/messages'
import { chosen } from './chosen'
import type { Intake } from './intake'
import { TransactionFetcher } from './transaction-fetcher'

export interface TransactionExchangeDeps {
  readonly chain: P2pChain
  readonly peers: PeerSet
  readonly intake: Intake
  readonly clock: Clock
  readonly log: Logger
  readonly randomBytes: RandomBytes
  /** Transactions are of no use before the chain is. */
  readonly isSyncing: () => boolean
}

/** In one announcement. */
const MOST_HASHES = 4096
/** Handed to the chain, or asked of it, at once. */
const MOST_AT_ONCE = 256
/** Raw transactions in one message, bytes. */
const PACK_BYTES = 100 * 1024
/** Said of a transaction that others brought before: nobody's fault, and found at once. */
const KNOWN = 'already known'
/** What a refused transaction counts as: to find out that its signature is none takes as long as to take some kilobytes. */
const REFUSED_BYTES = 4 * 1024
/** Received transactions that wait for the pool, bytes of all peers. */
const MOST_WAITING_BYTES = 16 * 1024 * 1024

interface Pooled {
  readonly body: Uint8Array
  readonly hash: Uint8Array
}

export class TransactionExchange {
  readonly #deps: TransactionExchangeDeps
  readonly #fetcher: TransactionFetcher
  readonly #held = new Disposables()
  #waitingBytes = 0

  constructor(deps: TransactionExchangeDeps) {
    this.#deps = deps
    const { chain, peers, clock, log } = deps
    this.#fetcher = new TransactionFetcher({ chain, peers, clock, log, add: (peer, raws) => this.#add(peer, raws) })
  }

  start(): void {
    this.#held.add(this.#deps.peers.events.on('joined', (peer) => this.#guard(this.#greet(peer))))
    this.#fetcher.start()
  }

  stop(): void {
    this.#held.dispose()
    this.#fetcher.stop()
  }

  /** Announced transactions that are waited for, and bytes that wait for the pool. */
  get load(): { readonly announced: number; readonly waitingBytes: number } {
    return { announced: this.#fetcher.size, waitingBytes: this.#waitingBytes }
  }

  /** Tells peers of transactions that became executable here. @param hashes 32 bytes each */
  spread(hashes: readonly Uint8Array[]): void {
    if (this.#deps.peers.size > 0) this.#guard(this.#spread(hashes))
  }

  /** A Transactions message. */
  takeTransactions(peer: Peer, payload: Uint8Array): void {
    const { isSyncing, intake } = this.#deps
    if (isSyncing() || !intake.takes(peer, 'transactions', payload.length)) return
    const raws = decodeRawTransactions('transactions', payload)
    if (raws.ok) this.#guard(this.#add(peer, raws.value))
    else peer.disconnect(DISCONNECT.subprotocol)
  }

  /** A NewPooledTransactionHashes message. */
  takeHashes(peer: Peer, payload: Uint8Array): void {
    const { isSyncing, intake } = this.#deps
    if (isSyncing() || !intake.takes(peer, 'transactionHashes', payload.length)) return
    const hashes = decodeHashes('announcement', payload)
    if (!hashes.ok) {
      peer.disconnect(DISCONNECT.subprotocol)
      return
    }
    const kept = hashes.value.slice(0, MOST_HASHES)
    for (const hash of kept) peer.knownTransactions.add(hash)
    this.#fetcher.announced(peer, kept)
  }

  async #greet(peer: Peer): Promise<void> {
    this.#announce(peer, await this.#deps.chain.pendingHashes())
  }

  #announce(peer: Peer, hashes: readonly Uint8Array[]): void {
    const news = hashes.filter((hash) => !peer.knownTransactions.has(hash))
    for (let at = 0; at < news.length; at += MOST_HASHES) {
      const part = news.slice(at, at + MOST_HASHES)
      if (!peer.offer(CODES.newPooledTransactionHashes, encodeHashes(part))) return
      for (const hash of part) peer.knownTransactions.add(hash)
    }
  }

  async #spread(hashes: readonly Uint8Array[]): Promise<void> {
    const { chain, peers, randomBytes } = this.#deps
    for (let at = 0; at < hashes.length; at += MOST_AT_ONCE) {
      const part = hashes.slice(at, at + MOST_AT_ONCE)
      const found = (await chain.pooled(part)).flatMap((body) => {
        const hash = hashOf(body)
        return hash === null ? [] : [{ body, hash }]
      })
      const list = peers.list()
      const whole = new Set(chosen(list, Math.floor(Math.sqrt(list.length)), randomBytes))
      for (const peer of list) {
        if (whole.has(peer)) sendWhole(peer, found)
        else this.#announce(peer, part)
      }
    }
  }

  async #add(peer: Peer, raws: readonly Uint8Array[]): Promise<void> {
    const bytes = raws.reduce((sum, raw) => sum + raw.length, 0)
    if (this.#waitingBytes + bytes > MOST_WAITING_BYTES) return
    for (const raw of raws) {
      const tx = decodeTransaction(raw)
      if (!tx.ok) {
        peer.disconnect(DISCONNECT.subprotocol)
        return
      }
      peer.knownTransactions.add(tx.value.hash)
      this.#fetcher.arrived(tx.value.hash)
    }
    this.#waitingBytes += bytes
    try {
      for (let at = 0; at < raws.length; at += MOST_AT_ONCE) {
        const refusals = await this.#deps.chain.addTransactions(raws.slice(at, at + MOST_AT_ONCE))
        const refused = refusals.filter((refusal) => refusal !== null && refusal !== KNOWN).length
        this.#deps.intake.charge(peer, 'transactions', refused * REFUSED_BYTES)
      }
    } finally {
      this.#waitingBytes -= bytes
    }
  }

  #guard(work: Promise<void>): void {
    work.catch((error: unknown) => this.#deps.log.debug('transactions not exchanged', { error: messageOf(error) }))
  }
}

/** In packs, without those that the peer has; what does not go out because it is slow is not marked as known. */
function sendWhole(peer: Peer, found: readonly Pooled[]): void {
  let pack: Pooled[] = []
  let bytes = 0
  const flush = (): void => {
    const isSent = pack.length > 0 && peer.offer(CODES.transactions, wrapList(pack.map(({ body }) => body)))
    if (isSent) for (const { hash } of pack) peer.knownTransactions.add(hash)
    pack = []
    bytes = 0
  }
  for (const entry of found) {
    if (peer.knownTransactions.has(entry.hash)) continue
    pack.push(entry)
    bytes += entry.body.length
    if (bytes >= PACK_BYTES) flush()
  }
  flush()
}

/** @param body a transaction as it stands in a block */
function hashOf(body: Uint8Array): Uint8Array | null {
  const list = decodeRawTransactions('pool', wrapList([body]))
  const raw = list.ok ? list.value[0] : undefined
  const tx = raw === undefined ? null : decodeTransaction(raw)
  return tx?.ok === true ? tx.value.hash : null
}
