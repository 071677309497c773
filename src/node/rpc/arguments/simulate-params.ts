// The argument of eth_simulateV1: blocks with their overrides, and their calls.
import { isJsonObject } from '../../../base/json-text'
import { fail, ok, type Result } from '../../codec/result'
import type { SimulateRequest } from '../../query/query-wire'
import { blockOverridesParam, callParam, overridesParam } from './call-params'
import { booleanParam, type Param, readList, readMembers, unknownMember } from './params'

/** Maximum blocks per request, and calls over all of them. */
const MAX_BLOCKS = 256
const MAX_CALLS = 1_000

const callsParam = { type: 'calls: a list', read: (value: unknown) => readList(value, callParam.read) }
const FLAGS = { traceTransfers: booleanParam, validation: booleanParam, returnFullTransactions: booleanParam }
const MEMBERS = ['blockStateCalls', ...Object.keys(FLAGS)]

/** Everything except the base block. */
export const simulationParam: Param<Omit<SimulateRequest, 'kind' | 'at'>> = {
  type: `simulation: an object with ${MEMBERS.join(', ')}`,
  read: (value) => {
    if (!isJsonObject(value)) return fail('not a simulation object')
    const unknown = unknownMember(value, MEMBERS)
    if (unknown !== null) return fail(unknown)
    const flags = readMembers(value, FLAGS)
    if (!flags.ok) return flags
    const { blockStateCalls: given } = value
    if (!Array.isArray(given) || given.length === 0) return fail('blockStateCalls: want a list of blocks')
    if (given.length > MAX_BLOCKS) return fail(`blockStateCalls: ${given.length} blocks, want at most ${MAX_BLOCKS}`)
    const blocks = readList(given, readBlock)
    if (!blocks.ok) return blocks
    const calls = blocks.value.reduce((sum, block) => sum + block.calls.length, 0)
    if (calls > MAX_CALLS) return fail(`${calls} calls, want at most ${MAX_CALLS}`)
    const { validation, traceTransfers, returnFullTransactions } = flags.value
    return ok({
      blocks: blocks.value,
      validation: validation ?? false,
      traceTransfers: traceTransfers ?? false,
      fullTransactions: returnFullTransactions ?? false,
    })
  },
}

const BLOCK_MEMBERS = { blockOverrides: blockOverridesParam, stateOverrides: overridesParam, calls: callsParam }

function readBlock(item: unknown): Result<SimulateRequest['blocks'][number]> {
  if (!isJsonObject(item)) return fail('blockStateCalls: not an object')
  const unknown = unknownMember(item, Object.keys(BLOCK_MEMBERS))
  if (unknown !== null) return fail(`blockStateCalls: ${unknown}`)
  const read = readMembers(item, BLOCK_MEMBERS)
  if (!read.ok) return read
  const { blockOverrides, stateOverrides, calls } = read.value
  return ok({ block: blockOverrides ?? {}, overrides: stateOverrides ?? [], calls: calls ?? [] })
}
