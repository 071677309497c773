// trace_*: calls as a flat list, and the state changes of transactions. Each answer is streamed from a query worker,
// which limits it.
import { StreamedResult } from '../../../net/json-rpc/json-rpc'
import type { BlockArgument } from '../../model/block-argument'
import type { StreamRequest } from '../../query/query-wire'
import { callParam } from '../arguments/call-params'
import { callsParam, filterParam, partsParam, pathParam } from '../arguments/flat-params'
import { blockParam, dataParam, hashParam, optional } from '../arguments/params'
import { type MethodContext, method, type RpcContext, type RpcNamespace } from '../dispatch/method'

/** The worker has its own limits. */
const timeLimitMs = null

const LATEST: BlockArgument = { kind: 'tag', tag: 'latest' }

function streamed(request: StreamRequest, { node }: RpcContext, caller: MethodContext): StreamedResult {
  return new StreamedResult(node.queries.stream(request, caller))
}

export const traceNamespace: RpcNamespace = {
  trace_block: method({
    params: [blockParam],
    timeLimitMs,
    handler: ([at], context, caller) => streamed({ kind: 'flatBlock', at }, context, caller),
  }),
  trace_transaction: method({
    params: [hashParam],
    timeLimitMs,
    handler: ([hash], context, caller) => streamed({ kind: 'flatTransaction', hash, path: null }, context, caller),
  }),
  trace_get: method({
    params: [hashParam, pathParam],
    timeLimitMs,
    handler: ([hash, path], context, caller) => streamed({ kind: 'flatTransaction', hash, path }, context, caller),
  }),
  trace_filter: method({
    params: [filterParam],
    timeLimitMs,
    handler: ([filter], context, caller) => streamed({ kind: 'flatFilter', filter }, context, caller),
  }),
  trace_replayTransaction: method({
    params: [hashParam, partsParam],
    timeLimitMs,
    handler: ([hash, parts], context, caller) => streamed({ kind: 'replayTransaction', hash, parts }, context, caller),
  }),
  trace_replayBlockTransactions: method({
    params: [blockParam, partsParam],
    timeLimitMs,
    handler: ([at, parts], context, caller) => streamed({ kind: 'replayBlock', at, parts }, context, caller),
  }),
  trace_call: method({
    params: [callParam, partsParam, optional(blockParam, LATEST)],
    timeLimitMs,
    handler: ([call, parts, at], context, caller) =>
      streamed({ kind: 'flatCalls', at, calls: [{ call, parts }], isList: false }, context, caller),
  }),
  trace_callMany: method({
    params: [callsParam, optional(blockParam, LATEST)],
    timeLimitMs,
    handler: ([calls, at], context, caller) =>
      streamed({ kind: 'flatCalls', at, calls, isList: true }, context, caller),
  }),
  trace_rawTransaction: method({
    params: [dataParam, partsParam],
    timeLimitMs,
    handler: ([raw, parts], context, caller) => streamed({ kind: 'flatRaw', raw, parts }, context, caller),
  }),
}
