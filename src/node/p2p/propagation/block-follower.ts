// Follows the tip: takes blocks that peers send or announce, checks the header before anything is passed on, and fetches what
// was only announced. Source: p2p.md 7; prlx prl/fetcher/block_fetcher.go
import { equalBytes } from '../../../base/bytes'
import { messageOf } from '../../../base/errors'
import { bytesOfHex, toBareHex, toHex } from '../../../base/hex'
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
import type { RandomBytes } from '../rlpx/ecies'
import { DISCONNECT } from '../wire/base-messages'
import { type BlockAnnouncement, decodeNewBlock, decodeNewBlockHashes, wrapList } from '../wire/messages'
import { type AnnouncedBlock, AnnouncedBlocks, type Announcer } from './announced-blocks'
import type { BlockSpread } from './block-spread'
import { chanceBelow } from './chosen'
import type { Intake } from './intake'

export interface BlockFollowerDeps {
  readonly chain: P2pChain
  readonly spread: BlockSpread
  readonly intake: Intake
  readonly bans: Bans
  readonly clock: Clock
  readonly log: Logger
  readonly randomBytes: RandomBytes
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
/** Of one message. */
const MOST_ANNOUNCED = 256
const MOST_MISSED = 256
/** Blocks of one peer that are being checked and imported, and bytes of all. */
const MOST_AT_WORK = 64
const MOST_BYTES_AT_WORK = 48 * 1024 * 1024
/** An announced block gets so long to come by itself. */
const ARRIVAL_MS = 400
const FETCH_MS = 10_000
const TICK_MS = 100
/** Looked up at once. */
const MOST_LOOKUPS = 1024
const BAN_MS = 60 * 60_000
/** Root of no transactions. */
const EMPTY_ROOT = bytesOfHex('56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421')
const EMPTY_LIST = Uint8Array.of(0xc0)

/** A block that is well-formed and has the body of its header. */
interface ArrivedBlock {
  readonly header: BlockHeader
  readonly hash: Uint8Array
  readonly rlp: Uint8Array
  /** monotonic ms */
  readonly at: number
  /** With its own; known once the header was found good. */
  readonly totalDifficulty: bigint | null
}

export class BlockFollower {
  readonly #deps: BlockFollowerDeps
  readonly #announced: AnnouncedBlocks<Peer>
  /** What peers announced last while a sync ran. */
  readonly #missed = new Map<Peer, BlockAnnouncement>()
  /** Blocks being checked and imported. */
  readonly #atWork = new Map<string, { readonly peer: Peer; readonly bytes: number }>()
  readonly #held = new Disposables()
  #isLooking = false

  constructor(deps: BlockFollowerDeps) {
    this.#deps = deps
    this.#announced = new AnnouncedBlocks((limit) => chanceBelow(limit, deps.randomBytes))
  }

  start(): void {
    this.#held.add(this.#deps.clock.setInterval(() => this.#tick(), TICK_MS))
  }

  stop(): void {
    this.#held.dispose()
    this.#announced.clear()
    this.#missed.clear()
  }

