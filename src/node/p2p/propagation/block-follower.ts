// Follows the head of the network, also while a sync runs: takes blocks that peers send or announce, checks the header before anything
// is passed on, fetches what was only announced, and keeps what came before its parent. Source: prlx prl/fetcher/block_fetcher.go
import { equalBytes } from '../../../base/bytes'
import { messageOf } from '../../../base/errors'
import { bytesOfHex, toHex } from '../../../base/hex'
import { Disposables } from '../../../base/lifecycle'
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import { fail, type Result } from '../../codec/result'
import { rlpFields } from '../../codec/rlp'
import { P2pError } from '../../errors'
import { decodeBlock, transactionRoot } from '../../model/block'
import { type BlockHeader, blockHash, decodeHeader } from '../../model/header'
import { chanceBelow } from '../chance'
import { hashName } from '../hash-name'
import type { P2pChain } from '../p2p-chain'
import type { AddressRatings } from '../peer/address-ratings'
import type { Bans } from '../peer/bans'
import { fetchBodies, fetchHeaders } from '../peer/fetch'
import type { Peer } from '../peer/peer'
import type { RandomBytes } from '../rlpx/ecies'
import { DISCONNECT } from '../wire/base-messages'
import { type BlockAnnouncement, decodeNewBlock, decodeNewBlockHashes, wrapList } from '../wire/messages'
import { type AnnouncedBlock, AnnouncedBlocks, type Announcer } from './announced-blocks'
import type { BlockSpread } from './block-spread'
import { HeaderJudge } from './header-judge'
import { type Intake, MIN_HASHES } from './intake'
import { type OrphanBlock, OrphanBlocks } from './orphan-blocks'

/** The parts that news of a block runs through. */
export interface BlockFollowerDeps {
  readonly chain: P2pChain
  readonly spread: BlockSpread
  readonly intake: Intake
  readonly bans: Bans
  readonly ratings: AddressRatings
  readonly clock: Clock
  readonly log: Logger
  readonly randomBytes: RandomBytes
  readonly headNumber: () => number
  /** Total difficulty of our head. */
  readonly ownTotal: () => bigint
  /** Someone has a chain that we cannot follow block by block. */
  readonly onFarAhead: () => void
}

const BELOW_HEAD = 7
const ABOVE_HEAD = 32
/** Of one message. */
const MAX_ANNOUNCED = 256
const MAX_MISSED = 256
/** Blocks of one peer that are being checked and imported, and bytes of all. */
const MAX_AT_WORK = 64
const MAX_BYTES_AT_WORK = 32 * 1024 * 1024
/** An announced block gets so long to come by itself. */
const ARRIVAL_MS = 400
const FETCH_MS = 10_000
const TICK_MS = 100
/** Looked up at once. */
const MAX_LOOKUPS = 1024
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
  /** With its own. */
  readonly totalDifficulty: bigint
}

/** Takes NewBlock and NewBlockHashes. A bad block costs its sender the connection; a late one costs nothing. */
export class BlockFollower {
  readonly #deps: BlockFollowerDeps
  readonly #announced: AnnouncedBlocks<Peer>
  /** The last block of each peer that was too far ahead, sent whole or announced. */
  readonly #missed = new Map<Peer, BlockAnnouncement>()
  /** Blocks being checked and imported. */
  readonly #atWork = new Map<string, { readonly peer: Peer; readonly bytes: number }>()
  /** Blocks that came whole and whose header is being checked. */
  readonly #waiting = new Set<{ readonly peer: Peer; readonly bytes: number }>()
  readonly #orphans = new OrphanBlocks<Peer>()
  readonly #judges: HeaderJudge
  readonly #held = new Disposables()
  #isLooking = false

  constructor(deps: BlockFollowerDeps) {
    this.#deps = deps
    this.#judges = new HeaderJudge(deps)
    this.#announced = new AnnouncedBlocks((limit) => chanceBelow(limit, deps.randomBytes))
  }

  start(): void {
    this.#held.add(this.#deps.clock.setInterval(() => this.#tick(), TICK_MS))
  }

  stop(): void {
    this.#held.dispose()
    this.#announced.clear()
    this.#missed.clear()
    this.#orphans.clear()
  }

