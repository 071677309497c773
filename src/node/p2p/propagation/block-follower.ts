// Follows the tip: takes blocks that peers send or announce, checks the header before anything is passed on, and fetches what
// was only announced. Source: p2p.md 7; prlx prl/fetcher/block_fetcher.go
import { equalBytes } from '../../../base/bytes'
import { messageOf } from '../../../base/errors'
import { toBareHex, toHex } from '../../../base/hex'
import { Disposables } from '../../../base/lifecycle'
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import { decodeBlock, transactionRoot } from '../../chain/block'
import { type BlockHeader, encodeHeader } from '../../chain/header'
import { P2pError } from '../../errors'
import type { P2pChain } from '../p2p-chain'
import type { Bans } from '../peer/bans'
import { fetchBodies, fetchHeaders } from '../peer/fetch'
import type { Peer } from '../peer/peer'
import { DISCONNECT } from '../wire/base-messages'
import { type BlockAnnouncement, decodeNewBlock, decodeNewBlockHashes, wrapList } from '../wire/messages'
import type { BlockSpread } from './block-spread'

export interface BlockFollowerDeps {
  readonly chain: P2pChain
  readonly spread: BlockSpread
  readonly bans: Bans
  readonly clock: Clock
  readonly log: Logger
  readonly headNumber: () => number
  /** Total difficulty of our head. */
  readonly ownTotal: () => bigint
  /** Blocks are left alone while a sync brings them. */
  readonly isSyncing: () => boolean
  /** Someone has a chain that we cannot follow block by block. */
  readonly onFarAhead: () => void
}

const BELOW_HEAD = 7
const ABOVE_HEAD = 32
const MOST_ANNOUNCED = 256
const MOST_AT_WORK = 64
/** An announced block gets so long to come by itself. */
const ARRIVAL_MS = 400
const FETCH_MS = 10_000
const TICK_MS = 100
const MOST_ANNOUNCERS = 8
const BAN_MS = 60 * 60_000

interface Announced {
  readonly hash: Uint8Array
  readonly number: bigint
  readonly announcers: Peer[]
  readonly at: number
  isFetching: boolean
}

export class BlockFollower {
  readonly #deps: BlockFollowerDeps
  readonly #announced = new Map<string, Announced>()
  /** How many announcements of a peer wait. */
  readonly #outstanding = new WeakMap<Peer, number>()
  /** What peers announced last while a sync ran. */
  readonly #missed = new Map<Peer, BlockAnnouncement>()
  /** Blocks being checked and imported. */
  readonly #atWork = new Map<string, Peer>()
  readonly #held = new Disposables()

  constructor(deps: BlockFollowerDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#held.add(this.#deps.clock.setInterval(() => this.#fetchDue(), TICK_MS))
  }

  stop(): void {
    this.#held.dispose()
    this.#announced.clear()
    this.#missed.clear()
  }

  /** A NewBlock message. */
  takeBlock(peer: Peer, payload: Uint8Array): void {
    const message = decodeNewBlock(payload)
    const block = message.ok ? decodeBlock(message.value.block) : message
    if (!message.ok || !block.ok) {
      peer.disconnect(DISCONNECT.subprotocol)
      return
    }
    const { header, hash, transactions } = block.value
    peer.knownBlocks.add(hash)
    const parentTotal = message.value.totalDifficulty - header.difficulty
    peer.sawHead(header.parentHash, parentTotal)
    const isRightBody = equalBytes(transactionRoot(transactions), header.txRoot)
    if (!isRightBody) {
      this.#deps.log.debug('block with another body ignored', { peer: peer.name.slice(0, 16), block: toHex(hash) })
      return
    }
    this.#work(peer, { header, hash, rlp: message.value.block })
  }

