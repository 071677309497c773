// eth_*: accounts in a block's state, read by a query worker. States that can't be reached answer `missing trie node`.
import { toQuantity } from '../../../../base/quantity'
import { jsonText } from '../../../../net/json-rpc/json-rpc'
import { fail, ok } from '../../../codec/result'
import { isPending } from '../../arguments/block-argument'
import { addressParam, blockParam, type Param, slotParam } from '../../arguments/params'
import { method, type RpcMethod, type RpcNamespace } from '../../dispatch/method'

interface ProofKey {
  /** As sent. */
  readonly text: string
  readonly slot: Uint8Array
}

/** Our own limit: each key is a trie lookup in one turn of the worker. */
const MAX_KEYS = 1_024

/** Null counts as an empty list. */
const keysParam: Param<ProofKey[]> = {
  type: 'positions: a list',
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

function ofAccount(kind: 'balance' | 'code'): RpcMethod {
  return method({
    params: [addressParam, blockParam],
    handler: ([address, at], { node }, caller) => jsonText(node.queries.ask({ kind, address, at }, caller)),
  })
}

export const ethState: RpcNamespace = {
  eth_getBalance: ofAccount('balance'),
  eth_getTransactionCount: method({
    params: [addressParam, blockParam],
    handler: ([address, at], { node }, caller) =>
      isPending(at)
        ? node.reader.poolNonce(address).then(toQuantity)
        : jsonText(node.queries.ask({ kind: 'nonce', address, at }, caller)),
  }),
  eth_getCode: ofAccount('code'),
  eth_getStorageAt: method({
    params: [addressParam, slotParam, blockParam],
    handler: ([address, slot, at], { node }, caller) =>
      jsonText(node.queries.ask({ kind: 'storage', address, slot, at }, caller)),
  }),
  /** Source: EIP-1186 */
  eth_getProof: method({
    params: [addressParam, keysParam, blockParam],
    handler: ([address, keys, at], { node }, caller) =>
      jsonText(node.queries.ask({ kind: 'proof', at, address, keys }, caller)),
  }),
}
