// eth_*: states and unsigned calls, read and run by a query worker. States that can't be reached answer
// `missing trie node`.
import { toQuantity } from '../../../../base/quantity'
import { jsonText } from '../../../../net/json-rpc/json-rpc'
import { fail, ok } from '../../../codec/result'
import type { BlockArgument } from '../../../model/block-argument'
import { isPending } from '../../arguments/block-argument'
import {
  blockOverridesParam,
  bundlesParam,
  callParam,
  overridesParam,
  stateContextParam,
  timeoutParam,
} from '../../arguments/call-params'
import { addressParam, blockParam, optional, type Param, slotParam } from '../../arguments/params'
import { asked, method, type RpcNamespace } from '../../dispatch/method'

const PENDING: BlockArgument = { kind: 'tag', tag: 'pending' }
const someOverrides = optional(overridesParam, [])

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

export const ethCall: RpcNamespace = {
  eth_getBalance: asked([addressParam, blockParam], (address, at) => ({ kind: 'balance', address, at })),
  eth_getTransactionCount: method({
    params: [addressParam, blockParam],
    handler: ([address, at], { node }, caller) =>
      isPending(at)
        ? node.reader.poolNonce(address).then(toQuantity)
        : jsonText(node.queries.ask({ kind: 'nonce', address, at }, caller)),
  }),
  eth_getCode: asked([addressParam, blockParam], (address, at) => ({ kind: 'code', address, at })),
  eth_getStorageAt: asked([addressParam, slotParam, blockParam], (address, slot, at) => ({
    kind: 'storage',
    address,
    slot,
    at,
  })),
  /** Source: EIP-1186 */
  eth_getProof: asked([addressParam, keysParam, blockParam], (address, keys, at) => ({
    kind: 'proof',
    at,
    address,
    keys,
  })),
  eth_call: asked([callParam, blockParam, someOverrides, blockOverridesParam], (call, at, overrides, block) => ({
    kind: 'call',
    at,
    call,
    overrides,
    block,
  })),
  eth_callMany: asked(
    [bundlesParam, stateContextParam, someOverrides, optional(timeoutParam, null)],
    (bundles, { at, index }, overrides, timeoutMs) => ({ kind: 'callMany', at, index, overrides, bundles, timeoutMs }),
  ),
  eth_estimateGas: asked([callParam, optional(blockParam, PENDING), someOverrides], (call, at, overrides) => ({
    kind: 'estimate',
    at,
    call,
    overrides,
  })),
  eth_createAccessList: method({
    params: [callParam, optional(blockParam, PENDING), someOverrides],
    handler: async ([given, at, overrides], { node }, caller) => {
      const { gasPrice, feeCap, tip } = given
      const isPriced = gasPrice !== null || feeCap !== null || tip !== null
      // A list is meant for a transaction: without a price it gets the one it would be sent with.
      const call = isPriced ? given : { ...given, gasPrice: await node.reader.gasPrice() }
      return jsonText(node.queries.ask({ kind: 'accessList', at, call, overrides }, caller))
    },
  }),
}
