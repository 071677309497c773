// The chain: imports blocks, validates them, keeps the heaviest branch canonical and reports head changes. One head
// change at a time, each written as one batch.

import { setImmediate } from 'node:timers/promises'
import { equalBytes } from '../../base/bytes'
import { Emitter } from '../../base/events'
import { toHex } from '../../base/hex'
import type { Logger } from '../../base/logger'
import { Mutex } from '../../base/mutex'
import type { Clock } from '../../base/time'
import { keccak256 } from '../codec/keccak'
import { headerFault, type SealEngine, sealFault } from '../consensus/header-rules'
import type { ConsensusParams } from '../consensus/params'
import { ChainError } from '../errors'
import type { ExecutionEngine } from '../execution/engine'
import { canUndo, undoStateChanges } from '../execution/state-changes'
import type { Block } from '../model/block'
import type { BlockHeader } from '../model/header'
import { FULL_WINDOW, type WindowSize } from '../model/window-size'
import type { BlockPreparation } from '../preparation/block-preparation'
import { type Store, StoreLayer, type StoreReader } from '../store/store'
import { branchOf, ChainReads, forgetSideBlocks, removeCanonical, writeSideBlock } from './chain-store'
import { type ChainHead, executeOnLayer, executeRun, rootFault } from './execute-run'
import { type BatchOutcome, type HeaderReads, type ImportOutcome, importRuns } from './import-blocks'
import { type GcMode, slideWindow, statesFrom, undoFrom, widenWindow } from './state-window'

interface BadBlock {
  readonly block: Block
  /** prlx's error message */
  readonly reason: string
}

/** As many full blocks as prlx keeps. */
const KEPT_BLOCKS = 10
const KEPT_HASHES = 4096

/** The invalid blocks of this run; nothing is stored. */
class BadBlocks {
  #blocks: readonly BadBlock[] = []
  readonly #reasons = new Map<string, string>()

  /** @param proven its valid header commits to the content: the hash itself is permanently bad */
  remember(block: Block, reason: string, proven: boolean): void {
    const others = this.#blocks.filter((known) => toHex(known.block.hash) !== toHex(block.hash))
    this.#blocks = [{ block, reason }, ...others].slice(0, KEPT_BLOCKS)
    if (proven) this.rememberHash(block.hash, reason)
  }

  /** @param hash 32 bytes */
  rememberHash(hash: Uint8Array, reason: string): void {
    const name = toHex(hash)
    this.#reasons.delete(name) // deleted and set again, it becomes the newest
    this.#reasons.set(name, reason)
    for (const oldest of this.#reasons.keys()) {
      if (this.#reasons.size <= KEPT_HASHES) return
      this.#reasons.delete(oldest)
    }
  }

  /** Why the block with this hash (32 bytes) is invalid; null when it isn't known to be. */
  reasonOf(hash: Uint8Array): string | null {
    return this.#reasons.get(toHex(hash)) ?? null
  }

  /** The latest ones, newest first. */
  list(): readonly BadBlock[] {
    return this.#blocks
  }
}

/** A batch, from the start of its write to the end. */
interface WrittenBatch {
  /** What the next batch is executed on. */
  readonly layer: StoreLayer
  /** The chain up to its last block. */
  readonly reads: ChainReads
  readonly head: ChainHead
  /** Rejects with StoreError when it can't be written: what was executed on top of it must be dropped. */
  readonly done: Promise<void>
}

/** At most one batch at a time; whoever begins another waits for it first. */
class BatchInWriting {
  #current: WrittenBatch | null = null

  constructor(private readonly store: Store) {}

  /** Null while none is being written. Its `done` must be taken before waiting for anything else: a failed one is gone. */
  get current(): WrittenBatch | null {
    return this.#current
  }

  /** The stored headers and, while a batch is being written, that batch's. @param stored over the same store */
  headers(stored: ChainReads): HeaderReads {
    const newest = (): ChainReads => this.#current?.reads ?? stored
    return {
      header: (hash) => newest().header(hash),
      ancestor: (from, number) => newest().ancestor(from, number),
    }
  }

  /** Resolves when none is being written; a failure belongs to the caller that began it. */
  async settled(): Promise<void> {
    await this.#current?.done.catch(() => undefined)
  }

