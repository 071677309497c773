// debug_trace*: what transactions and calls do, step by step. Answers are streamed: they may be hundreds of MB.

import { toHex } from '../../../base/hex'
import { StreamedResult } from '../../../net/json-rpc/json-rpc'
import type { StreamRequest } from '../../query/query-wire'
import { RpcFault } from '../../rpc-fault'
import { bundlesParam, callParam, stateContextParam } from '../arguments/call-params'
import { blockNumberParam, blockParam, dataParam, hashParam } from '../arguments/params'
import { traceOptions, traceParam } from '../arguments/trace-params'
import { type MethodContext, method, type RpcContext, type RpcNamespace } from '../dispatch/method'

/** Traces have their own limits. */
const timeLimitMs = null

function streamed(request: StreamRequest, { node }: RpcContext, caller: MethodContext): StreamedResult {
  return new StreamedResult(node.queries.stream(request, caller))
}

export const debugTrace: RpcNamespace = {
  debug_traceTransaction: method({
    params: [hashParam, traceParam],
    timeLimitMs,
    handler: ([hash, given], context, caller) =>
      streamed({ kind: 'traceTransaction', hash, options: traceOptions(given) }, context, caller),
  }),
  debug_traceBlockByNumber: method({
    params: [blockNumberParam, traceParam],
    timeLimitMs,
    handler: ([at, given], context, caller) =>
      streamed({ kind: 'traceBlock', at, options: traceOptions(given) }, context, caller),
  }),
  debug_traceBlockByHash: method({
    params: [hashParam, traceParam],
    timeLimitMs,
    handler: ([hash, given], context, caller) => {
      const at = { kind: 'hash', hash, requireCanonical: false } as const
      return streamed({ kind: 'traceBlock', at, options: traceOptions(given) }, context, caller)
    },
  }),
  debug_traceBlock: method({
    params: [dataParam, traceParam],
    timeLimitMs,
    handler: ([block, given], context, caller) =>
      streamed({ kind: 'traceRlp', block, options: traceOptions(given) }, context, caller),
  }),
  debug_traceBadBlock: method({
    params: [hashParam, traceParam],
    timeLimitMs,
    handler: async ([hash, given], context, caller) => {
      const bad = (await context.node.reader.badBlocks(hash))[0]
      if (bad === undefined) throw new RpcFault('RPC_FAILED', { reason: `bad block ${toHex(hash)} not found` })
      return streamed({ kind: 'traceRlp', block: bad.rlp, options: traceOptions(given) }, context, caller)
    },
  }),
  debug_traceCall: method({
    params: [callParam, blockParam, traceParam],
    timeLimitMs,
    handler: ([call, at, given], context, caller) => {
      const { overrides, block } = given
      return streamed({ kind: 'traceCall', at, call, overrides, block, options: traceOptions(given) }, context, caller)
    },
  }),
  debug_traceCallMany: method({
    params: [bundlesParam, stateContextParam, traceParam],
    timeLimitMs,
    handler: ([bundles, { at, index }, given], context, caller) => {
      const { overrides, block } = given
      if (Object.values(block).some((value) => value !== null && value !== undefined))
        throw new RpcFault('RPC_INVALID_PARAMS', {
          reason: 'invalid argument 2: blockOverrides: want blockOverride in the bundles',
        })
      const options = traceOptions(given)
      return streamed({ kind: 'traceCallMany', at, index, overrides, bundles, options }, context, caller)
    },
  }),
}
