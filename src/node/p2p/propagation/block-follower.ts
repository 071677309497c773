// Follows the network's head, also during a sync: verifies and relays blocks that peers send, fetches those that were
// only announced, keeps those that arrive before their parent. Source: prlx prl/fetcher/block_fetcher.go
import { bytesName, equalBytes } from '../../../base/bytes'
import { messageOf } from '../../../base/errors'
import { toHex } from '../../../base/hex'
import { Disposables } from '../../../base/lifecycle'
import { RecentSet } from '../../../base/limits/bounded-map'
import { Mutex } from '../../../base/mutex'
import { fail, type Result } from '../../codec/result'
import { encodedList, rlpFields } from '../../codec/rlp'
import { P2pError } from '../../errors'
import { type BlockHeader, blockHash, decodeHeader } from '../../model/header'
import { DISCONNECT } from '../../protocol/base-messages'
import {
  type BlockAnnouncement,
  CODES,
  decodeNewBlock,
  decodeNewBlockHashes,
  encodeNewBlock,
  encodeNewBlockHashes,
} from '../../protocol/messages'
import { EMPTY_TRIE_ROOT } from '../../trie/trie'
import { chanceBelow, chosen, type NetworkParts } from '../network-parts'
import { fetchBodies, fetchHeaders } from '../peer/fetch'
import type { Peer } from '../peer/peer'
import type { PeerSet } from '../peer/peer-set'
import type { RandomBytes } from '../rlpx/handshake'
import { type Intake, MIN_HASHES } from './intake'

const MAX_REMEMBERED = 256

/** Whole at most once, by hash afterwards; peers known to have the block get nothing. */
export class BlockSpread {
  readonly #sent = new RecentSet(MAX_REMEMBERED)

  constructor(
    private readonly peers: PeerSet,
    private readonly randomBytes: RandomBytes,
  ) {}

  wasSent(hash: Uint8Array): boolean {
    return this.#sent.has(hash)
  }

  /** @param block RLP @param totalDifficulty including the block's own */
  sendWhole({ hash }: BlockAnnouncement, block: Uint8Array, totalDifficulty: bigint): void {
    this.#sent.add(hash)
    const ignorant = this.#ignorant(hash)
    const payload = encodeNewBlock({ block, totalDifficulty })
    for (const peer of chosen(ignorant, Math.floor(Math.sqrt(ignorant.length)), this.randomBytes))
      if (peer.offer(CODES.newBlock, payload)) peer.knownBlocks.add(hash)
  }

  announce(facts: BlockAnnouncement): void {
    const payload = encodeNewBlockHashes([facts])
    for (const peer of this.#ignorant(facts.hash))
      if (peer.offer(CODES.newBlockHashes, payload)) peer.knownBlocks.add(facts.hash)
  }

  #ignorant(hash: Uint8Array): Peer[] {
    return this.peers.list().filter((peer) => !peer.knownBlocks.has(hash))
  }
}

/** Who announced a block, and the height that this peer claims. */
interface Announcer<P> {
  readonly peer: P
  readonly number: bigint
}

interface AnnouncedBlock<P> {
  /** 32 bytes, and its `bytesName` */
  readonly hash: Uint8Array
  readonly name: string
  /** monotonic ms */
  readonly at: number
  /** When a request is open, it is to the first one. */
  readonly announcers: Announcer<P>[]
  isFetching: boolean
}

const MAX_ANNOUNCED_BY_PEER = 256

/** Each peer may have this many open announcements; further ones are dropped. */
export class AnnouncedBlocks<P extends { readonly isClosed: boolean }> {
  readonly #blocks = new Map<string, AnnouncedBlock<P>>()
  readonly #ofPeer = new WeakMap<P, number>()

  /** @param chance a random integer below its argument: the first announcer isn't always asked first */
  constructor(private readonly chance: (limit: number) => number) {}

  get size(): number {
    return this.#blocks.size
  }

  /** Drops what exceeds the peer's share. @param now monotonic ms */
  add(peer: P, { hash, number }: BlockAnnouncement, now: number): void {
    const mine = this.#ofPeer.get(peer) ?? 0
    if (mine >= MAX_ANNOUNCED_BY_PEER) return
    const name = bytesName(hash)
    const block = this.#blocks.get(name) ?? { hash, name, at: now, announcers: [], isFetching: false }
    if (block.announcers.some((announcer) => announcer.peer === peer)) return
    block.announcers.push({ peer, number })
    this.#blocks.set(name, block)
    this.#ofPeer.set(peer, mine + 1)
  }

