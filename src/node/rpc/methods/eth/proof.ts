// eth_getProof: an account and its slots with the trie nodes that prove them. Source: EIP-1186

import { jsonText } from '../../../../net/json-rpc/json-rpc'
import { fail, ok } from '../../../codec/result'
import { addressParam, blockParam, type Param, slotParam } from '../../arguments/params'
import { method, type RpcNamespace } from '../../dispatch/method'

interface ProofKey {
  /** As sent. */
  readonly text: string
  readonly slot: Uint8Array
}

/** Our own limit: each key is a trie lookup in one turn of the worker. */
const MAX_KEYS = 1_024

/** Null counts as an empty list. */
const keysParam: Param<ProofKey[]> = {
  absent: null,
  read: (value) => {
    if (value === null) return ok([])
    if (!Array.isArray(value)) return fail('not a list of keys')
    if (value.length > MAX_KEYS) return fail(`${value.length} keys, want at most ${MAX_KEYS}`)
    const keys: ProofKey[] = []
    for (const text of value as readonly unknown[]) {
      const read = slotParam.read(text)
      if (!read.ok || typeof text !== 'string') return fail(read.ok ? 'not a text' : read.error)
      keys.push({ text, slot: read.value })
    }
    return ok(keys)
  },
}

export const ethProof: RpcNamespace = {
  eth_getProof: method({
    params: [addressParam, keysParam, blockParam],
    handler: ([address, keys, at], { node }, caller) =>
      jsonText(node.queries.ask({ kind: 'proof', at, address, keys }, caller)),
  }),
}