  /** A NewBlockHashes message. */
  takeHashes(peer: Peer, payload: Uint8Array): void {
    const list = decodeNewBlockHashes(payload)
    if (!list.ok) {
      peer.disconnect(DISCONNECT.subprotocol)
      return
    }
    for (const { hash } of list.value) peer.knownBlocks.add(hash)
    if (this.#deps.isSyncing()) {
      const last = list.value[list.value.length - 1]
      if (last !== undefined && this.#missed.size < MOST_ANNOUNCED) this.#missed.set(peer, last)
      return
    }
    this.#takeAnnounced(peer, list.value)
  }

  /** After a sync: the last that each peer announced meanwhile is looked at now. */
  resume(): void {
    const missed = [...this.#missed]
    this.#missed.clear()
    for (const [peer, entry] of missed) if (!peer.isClosed) this.#takeAnnounced(peer, [entry])
  }

  #takeAnnounced(peer: Peer, list: readonly BlockAnnouncement[]): void {
    const near = list.filter(({ number }) => this.#isNear(number)).slice(0, MOST_ANNOUNCED)
    if (near.length === 0) return
    this.#deps.chain
      .knownBlocks(near.map(({ hash }) => hash))
      .then((known) => {
        for (const [index, entry] of near.entries()) if (known[index] === false) this.#remember(peer, entry)
      })
      .catch((error: unknown) => this.#deps.log.debug('announcement not looked up', { error: messageOf(error) }))
  }

  #isNear(number: bigint): boolean {
    const distance = Number(number) - this.#deps.headNumber()
    return distance >= -BELOW_HEAD && distance <= ABOVE_HEAD
  }

  #remember(peer: Peer, { hash, number }: BlockAnnouncement): void {
    const name = toBareHex(hash)
    const entry = this.#announced.get(name)
    if (this.#atWork.has(name)) return
    if (entry !== undefined) {
      if (entry.announcers.length < MOST_ANNOUNCERS && !entry.announcers.includes(peer)) entry.announcers.push(peer)
      return
    }
    const waiting = this.#outstanding.get(peer) ?? 0
    if (waiting >= MOST_ANNOUNCED) return
    this.#outstanding.set(peer, waiting + 1)
    const at = this.#deps.clock.monotonic()
    this.#announced.set(name, { hash, number, announcers: [peer], at, isFetching: false })
  }

  #forget(name: string): void {
    const entry = this.#announced.get(name)
    if (entry === undefined) return
    this.#announced.delete(name)
    const [first] = entry.announcers
    if (first !== undefined) this.#outstanding.set(first, Math.max(0, (this.#outstanding.get(first) ?? 1) - 1))
  }

  #fetchDue(): void {
    const now = this.#deps.clock.monotonic()
    for (const [name, entry] of this.#announced) {
      if (entry.isFetching || now - entry.at < ARRIVAL_MS) continue
      const peer = entry.announcers.find((announcer) => !announcer.isClosed)
      if (peer === undefined || this.#deps.isSyncing()) {
        this.#forget(name)
        continue
      }
      entry.isFetching = true
      this.#fetch(peer, entry)
        .catch((error: unknown) => this.#failed(peer, error))
        .finally(() => this.#forget(name))
    }
  }

  async #fetch(peer: Peer, { hash, number }: Announced): Promise<void> {
    const query = { origin: hash, amount: 1n, skip: 0n, reverse: false }
    const [entry] = await fetchHeaders(peer, query, FETCH_MS)
    // A reorg may have taken it away; a different number was a lie.
    if (entry === undefined || !equalBytes(entry.hash, hash)) return
    if (entry.header.number !== number) throw new P2pError('P2P_BAD_DATA', { what: 'announcement', reason: 'number' })
    const [body] = await fetchBodies(peer, [hash], FETCH_MS)
    if (body === undefined || !equalBytes(body.txRoot, entry.header.txRoot)) return
    this.#work(peer, { header: entry.header, hash, rlp: wrapList([entry.rlp, body.rlp]) })
  }

  #failed(peer: Peer, error: unknown): void {
    this.#deps.log.debug('announced block not delivered', { peer: peer.name.slice(0, 16), error: messageOf(error) })
    if (error instanceof P2pError && error.code !== 'P2P_CLOSED') peer.disconnect(DISCONNECT.uselessPeer)
  }

  #work(
    peer: Peer,
    block: { readonly header: BlockHeader; readonly hash: Uint8Array; readonly rlp: Uint8Array },
  ): void {
    const name = toBareHex(block.hash)
    const ofPeer = [...this.#atWork.values()].filter((other) => other === peer).length
    if (this.#atWork.has(name) || ofPeer >= MOST_AT_WORK || this.#deps.isSyncing()) return
    if (!this.#isNear(block.header.number)) {
      if (Number(block.header.number) > this.#deps.headNumber()) this.#deps.onFarAhead()
      return
    }
    this.#atWork.set(name, peer)
    this.#forget(name)
    this.#checkAndImport(peer, block)
      .catch((error: unknown) => this.#deps.log.warn('block not taken', { error: messageOf(error) }))
      .finally(() => this.#atWork.delete(name))
  }

  async #checkAndImport(
    peer: Peer,
    { header, hash, rlp }: { readonly header: BlockHeader; readonly hash: Uint8Array; readonly rlp: Uint8Array },
  ): Promise<void> {
    const { chain, spread, onFarAhead, headNumber, ownTotal } = this.#deps
    const verdict = await chain.judgeHeader(encodeHeader(header))
    if (verdict.kind === 'unknown parent') {
      // An announcement tells no total difficulty: a higher block of another branch is worth a look.
      if (Number(header.number) > headNumber()) peer.sawHead(hash, ownTotal() + 1n)
      onFarAhead()
      return
    }
    if (verdict.kind === 'fault') {
      this.#punish(peer, verdict.reason)
      return
    }
    if (verdict.kind !== 'good') return
    const totalDifficulty = verdict.parentTotal + header.difficulty
    spread.sendWhole({ hash, number: header.number }, rlp, totalDifficulty)
    const { refused } = await chain.importBlocks(rlp)
    if (refused === null) peer.sawHead(hash, totalDifficulty)
    else if (!refused.future)
      this.#deps.log.info('block of a peer refused', { number: Number(header.number), reason: refused.reason })
  }

  #punish(peer: Peer, reason: string): void {
    this.#deps.log.info('peer dropped: it sent a bad header', { peer: peer.name.slice(0, 16), reason })
    this.#deps.bans.add(peer.name, `bad header: ${reason}`, BAN_MS)
    peer.disconnect(DISCONNECT.uselessPeer)
  }
}