  /** Blocks that are waited for, and those at work: bounded by the number of peers. */
  get load(): { readonly announced: number; readonly atWork: number } {
    return { announced: this.#announced.size, atWork: this.#atWork.size }
  }

  /** A NewBlock message. */
  takeBlock(peer: Peer, payload: Uint8Array): void {
    const { intake, clock, log } = this.#deps
    if (!intake.takes(peer, 'blocks', 1)) return
    const at = clock.monotonic()
    const message = decodeNewBlock(payload)
    const block = message.ok ? decodeBlock(message.value.block) : message
    if (!message.ok || !block.ok) {
      peer.disconnect(DISCONNECT.subprotocol)
      return
    }
    const { header, hash, transactions } = block.value
    peer.knownBlocks.add(hash)
    const isRightBody = equalBytes(transactionRoot(transactions), header.txRoot)
    if (!isRightBody) {
      log.debug('block with another body ignored', { peer: peer.name.slice(0, 16), block: toHex(hash) })
      return
    }
    peer.sawHead(header.parentHash, message.value.totalDifficulty - header.difficulty)
    this.#work(peer, { header, hash, rlp: message.value.block, at, totalDifficulty: null })
  }

  /** A NewBlockHashes message. */
  takeHashes(peer: Peer, payload: Uint8Array): void {
    const { intake, isSyncing } = this.#deps
    if (!intake.takes(peer, 'blockHashes', 1)) return
    const list = decodeNewBlockHashes(payload)
    if (!list.ok) {
      peer.disconnect(DISCONNECT.subprotocol)
      return
    }
    for (const { hash } of list.value) peer.knownBlocks.add(hash)
    if (isSyncing()) {
      const last = list.value[list.value.length - 1]
      if (last !== undefined && this.#missed.size < MOST_MISSED) this.#missed.set(peer, last)
      return
    }
    this.#remember(peer, list.value)
  }

  /** After a sync: the last that each peer announced meanwhile is looked at now. */
  resume(): void {
    const missed = [...this.#missed]
    this.#missed.clear()
    for (const [peer, entry] of missed) if (!peer.isClosed) this.#remember(peer, [entry])
  }

  #remember(peer: Peer, list: readonly BlockAnnouncement[]): void {
    const now = this.#deps.clock.monotonic()
    const near = list.filter(({ number }) => this.#isNear(number)).slice(0, MOST_ANNOUNCED)
    for (const entry of near) if (!this.#atWork.has(toBareHex(entry.hash))) this.#announced.add(peer, entry, now)
  }

  #isNear(number: bigint): boolean {
    const distance = Number(number) - this.#deps.headNumber()
    return distance >= -BELOW_HEAD && distance <= ABOVE_HEAD
  }

  #tick(): void {
    if (this.#isLooking) return
    const due = this.#announced.due(this.#deps.clock.monotonic() - ARRIVAL_MS).slice(0, MOST_LOOKUPS)
    if (due.length === 0) return
    this.#isLooking = true
    this.#fetchUnknown(due)
      .catch((error: unknown) => this.#deps.log.debug('announcements not looked up', { error: messageOf(error) }))
      .finally(() => {
        this.#isLooking = false
      })
  }

  async #fetchUnknown(due: readonly AnnouncedBlock<Peer>[]): Promise<void> {
    const { chain, isSyncing, log } = this.#deps
    const known = await chain.knownBlocks(due.map(({ hash }) => hash))
    for (const [index, block] of due.entries()) {
      if (known[index] !== false || isSyncing()) {
        this.#announced.forget(block.name)
        continue
      }
      const announcer = this.#announced.has(block) ? this.#announced.next(block) : null
      if (announcer === null) continue
      block.isFetching = true
      this.#fetch(announcer, block).catch((error: unknown) => log.error('fetch failed', { error: messageOf(error) }))
    }
  }

  /** From one announcer; when it fails, the next one's turn comes. */
  async #fetch(announcer: Announcer<Peer>, block: AnnouncedBlock<Peer>): Promise<void> {
    const { peer } = announcer
    try {
      const arrived = await this.#ask(announcer, block)
      if (arrived !== null) this.#work(peer, arrived)
    } catch (error: unknown) {
      this.#failed(peer, error)
    }
    block.isFetching = false
    this.#announced.dropFirst(block)
    this.#announced.next(block) // forgets it when there is nobody left
  }

  /**
   * Header, then body when the header is good. Null when the peer does not have it (a reorganisation may have taken it away),
   * when it has come meanwhile, or when it cannot be used.
   */
  async #ask({ peer, number }: Announcer<Peer>, block: AnnouncedBlock<Peer>): Promise<ArrivedBlock | null> {
    const { hash, name } = block
    const [entry] = await fetchHeaders(peer, { origin: hash, amount: 1n, skip: 0n, reverse: false }, FETCH_MS)
    if (entry === undefined || !equalBytes(entry.hash, hash)) return null
    const { header, rlp } = entry
    if (header.number !== number) throw new P2pError('P2P_BAD_DATA', { what: 'announcement', reason: 'number' })
    if (!this.#announced.has(block)) return null
    const totalDifficulty = await this.#judge(peer, header, hash)
    if (totalDifficulty === null) {
      this.#announced.forget(name)
      return null
    }
    const arrived = { header, hash, at: this.#deps.clock.monotonic(), totalDifficulty }
    if (equalBytes(header.txRoot, EMPTY_ROOT)) return { ...arrived, rlp: wrapList([rlp, EMPTY_LIST]) }
    if (!this.#announced.has(block)) return null
    const [body] = await fetchBodies(peer, [hash], FETCH_MS)
    if (body === undefined || !equalBytes(body.txRoot, header.txRoot)) return null
    return { ...arrived, rlp: wrapList([rlp, body.rlp]) }
  }

  #failed(peer: Peer, error: unknown): void {
    this.#deps.log.debug('announced block not delivered', { peer: peer.name.slice(0, 16), error: messageOf(error) })
    if (error instanceof P2pError && error.code !== 'P2P_CLOSED') peer.disconnect(DISCONNECT.uselessPeer)
  }

  #work(peer: Peer, block: ArrivedBlock): void {
    const { isSyncing, headNumber, onFarAhead, log } = this.#deps
    const name = toBareHex(block.hash)
    if (this.#atWork.has(name) || !this.#hasRoom(peer, block.rlp.length) || isSyncing()) return
    if (!this.#isNear(block.header.number)) {
      if (Number(block.header.number) > headNumber()) onFarAhead()
      return
    }
    this.#atWork.set(name, { peer, bytes: block.rlp.length })
    this.#announced.forget(name)
    this.#checkAndImport(peer, block)
      .catch((error: unknown) => log.warn('block not taken', { error: messageOf(error) }))
      .finally(() => this.#atWork.delete(name))
  }

  #hasRoom(peer: Peer, bytes: number): boolean {
    let blocks = 0
    let held = bytes
    for (const other of this.#atWork.values()) {
      if (other.peer === peer) blocks++
      held += other.bytes
    }
    return blocks < MOST_AT_WORK && held <= MOST_BYTES_AT_WORK
  }

  async #checkAndImport(peer: Peer, block: ArrivedBlock): Promise<void> {
    const { chain, spread, clock, log } = this.#deps
    const { header, hash, rlp, at } = block
    const number = Number(header.number)
    const totalDifficulty = block.totalDifficulty ?? (await this.#judge(peer, header, hash))
    if (totalDifficulty === null) return
    const judgedAt = clock.monotonic()
    spread.sendWhole({ hash, number: header.number }, rlp, totalDifficulty)
    const sentAt = clock.monotonic()
    log.debug('block sent on', { number, checkMs: judgedAt - at, sendMs: sentAt - judgedAt })
    const { refused } = await chain.importBlocks(rlp)
    if (refused === null) {
      peer.sawHead(hash, totalDifficulty)
      // A head is told by who sees it change; this is for a block beside the chain.
      spread.announce({ hash, number: header.number })
    } else if (!refused.future) log.info('block of a peer refused', { number, reason: refused.reason })
  }

  /** The block's total difficulty when it is new, its parent is here and its header is good, the seal included; else null. */
  async #judge(peer: Peer, header: BlockHeader, hash: Uint8Array): Promise<bigint | null> {
    const { chain, onFarAhead, headNumber, ownTotal } = this.#deps
    const verdict = await chain.judgeHeader(encodeHeader(header))
    if (verdict.kind === 'good') return verdict.parentTotal + header.difficulty
    if (verdict.kind === 'fault') this.#punish(peer, verdict.reason)
    if (verdict.kind === 'unknown parent') {
      // An announcement tells no total difficulty: a higher block of another branch is worth a look.
      if (Number(header.number) > headNumber()) peer.guessHead(hash, ownTotal() + 1n)
      onFarAhead()
    }
    return null
  }

  #punish(peer: Peer, reason: string): void {
    this.#deps.log.info('peer dropped: it sent a bad header', { peer: peer.name.slice(0, 16), reason })
    this.#deps.bans.add(peer.name, `bad header: ${reason}`, BAN_MS)
    peer.disconnect(DISCONNECT.uselessPeer)
  }
}
