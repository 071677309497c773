// The arguments of the trace namespace.
import { isJsonObject } from '../../../base/json-text'
import { fail, ok, type Result } from '../../codec/result'
import type { BlockArgument } from '../../model/block-argument'
import type { CallArguments, FlatFilter, FlatParts } from '../../query/query-wire'
import { callParam } from './call-params'
import { addressParam, blockNumberParam, type Param, quantity64, readCount, unknownMember } from './params'

const PARTS = ['trace', 'stateDiff', 'vmTrace'] as const
const NO_VM_TRACE = "vmTrace isn't made here: debug_traceTransaction and debug_traceCall stream the same steps"
/** Calls per trace_callMany. */
const MAX_CALLS = 100
/** Addresses per side of a filter. */
const MAX_ADDRESSES = 1_000
const MAX_DEPTH = 1_024

/** Requested parts for each transaction: a list of names. */
export const partsParam: Param<FlatParts> = {
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
export const callsParam: Param<{ call: CallArguments; parts: FlatParts }[]> = {
  type: 'calls: a list of pairs of a transaction and parts',
  read: (value) =>
    listOf(value, MAX_CALLS, (item): Result<{ call: CallArguments; parts: FlatParts }> => {
      if (!Array.isArray(item) || item.length !== 2) return fail('not a pair of a call and a list')
      const call = callParam.read(item[0])
      if (!call.ok) return call
      const parts = partsParam.read(item[1])
      return parts.ok ? ok({ call: call.value, parts: parts.value }) : parts
    }),
}

/** A call's position in the tree: its index within each enclosing call. */
export const pathParam: Param<number[]> = {
  type: 'path: a list of quantities, each the index within the enclosing call',
  read: (value) =>
    listOf(value, MAX_DEPTH, (item) => {
      const index = quantity64.read(item)
      return index.ok ? ok(Number(index.value)) : index
    }),
}

const EARLIEST: BlockArgument = { kind: 'tag', tag: 'earliest' }
const LATEST: BlockArgument = { kind: 'tag', tag: 'latest' }

const FILTER_MEMBERS = ['fromBlock', 'toBlock', 'fromAddress', 'toAddress', 'mode', 'after', 'count'] as const

/** Criteria of `trace_filter`; omitted or null members don't filter. */
export const filterParam: Param<FlatFilter> = {
  type: `trace filter: an object with ${FILTER_MEMBERS.join(', ')}`,
  read: (value) => {
    if (!isJsonObject(value)) return fail('not a filter object')
    const unknown = unknownMember(value, FILTER_MEMBERS)
    if (unknown !== null) return fail(unknown)
    const faults: string[] = []
    const member = <T>(name: string, fallback: T, read: (item: unknown) => Result<T>): T => {
      const item = value[name]
      if (item === undefined || item === null) return fallback
      const found = read(item)
      if (!found.ok) faults.push(`${name}: ${found.error}`)
      return found.ok ? found.value : fallback
    }
    const filter: FlatFilter = {
      from: member('fromBlock', EARLIEST, readBlock),
      to: member('toBlock', LATEST, readBlock),
      senders: member<Uint8Array[]>('fromAddress', [], readAddresses),
      receivers: member<Uint8Array[]>('toAddress', [], readAddresses),
      both: member('mode', false, readMode),
      after: member('after', 0, readCount),
      count: member<number | null>('count', null, readCount),
    }
    const [fault] = faults
    return fault === undefined ? ok(filter) : fail(fault)
  },
}

function readBlock(value: unknown): Result<BlockArgument> {
  const at = blockNumberParam.read(value)
  if (at.ok && at.value.kind === 'tag' && at.value.tag === 'pending') return fail('the pending block is not traceable')
  return at
}

function readAddresses(value: unknown): Result<Uint8Array[]> {
  return listOf(value, MAX_ADDRESSES, addressParam.read)
}

function readMode(value: unknown): Result<boolean> {
  if (value === 'union') return ok(false)
  return value === 'intersection' ? ok(true) : fail('want union or intersection')
}

function listOf<T>(value: unknown, most: number, read: (item: unknown) => Result<T>): Result<T[]> {
  if (!Array.isArray(value)) return fail('not a list')
  if (value.length > most) return fail(`a list of ${value.length}, want at most ${most}`)
  const items: T[] = []
  for (const item of value as readonly unknown[]) {
    const one = read(item)
    if (!one.ok) return one
    items.push(one.value)
  }
  return ok(items)
}