  /** While none is written. @param head its last block @param then when written @returns rejects with StoreError */
  begin(layer: StoreLayer, head: ChainHead, then: () => void): Promise<void> {
    const write = async (): Promise<void> => {
      try {
        await this.store.write(layer.changes())
        layer.forget()
        then()
      } finally {
        this.#current = null
      }
    }
    const done = write()
    done.catch(() => undefined) // whoever awaits it gets the error
    this.#current = { layer, reads: new ChainReads(layer), head, done }
    return done
  }
}

interface ChainPlace {
  readonly number: bigint
  /** 32 bytes */
  readonly hash: Uint8Array
}

/** The last stored side block, and where its branch leaves the chain. */
interface SideEnd {
  /** 32 bytes */
  readonly hash: Uint8Array
  readonly ancestor: ChainPlace
}

interface BranchDeps {
  readonly store: StoreReader
  readonly reads: ChainReads
  /** height of the head */
  readonly head: bigint
  /** The end of a branch that was walked before: a long branch is walked once, not once per block. */
  readonly last: SideEnd | null
}

/** Where the branch of `block` leaves the chain; a fault when the chain can't go back that far. */
function branchPoint(
  block: Pick<Block, 'header'>,
  { store, reads, head, last }: BranchDeps,
): { readonly fault: null; readonly ancestor: ChainPlace } | { readonly fault: string } {
  const isNext = last !== null && equalBytes(last.hash, block.header.parentHash)
  let at = isNext ? last.ancestor.hash : block.header.parentHash
  for (;;) {
    const header = reads.header(at)
    if (header === null) return { fault: 'unknown ancestor' }
    const { number, parentHash } = header
    if (!reads.isCanonical(number, at)) {
      at = parentHash
      continue
    }
    const first = reads.canonicalHash(number + 1n)
    if (first === null || canUndo(store, { number: number + 1n, hash: first }))
      return { fault: null, ancestor: { number, hash: at } }
    const depth = head - number
    return { fault: `branch leaves the chain ${depth} blocks below the head, further than blocks can be taken back` }
  }
}

interface Candidate {
  readonly totalDifficulty: bigint
  readonly number: bigint
}

/** Higher total difficulty wins; at a tie the lower height, then the one seen first. */
export function beatsHead(candidate: Candidate, head: Candidate): boolean {
  if (candidate.totalDifficulty !== head.totalDifficulty) return candidate.totalDifficulty > head.totalDifficulty
  return candidate.number < head.number
}

export type { ChainHead } from './execute-run'
export type { ImportOutcome } from './import-blocks'

/** A change of the head, reported after it was written. */
export interface HeadChanged {
  readonly head: ChainHead
  /** Blocks that left the canonical chain, lowest first. */
  readonly removed: readonly Block[]
  /** Blocks that joined it, lowest first. */
  readonly added: readonly Block[]
}

export interface ChainDeps {
  readonly store: Store
  readonly engine: ExecutionEngine
  readonly seals: SealEngine
  /** Absent or null: nothing is known about blocks before they are executed. */
  readonly preparation?: BlockPreparation | null
  /** Polled while a block is executed, when the thread handles no messages. True aborts the block as `close` does. */
  readonly stopping?: () => boolean
  readonly clock: Clock
  readonly log: Logger
}

export interface ChainOptions {
  readonly params: ConsensusParams
  /** hash of the stored head, see open-chain.ts */
  readonly head: Uint8Array
  /** Default `full`. */
  readonly gcMode?: GcMode
  /** For mode `full`; tests use smaller ones. */
  readonly window?: WindowSize
  /** Default true. False accepts any seal: for benchmarks and tests. */
  readonly checkSeals?: boolean
}

/** prlx queues blocks this far ahead; we refuse them with its message and request them again. */
const FUTURE_QUEUE_SECONDS = 30n
const BLOCKS_A_STEP = 128n
/** Yield to other work on this thread after this long. */
const TURN_MS = 20

/** The chain over a store. Open it with `openChain`. */
export class Chain {
  readonly events = new Emitter<{ headChanged: HeadChanged }>()
  readonly reads: ChainReads
  readonly params: ConsensusParams
  readonly bad = new BadBlocks()
  readonly preparation: BlockPreparation | null
  readonly #deps: ChainDeps
  /** Null: nothing is pruned. */
  readonly #window: WindowSize | null
  /** Null: any seal is accepted. */
  readonly #seals: SealEngine | null
  /** One change at a time; others get in between the batches of a long import. */
  readonly #mutex = new Mutex()
  /** One long import at a time. */
  readonly #imports = new Mutex()
  #head: ChainHead
  #lastSide: SideEnd | null = null
  readonly #writing: BatchInWriting
  /** The write of the running import's last batch, when nobody waits for it yet. */
  #begun: Promise<void> | null = null
  #isClosed = false
  #turnAt = 0

