// Trie nodes of a run of blocks that keeps only its last state. Places are counted over the whole run: a place that one
// block adds and a later one removes cancels out, and is neither looked up nor written.
import { bytesName } from '../../base/bytes'
import { stateKeys } from '../store/keys'
import type { StoreReader, StoreWriter } from '../store/store'
import { giveShare, takeShare } from './node-places'

interface ChangedNodes {
  readonly nodes: readonly (readonly [hash: Uint8Array, node: Uint8Array])[]
  readonly dead: readonly Uint8Array[]
}

interface Passing {
  readonly hash: Uint8Array
  /** Null while the run has only removed it: the store has it then. */
  node: Uint8Array | null
  /** Places added minus places removed. */
  places: number
}

/** Reads the state at the run's latest block, on top of the store. */
export class PassingNodes implements StoreReader {
  readonly #nodes = new Map<string, Passing>()

  constructor(private readonly store: StoreReader & StoreWriter) {}

  get(key: Uint8Array): Uint8Array | undefined {
    const node = stateKeys.isNode(key) ? this.#nodes.get(bytesName(key.subarray(1)))?.node : null
    return node ?? this.store.get(key)
  }

  keysWithPrefix(prefix: Uint8Array): Promise<readonly Uint8Array[]> {
    return this.store.keysWithPrefix(prefix)
  }

  /** Counts the places of the run's next block: its new nodes by hash, and the hashes of removed ones. */
  count({ nodes, dead }: ChangedNodes): void {
    for (const [hash, node] of nodes) this.#change(hash, node, 1)
    for (const hash of dead) this.#change(hash, null, -1)
  }

  /** Adds and releases the references of the whole run. Call it once, after the last block. */
  settle(): void {
    for (const { hash, node, places } of this.#nodes.values())
      if (node !== null) for (let left = places; left > 0; left--) takeShare(this.store, hash, node)
    for (const { hash, places } of this.#nodes.values())
      for (let left = places; left < 0; left++) giveShare(this.store, hash)
    this.#nodes.clear()
  }

  #change(hash: Uint8Array, node: Uint8Array | null, by: number): void {
    const name = bytesName(hash)
    const known = this.#nodes.get(name)
    if (known === undefined) this.#nodes.set(name, { hash, node, places: by })
    else if (known.places + by === 0) this.#nodes.delete(name)
    else {
      known.places += by
      known.node ??= node
    }
  }
}
