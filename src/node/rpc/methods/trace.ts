// trace_*: calls as a flat list, and the state changes of transactions.

import { fail, ok, type Result } from '../../codec/result'
import type { BlockArgument } from '../../model/block-argument'
import type { CallArguments, FlatFilter, FlatParts } from '../../query/query-wire'
import { isPending } from '../arguments/block-argument'
import { callParam } from '../arguments/call-params'
import {
  addressParam,
  blockNumberParam,
  blockParam,
  countParam,
  dataParam,
  hashParam,
  optional,
  type Param,
  quantity64,
  readList,
  readObject,
} from '../arguments/params'
import { type RpcNamespace, streamed } from '../dispatch/method'

const PARTS = ['trace', 'stateDiff', 'vmTrace'] as const
const NO_VM_TRACE = "vmTrace isn't made here: debug_traceTransaction and debug_traceCall stream the same steps"
/** Calls per trace_callMany. */
const MAX_CALLS = 100
/** Addresses per side of a filter. */
const MAX_ADDRESSES = 1_000
const MAX_DEPTH = 1_024

/** Requested parts for each transaction: a list of names. */
const partsParam: Param<FlatParts> = {
  type: 'parts: a list of trace and stateDiff',
  read: (value) => {
    if (!Array.isArray(value)) return fail(`not a list of ${PARTS.join(', ')}`)
    const unknown = value.find((name: unknown) => !PARTS.some((part) => part === name)) as unknown
    if (unknown !== undefined) return fail(`${JSON.stringify(unknown).slice(0, 80)}: want ${PARTS.join(', ')}`)
    if (value.includes('vmTrace')) return fail(NO_VM_TRACE)
    return ok({ trace: value.includes('trace'), stateDiff: value.includes('stateDiff') })
  },
}

/** Pairs of a call and its requested parts. */
const callsParam: Param<{ call: CallArguments; parts: FlatParts }[]> = {
  type: 'calls: a list of pairs of a transaction and parts',
  read: (value) => readList(value, readPair, MAX_CALLS),
}

function readPair(item: unknown): Result<{ call: CallArguments; parts: FlatParts }> {
  if (!Array.isArray(item) || item.length !== 2) return fail('not a pair of a call and a list')
  const call = callParam.read(item[0])
  if (!call.ok) return call
  const parts = partsParam.read(item[1])
  return parts.ok ? ok({ call: call.value, parts: parts.value }) : parts
}

/** A call's position in the tree: its index within each enclosing call. */
const pathParam: Param<number[]> = {
  type: 'path: a list of quantities, each the index within the enclosing call',
  read: (value) => {
    const path = readList(value, quantity64.read, MAX_DEPTH)
    return path.ok ? ok(path.value.map(Number)) : path
  },
}

const rangeEndParam: Param<BlockArgument> = {
  ...blockNumberParam,
  read: (value) => {
    const at = blockNumberParam.read(value)
    return at.ok && isPending(at.value) ? fail('the pending block is not traceable') : at
  },
}

const addressesParam: Param<Uint8Array[]> = {
  type: 'addresses: a list',
  read: (value) => readList(value, addressParam.read, MAX_ADDRESSES),
}

const modeParam: Param<boolean> = {
  type: 'mode: union or intersection',
  read: (value) =>
    value === 'union' || value === 'intersection' ? ok(value === 'intersection') : fail('want union or intersection'),
}

const FILTER_MEMBERS = {
  fromBlock: rangeEndParam,
  toBlock: rangeEndParam,
  fromAddress: addressesParam,
  toAddress: addressesParam,
  mode: modeParam,
  after: countParam,
  count: countParam,
}

/** Criteria of `trace_filter`; omitted or null members don't filter. */
export const filterParam: Param<FlatFilter> = {
  type: `trace filter: an object with ${Object.keys(FILTER_MEMBERS).join(', ')}`,
  read: (value) => {
    const read = readObject(value, 'not a filter object', FILTER_MEMBERS)
    if (!read.ok) return read
    const { fromBlock, toBlock, fromAddress, toAddress, mode, after, count } = read.value
    return ok({
      from: fromBlock ?? { kind: 'tag', tag: 'earliest' },
      to: toBlock ?? { kind: 'tag', tag: 'latest' },
      senders: fromAddress ?? [],
      receivers: toAddress ?? [],
      both: mode ?? false,
      after: after ?? 0,
      count,
    })
  },
}

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
