// Trie nodes as proofs need them: decoded, and as text. Most paths share their upper nodes, which are kept.
import { bytesName } from '../../../base/bytes'
import { toHex } from '../../../base/hex'
import { GenerationCache } from '../../../base/limits/generation-cache'
import { StoreError } from '../../errors'
import { stateKeys } from '../../store/keys'
import type { StoreReader } from '../../store/store'
import { decodeNode, type ResolvedNode } from '../../trie/node'

/** A stored node. */
interface ProofNode {
  readonly node: ResolvedNode
  /** Its RLP as a JSON string: 0x and hex digits in quotes. */
  readonly text: string
}

/** Memory of a kept node per byte of its RLP: two digits of text, and objects and views. */
const BYTES_PER_BYTE = 6

/** Of bounded memory. A node's hash identifies its content, so an entry never becomes stale. */
export class ProofNodes {
  readonly #nodes: GenerationCache<ProofNode>

  /** @param maxBytes estimated memory of all entries */
  constructor(maxBytes: number) {
    this.#nodes = new GenerationCache({ maxBytes, bytesAgain: memoryOf })
  }

  /** @param hash 32 bytes @throws StoreError STORE_MISSING_NODE when that state isn't available */
  get(store: StoreReader, hash: Uint8Array): ProofNode {
    const name = bytesName(hash)
    const kept = this.#nodes.get(name)
    if (kept !== undefined) return kept
    const node = read(store, hash)
    this.#nodes.set(name, node, memoryOf(node))
    return node
  }
}

function memoryOf({ text }: ProofNode): number {
  return (text.length / 2) * BYTES_PER_BYTE
}

function read(store: StoreReader, hash: Uint8Array): ProofNode {
  const bytes = store.get(stateKeys.node(hash))
  if (bytes === undefined) throw new StoreError('STORE_MISSING_NODE', { hash: toHex(hash) })
  return { node: decodeNode(bytes), text: `"0x${Buffer.from(bytes).toString('hex')}"` }
}
