// Root of a list: key = RLP(index), value = the item's bytes. For transactions and receipts.
import type { Keccak256 } from '../codec/keccak'
import { encodeRlp, rlpInteger } from '../codec/rlp'
import { EMPTY_TRIE_ROOT, noNodes, Trie } from './trie'

/** 32 bytes. @param items none of them empty */
export function orderedRoot(items: readonly Uint8Array[], keccak256: Keccak256): Uint8Array {
  const trie = new Trie(EMPTY_TRIE_ROOT, { read: noNodes, keccak256 })
  items.forEach((item, index) => {
    trie.put(encodeRlp(rlpInteger(index)), item)
  })
  return trie.commit().root
}
