// Trie nodes as proofs need them: decoded, and as text. Most paths share their upper nodes, which are kept.
import { bytesName } from '../../../base/bytes'
import { toHex } from '../../../base/hex'
import { StoreError } from '../../errors'
import { stateKeys } from '../../store/keys'
import type { StoreReader } from '../../store/store'
import { decodeNode, type TrieNode } from '../../trie/node'

/** A stored node. */
export interface ProofNode {
  readonly node: TrieNode
  /** Its RLP as a JSON string: 0x and hex digits in quotes. */
  readonly text: string
}

/** Memory of a kept node per byte of its RLP: two digits of text, and objects and views. */
const BYTES_PER_BYTE = 6

/** A cache with two generations, named by content, so that entries never become stale. */
export class ProofNodes {
  #young = new Map<string, ProofNode>()
  #old = new Map<string, ProofNode>()
  #youngBytes = 0
  readonly #generationBytes: number

  /** @param maxBytes estimated memory of all entries */
  constructor(maxBytes: number) {
    this.#generationBytes = maxBytes / 2
  }

  /** @param hash 32 bytes @throws StoreError STORE_MISSING_NODE when that state isn't available */
  get(store: StoreReader, hash: Uint8Array): ProofNode {
    const name = bytesName(hash)
    const young = this.#young.get(name)
    if (young !== undefined) return young
    const found = this.#old.get(name) ?? read(store, hash)
    this.#keep(name, found)
    return found
  }

  #keep(name: string, node: ProofNode): void {
    this.#young.set(name, node)
    this.#youngBytes += (node.text.length / 2) * BYTES_PER_BYTE
    if (this.#youngBytes <= this.#generationBytes) return
    this.#old = this.#young
    this.#young = new Map()
    this.#youngBytes = 0
  }
}

function read(store: StoreReader, hash: Uint8Array): ProofNode {
  const bytes = store.get(stateKeys.node(hash))
  if (bytes === undefined) throw new StoreError('STORE_MISSING_NODE', { hash: toHex(hash) })
  return { node: decodeNode(bytes), text: `"0x${Buffer.from(bytes).toString('hex')}"` }
}
