// Follows the network's head, also during a sync: accepts blocks that peers send or announce, verifies the header
// before relaying anything, fetches blocks that were only announced, and keeps those that arrive before their parent.
// Source: prlx prl/fetcher/block_fetcher.go

import { equalBytes } from '../../../base/bytes'
import { messageOf } from '../../../base/errors'
import { toHex } from '../../../base/hex'
import { Disposables } from '../../../base/lifecycle'
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import { fail, type Result } from '../../codec/result'
import { rlpFields } from '../../codec/rlp'
import { P2pError } from '../../errors'
import { type BlockHeader, blockHash, decodeHeader } from '../../model/header'
import { DISCONNECT } from '../../protocol/base-messages'
import { type BlockAnnouncement, decodeNewBlock, decodeNewBlockHashes, wrapList } from '../../protocol/messages'
import { EMPTY_TRIE_ROOT } from '../../trie/trie'
import { chanceBelow } from '../chance'
import { hashName } from '../hash-name'
import type { P2pChain } from '../p2p-chain'
import type { AddressRatings } from '../peer/address-ratings'
import type { Bans } from '../peer/bans'
import { fetchBodies, fetchHeaders } from '../peer/fetch'
import type { Peer } from '../peer/peer'
import type { RandomBytes } from '../rlpx/ecies'
import { type AnnouncedBlock, AnnouncedBlocks, type Announcer } from './announced-blocks'
import type { BlockSpread } from './block-spread'
import { HeaderJudge } from './header-judge'
import { type Intake, MIN_HASHES } from './intake'
import { type ParentlessBlock, ParentlessBlocks } from './parentless-blocks'

/** What block news passes through. */
interface BlockFollowerDeps {
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
  /** A peer has a chain that we can't follow block by block. */
  readonly onFarAhead: () => void
}

const BELOW_HEAD = 7
const ABOVE_HEAD = 32
/** Per message. */
const MAX_ANNOUNCED = 256
const MAX_MISSED = 256
/** Blocks of one peer being verified and imported, and bytes in total. */
const MAX_AT_WORK = 64
const MAX_BYTES_AT_WORK = 32 * 1024 * 1024
/** How long an announced block has to arrive unrequested. */
const ARRIVAL_MS = 400
const FETCH_MS = 10_000
const TICK_MS = 100
/** Maximum concurrent lookups. */
const MAX_LOOKUPS = 1024
const EMPTY_LIST = Uint8Array.of(0xc0)

/** A well-formed block whose body matches its header. */
interface ArrivedBlock {
  readonly header: BlockHeader
  readonly hash: Uint8Array
  readonly rlp: Uint8Array
  /** monotonic ms */
  readonly at: number
  /** Including its own. */
  readonly totalDifficulty: bigint
}

