// The chain: takes blocks in, checks them, keeps the best branch as canonical and tells what changed.
// One block at a time; everything of a head change is written in one batch.
import { equalBytes } from '../../base/bytes'
import { Emitter } from '../../base/events'
import { toBareHex, toHex } from '../../base/hex'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { headerFault } from '../consensus/header-rules'
import type { ConsensusParams } from '../consensus/params'
import { type SealEngine, sealFault } from '../consensus/seal'
import { ChainError } from '../errors'
import type { ExecutionEngine } from '../execution/engine'
import { undoStateChanges } from '../execution/state-changes'
import { type Store, StoreLayer } from '../store/store'
import { type Block, transactionRoot } from './block'
import { ChainReads, removeBlock, removeCanonical, writeBlock } from './chain-store'
import { executeOnLayer } from './execute-block'
import { beatsHead } from './fork-choice'
import type { BlockHeader } from './header'
import { Mutex } from './mutex'

export interface ChainHead {
  readonly header: BlockHeader
  /** 32 bytes */
  readonly hash: Uint8Array
  readonly totalDifficulty: bigint
}

export interface HeadChanged {
  readonly head: ChainHead
  /** Blocks that left the canonical chain, lowest first. */
  readonly removed: readonly Block[]
  /** Blocks that joined it, lowest first. */
  readonly added: readonly Block[]
}

/** What became of a block. `future` asks for another try later and is nobody's fault. */
export type ImportOutcome =
  | { readonly kind: 'known' }
  | { readonly kind: 'side' }
  | { readonly kind: 'head' }
  | { readonly kind: 'future'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string }

export interface ChainDeps {
  readonly store: Store
  readonly engine: ExecutionEngine
  readonly seals: SealEngine
  readonly clock: Clock
  readonly log: Logger
}

/** Blocks this far ahead are queued by the reference; we refuse and ask again, with its words. */
const FUTURE_QUEUE_SECONDS = 30n

export class Chain {
  readonly events = new Emitter<{ headChanged: HeadChanged }>()
  readonly reads: ChainReads
  readonly params: ConsensusParams
  readonly #deps: ChainDeps
  readonly #mutex = new Mutex()
  #head: ChainHead

  /** @param head hash of the stored head, see open-chain.ts */
  constructor(options: { readonly params: ConsensusParams; readonly head: Uint8Array }, deps: ChainDeps) {
    this.params = options.params
    this.#deps = deps
    this.reads = new ChainReads(deps.store)
    const header = this.reads.header(options.head)
    const totalDifficulty = this.reads.totalDifficulty(options.head)
    if (header === null || totalDifficulty === null) throw new ChainError('CHAIN_NOT_OPEN', undefined)
    this.#head = { header, hash: options.head, totalDifficulty }
  }

  get head(): ChainHead {
    return this.#head
  }

  /** The store under the chain; its flat state is the head's. */
  get store(): Store {
    return this.#deps.store
  }

  /** Runs `body` while no block is being taken in (template building shares the execution engine). */
  exclusive<T>(body: () => Promise<T>): Promise<T> {
    return this.#mutex.run(body)
  }

