// Received transactions on their way to the pool: a few at a time, one chain call at a time, so that a block never
// waits behind more than that, whatever peers send. A peer that sends several invalid signatures is dropped.
import { setImmediate } from 'node:timers/promises'
import type { Logger } from '../../../base/logger'
import { Mutex } from '../../../base/mutex'
import { decodeTransaction } from '../../model/transaction'
import { DISCONNECT } from '../../protocol/base-messages'
import type { P2pChain } from '../p2p-chain'
import type { AddressRatings } from '../peer/address-ratings'
import type { Bans } from '../peer/bans'
import type { Peer } from '../peer/peer'
import type { Intake } from './intake'

/** The pool, and how invalid signatures are punished. */
export interface TransactionLaneDeps {
  readonly chain: Pick<P2pChain, 'addTransactions'>
  readonly intake: Intake
  readonly bans: Bans
  readonly ratings: AddressRatings
  readonly log: Logger
  /** Called for each received transaction, 32 bytes. */
  readonly onArrived: (hash: Uint8Array) => void
  /** Called with what doesn't fit at the moment. */
  readonly onFull: (peer: Peer, raws: readonly Uint8Array[]) => void
}

/** Passed to the chain at once: some milliseconds, mostly for signatures. */
const MAX_AT_ONCE = 32
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
  readonly #deps: TransactionLaneDeps
  readonly #turns = new Mutex()
  readonly #bad = new WeakMap<Peer, number>()
  #waitingBytes = 0

  constructor(deps: TransactionLaneDeps) {
    this.#deps = deps
  }

  get waitingBytes(): number {
    return this.#waitingBytes
  }

  /** Resolves when all were added or rejected, or the peer disconnected, or it doesn't fit. */
  async add(peer: Peer, raws: readonly Uint8Array[]): Promise<void> {
    const bytes = raws.reduce((sum, raw) => sum + raw.length, 0)
    if (this.#waitingBytes + bytes > MAX_WAITING_BYTES) {
      this.#deps.onFull(peer, raws)
      return
    }
    this.#waitingBytes += bytes
    try {
      for (let at = 0; at < raws.length && !peer.isClosed; at += MAX_AT_ONCE)
        await this.#turns.run(() => this.#take(peer, raws.slice(at, at + MAX_AT_ONCE)))
    } finally {
      this.#waitingBytes -= bytes
    }
  }

  async #take(peer: Peer, raws: readonly Uint8Array[]): Promise<void> {
    if (peer.isClosed) return
    await setImmediate() // yield to other messages
    for (const raw of raws) {
      const tx = decodeTransaction(raw)
      if (!tx.ok) {
        peer.disconnect(DISCONNECT.subprotocol)
        return
      }
      peer.knownTransactions.add(tx.value.hash)
      this.#deps.onArrived(tx.value.hash)
    }
    this.#judge(peer, await this.#deps.chain.addTransactions(raws))
  }

  #judge(peer: Peer, refusals: readonly (string | null)[]): void {
    const { intake, bans, ratings, log } = this.#deps
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