  constructor(options: ChainOptions, deps: ChainDeps) {
    this.params = options.params
    this.#deps = deps
    this.preparation = deps.preparation ?? null
    this.#window = options.gcMode === 'archive' ? null : (options.window ?? FULL_WINDOW)
    this.#seals = options.checkSeals === false ? null : deps.seals
    this.reads = new ChainReads(deps.store)
    this.#writing = new BatchInWriting(deps.store)
    const header = this.reads.header(options.head)
    const totalDifficulty = this.reads.totalDifficulty(options.head)
    if (header === null || totalDifficulty === null) throw new ChainError('CHAIN_NOT_OPEN', undefined)
    this.#head = { header, hash: options.head, totalDifficulty }
  }

  get head(): ChainHead {
    return this.#head
  }

  /** The underlying store; its flat state is the head's. */
  get store(): Store {
    return this.#deps.store
  }

  /** Height of the oldest canonical block whose state is available. */
  get statesFrom(): bigint {
    return statesFrom(this.#deps.store)
  }

  /** While no block is imported. @param body gets whether someone waits for the chain @throws ChainError CHAIN_NOT_OPEN */
  exclusive<T>(body: (awaited: () => boolean) => Promise<T>): Promise<T> {
    return this.#alone(() => body(() => this.#mutex.waiting > 0))
  }

  /** Ends a running import with CHAIN_NOT_OPEN, even inside a block; its batch isn't written. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#mutex.run(() => this.#writing.settled())
  }

  readonly #stopped = (): boolean => this.#isClosed || this.#deps.stopping?.() === true

  #alone<T>(body: () => Promise<T>): Promise<T> {
    return this.#mutex.run(async () => {
      await this.#writing.settled()
      if (this.#isClosed) throw new ChainError('CHAIN_NOT_OPEN', undefined)
      return body()
    })
  }

  /** Null when the header is valid, including its seal; else prlx's message. */
  async headerFault(header: BlockHeader): Promise<string | null> {
    const fault = headerFault(header, {
      params: this.params,
      parent: this.reads.header(header.parentHash),
      ancestor: (from, number) => this.reads.ancestor(from, number),
      nowSeconds: this.nowSeconds(),
    })
    return fault ?? (this.#seals === null ? null : sealFault(header, this.#seals))
  }

  /** Validates and stores `block`; a refusal is a value. @throws StoreError when it can't be written: nothing changed */
  importBlock(block: Block): Promise<ImportOutcome> {
    return this.#alone(async () => {
      const known = this.knownOutcome(block)
      if (known !== null) return known
      const fault = await this.headerFault(block.header)
      if (fault !== null) return this.refusal(block, fault)
      return this.#place(block)
    })
  }

  /**
   * Checks and stores blocks, oldest first, in batches: seals are checked ahead on other threads, and a batch on top of the
   * head is one write and one `headChanged`. A batch is written while the next one is executed, also the next call's.
   * Stops at the first block that is not taken.
   * @param following blocks that are known to come behind these: a batch whose states would soon be given up leaves its last one only
   * @param blocks or a function that reads them, called when their turn has come
   * @throws StoreError when a batch cannot be written: the batches before it are in the chain
   */
  async importBlocks(blocks: readonly Block[] | (() => readonly Block[]), following = 0): Promise<BatchOutcome> {
    let written: Promise<void> | null = null
    const outcome = await this.#imports.run(async () => {
      const reads = this.#writing.headers(this.reads)
      this.#begun = null
      const found = await importRuns(typeof blocks === 'function' ? blocks() : blocks, {
        chain: this,
        following,
        line: { params: this.params, seals: this.#seals, nowSeconds: () => this.nowSeconds(), reads },
        take: (batch, behind) => this.#mutex.run(() => this.#takeBatch(batch, behind)),
      })
      written = this.#begun
      return found
    })
    await written // while the next call's blocks are executed
    return outcome
  }

