// eth_*: unsigned calls, run by a query worker.

import { JsonText, jsonText } from '../../../../net/json-rpc/json-rpc'
import type { BlockArgument } from '../../../model/block-argument'
import type { CallArguments } from '../../../query/query-wire'
import {
  blockOverridesParam,
  bundlesParam,
  callParam,
  overridesParam,
  stateContextParam,
  timeoutParam,
} from '../../arguments/call-params'
import { blockParam, optional } from '../../arguments/params'
import { simulationParam } from '../../arguments/simulate-params'
import { method, type RpcNamespace } from '../../dispatch/method'

const LATEST: BlockArgument = { kind: 'tag', tag: 'latest' }
const PENDING: BlockArgument = { kind: 'tag', tag: 'pending' }

/** A list is meant for a transaction: without a price it gets the one it would be sent with. */
function isPriced({ gasPrice, feeCap, tip }: CallArguments): boolean {
  return gasPrice !== null || feeCap !== null || tip !== null
}

export const ethCall: RpcNamespace = {
  eth_call: method({
    params: [callParam, blockParam, optional(overridesParam, []), blockOverridesParam],
    handler: ([call, at, overrides, block], { node }, caller) =>
      jsonText(node.queries.ask({ kind: 'call', at, call, overrides, block }, caller)),
  }),
  eth_callMany: method({
    params: [bundlesParam, stateContextParam, optional(overridesParam, []), optional(timeoutParam, null)],
    handler: async ([bundles, { at, index }, overrides, timeoutMs], { node }, caller) =>
      new JsonText(await node.queries.ask({ kind: 'callMany', at, index, overrides, bundles, timeoutMs }, caller)),
  }),
  eth_estimateGas: method({
    params: [callParam, optional(blockParam, PENDING), optional(overridesParam, [])],
    handler: async ([call, at, overrides], { node }, caller) =>
      new JsonText(await node.queries.ask({ kind: 'estimate', at, call, overrides }, caller)),
  }),
  eth_simulateV1: method({
    params: [simulationParam, optional(blockParam, LATEST)],
    handler: async ([simulation, at], { node }, caller) =>
      new JsonText(await node.queries.ask({ kind: 'simulateBlocks', at, ...simulation }, caller)),
  }),
  eth_createAccessList: method({
    params: [callParam, optional(blockParam, PENDING), optional(overridesParam, [])],
    handler: async ([given, at, overrides], { node }, caller) => {
      const call = isPriced(given) ? given : { ...given, gasPrice: await node.reader.gasPrice() }
      return new JsonText(await node.queries.ask({ kind: 'accessList', at, call, overrides }, caller))
    },
  }),
}
