// eth_*: calls that nobody signs, run by a query worker. Source: rpc.md 6
import { callParam, overridesParam } from './call-params'
import { JsonText, method, type RpcNamespace } from './method'
import { type BlockArgument, blockParam, optional } from './params'

const PENDING: BlockArgument = { kind: 'tag', tag: 'pending' }

export const ethCall: RpcNamespace = {
  eth_call: method({
    params: [callParam, blockParam, optional(overridesParam, [])],
    handler: async ([call, at, overrides], { node }, { signal }) =>
      new JsonText(await node.queries.ask({ kind: 'call', at, call, overrides }, signal)),
  }),
  eth_estimateGas: method({
    params: [callParam, optional(blockParam, PENDING)],
    handler: async ([call, at], { node }, { signal }) =>
      new JsonText(await node.queries.ask({ kind: 'estimate', at, call }, signal)),
  }),
  eth_createAccessList: method({
    params: [callParam, optional(blockParam, PENDING)],
    handler: async ([call, at], { node }, { signal }) =>
      new JsonText(await node.queries.ask({ kind: 'accessList', at, call }, signal)),
  }),
}
