// For tests: a well-formed header that belongs to no chain.
import type { BlockHeader } from '../model/header'
import { EMPTY_TRIE_ROOT } from '../trie/trie'

/** Header of a block without transactions. */
export function plainHeader(fields: Partial<BlockHeader> = {}): BlockHeader {
  const hash = new Uint8Array(32)
  return {
    parentHash: hash,
    coinbase: new Uint8Array(20),
    stateRoot: hash,
    receiptRoot: hash,
    mixHash: hash,
    txRoot: EMPTY_TRIE_ROOT,
    logsBloom: new Uint8Array(256),
    difficulty: 1n,
    number: 1n,
    gasLimit: 5_000n,
    gasUsed: 0n,
    timestamp: 1n,
    epochStartTime: 1n,
    extraData: new Uint8Array(0),
    nonce: 0n,
    ...fields,
  }
}
