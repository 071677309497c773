// trace_*: calls as a flat list, and the state changes of transactions.
import type { BlockArgument } from '../../model/block-argument'
import { callParam } from '../arguments/call-params'
import { callsParam, filterParam, partsParam, pathParam } from '../arguments/flat-params'
import { blockParam, dataParam, hashParam, optional } from '../arguments/params'
import { type RpcNamespace, streamed } from '../dispatch/method'

const LATEST: BlockArgument = { kind: 'tag', tag: 'latest' }

export const traceNamespace: RpcNamespace = {
  trace_block: streamed([blockParam], (at) => ({ kind: 'flatBlock', at })),
  trace_transaction: streamed([hashParam], (hash) => ({ kind: 'flatTransaction', hash, path: null })),
  trace_get: streamed([hashParam, pathParam], (hash, path) => ({ kind: 'flatTransaction', hash, path })),
  trace_filter: streamed([filterParam], (filter) => ({ kind: 'flatFilter', filter })),
  trace_replayTransaction: streamed([hashParam, partsParam], (hash, parts) => ({
    kind: 'replayTransaction',
    hash,
    parts,
  })),
  trace_replayBlockTransactions: streamed([blockParam, partsParam], (at, parts) => ({
    kind: 'replayBlock',
    at,
    parts,
  })),
  trace_call: streamed([callParam, partsParam, optional(blockParam, LATEST)], (call, parts, at) => ({
    kind: 'flatCalls',
    at,
    calls: [{ call, parts }],
    isList: false,
  })),
  trace_callMany: streamed([callsParam, optional(blockParam, LATEST)], (calls, at) => ({
    kind: 'flatCalls',
    at,
    calls,
    isList: true,
  })),
  trace_rawTransaction: streamed([dataParam, partsParam], (raw, parts) => ({ kind: 'flatRaw', raw, parts })),
}