  /** Null when the header keeps all rules, seal included, else the reference's message. */
  async headerFault(header: BlockHeader): Promise<string | null> {
    const fault = headerFault(header, {
      params: this.params,
      parent: this.reads.header(header.parentHash),
      ancestor: (from, number) => this.reads.ancestor(from, number),
      nowSeconds: this.#nowSeconds(),
    })
    return fault ?? sealFault(header, this.#deps.seals)
  }

  /** Checks and stores `block`; a refusal is a value. */
  importBlock(block: Block): Promise<ImportOutcome> {
    return this.#mutex.run(async () => {
      if (this.reads.header(block.hash) !== null) return { kind: 'known' }
      const fault = await this.headerFault(block.header)
      if (fault === 'block in the future') return this.#future(block)
      if (fault !== null) return { kind: 'refused', reason: fault }
      const root = transactionRoot(block.transactions)
      if (!equalBytes(root, block.header.txRoot)) {
        const [have, want] = [toBareHex(root), toBareHex(block.header.txRoot)]
        return { kind: 'refused', reason: `transaction root hash mismatch: have ${have}, want ${want}` }
      }
      return this.#place(block)
    })
  }

  #future(block: Block): ImportOutcome {
    const allowed = this.#nowSeconds() + FUTURE_QUEUE_SECONDS
    return { kind: 'future', reason: `future block timestamp ${block.header.timestamp} > allowed ${allowed}` }
  }

  async #place(block: Block): Promise<ImportOutcome> {
    const parentTotal = this.reads.totalDifficulty(block.header.parentHash)
    if (parentTotal === null) return { kind: 'refused', reason: 'unknown ancestor' }
    const totalDifficulty = parentTotal + block.header.difficulty
    const candidate = { totalDifficulty, number: block.header.number }
    const head = { totalDifficulty: this.#head.totalDifficulty, number: this.#head.header.number }
    if (beatsHead(candidate, head)) return this.#advance(block, totalDifficulty)
    const layer = new StoreLayer(this.#deps.store)
    writeBlock(layer, block, totalDifficulty)
    await this.#deps.store.write(layer.changes())
    return { kind: 'side' }
  }

  /** Makes `block` the head: back to the common ancestor, up its branch, all on one layer. */
  async #advance(block: Block, totalDifficulty: bigint): Promise<ImportOutcome> {
    const { store, engine } = this.#deps
    const layer = new StoreLayer(store)
    const { branch, ancestor } = this.#branchOf(block)
    const removed = this.#unwind(layer, ancestor)
    let parent = ancestor
    for (const [index, member] of branch.entries()) {
      const total = member === block ? totalDifficulty : (this.reads.totalDifficulty(member.hash) ?? 0n)
      const executed = await executeOnLayer(member, { engine, layer, parent, totalDifficulty: total })
      if (!executed.ok) return this.#refuseBranch(branch.slice(index), executed.error)
      parent = member.header
    }
    await store.write(layer.changes())
    this.#head = { header: block.header, hash: block.hash, totalDifficulty }
    if (removed.length > 0)
      this.#deps.log.info('chain reorganised', {
        removed: removed.length,
        added: branch.length,
        head: toHex(block.hash),
      })
    this.events.emit('headChanged', { head: this.#head, removed, added: branch })
    return { kind: 'head' }
  }

  /** The blocks from the canonical chain up to `block`, and the canonical block they stand on. */
  #branchOf(block: Block): { readonly branch: readonly Block[]; readonly ancestor: BlockHeader } {
    const branch = [block]
    let parentHash = block.header.parentHash
    for (;;) {
      const parent = this.reads.block(parentHash)
      if (parent === null) throw new RangeError(`stored block ${toHex(parentHash)} is missing`)
      if (this.reads.isCanonical(parent.header.number, parent.hash)) return { branch, ancestor: parent.header }
      branch.unshift(parent)
      parentHash = parent.header.parentHash
    }
  }

  #unwind(layer: StoreLayer, ancestor: BlockHeader): readonly Block[] {
    const removed: Block[] = []
    for (let number = this.#head.header.number; number > ancestor.number; number--) {
      const hash = this.reads.canonicalHash(number)
      const block = hash === null ? null : this.reads.block(hash)
      if (block === null) throw new RangeError(`canonical block ${number} is missing`)
      undoStateChanges(layer, { number, hash: block.hash })
      removeCanonical(layer, block)
      removed.unshift(block)
    }
    return removed
  }

  /** A stored side block that cannot be executed is forgotten, with all that stands on it in this branch. */
  async #refuseBranch(bad: readonly Block[], reason: string): Promise<ImportOutcome> {
    const layer = new StoreLayer(this.#deps.store)
    for (const block of bad) removeBlock(layer, block.hash)
    await this.#deps.store.write(layer.changes())
    for (const block of bad) this.reads.forget(block.hash)
    return { kind: 'refused', reason }
  }

  #nowSeconds(): bigint {
    return BigInt(Math.floor(this.#deps.clock.now() / 1000))
  }
}
