// The argument of eth_simulateV1: blocks with their overrides, and their calls.
import { isJsonObject } from '../../../base/json-text'
import { fail, ok, type Result } from '../../codec/result'
import type { SimulateRequest } from '../../query/query-wire'
import { blockOverridesParam, callParam, overridesParam } from './call-params'
import { type Param, unknownMember } from './params'

type Block = SimulateRequest['blocks'][number]

/** Maximum blocks per request, and calls over all of them. */
const MAX_BLOCKS = 256
const MAX_CALLS = 1_000

const SIMULATION_MEMBERS = ['blockStateCalls', 'traceTransfers', 'validation', 'returnFullTransactions'] as const

/** Everything except the base block. */
export const simulationParam: Param<Omit<SimulateRequest, 'kind' | 'at'>> = {
  type: `simulation: an object with ${SIMULATION_MEMBERS.join(', ')}`,
  read: (value) => {
    if (!isJsonObject(value)) return fail('not a simulation object')
    const { blockStateCalls: given, traceTransfers, validation, returnFullTransactions } = value
    const unknown = unknownMember(value, SIMULATION_MEMBERS)
    if (unknown !== null) return fail(unknown)
    for (const [name, flag] of Object.entries({ traceTransfers, validation, returnFullTransactions }))
      if (![true, false, null, undefined].some((allowed) => allowed === flag)) return fail(`${name}: not a boolean`)
    if (!Array.isArray(given) || given.length === 0) return fail('blockStateCalls: want a list of blocks')
    if (given.length > MAX_BLOCKS) return fail(`blockStateCalls: ${given.length} blocks, want at most ${MAX_BLOCKS}`)
    const blocks: Block[] = []
    for (const item of given as readonly unknown[]) {
      const block = readBlock(item)
      if (!block.ok) return block
      blocks.push(block.value)
    }
    const calls = blocks.reduce((sum, block) => sum + block.calls.length, 0)
    if (calls > MAX_CALLS) return fail(`${calls} calls, want at most ${MAX_CALLS}`)
    return ok({
      blocks,
      validation: validation === true,
      traceTransfers: traceTransfers === true,
      fullTransactions: returnFullTransactions === true,
    })
  },
}

function readBlock(item: unknown): Result<Block> {
  if (!isJsonObject(item)) return fail('blockStateCalls: not an object')
  const unknown = unknownMember(item, ['blockOverrides', 'stateOverrides', 'calls'])
  if (unknown !== null) return fail(`blockStateCalls: ${unknown}`)
  const block = blockOverridesParam.read(item.blockOverrides ?? {})
  if (!block.ok) return fail(`blockOverrides: ${block.error}`)
  const { stateOverrides = null, calls: given = [] } = item
  const overrides = overridesParam.read(stateOverrides)
  if (!overrides.ok) return fail(`stateOverrides: ${overrides.error}`)
  if (given !== null && !Array.isArray(given)) return fail('calls: not a list')
  const calls: Block['calls'] = []
  for (const one of (given ?? []) as readonly unknown[]) {
    const call = callParam.read(one)
    if (!call.ok) return fail(`calls: ${call.error}`)
    calls.push(call.value)
  }
  return ok({ block: block.value, overrides: overrides.value, calls })
}