  /** Removes every block above the canonical one at `number`, side blocks too. Null when done, else why it can't be. */
  goBackTo(number: bigint): Promise<string | null> {
    return this.#alone(async () => {
      const lowest = undoFrom(this.#deps.store, this.#head.header.number)
      if (number < lowest) return `blocks can be taken back down to block ${lowest}, not to block ${number}`
      while (this.#head.header.number > number) await this.#stepBack(number)
      await forgetSideBlocks(this.#deps.store, this.reads, (block) => block.number > number)
      return null
    })
  }

  /** Some blocks towards `number` in one write, which bounds the memory. */
  async #stepBack(number: bigint): Promise<void> {
    const next = this.#head.header.number - BLOCKS_A_STEP
    const hash = this.reads.canonicalHash(next > number ? next : number)
    const header = hash === null ? null : this.reads.header(hash)
    const totalDifficulty = hash === null ? null : this.reads.totalDifficulty(hash)
    if (hash === null || header === null || totalDifficulty === null)
      throw new RangeError('a canonical block is missing')
    const layer = new StoreLayer(this.#deps.store)
    const removed = await this.#unwind(layer, header)
    await this.#deps.store.write(layer.changes())
    this.#setHead({ header, hash, totalDifficulty }, removed, [])
  }

  /** The outcome when the block is known already or known to be invalid, else null. */
  knownOutcome(block: Block): ImportOutcome | null {
    if (this.#writing.headers(this.reads).header(block.hash) !== null) return { kind: 'known' }
    const reason = this.bad.reasonOf(block.hash)
    return reason === null ? null : { kind: 'refused', reason }
  }

  /** The outcome for a block whose header has `fault`. */
  refusal(block: Block, fault: string): ImportOutcome {
    if (fault === 'block in the future') {
      const allowed = this.nowSeconds() + FUTURE_QUEUE_SECONDS
      return { kind: 'future', reason: `future block timestamp ${block.header.timestamp} > allowed ${allowed}` }
    }
    if (fault !== 'unknown ancestor') this.bad.remember(block, fault, false)
    return { kind: 'refused', reason: fault }
  }

  /** Blocks whose headers were checked, each on the one before: those on top of the head at once, others one by one. */
  async #takeBatch(blocks: readonly Block[], following: number): Promise<readonly ImportOutcome[]> {
    const outcomes: ImportOutcome[] = []
    const head = this.#writing.current?.head ?? null
    const [first] = blocks
    if (this.#isClosed) throw new ChainError('CHAIN_NOT_OPEN', undefined)
    const continues = head !== null && first !== undefined && equalBytes(first.header.parentHash, head.hash)
    if (continues && this.knownOutcome(first) === null) return this.#extend(blocks, following)
    await this.#writing.settled()
    for (const [index, block] of blocks.entries()) {
      const known = this.knownOutcome(block)
      if (known === null && equalBytes(block.header.parentHash, this.#head.hash)) {
        outcomes.push(...(await this.#extend(blocks.slice(index), following)))
        return outcomes
      }
      const outcome = known ?? (await this.#place(block))
      outcomes.push(outcome)
      if (outcome.kind === 'refused') return outcomes
    }
    return outcomes
  }

  async #place(block: Block): Promise<ImportOutcome> {
    const parentTotal = this.reads.totalDifficulty(block.header.parentHash)
    if (parentTotal === null) return { kind: 'refused', reason: 'unknown ancestor' }
    if (equalBytes(block.header.parentHash, this.#head.hash)) {
      const [outcome] = await this.#extend([block], 0)
      return outcome ?? { kind: 'refused', reason: 'unknown ancestor' }
    }
    const fault = rootFault(block)
    if (fault !== null) return this.refusal(block, fault)
    const head = { totalDifficulty: this.#head.totalDifficulty, number: this.#head.header.number }
    const { store } = this.#deps
    const found = branchPoint(block, { store, reads: this.reads, head: head.number, last: this.#lastSide })
    if (found.fault !== null) return { kind: 'refused', reason: found.fault }
    const totalDifficulty = parentTotal + block.header.difficulty
    const candidate = { totalDifficulty, number: block.header.number }
    if (beatsHead(candidate, head)) return this.#switchTo(block, totalDifficulty)
    const layer = new StoreLayer(store)
    writeSideBlock(layer, block, totalDifficulty)
    await store.write(layer.changes())
    this.#lastSide = { hash: block.hash, ancestor: found.ancestor }
    return { kind: 'side' }
  }

  /** Executes blocks on top of the head; the ones before the first bad one become canonical in one write. */
  async #extend(blocks: readonly Block[], following: number): Promise<readonly ImportOutcome[]> {
    const before = this.#writing.current
    const layer = new StoreLayer(before?.layer ?? this.#deps.store)
    const { head, added, bad } = await executeRun(blocks, {
      engine: this.#deps.engine,
      layer,
      preparation: this.preparation,
      stopped: this.#stopped,
      head: before?.head ?? this.#head,
      window: this.#window,
      following,
      giveTurn: () => this.#giveTurn(),
    })
    await before?.done
    if (bad !== null) this.bad.remember(bad.block, bad.reason, bad.isWhole)
    if (added.length > 0) {
      const written = this.#writing.begin(layer, head, () => this.#setHead(head, [], added))
      if (following === 0 || bad !== null) await written
      else this.#begun = written
    }
    const outcomes: ImportOutcome[] = added.map(() => ({ kind: 'head' }))
    return bad === null ? outcomes : [...outcomes, { kind: 'refused', reason: bad.reason }]
  }

  /** Reorganises to `block` of another branch: back to the common ancestor, then up its branch, all on one layer. */
  async #switchTo(block: Block, totalDifficulty: bigint): Promise<ImportOutcome> {
    const { store, engine, log } = this.#deps
    const layer = new StoreLayer(store)
    const { branch, ancestor } = branchOf(this.reads, block)
    const removed = await this.#unwind(layer, ancestor)
    let parent = ancestor
    for (const [index, member] of branch.entries()) {
      const total = member === block ? totalDifficulty : (this.reads.totalDifficulty(member.hash) ?? 0n)
      const totals = { parent, totalDifficulty: total, window: this.#window }
      const on = { ...totals, engine, layer, senders: null, stopped: this.#stopped }
      const executed = await executeOnLayer(member, on)
      if (!executed.ok) return this.#refuseBranch(branch.slice(index), executed.error)
      slideWindow(layer, member.header.number, this.#window)
      parent = member.header
      await this.#giveTurn()
    }
    await store.write(layer.changes())
    log.info('chain reorganized', { removed: removed.length, added: branch.length, head: toHex(block.hash) })
    this.#setHead({ header: block.header, hash: block.hash, totalDifficulty }, removed, branch)
    return { kind: 'head' }
  }

  #setHead(head: ChainHead, removed: readonly Block[], added: readonly Block[]): void {
    this.#head = head
    for (const block of added) this.reads.remember(block)
    if (removed.length > 0) this.#lastSide = null // its branch may leave the new chain elsewhere
    this.events.emit('headChanged', { head, removed, added })
  }

  async #unwind(layer: StoreLayer, ancestor: BlockHeader): Promise<readonly Block[]> {
    const removed: Block[] = []
    for (let number = this.#head.header.number; number > ancestor.number; number--) {
      const hash = this.reads.canonicalHash(number)
      const block = hash === null ? null : this.reads.block(hash)
      const parent = block === null ? null : this.reads.header(block.header.parentHash)
      if (block === null || parent === null) throw new RangeError(`canonical block ${number} is missing`)
      const roots = { now: block.header.stateRoot, before: parent.stateRoot, keccak256 }
      undoStateChanges(layer, { number, hash: block.hash }, roots)
      removeCanonical(layer, block)
      removed.push(block)
      await this.#giveTurn()
    }
    widenWindow(layer, ancestor.number)
    return removed.reverse()
  }

  /** A stored side block that fails execution is removed, along with all its descendants. */
  async #refuseBranch(bad: readonly Block[], reason: string): Promise<ImportOutcome> {
    const [worst] = bad
    if (worst !== undefined) this.bad.remember(worst, reason, true)
    const names = new Set(bad.map((block) => toHex(block.hash)))
    const gone = await forgetSideBlocks(this.#deps.store, this.reads, ({ hash, parentHash }) => {
      const isGone = names.has(toHex(hash)) || names.has(toHex(parentHash))
      if (isGone) names.add(toHex(hash))
      return isGone
    })
    for (const { hash } of [...bad, ...gone]) this.bad.rememberHash(hash, reason)
    return { kind: 'refused', reason }
  }

  async #giveTurn(): Promise<void> {
    const now = this.#deps.clock.monotonic()
    if (now - this.#turnAt < TURN_MS) return
    await setImmediate()
    this.#turnAt = this.#deps.clock.monotonic()
  }

  /** Unix seconds of our clock. */
  nowSeconds(): bigint {
    return BigInt(Math.floor(this.#deps.clock.now() / 1000))
  }
}
