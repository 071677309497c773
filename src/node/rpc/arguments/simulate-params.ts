// The argument of eth_simulateV1: blocks with their overrides, and their calls.
import { isJsonObject } from '../../../base/json-text'
import { fail, ok, type Result } from '../../codec/result'
import type { BlockOverride, SimulateRequest } from '../../query/query-wire'
import { callParam, overridesParam } from './call-params'
import { addressParam, type Param, quantity64, quantity256 } from './params'

type Given = Readonly<Record<string, unknown>>
type Block = SimulateRequest['blocks'][number]

/** Maximum blocks per request, and calls over all of them. */
const MAX_BLOCKS = 256
const MAX_CALLS = 1_000
/** Fields that this chain's blocks don't have. */
const ABSENT_FIELDS = ['prevRandao', 'blobBaseFee', 'withdrawals', 'beaconRoot'] as const

/** Everything except the base block. */
export const simulationParam: Param<Omit<SimulateRequest, 'kind' | 'at'>> = {
  absent: null,
  read: (value) => {
    if (!isJsonObject(value)) return fail('not a simulation object')
    const { blockStateCalls: given, traceTransfers, validation, returnFullTransactions } = value
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
  const block = readBlockOverrides(item.blockOverrides ?? {})
  if (!block.ok) return fail(`blockOverrides: ${block.error}`)
  const { stateOverrides = null, calls: given = [] } = item
  const overrides = overridesParam.read(stateOverrides)
  if (!overrides.ok) return fail(`stateOverrides: ${overrides.error}`)
  const moves = readMoves(stateOverrides)
  if (!moves.ok) return fail(`stateOverrides: ${moves.error}`)
  if (given !== null && !Array.isArray(given)) return fail('calls: not a list')
  const calls: Block['calls'] = []
  for (const one of (given ?? []) as readonly unknown[]) {
    const call = callParam.read(one)
    if (!call.ok) return fail(`calls: ${call.error}`)
    calls.push(call.value)
  }
  return ok({ block: block.value, overrides: overrides.value, moves: moves.value, calls })
}

function readBlockOverrides(given: unknown): Result<BlockOverride> {
  if (!isJsonObject(given)) return fail('not an object')
  const odd = ABSENT_FIELDS.find(
    (name) => isGiven(given[name]) && !(Array.isArray(given[name]) && given[name].length === 0),
  )
  if (odd !== undefined) return fail(`${odd}: blocks of this chain have no such field`)
  const faults: string[] = []
  const member = <T>(name: string, param: Param<T>): T | null => {
    if (!isGiven(given[name])) return null
    const read = param.read(given[name])
    if (!read.ok) faults.push(`${name}: ${read.error}`)
    return read.ok ? read.value : null
  }
  if ((member('baseFeePerGas', quantity256) ?? 0n) > 0n) return fail('baseFeePerGas: this chain has no base fee')
  const block = {
    number: member('number', quantity64),
    time: member('time', quantity64),
    gasLimit: member('gasLimit', quantity64),
    feeRecipient: member('feeRecipient', addressParam),
    difficulty: member('difficulty', quantity256),
  }
  const [fault] = faults
  return fault === undefined ? ok(block) : fail(fault)
}

/** Precompile addresses and their new ones. */
function readMoves(given: unknown): Result<Block['moves']> {
  const moves: Block['moves'] = []
  for (const [name, account] of Object.entries(isJsonObject(given) ? given : {})) {
    const target = isJsonObject(account) ? (account as Given).movePrecompileToAddress : null
    if (!isGiven(target)) continue
    const [from, to] = [addressParam.read(name), addressParam.read(target)]
    if (!from.ok) return from
    if (!to.ok) return fail(`movePrecompileToAddress: ${to.error}`)
    moves.push({ from: from.value, to: to.value })
  }
  return ok(moves)
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}
