// debug_*: raw blocks, for comparing nodes.
import { fromHex, toHex } from '../../../base/hex'
import { StreamedResult } from '../../../net/json-rpc/json-rpc'
import { fail, ok } from '../../codec/result'
import { firstItems } from '../../codec/rlp'
import { type BlockArgument, heightFromCaller } from '../../model/block-argument'
import { rpcFailed } from '../../rpc-fault'
import { blockIdOf } from '../arguments/block-argument'
import { bundlesParam, callParam, stateContextParam } from '../arguments/call-params'
import {
  addressParam,
  blockNumberParam,
  blockParam,
  booleanParam,
  dataParam,
  hashParam,
  isWhole,
  numberParam,
  optional,
  type Param,
  quantity64,
} from '../arguments/params'
import { bundleTraceParam, replayParam, traceOptions, traceParam } from '../arguments/trace-params'
import { asked, method, type RpcContext, type RpcNamespace, streamed, untimed } from '../dispatch/method'
import { byHash } from './eth/transactions'

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

/** base64, as in `next` of an answer; a full key in hex, as in `key` of an entry; null = at the start. */
const keyParam: Param<Uint8Array> = {
  type: 'first key: base64, 64 hex digits, or null for the start',
  read: (value) => {
    if (value === null) return ok(new Uint8Array(0))
    if (Array.isArray(value)) {
      const bytes = value.map((item: unknown) => item ?? 0) // as in prlx
      return bytes.every(isByte) ? ok(Uint8Array.from(bytes)) : fail('not bytes')
    }
    if (typeof value !== 'string') return fail('not base64')
    if (value.length === 66) {
      const key = fromHex(value)
      if (key !== null) return ok(key)
    }
    const bytes = Buffer.from(value, 'base64')
    return bytes.toString('base64') === value ? ok(Uint8Array.from(bytes)) : fail('not base64')
  },
}

/** Any integer; values outside 1..256 count as 256. Null is 0, as in prlx. */
const mostParam: Param<number> = {
  type: 'entries: a whole number of up to 256',
  read: (value) => {
    if (value === null) return ok(0)
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) return fail('not a whole number')
    return ok(Math.max(0, value))
  },
}

const isByte = (value: unknown): value is number => isWhole(value) && value < 256

/** RLP of a stored block. @throws RpcFault RPC_FAILED */
async function blockBytes(at: BlockArgument, context: RpcContext): Promise<Uint8Array> {
  const bytes = await context.node.reader.blockBytes(await blockIdOf(at, context))
  if (bytes === null) throw rpcFailed('block not found')
  return bytes
}

const WHOLE = { kind: 'dump', code: true, storage: true, nameless: false, paged: false } as const

export const debug: RpcNamespace = {
  debug_getHeaderRlp: asked([numberParam], (number) => ({ kind: 'headerRlp', number })),
  debug_getBlockRlp: asked([numberParam], (number) => ({ kind: 'blockRlp', number })),
  debug_seedHash: asked([numberParam], (number) => ({ kind: 'seedHash', number })),
  debug_getAccessibleState: asked([blockNumberParam, blockNumberParam], (from, to) => ({
    kind: 'accessibleState',
    from,
    to,
  })),
  debug_getModifiedAccountsByNumber: asked(
    [numberParam, optional<number | null>(numberParam, null)],
    (first, last) => ({ kind: 'modifiedAccounts', first, last }),
  ),
  debug_getModifiedAccountsByHash: asked([hashParam, optional<Uint8Array | null>(hashParam, null)], (first, last) => ({
    kind: 'modifiedAccounts',
    first,
    last,
  })),
  debug_dumpBlock: asked([blockNumberParam], (at) => ({ ...WHOLE, at, start: new Uint8Array(0), most: 0 })),
  debug_accountRange: asked(
    [blockParam, keyParam, mostParam, booleanParam, booleanParam, booleanParam],
    (...[at, start, most, noCode, noStorage, nameless]) => ({
      kind: 'dump',
      at,
      start,
      most,
      code: !noCode,
      storage: !noStorage,
      nameless,
      paged: true,
    }),
  ),
  debug_getBadBlocks: method({
    params: [],
    handler: async (_args, { node }, caller) =>
      new StreamedResult(node.queries.stream({ kind: 'badBlocks', blocks: await node.reader.badBlocks() }, caller)),
  }),
  debug_setHead: untimed([quantity64], async ([number], { node }) => {
    const refusal = await node.goBackTo(heightFromCaller(number))
    if (refusal !== null) throw rpcFailed(refusal)
    return null
  }),
  debug_intermediateRoots: asked([hashParam, replayParam], (hash, _options) => ({ kind: 'intermediateRoots', hash })),
  debug_storageRangeAt: asked(
    [hashParam, numberParam, addressParam, dataParam, numberParam],
    (...[hash, index, address, start, most]) => ({ kind: 'storageRange', hash, index, address, start, most }),
  ),
  debug_getRawHeader: method({
    params: [blockParam],
    handler: async ([at], context) => toHex(firstItems(await blockBytes(at, context), 1)),
  }),
  debug_getRawBlock: method({
    params: [blockParam],
    handler: async ([at], context) => toHex(await blockBytes(at, context)),
  }),
  /** `0x` when it is unknown. */
  debug_getRawTransaction: byHash(true),
  debug_getRawReceipts: asked([blockParam], (at) => ({ kind: 'rawReceipts', at })),
}
