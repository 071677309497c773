// Trie nodes of a run of blocks of which only the last state is kept. Places are counted over the whole run: what one block adds and
// a later one takes out cancels, and is neither looked up nor written.
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
  /** Null while the run has only taken it out: the store has it then. */
  node: Uint8Array | null
  /** Places added less places taken out. */
  places: number
}

/** A reader of the state at the run's latest block, above what the store has. */
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

  /** Counts the places of one more block of the run: each new node by its hash, and the hashes of those that went. */
  count({ nodes, dead }: ChangedNodes): void {
    for (const [hash, node] of nodes) this.#change(hash, node, 1)
    for (const hash of dead) this.#change(hash, null, -1)
  }

  /** Takes and gives back the shares that the run as a whole comes to; it has no other block. */
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
