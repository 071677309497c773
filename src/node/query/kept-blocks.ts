// What one query would otherwise compute again for the next: decoded blocks, the senders of their transactions, the state
// that the earlier ones of a block left behind, what blocks paid, and trie nodes.
import { bytesName, equalBytes } from '../../base/bytes'
import { toBareHex, toHex } from '../../base/hex'
import { GenerationCache, SizedCache } from '../../base/limits/generation-cache'
import { StoreError } from '../errors'
import type { Message } from '../execution/message'
import type { World } from '../execution/world'
import type { Block } from '../model/block'
import type { AnyTransaction } from '../model/transaction'
import { stateKeys } from '../store/keys'
import type { StoreReader } from '../store/store'
import { decodeNode, type ResolvedNode } from '../trie/node'
import type { StateBlock } from './block-state'

/** A transaction decoded, without its data. */
const TRANSACTION_BYTES = 1_024
const MAX_STAGES = 256
/** Accounts and slots that all kept stages may hold together. */
const MAX_HELD = 200_000

/** Decoded blocks, the last used ones, and the messages of their transactions. */
export class KeptBlocks {
  readonly #blocks: SizedCache<Block>
  readonly #messages = new WeakMap<AnyTransaction, Message>()

  /** @param maxBytes of the blocks that are kept, about */
  constructor(maxBytes: number) {
    this.#blocks = new SizedCache(maxBytes, bytesOf)
  }

  /** @param hash 32 bytes @param read called where the block isn't kept */
  block(hash: Uint8Array, read: () => Block | null): Block | null {
    const name = toBareHex(hash)
    const kept = this.#blocks.get(name)
    if (kept !== undefined) return kept
    const block = read()
    if (block !== null) this.#blocks.set(name, block)
    return block
  }

  /** @param make called for the first time, and again after the transaction's block was given up */
  message(tx: AnyTransaction, make: () => Message): Message {
    const kept = this.#messages.get(tx)
    if (kept !== undefined) return kept
    const message = make()
    this.#messages.set(tx, message)
    return message
  }
}

function bytesOf({ transactions }: Block): number {
  const sizes = transactions.map((tx) => (tx.kind === 'supported' ? tx.data.length : tx.raw.length))
  return sizes.reduce((sum, size) => sum + TRANSACTION_BYTES + size, 0)
}

/** A block's state before its transaction `index`, all later changes taken back. */
export interface KeptStage {
  /** of the block, 32 bytes */
  readonly hash: Uint8Array
  readonly index: number
  readonly stage: Pick<StateBlock, 'header' | 'base'> & { readonly world: World }
}

/** Stages of some blocks' transactions, while all together hold a bounded number of accounts and slots. */
export class KeptStages {
  #stages: KeptStage[] = []

  /** That transaction's stage, which is the caller's until `keep`, or a copy of the nearest before it. */
  take(hash: Uint8Array, index: number): KeptStage | null {
    let found: KeptStage | null = null
    for (const kept of this.#stages)
      if (kept.index <= index && kept.index > (found?.index ?? -1) && equalBytes(kept.hash, hash)) found = kept
    if (found === null) return null
    if (found.index !== index) return { ...found, stage: { ...found.stage, world: found.stage.world.copy() } }
    this.#stages = this.#stages.filter((kept) => kept !== found)
    return found
  }

  /** Gives up the ones that weren't used for longest. */
  keep(kept: KeptStage): void {
    let held = 0
    this.#stages = [kept, ...this.#stages].slice(0, MAX_STAGES).filter(({ stage }) => {
      held += stage.world.held
      return held < MAX_HELD
    })
  }

  clear(): void {
    this.#stages = []
  }
}

/** Of one block, see `feeHistory`. */
export interface BlockFees {
  /** Of the gas limit. */
  readonly ratio: number
  /** Quantities, one for each percentile. */
  readonly rewards: readonly string[]
}

/** An entry with its name, and a reward in it: about. */
const ENTRY_BYTES = 256
const REWARD_BYTES = 40
const FEE_BYTES = 8 * 1024 * 1024

/** What blocks paid, by hash and percentiles: wallets ask for the same blocks at each new head. */
export class FeeCache {
  readonly #blocks = new GenerationCache<BlockFees>({
    maxBytes: FEE_BYTES,
    bytesAgain: ({ rewards }) => ENTRY_BYTES + REWARD_BYTES * rewards.length,
  })

  /** @param hash 32 bytes @param read called where the block isn't kept */
  of(hash: Uint8Array, percentiles: readonly number[], read: () => BlockFees): BlockFees {
    return this.#blocks.of(`${toBareHex(hash)} ${percentiles.join(' ')}`, read)
  }
}

interface ProofNode {
  readonly node: ResolvedNode
  /** Its RLP as a JSON string: 0x and hex digits in quotes. */
  readonly text: string
}

/** Memory of a kept node per byte of its RLP: two digits of text, and objects and views. */
const BYTES_PER_BYTE = 6

/** Of bounded memory: most paths share their upper nodes. A node's hash names its content, so an entry never becomes stale. */
export class ProofNodes {
  readonly #nodes: GenerationCache<ProofNode>

  /** @param maxBytes estimated memory of all entries */
  constructor(maxBytes: number) {
    this.#nodes = new GenerationCache({ maxBytes, bytesAgain: ({ text }) => (text.length / 2) * BYTES_PER_BYTE })
  }

  /** @param hash 32 bytes @throws StoreError STORE_MISSING_NODE when that state isn't available */
  get(store: StoreReader, hash: Uint8Array): ProofNode {
    return this.#nodes.of(bytesName(hash), () => {
      const bytes = store.get(stateKeys.node(hash))
      if (bytes === undefined) throw new StoreError('STORE_MISSING_NODE', { hash: toHex(hash) })
      return { node: decodeNode(bytes), text: `"0x${toBareHex(bytes)}"` }
    })
  }
}
