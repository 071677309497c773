// Decoded trie nodes cached between blocks. A node's hash identifies its content, so an entry never becomes stale.
import { bytesName } from '../../base/bytes'
import { GenerationCache } from '../../base/limits/generation-cache'
import type { HashNode, ResolvedNode } from './node'

/** Memory of objects and views per node, as a multiple of its bytes plus a constant; measured on Node 20. */
const BYTES_FACTOR = 4
const BYTES_PER_NODE = 200

/** Of bounded memory: what isn't used is dropped. */
export class NodeCache {
  readonly #nodes: GenerationCache<ResolvedNode>

  /** @param options.maxBytes estimated memory of all entries */
  constructor({ maxBytes }: { readonly maxBytes: number }) {
    this.#nodes = new GenerationCache({ maxBytes, bytesAgain: () => BYTES_PER_NODE })
  }

  get(reference: HashNode): ResolvedNode | undefined {
    return this.#nodes.get(nameOf(reference))
  }

  /** @param encodedBytes length of the node's RLP */
  set(reference: HashNode, node: ResolvedNode, encodedBytes: number): void {
    this.#nodes.set(nameOf(reference), node, encodedBytes * BYTES_FACTOR + BYTES_PER_NODE)
  }
}

function nameOf(reference: HashNode): string {
  reference.name ??= bytesName(reference.hash)
  return reference.name
}
