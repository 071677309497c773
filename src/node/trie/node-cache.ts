// Decoded trie nodes cached between blocks. A node's hash identifies its content, so an entry never becomes stale.
import { bytesName } from '../../base/bytes'
import type { BranchNode, ExtensionNode, LeafNode } from './node'

/** A node that was read. */
export type ResolvedNode = LeafNode | ExtensionNode | BranchNode

/** Memory of objects and views per node, as a multiple of its bytes plus a constant; measured on Node 20. */
const BYTES_FACTOR = 4
const BYTES_PER_NODE = 200

/** A cache with two generations. */
export class NodeCache {
  #young = new Map<string, ResolvedNode>()
  #old = new Map<string, ResolvedNode>()
  #youngBytes = 0
  readonly #generationBytes: number

  /** @param options.maxBytes estimated memory of all entries */
  constructor(options: { readonly maxBytes: number }) {
    this.#generationBytes = options.maxBytes / 2
  }

  /** @param hash 32 bytes */
  get(hash: Uint8Array): ResolvedNode | undefined {
    const name = bytesName(hash)
    const young = this.#young.get(name)
    if (young !== undefined) return young
    const old = this.#old.get(name)
    if (old !== undefined) this.#keep(name, old, BYTES_PER_NODE)
    return old
  }

  /** @param encodedBytes length of the node's RLP */
  set(hash: Uint8Array, node: ResolvedNode, encodedBytes: number): void {
    this.#keep(bytesName(hash), node, encodedBytes * BYTES_FACTOR + BYTES_PER_NODE)
  }

  /** Entries of the last two generations; the older one is dropped when the younger reaches half the memory. */
  #keep(name: string, node: ResolvedNode, bytes: number): void {
    this.#young.set(name, node)
    this.#youngBytes += bytes
    if (this.#youngBytes <= this.#generationBytes) return
    this.#old = this.#young
    this.#young = new Map()
    this.#youngBytes = 0
  }
}
