// Resolves a block argument to a block and its state. Error texts for unknown blocks are prlx's.
import { equalBytes } from '../../base/bytes'
import { historyFrom, PastState, statesFrom, windowHistory } from '../chain/state-window'
import type { Keccak256 } from '../codec/keccak'
import { headState, type StateReader, stateAtRoot } from '../execution/state-reader'
import { type BlockArgument, type BlockTag, SETTLED_DEPTHS } from '../model/block-argument'
import type { BlockHeader } from '../model/header'
import { RpcFault } from '../rpc-fault'
import { StoreLayer, type StoreReader } from '../store/store'
import type { NodeCache } from '../trie/node'
import { entriesOf, type PendingBlockInfo } from '../worker/wire/pending-shapes'
import type { ChainView } from './snapshots'

export interface StateBlock {
  /** Cache key: the block's hash in hex, or the pending block's change number. */
  readonly hash: Uint8Array | null
  readonly header: Pick<BlockHeader, 'number' | 'timestamp' | 'coinbase' | 'difficulty' | 'gasLimit' | 'stateRoot'>
  readonly state: StateReader
  /** The store that holds its trie nodes. */
  readonly store: StoreReader
  /** The block that BLOCKHASH counts back from: itself, for the pending block its parent. */
  readonly base: StoredBlock
}

type StoredBlock = ChainView['head']

/** A fault with prlx's text, as JSON-RPC returns it. */
export const failed = (reason: string) => new RpcFault('RPC_FAILED', { reason })

interface BlockStatesDeps {
  readonly keccak256: Keccak256
  readonly nodes: NodeCache
  readonly pending: PendingBlockInfo | null
  /** Instead of the view, for the genesis state; null: it is in the view, or wasn't needed. */
  readonly genesis: StoreReader | null
}

/** Undo records of the window that are read for past states, in bytes: some 130,000 changed values, a second and 140 MB. */
const MAX_UNDO_BYTES = 8 * 1024 * 1024

export class BlockStates {
  /** Height of the oldest block whose trie is complete; null: not read yet. */
  #triesFrom: bigint | null = null
  /** What the blocks of the window changed; null: not read yet. */
  #later: { readonly found: ReturnType<typeof windowHistory> } | null = null
  #head: StateBlock | null = null
  #pendingBlock: StateBlock | null = null

  constructor(
    private readonly view: ChainView,
    private readonly deps: BlockStatesDeps,
  ) {}

  /** @param unknownNumber error text for a height that doesn't exist */
  find(argument: BlockArgument, unknownNumber = 'header not found'): StateBlock {
    if (argument.kind === 'neither') throw failed('invalid arguments; neither block nor hash specified')
    if (argument.kind === 'hash') return this.at(this.#byHash(argument))
    const which = argument.kind === 'number' ? argument.number : argument.tag
    if (which === 'pending') return this.#pending()
    const found = this.header(which)
    if (found === null) throw failed(unknownNumber)
    return this.at(found)
  }

  /** From the canonical chain; null when it doesn't exist. */
  header(which: number | Exclude<BlockTag, 'pending'>): StoredBlock | null {
    const { head, reads } = this.view
    if (which === 'latest') return head
    const hash = reads.canonicalHash(typeof which === 'number' ? BigInt(which) : this.#heightOf(which))
    const header = hash === null ? null : reads.header(hash)
    return hash === null || header === null ? null : { hash, header }
  }

  /** The state after a stored block. */
  at(block: StoredBlock): StateBlock {
    const { head } = this.view
    const { genesis, keccak256, nodes } = this.deps
    const { number, stateRoot } = block.header
    const store = number === 0n && genesis !== null ? genesis : this.view.store
    if (!equalBytes(block.hash, head.hash)) {
      const state = this.#pastState(block) ?? stateAtRoot(store, stateRoot, keccak256, nodes)
      return { ...block, state, store, base: block }
    }
    this.#head ??= { ...head, state: headState(store), store, base: head }
    return this.#head
  }

  /** From the state history: a canonical block whose trie is pruned. Null for others, and where the history doesn't reach. */
  #pastState({ hash, header }: StoredBlock): StateReader | null {
    const { store, reads, head } = this.view
    const { number } = header
    this.#triesFrom ??= statesFrom(store)
    const indexed = this.#triesFrom
    if (number >= indexed || number < historyFrom(store) || !reads.isCanonical(number, hash)) return null
    const window = { from: indexed, head: head.header.number, maxBytes: MAX_UNDO_BYTES }
    this.#later ??= { found: windowHistory(store, window) }
    const { found } = this.#later
    return found === null ? null : headState(new PastState(store, number, indexed, found))
  }

  #heightOf(tag: 'earliest' | 'safe' | 'finalized'): bigint {
    if (tag === 'earliest') return 0n
    const height = this.view.head.header.number - BigInt(SETTLED_DEPTHS[tag])
    return height < 0n ? 0n : height
  }

  #byHash({ hash, requireCanonical }: Extract<BlockArgument, { kind: 'hash' }>) {
    const header = this.view.reads.header(hash)
    if (header === null) throw failed('header for hash not found')
    if (requireCanonical && !this.view.reads.isCanonical(header.number, hash))
      throw failed('hash is not currently canonical')
    return { hash, header }
  }

  /** The pending block's changes on top of its parent. */
  #pending(): StateBlock {
    this.#pendingBlock ??= this.#openPending()
    return this.#pendingBlock
  }

  #openPending(): StateBlock {
    const { pending, keccak256 } = this.deps
    const parent = pending === null ? null : this.view.reads.header(pending.parentHash)
    if (pending === null || parent === null) return this.at(this.view.head)
    const store = new StoreLayer(this.view.store)
    for (const [key, value] of entriesOf(pending.changes)) {
      if (value === null) store.delete(key)
      else store.put(key, value)
    }
    const isOnHead = equalBytes(pending.parentHash, this.view.head.hash)
    const state = isOnHead ? headState(store) : stateAtRoot(store, pending.stateRoot, keccak256)
    const { miner: coinbase, difficulty, gasLimit, stateRoot } = pending
    const [number, timestamp] = [BigInt(pending.number), BigInt(pending.timestamp)]
    const header = { coinbase, difficulty, gasLimit, stateRoot, number, timestamp }
    return { hash: null, header, state, store, base: { hash: pending.parentHash, header: parent } }
  }
}

/** What BLOCKHASH returns for a block that isn't known. */
const UNKNOWN_HASH = new Uint8Array(32)

/** Hash of the block at `height` on the branch that ends with `base`, as BLOCKHASH returns it. */
export function ancestorOf({ reads }: ChainView, base: StateBlock['base'], height: bigint): Uint8Array {
  let { hash, header } = base
  while (header.number > height) {
    if (reads.isCanonical(header.number, hash)) return reads.canonicalHash(height) ?? UNKNOWN_HASH
    const parent = reads.header(header.parentHash)
    if (parent === null) return UNKNOWN_HASH
    hash = header.parentHash
    header = parent
  }
  return header.number === height ? hash : UNKNOWN_HASH
}