  /** Whether it is still wanted: it may have arrived unrequested. */
  has(block: AnnouncedBlock<P>): boolean {
    return this.#blocks.get(block.name) === block
  }

  /** Those without an open request, announced at `until` or before. @param until monotonic ms */
  due(until: number): AnnouncedBlock<P>[] {
    return [...this.#blocks.values()].filter(({ isFetching, at }) => !isFetching && at <= until)
  }

  /** Moves one of the connected announcers to the front; forgets the block when there is none. */
  next(block: AnnouncedBlock<P>): Announcer<P> | null {
    const { announcers } = block
    while (announcers.length > 0) {
      const [one] = announcers.splice(this.chance(announcers.length), 1)
      if (one !== undefined) announcers.unshift(one)
      if (one?.peer.isClosed === false) return one
      this.dropFirst(block)
    }
    if (this.has(block)) this.forget(block.name)
    return null
  }

  /** Drops the first announcer: it failed, or lacks the block. */
  dropFirst(block: AnnouncedBlock<P>): void {
    const first = block.announcers.shift()
    if (first !== undefined && this.has(block)) this.#release(first.peer)
  }

  forget(name: string): void {
    const block = this.#blocks.get(name)
    if (block === undefined) return
    this.#blocks.delete(name)
    for (const { peer } of block.announcers) this.#release(peer)
  }

  clear(): void {
    for (const name of [...this.#blocks.keys()]) this.forget(name)
  }

  #release(peer: P): void {
    this.#ofPeer.set(peer, Math.max(0, (this.#ofPeer.get(peer) ?? 1) - 1))
  }
}

/** Of a header with valid proof of work: the total difficulty including its own. `unusable`: known, future or invalid. */
type Judgement = bigint | 'unknown parent' | 'unusable'

const BAD_HEADER_BAN_MS = 60 * 60_000
const LACKING_BAN_MS = 60_000
/** Parents that a peer may fail to deliver: one may be gone after a reorganisation, many were invented. */
const MAX_LACKING = 8

/** One seal at a time per peer, in order of arrival. */
class HeaderJudge {
  readonly #turns = new WeakMap<Peer, Mutex>()
  readonly #punished = new WeakSet<Peer>()
  readonly #lacking = new WeakMap<Peer, number>()

  constructor(private readonly deps: Pick<NetworkParts, 'chain' | 'bans' | 'ratings' | 'log'>) {}

  /** Drops the peer when the header violates a rule. @param hash of the header, 32 bytes */
  judge(peer: Peer, header: BlockHeader, hash: Uint8Array): Promise<Judgement> {
    const turns = this.#turns.get(peer) ?? new Mutex()
    this.#turns.set(peer, turns)
    return turns.run(async () => (this.#punished.has(peer) ? 'unusable' : this.#judgeNow(peer, header, hash)))
  }

  lacksParent(peer: Peer): void {
    const count = (this.#lacking.get(peer) ?? 0) + 1
    this.#lacking.set(peer, count)
    if (count >= MAX_LACKING) this.#drop(peer, 'it does not have the parents of its blocks', LACKING_BAN_MS)
  }

  async #judgeNow(peer: Peer, header: BlockHeader, hash: Uint8Array): Promise<Judgement> {
    const { kind, reason, parentTotal } = await this.deps.chain.judgeHeader(header)
    const total = parentTotal + header.difficulty
    if (kind === 'good' || kind === 'known') peer.proved({ number: header.number, hash, total })
    if (kind === 'good') {
      peer.sawHead(header.parentHash, parentTotal)
      return total
    }
    if (kind === 'fault') {
      this.#punished.add(peer)
      this.#drop(peer, `bad header: ${reason}`, BAD_HEADER_BAN_MS)
    }
    return kind === 'unknown parent' ? kind : 'unusable'
  }

  #drop(peer: Peer, reason: string, banMs: number): void {
    const { bans, ratings, log } = this.deps
    log.info('peer dropped: invalid blocks', { peer: peer.name.slice(0, 16), reason })
    bans.add(peer.name, reason, banMs)
    ratings.wasted(peer.info.host, 1)
    peer.disconnect(DISCONNECT.uselessPeer)
  }
}

interface ParentlessBlock<P> {
  readonly peer: P
  readonly header: BlockHeader
  /** 32 bytes */
  readonly hash: Uint8Array
  /** The whole block; null when only the header is kept. */
  readonly rlp: Uint8Array | null
}

/** Per peer. A block smaller than the limit is kept whole. */
const MAX_PARENTLESS_OF_PEER = 40
const MAX_BYTES_OF_PEER = 512 * 1024

/** Limited in blocks and bytes per peer, so no peer can evict what another sent. */
class ParentlessBlocks<P extends { readonly isClosed: boolean }> {
  /** By the block's own name, oldest first. */
  readonly #blocks = new Map<string, ParentlessBlock<P>>()

  get size(): number {
    return this.#blocks.size
  }

  has(hash: Uint8Array): boolean {
    return this.#blocks.has(bytesName(hash))
  }

  isParentFor(peer: P, hash: Uint8Array): boolean {
    const name = bytesName(hash)
    return [...this.#blocks.values()].some(
      (block) => block.peer === peer && bytesName(block.header.parentHash) === name,
    )
  }

  /** Each peer's highest block on this one, by hash: only its own, since what others send may be made up. */
  topsAbove(hash: Uint8Array): ReadonlyMap<P, Uint8Array> {
    const children = new Map<string, ParentlessBlock<P>[]>()
    for (const block of this.#blocks.values()) {
      const parent = bytesName(block.header.parentHash)
      children.set(parent, [...(children.get(parent) ?? []), block])
    }
    const tops = new Map<P, Uint8Array>()
    for (let level = [bytesName(hash)]; level.length > 0; ) {
      const above = level.flatMap((name) => children.get(name) ?? [])
      for (const block of above) tops.set(block.peer, block.hash)
      level = above.map((block) => bytesName(block.hash))
    }
    return tops
  }

  /** Evicts the peer's oldest. */
  add(block: ParentlessBlock<P>): void {
    const name = bytesName(block.hash)
    if (this.#blocks.has(name)) return
    const mine = [...this.#blocks].filter(([, { peer }]) => peer === block.peer)
    const [oldest] = mine.length >= MAX_PARENTLESS_OF_PEER ? mine : []
    if (oldest !== undefined) this.#blocks.delete(oldest[0])
    const bytes = mine.reduce((sum, [, { rlp }]) => sum + (rlp?.length ?? 0), block.rlp?.length ?? 0)
    this.#blocks.set(name, bytes <= MAX_BYTES_OF_PEER ? block : { ...block, rlp: null })
  }

  /** Removes and returns the blocks that build on one of these. @param parents 32 bytes each */
  takeChildren(parents: readonly Uint8Array[]): readonly ParentlessBlock<P>[] {
    const names = new Set(parents.map(bytesName))
    const found = [...this.#blocks].filter(([, { header }]) => names.has(bytesName(header.parentHash)))
    for (const [name] of found) this.#blocks.delete(name)
    return found.map(([, block]) => block)
  }

  /** Forgets blocks below `number`, and those of disconnected peers. */
  prune(number: bigint): void {
    for (const [name, { header, peer }] of this.#blocks)
      if (header.number < number || peer.isClosed) this.#blocks.delete(name)
  }

  clear(): void {
    this.#blocks.clear()
  }
}

interface BlockFollowerDeps extends Omit<NetworkParts, 'peers'> {
  readonly spread: BlockSpread
  readonly intake: Intake
  readonly headNumber: () => number
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
const MAX_LOOKUPS = 1024
const EMPTY_LIST = Uint8Array.of(0xc0)

interface ReceivedBlock {
  readonly header: BlockHeader
  readonly hash: Uint8Array
  readonly rlp: Uint8Array
  /** monotonic ms */
  readonly at: number
}

/** A well-formed block whose body matches its header. */
interface ArrivedBlock extends ReceivedBlock {
  /** Including its own. */
  readonly totalDifficulty: bigint
}

/** Handles NewBlock and NewBlockHashes. Sending an invalid block ends the connection; a late one has no consequence. */
export class BlockFollower {
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

  constructor(private readonly deps: BlockFollowerDeps) {
    this.#judges = new HeaderJudge(deps)
    this.#announced = new AnnouncedBlocks((limit) => chanceBelow(limit, deps.randomBytes))
  }

  start(): void {
    this.#held.add(this.deps.clock.setInterval(() => this.#tick(), TICK_MS))
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

  takeBlock(peer: Peer, payload: Uint8Array): void {
    const { intake, clock } = this.deps
    if (!intake.takes(peer, 'blocks', 1) || !intake.takes(peer, 'blockBytes', payload.length)) return
    const at = clock.monotonic()
    const message = decodeNewBlock(payload)
    const read = message.ok ? headerOfBlock(message.value.block) : message
    if (message.ok && read.ok) {
      const hash = blockHash(read.value)
      peer.knownBlocks.add(hash)
      const block = { header: read.value, hash, rlp: message.value.block, at }
      if (this.#isWanted(peer, block)) this.#look(peer, block)
    } else peer.disconnect(DISCONNECT.subprotocol)
  }

  #look(peer: Peer, block: ReceivedBlock): void {
    const waiting = { peer, bytes: block.rlp.length }
    this.#waiting.add(waiting)
    this.#takeWhole(peer, block)
      .catch((error: unknown) => this.#notImported(error))
      .finally(() => this.#waiting.delete(waiting))
  }

  #notImported(error: unknown): void {
    this.deps.log.warn('block not imported', { error: messageOf(error) })
  }

  /** Reading a long body takes time: only blocks with a valid proof of work may cost us that, and not on this thread. */
  async #takeWhole(peer: Peer, block: ReceivedBlock): Promise<void> {
    const { header, hash, rlp } = block
    const totalDifficulty = await this.#judge(peer, { header, hash, rlp })
    if (totalDifficulty === null || this.#atWork.has(bytesName(hash))) return
    const reading = await this.deps.chain.readBlock(rlp)
    if (reading === 'malformed') peer.disconnect(DISCONNECT.subprotocol)
    else if (reading === 'good') await this.#work(peer, { ...block, totalDifficulty })
    else this.deps.log.debug('block with another body ignored', { peer: peer.name.slice(0, 16), block: toHex(hash) })
  }

  takeHashes(peer: Peer, payload: Uint8Array): void {
    const { intake } = this.deps
    if (!intake.takes(peer, 'blockHashes', Math.max(MIN_HASHES, payload.length))) return
    const list = decodeNewBlockHashes(payload)
    if (list.ok) {
      for (const { hash } of list.value) peer.knownBlocks.add(hash)
      const last = list.value.at(-1)
      if (last !== undefined) this.#miss(peer, last)
      this.#remember(peer, list.value)
    } else peer.disconnect(DISCONNECT.subprotocol)
  }

  /** After a sync: reconsiders blocks that were too far ahead; those that still are trigger the next sync. */
  resume(): void {
    const missed = [...this.#missed]
    this.#missed.clear()
    for (const [peer, entry] of missed) {
      if (peer.isClosed) continue
      if (this.#isNear(entry.number)) this.#remember(peer, [entry])
      else if (Number(entry.number) > this.deps.headNumber()) this.#farAhead(peer, entry.hash)
    }
  }

  /** Our head changed: continues with blocks whose parents joined the chain. @param joined hashes of 32 bytes */
  headChanged(joined: readonly Uint8Array[]): void {
    this.#adopt(joined)
    this.#parentless.prune(BigInt(Math.max(0, this.deps.headNumber() - BELOW_HEAD)))
  }

  #adopt(parents: readonly Uint8Array[]): void {
    for (const { peer, header, hash, rlp } of this.#parentless.takeChildren(parents)) {
      if (peer.isClosed) continue
      if (rlp !== null && this.#hasRoom(peer, rlp.length))
        this.#look(peer, { header, hash, rlp, at: this.deps.clock.monotonic() })
      else this.#remember(peer, [{ hash, number: header.number }])
    }
  }

  /** Only a peer's last one: it builds on the earlier ones. */
  #miss(peer: Peer, entry: BlockAnnouncement): void {
    if (this.#isNear(entry.number) || Number(entry.number) <= this.deps.headNumber()) return
    for (const other of this.#missed.keys()) if (other.isClosed) this.#missed.delete(other)
    if (this.#missed.size < MAX_MISSED) this.#missed.set(peer, entry)
  }

  /** Its claimed total difficulty is ignored: a block we can't follow to is worth one sync attempt, no more. */
  #farAhead(peer: Peer, hash: Uint8Array): void {
    peer.guessHead(hash, this.deps.ownTotal() + 1n)
    this.deps.onFarAhead()
  }

  #remember(peer: Peer, list: readonly BlockAnnouncement[]): void {
    const now = this.deps.clock.monotonic()
    const near = list.filter(({ number }) => this.#isNear(number)).slice(0, MAX_ANNOUNCED)
    for (const entry of near) if (!this.#atWork.has(bytesName(entry.hash))) this.#announced.add(peer, entry, now)
  }

  #isNear(number: bigint): boolean {
    const distance = Number(number) - this.deps.headNumber()
    return distance >= -BELOW_HEAD && distance <= ABOVE_HEAD
  }

  #tick(): void {
    if (this.#isLooking) return
    const due = this.#announced.due(this.deps.clock.monotonic() - ARRIVAL_MS).slice(0, MAX_LOOKUPS)
    if (due.length === 0) return
    this.#isLooking = true
    this.#fetchUnknown(due)
      .catch((error: unknown) => this.deps.log.debug('announcements not looked up', { error: messageOf(error) }))
      .finally(() => {
        this.#isLooking = false
      })
  }

  async #fetchUnknown(due: readonly AnnouncedBlock<Peer>[]): Promise<void> {
    const { chain, log } = this.deps
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
      this.deps.log.debug('announced block not delivered', { peer: peer.name.slice(0, 16), error: messageOf(error) })
      if (error instanceof P2pError && error.code !== 'P2P_CLOSED') peer.disconnect(DISCONNECT.uselessPeer)
    }
    block.isFetching = false
    this.#announced.dropFirst(block)
    this.#announced.next(block) // forgets it when no announcer is left
  }

  /** Header first, then the body. Null when the peer lacks it (after a reorganisation), it arrived, or is unusable. */
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
    const arrived = { header, hash, at: this.deps.clock.monotonic(), totalDifficulty }
    if (equalBytes(header.txRoot, EMPTY_TRIE_ROOT)) return { ...arrived, rlp: encodedList([rlp, EMPTY_LIST]) }
    if (!this.#announced.has(block)) return null
    const [body] = await fetchBodies(peer, [hash], FETCH_MS)
    if (body === undefined || !equalBytes(body.txRoot, header.txRoot)) return null
    return { ...arrived, rlp: encodedList([rlp, body.rlp]) }
  }

  async #work(peer: Peer, block: ArrivedBlock): Promise<void> {
    const name = bytesName(block.hash)
    if (this.#atWork.has(name)) return
    this.#atWork.set(name, { peer, bytes: block.rlp.length })
    this.#announced.forget(name)
    try {
      await this.#passOn(peer, block)
    } catch (error: unknown) {
      this.#notImported(error)
    } finally {
      this.#atWork.delete(name)
    }
  }

  /** Not while it is in progress, nor when there is no room or it is far away. */
  #isWanted(peer: Peer, { header, hash, rlp }: Pick<ArrivedBlock, 'header' | 'hash' | 'rlp'>): boolean {
    if (this.#isNear(header.number)) return !this.#atWork.has(bytesName(hash)) && this.#hasRoom(peer, rlp.length)
    if (Number(header.number) > this.deps.headNumber()) {
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
    const { chain, spread, clock, log } = this.deps
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

  /** The total difficulty of a new block with a known parent and a valid header, seal included; else null. */
  async #judge(peer: Peer, block: Omit<ParentlessBlock<Peer>, 'peer'>): Promise<bigint | null> {
    const judgement = await this.#judges.judge(peer, block.header, block.hash)
    if (judgement === 'unknown parent') this.#keep({ ...block, peer })
    return typeof judgement === 'bigint' ? judgement : null
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
    if (this.#parentless.has(parent.hash) || this.#atWork.has(bytesName(parent.hash))) return
    this.#announced.add(peer, parent, this.deps.clock.monotonic() - ARRIVAL_MS)
  }
}

/** @param block RLP; its body isn't decoded */
function headerOfBlock(block: Uint8Array): Result<BlockHeader> {
  const parts = rlpFields(block, 2, 'block: want 2 items')
  if (!parts.ok) return parts
  const [header] = parts.value
  return header === undefined ? fail('block: no header') : decodeHeader(header.encoded)
}
