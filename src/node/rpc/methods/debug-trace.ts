// debug_trace*: what transactions and calls do, step by step. Answers are streamed: they may be hundreds of MB.
import { toHex } from '../../../base/hex'
import { StreamedResult } from '../../../net/json-rpc/json-rpc'
import { rpcFailed } from '../../rpc-fault'
import { bundlesParam, callParam, stateContextParam } from '../arguments/call-params'
import { blockNumberParam, blockParam, dataParam, hashParam } from '../arguments/params'
import { bundleTraceParam, replayParam, traceOptions, traceParam } from '../arguments/trace-params'
import { type RpcNamespace, streamed, untimed } from '../dispatch/method'

export const debugTrace: RpcNamespace = {
  debug_traceTransaction: streamed([hashParam, replayParam], (hash, given) => ({
    kind: 'traceTransaction',
    hash,
    options: traceOptions(given),
  })),
  debug_traceBlockByNumber: streamed([blockNumberParam, replayParam], (at, given) => ({
    kind: 'traceBlock',
    at,
    options: traceOptions(given),
  })),
  debug_traceBlockByHash: streamed([hashParam, replayParam], (hash, given) => ({
    kind: 'traceBlock',
    at: { kind: 'hash', hash, requireCanonical: false },
    options: traceOptions(given),
  })),
  debug_traceBlock: streamed([dataParam, replayParam], (block, given) => ({
    kind: 'traceRlp',
    block,
    options: traceOptions(given),
  })),
  debug_traceBadBlock: untimed([hashParam, replayParam], async ([hash, given], { node }, caller) => {
    const bad = (await node.reader.badBlocks(hash))[0]
    if (bad === undefined) throw rpcFailed(`bad block ${toHex(hash)} not found`)
    const question = { kind: 'traceRlp', block: bad.rlp, options: traceOptions(given) } as const
    return new StreamedResult(node.queries.stream(question, caller))
  }),
  debug_traceCall: streamed([callParam, blockParam, traceParam], (call, at, given) => {
    const { overrides, block } = given
    return { kind: 'traceCall', at, call, overrides, block, options: traceOptions(given) }
  }),
  debug_traceCallMany: streamed(
    [bundlesParam, stateContextParam, bundleTraceParam],
    (bundles, { at, index }, given) => {
      return { kind: 'traceCallMany', at, index, overrides: given.overrides, bundles, options: traceOptions(given) }
    },
  ),
}
