// Follows the tip: takes blocks that peers send or announce, checks the header before anything is passed on, and fetches what
// was only announced. Source: p2p.md 7; prlx prl/fetcher/block_fetcher.go
import { equalBytes } from '../../../base/bytes'
import { messageOf } from '../../../base/errors'
import { bytesOfHex, toHex } from '../../../base/hex'
import { Disposables } from '../../../base/lifecycle'
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import { decodeBlock, transactionRoot } from '../../chain/block'
import { type BlockHeader, blockHash, decodeHeader, encodeHeader } from '../../chain/header'
import { Mutex } from '../../chain/mutex'
import { fail, type Result } from '../../codec/result'
import { rlpFields } from '../../codec/rlp'
import { P2pError } from '../../errors'
import { hashName } from '../hash-name'
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
import { type Intake, LEAST_HASHES } from './intake'

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
const MOST_BYTES_AT_WORK = 32 * 1024 * 1024
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
  /** With its own. */
  readonly totalDifficulty: bigint
}

export class BlockFollower {
  readonly #deps: BlockFollowerDeps
  readonly #announced: AnnouncedBlocks<Peer>
  /** What peers announced last while a sync ran. */
  readonly #missed = new Map<Peer, BlockAnnouncement>()
  /** Blocks being checked and imported. */
  readonly #atWork = new Map<string, { readonly peer: Peer; readonly bytes: number }>()
  /** Blocks that came whole and whose header is being checked. */
  readonly #waiting = new Set<{ readonly peer: Peer; readonly bytes: number }>()
  readonly #judging = new WeakMap<Peer, Mutex>()
  readonly #punished = new WeakSet<Peer>()
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
    return { announced: this.#announced.size, atWork: this.#waiting.size + this.#atWork.size }
  }

  /** A NewBlock message. */
  takeBlock(peer: Peer, payload: Uint8Array): void {
    const { intake, clock, log } = this.#deps
    if (!intake.takes(peer, 'blocks', 1) || !intake.takes(peer, 'blockBytes', payload.length)) return
    const at = clock.monotonic()
    const message = decodeNewBlock(payload)
    const read = message.ok ? headerOfBlock(message.value.block) : message
    if (!message.ok || !read.ok) {
      peer.disconnect(DISCONNECT.subprotocol)
      return
    }
    const { value: header } = read
    const { block: rlp, totalDifficulty } = message.value
    const hash = blockHash(header)
    peer.knownBlocks.add(hash)
    peer.sawHead(header.parentHash, totalDifficulty - header.difficulty)
    const head = { header, hash, rlp, at }
    if (!this.#isWanted(peer, head)) return
    const waiting = { peer, bytes: rlp.length }
    this.#waiting.add(waiting)
    this.#takeWhole(peer, head)
      .catch((error: unknown) => log.warn('block not taken', { error: messageOf(error) }))
      .finally(() => this.#waiting.delete(waiting))
  }

  /** To read a long body takes seconds: only who did the work for its header may ask that of us. */
  async #takeWhole(peer: Peer, head: Omit<ArrivedBlock, 'totalDifficulty'>): Promise<void> {
    const { header, hash, rlp } = head
    const totalDifficulty = await this.#judge(peer, header, hash)
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
    const { intake, isSyncing } = this.#deps
    if (!intake.takes(peer, 'blockHashes', Math.max(LEAST_HASHES, payload.length))) return
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
    for (const entry of near) if (!this.#atWork.has(hashName(entry.hash))) this.#announced.add(peer, entry, now)
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
    const totalDifficulty = await this.#judge(peer, header, hash)
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
    if (this.#atWork.has(name) || this.#deps.isSyncing()) return
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

  /** Not while it is at work already, there is no room or a sync brings it, nor when it is far away. */
  #isWanted(peer: Peer, { header, hash, rlp }: Pick<ArrivedBlock, 'header' | 'hash' | 'rlp'>): boolean {
    const { isSyncing, headNumber, onFarAhead } = this.#deps
    if (this.#atWork.has(hashName(hash)) || !this.#hasRoom(peer, rlp.length) || isSyncing()) return false
    if (this.#isNear(header.number)) return true
    if (Number(header.number) > headNumber()) onFarAhead()
    return false
  }

  #hasRoom(peer: Peer, bytes: number): boolean {
    let blocks = 0
    let held = bytes
    for (const other of [...this.#waiting, ...this.#atWork.values()]) {
      if (other.peer === peer) blocks++
      held += other.bytes
    }
    return blocks < MOST_AT_WORK && held <= MOST_BYTES_AT_WORK
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
      // A head is told by who sees it change; this is for a block beside the chain.
      spread.announce({ hash, number: header.number })
    } else if (!refused.future) log.info('block of a peer refused', { number, reason: refused.reason })
  }

  /**
   * The block's total difficulty when it is new, its parent is here and its header is good, the seal included; else null.
   * One of a peer at a time: seals take milliseconds, and a liar is to get one of them, not hundreds.
   */
  #judge(peer: Peer, header: BlockHeader, hash: Uint8Array): Promise<bigint | null> {
    const turns = this.#judging.get(peer) ?? new Mutex()
    this.#judging.set(peer, turns)
    return turns.run(async () => (this.#punished.has(peer) ? null : this.#judgeNow(peer, header, hash)))
  }

  async #judgeNow(peer: Peer, header: BlockHeader, hash: Uint8Array): Promise<bigint | null> {
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
    this.#punished.add(peer)
    this.#deps.bans.add(peer.name, `bad header: ${reason}`, BAN_MS)
    peer.disconnect(DISCONNECT.uselessPeer)
  }
}

/** @param block RLP; its body is not looked into */
function headerOfBlock(block: Uint8Array): Result<BlockHeader> {
  const parts = rlpFields(block, 2, 'block: want 2 items')
  if (!parts.ok) return parts
  const [header] = parts.value
  return header === undefined ? fail('block: no header') : decodeHeader(header.encoded)
}