/** Handles NewBlock and NewBlockHashes. Sending an invalid block ends the connection; a late one has no consequence. */
export class BlockFollower {
  readonly #deps: BlockFollowerDeps
  readonly #announced: AnnouncedBlocks<Peer>
  /** The last block of each peer that was too far ahead, sent or announced. */
  readonly #missed = new Map<Peer, BlockAnnouncement>()
  /** Blocks being verified and imported. */
  readonly #atWork = new Map<string, { readonly peer: Peer; readonly bytes: number }>()
  /** Blocks received whole whose header is being verified. */
  readonly #waiting = new Set<{ readonly peer: Peer; readonly bytes: number }>()
  readonly #parentless = new ParentlessBlocks<Peer>()
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
    this.#parentless.clear()
  }

  /** Blocks awaited and in progress: bounded by the number of peers. */
  get load(): { readonly announced: number; readonly atWork: number; readonly parentless: number } {
    const parentless = this.#parentless.size
    return { announced: this.#announced.size, parentless, atWork: this.#waiting.size + this.#atWork.size }
  }

  /** Handles a NewBlock message. */
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
      .catch((error: unknown) => log.warn('block not imported', { error: messageOf(error) }))
      .finally(() => this.#waiting.delete(waiting))
  }

  /** Reading a long body takes time: only blocks with a valid proof of work may cost us that, and not on this thread. */
  async #takeWhole(peer: Peer, head: Omit<ArrivedBlock, 'totalDifficulty'>): Promise<void> {
    const { header, hash, rlp } = head
    const totalDifficulty = await this.#judge(peer, { header, hash, rlp })
    if (totalDifficulty === null || this.#atWork.has(hashName(hash))) return
    const reading = await this.#deps.chain.readBlock(rlp)
    if (reading === 'malformed') peer.disconnect(DISCONNECT.subprotocol)
    else if (reading === 'good') await this.#work(peer, { ...head, totalDifficulty })
    else this.#deps.log.debug('block with another body ignored', { peer: peer.name.slice(0, 16), block: toHex(hash) })
  }

  /** Handles a NewBlockHashes message. */
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

  /** After a sync: reconsiders blocks that were too far ahead; those that still are trigger the next sync. */
  resume(): void {
    const missed = [...this.#missed]
    this.#missed.clear()
    for (const [peer, entry] of missed) {
      if (peer.isClosed) continue
      if (this.#isNear(entry.number)) this.#remember(peer, [entry])
      else if (Number(entry.number) > this.#deps.headNumber()) this.#farAhead(peer, entry.hash)
    }
  }

  /** Our head changed: continues with blocks whose parents joined the chain. @param joined hashes of 32 bytes */
  headChanged(joined: readonly Uint8Array[]): void {
    this.#adopt(joined)
    this.#parentless.prune(BigInt(Math.max(0, this.#deps.headNumber() - BELOW_HEAD)))
  }

  #adopt(parents: readonly Uint8Array[]): void {
    for (const { peer, header, hash, rlp } of this.#parentless.takeChildren(parents)) {
      if (peer.isClosed) continue
      if (rlp !== null && this.#hasRoom(peer, rlp.length))
        this.#look(peer, { header, hash, rlp, at: this.#deps.clock.monotonic() })
      else this.#remember(peer, [{ hash, number: header.number }])
    }
  }

  /** Only a peer's last one: it builds on the earlier ones. */
  #miss(peer: Peer, entry: BlockAnnouncement): void {
    if (this.#isNear(entry.number) || Number(entry.number) <= this.#deps.headNumber()) return
    for (const other of this.#missed.keys()) if (other.isClosed) this.#missed.delete(other)
    if (this.#missed.size < MAX_MISSED) this.#missed.set(peer, entry)
  }

  /** Its claimed total difficulty is ignored: a block we can't follow to is worth one sync attempt, no more. */
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
      if (known[index] !== false || this.#parentless.has(block.hash)) {
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

  /** From one announcer; on failure, from the next. */
  async #fetch(announcer: Announcer<Peer>, block: AnnouncedBlock<Peer>): Promise<void> {
    const { peer } = announcer
    try {
      const arrived = await this.#ask(announcer, block)
      const isMissing = arrived === null && this.#announced.has(block)
      if (isMissing && this.#parentless.isParentFor(peer, block.hash)) this.#judges.lacksParent(peer)
      if (arrived !== null && this.#isWanted(peer, arrived)) void this.#work(peer, arrived) // it reports its own failures
    } catch (error: unknown) {
      this.#failed(peer, error)
    }
    block.isFetching = false
    this.#announced.dropFirst(block)
    this.#announced.next(block) // forgets it when no announcer is left
  }

  /**
   * Header first, then the body if the header is valid. Null when the peer lacks it (a reorganisation may have removed
   * it), when it arrived meanwhile, or when it can't be used.
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
      // What a dropped peer announced is requested from the others.
      if (!peer.isClosed) this.#announced.forget(name)
      return null
    }
    const arrived = { header, hash, at: this.#deps.clock.monotonic(), totalDifficulty }
    if (equalBytes(header.txRoot, EMPTY_TRIE_ROOT)) return { ...arrived, rlp: wrapList([rlp, EMPTY_LIST]) }
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
      this.#deps.log.warn('block not imported', { error: messageOf(error) })
    } finally {
      this.#atWork.delete(name)
    }
  }

  /** Not while it is in progress, nor when there is no room or it is far away. */
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
      // A new head is announced by the head observer; this is for a side block.
      spread.announce({ hash, number: header.number })
    } else if (!refused.future) {
      peer.disproved(hash)
      log.info('block from a peer rejected', { number, reason: refused.reason })
    }
  }

  /**
   * The block's total difficulty when it is new, its parent is known and its header is valid, seal included; else null.
   */
  async #judge(peer: Peer, block: Omit<ParentlessBlock<Peer>, 'peer'>): Promise<bigint | null> {
    const judgement = await this.#judges.judge(peer, block.header, block.hash)
    if (judgement.kind === 'unknown parent') this.#keep({ ...block, peer })
    return judgement.kind === 'good' ? judgement.total : null
  }

  /** Requests the parent; when that is too far below, only a sync can close the gap. */
  #keep(block: ParentlessBlock<Peer>): void {
    const { peer, header, hash } = block
    const parent = { hash: header.parentHash, number: header.number - 1n }
    if (!this.#isNear(parent.number)) {
      const tops = this.#parentless.topsAbove(hash)
      for (const [other, top] of tops) if (!other.isClosed) this.#farAhead(other, top)
      if (!tops.has(peer)) this.#farAhead(peer, hash)
      return
    }
    this.#parentless.add(block)
    if (this.#parentless.has(parent.hash) || this.#atWork.has(hashName(parent.hash))) return
    this.#announced.add(peer, parent, this.#deps.clock.monotonic() - ARRIVAL_MS)
  }
}

/** @param block RLP; its body isn't decoded */
function headerOfBlock(block: Uint8Array): Result<BlockHeader> {
  const parts = rlpFields(block, 2, 'block: want 2 items')
  if (!parts.ok) return parts
  const [header] = parts.value
  return header === undefined ? fail('block: no header') : decodeHeader(header.encoded)
}