  /** Blocks that are waited for, and those at work: bounded by the number of peers. */
  get load(): { readonly announced: number; readonly atWork: number; readonly orphans: number } {
    const orphans = this.#orphans.size
    return { announced: this.#announced.size, orphans, atWork: this.#waiting.size + this.#atWork.size }
  }

  /** A NewBlock message. */
  takeBlock(peer: Peer, payload: Uint8Array): void {
    const { intake, clock } = this.#deps
    if (!intake.takes(peer, 'blocks', 1) || !intake.takes(peer, 'blockBytes', payload.length)) return
    const at = clock.monotonic()
    const message = decodeNewBlock(payload)
    const read = message.ok ? headerOfBlock(message.value.block) : message
    if (!message.ok || !read.ok) {
      peer.disconnect(DISCONNECT.subprotocol)
      return
    }
    const { value: header } = read
    const { block: rlp } = message.value
    const hash = blockHash(header)
    peer.knownBlocks.add(hash)
    const head = { header, hash, rlp, at }
    if (!this.#isWanted(peer, head)) return
    this.#look(peer, head)
  }

  #look(peer: Peer, head: Omit<ArrivedBlock, 'totalDifficulty'>): void {
    const { rlp } = head
    const { log } = this.#deps
    const waiting = { peer, bytes: rlp.length }
    this.#waiting.add(waiting)
    this.#takeWhole(peer, head)
      .catch((error: unknown) => log.warn('block not taken', { error: messageOf(error) }))
      .finally(() => this.#waiting.delete(waiting))
  }

  /** To read a long body takes seconds: only who did the work for its header may ask that of us. */
  async #takeWhole(peer: Peer, head: Omit<ArrivedBlock, 'totalDifficulty'>): Promise<void> {
    const { header, hash, rlp } = head
    const totalDifficulty = await this.#judge(peer, { header, hash, rlp })
    if (totalDifficulty === null || this.#atWork.has(hashName(hash))) return
    const block = decodeBlock(rlp)
    if (!block.ok) {
      peer.disconnect(DISCONNECT.subprotocol)
      return
    }
    const isRightBody = equalBytes(transactionRoot(block.value.transactions), header.txRoot)
    if (isRightBody) await this.#work(peer, { ...head, totalDifficulty })
    else this.#deps.log.debug('block with another body ignored', { peer: peer.name.slice(0, 16), block: toHex(hash) })
  }

  /** A NewBlockHashes message. */
  takeHashes(peer: Peer, payload: Uint8Array): void {
    const { intake } = this.#deps
    if (!intake.takes(peer, 'blockHashes', Math.max(MIN_HASHES, payload.length))) return
    const list = decodeNewBlockHashes(payload)
    if (!list.ok) {
      peer.disconnect(DISCONNECT.subprotocol)
      return
    }
    for (const { hash } of list.value) peer.knownBlocks.add(hash)
    const last = list.value[list.value.length - 1]
    if (last !== undefined) this.#miss(peer, last)
    this.#remember(peer, list.value)
  }

  /** After a sync: what was too far ahead before is looked at again; what still is makes a reason for the next sync. */
  resume(): void {
    const missed = [...this.#missed]
    this.#missed.clear()
    for (const [peer, entry] of missed) {
      if (peer.isClosed) continue
      if (this.#isNear(entry.number)) this.#remember(peer, [entry])
      else if (Number(entry.number) > this.#deps.headNumber()) this.#farAhead(peer, entry.hash)
    }
  }

  /** Our head is another one: what stands on the blocks that joined goes on now. @param joined hashes of 32 bytes */
  headChanged(joined: readonly Uint8Array[]): void {
    this.#adopt(joined)
    this.#orphans.prune(BigInt(Math.max(0, this.#deps.headNumber() - BELOW_HEAD)))
  }

  #adopt(parents: readonly Uint8Array[]): void {
    for (const { peer, header, hash, rlp } of this.#orphans.takeChildren(parents)) {
      if (peer.isClosed) continue
      if (rlp !== null && this.#hasRoom(peer, rlp.length))
        this.#look(peer, { header, hash, rlp, at: this.#deps.clock.monotonic() })
      else this.#remember(peer, [{ hash, number: header.number }])
    }
  }

  /** Only the last of a peer: it stands on those before. */
  #miss(peer: Peer, entry: BlockAnnouncement): void {
    if (this.#isNear(entry.number) || Number(entry.number) <= this.#deps.headNumber()) return
    for (const other of this.#missed.keys()) if (other.isClosed) this.#missed.delete(other)
    if (this.#missed.size < MAX_MISSED) this.#missed.set(peer, entry)
  }

  /** What it claims of its total difficulty counts for nothing: a block that we cannot follow to is worth a look, and no more. */
  #farAhead(peer: Peer, hash: Uint8Array): void {
    peer.guessHead(hash, this.#deps.ownTotal() + 1n)
    this.#deps.onFarAhead()
  }

  #remember(peer: Peer, list: readonly BlockAnnouncement[]): void {
    const now = this.#deps.clock.monotonic()
    const near = list.filter(({ number }) => this.#isNear(number)).slice(0, MAX_ANNOUNCED)
    for (const entry of near) if (!this.#atWork.has(hashName(entry.hash))) this.#announced.add(peer, entry, now)
  }

  #isNear(number: bigint): boolean {
    const distance = Number(number) - this.#deps.headNumber()
    return distance >= -BELOW_HEAD && distance <= ABOVE_HEAD
  }

  #tick(): void {
    if (this.#isLooking) return
    const due = this.#announced.due(this.#deps.clock.monotonic() - ARRIVAL_MS).slice(0, MAX_LOOKUPS)
    if (due.length === 0) return
    this.#isLooking = true
    this.#fetchUnknown(due)
      .catch((error: unknown) => this.#deps.log.debug('announcements not looked up', { error: messageOf(error) }))
      .finally(() => {
        this.#isLooking = false
      })
  }

  async #fetchUnknown(due: readonly AnnouncedBlock<Peer>[]): Promise<void> {
    const { chain, log } = this.#deps
    const known = await chain.knownBlocks(due.map(({ hash }) => hash))
    for (const [index, block] of due.entries()) {
      if (known[index] !== false || this.#orphans.has(block.hash)) {
        this.#announced.forget(block.name)
        if (known[index] === true) this.#adopt([block.hash])
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
      const isMissing = arrived === null && this.#announced.has(block)
      if (isMissing && this.#orphans.isParentFor(peer, block.hash)) this.#judges.lacksParent(peer)
      if (arrived !== null && this.#isWanted(peer, arrived)) void this.#work(peer, arrived) // it says itself what fails
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
    const totalDifficulty = await this.#judge(peer, { header, hash, rlp: null })
    if (totalDifficulty === null) {
      // What a peer that was dropped had is asked of the others.
      if (!peer.isClosed) this.#announced.forget(name)
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

  async #work(peer: Peer, block: ArrivedBlock): Promise<void> {
    const name = hashName(block.hash)
    if (this.#atWork.has(name)) return
    this.#atWork.set(name, { peer, bytes: block.rlp.length })
    this.#announced.forget(name)
    try {
      await this.#passOn(peer, block)
    } catch (error: unknown) {
      this.#deps.log.warn('block not taken', { error: messageOf(error) })
    } finally {
      this.#atWork.delete(name)
    }
  }

  /** Not while it is at work already or there is no room, nor when it is far away. */
  #isWanted(peer: Peer, { header, hash, rlp }: Pick<ArrivedBlock, 'header' | 'hash' | 'rlp'>): boolean {
    if (this.#isNear(header.number)) return !this.#atWork.has(hashName(hash)) && this.#hasRoom(peer, rlp.length)
    if (Number(header.number) > this.#deps.headNumber()) {
      this.#miss(peer, { hash, number: header.number })
      this.#farAhead(peer, hash)
    }
    return false
  }

  #hasRoom(peer: Peer, bytes: number): boolean {
    let blocks = 0
    let held = bytes
    for (const other of [...this.#waiting, ...this.#atWork.values()]) {
      if (other.peer === peer) blocks++
      held += other.bytes
    }
    return blocks < MAX_AT_WORK && held <= MAX_BYTES_AT_WORK
  }

  async #passOn(peer: Peer, { header, hash, rlp, at, totalDifficulty }: ArrivedBlock): Promise<void> {
    const { chain, spread, clock, log } = this.#deps
    const number = Number(header.number)
    const judgedAt = clock.monotonic()
    spread.sendWhole({ hash, number: header.number }, rlp, totalDifficulty)
    const sentAt = clock.monotonic()
    log.debug('block sent on', { number, checkMs: judgedAt - at, sendMs: sentAt - judgedAt })
    const { refused } = await chain.importBlocks(rlp)
    if (refused === null) {
      peer.sawHead(hash, totalDifficulty)
      this.#adopt([hash])
      // A head is told by who sees it change; this is for a block beside the chain.
      spread.announce({ hash, number: header.number })
    } else if (!refused.future) {
      peer.disproved(hash)
      log.info('block of a peer refused', { number, reason: refused.reason })
    }
  }

  /** The block's total difficulty when it is new, its parent is here and its header is good, the seal included; else null. */
  async #judge(peer: Peer, block: Omit<OrphanBlock<Peer>, 'peer'>): Promise<bigint | null> {
    const judgement = await this.#judges.judge(peer, block.header, block.hash)
    if (judgement.kind === 'unknown parent') this.#keep({ ...block, peer })
    return judgement.kind === 'good' ? judgement.total : null
  }

  /** Asks for the parent; when that is too far below, only a sync leads there. */
  #keep(block: OrphanBlock<Peer>): void {
    const { peer, header, hash } = block
    const parent = { hash: header.parentHash, number: header.number - 1n }
    if (!this.#isNear(parent.number)) {
      this.#farAhead(peer, this.#orphans.topAbove(hash))
      return
    }
    this.#orphans.add(block)
    if (this.#orphans.has(parent.hash) || this.#atWork.has(hashName(parent.hash))) return
    this.#announced.add(peer, parent, this.#deps.clock.monotonic() - ARRIVAL_MS)
  }
}

/** @param block RLP; its body is not looked into */
function headerOfBlock(block: Uint8Array): Result<BlockHeader> {
  const parts = rlpFields(block, 2, 'block: want 2 items')
  if (!parts.ok) return parts
  const [header] = parts.value
  return header === undefined ? fail('block: no header') : decodeHeader(header.encoded)
}
