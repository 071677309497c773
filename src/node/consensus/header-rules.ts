// Validates a header against its parent: every rule but the seal, in clef's order and with its messages.
// Source: prlx consensus/xhash/consensus.go, consensus/misc/gaslimit.go; vectors chain/headerrules.json

import { bigintFromBytes, equalBytes } from '../../base/bytes'
import type { XhashEngine } from '../../native/xhash-engine'
import { epochOfHeight } from '../../xhash/params'
import { targetOfDifficulty } from '../../xhash/target'
import { type BlockHeader, sealHash } from '../model/header'
import { type AncestorLookup, nextDifficulty } from './difficulty'
import type { ConsensusParams } from './params'

// Verifies a header's proof of work with the engine's light cache.
// Source: prlx consensus/xhash/consensus.go (verifySeal)

export type SealEngine = Pick<XhashEngine, 'params' | 'hashLight'>

/** Null when the seal is valid, else prlx's message. */
export async function sealFault(header: BlockHeader, engine: SealEngine): Promise<string | null> {
  if (header.difficulty <= 0n) return 'non-positive difficulty'
  const epoch = epochOfHeight(engine.params, Number(header.number))
  const { mixDigest, result } = await engine.hashLight(epoch, sealHash(header), header.nonce)
  if (!equalBytes(mixDigest, header.mixHash)) return 'invalid mix digest'
  return bigintFromBytes(result) <= targetOfDifficulty(header.difficulty) ? null : 'invalid proof-of-work'
}

export const MAX_EXTRA_DATA_BYTES = 32
/** Number of blocks, parent included, that enter the median. */
const MEDIAN_BLOCKS = 11
/** The gas limit may change by less than this part from block to block. */
const BOUND_DIVISOR = 1024n
const MINIMUM_GAS_LIMIT = 5000n
export const MAXIMUM_GAS_LIMIT = 2n ** 63n - 1n

export interface HeaderContext {
  readonly params: ConsensusParams
  /** Null when unknown. */
  readonly parent: BlockHeader | null
  /** Ancestors on the branch of the header under test. */
  readonly ancestor: AncestorLookup<BlockHeader>
  /** unix seconds of our clock */
  readonly nowSeconds: bigint
}

/** Null when `header` satisfies all rules (the seal is checked elsewhere), else the message of the first violation. */
export function headerFault(header: BlockHeader, context: HeaderContext): string | null {
  const { parent } = context
  if (parent === null) return 'unknown ancestor'
  return (
    extraDataFault(header) ??
    timeFault(header, parent, context) ??
    periodFault(header, parent, context.params) ??
    difficultyFault(header, parent, context) ??
    gasFault(header, parent) ??
    (header.number === parent.number + 1n ? null : 'invalid block number')
  )
}

/** The timestamps, of `parent` and its ancestors, that enter the median. */
export function recentTimestamps(parent: BlockHeader, ancestor: AncestorLookup<BlockHeader>): readonly bigint[] {
  const times = [parent.timestamp]
  for (let back = 1n; back < MEDIAN_BLOCKS && back <= parent.number; back++) {
    const header = ancestor(parent, parent.number - back)
    if (header === null) break
    times.push(header.timestamp)
  }
  return times
}

/** Of 1 to 11 timestamps in any order; the upper of the two middle ones when the count is even. */
export function medianTimePast(timestamps: readonly bigint[]): bigint {
  const sorted = [...timestamps].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return sorted[Math.floor(sorted.length / 2)] ?? 0n
}

/** The epochStartTime that a child of `parent` with this number and timestamp must carry. */
export function epochStartTimeOf(
  params: ConsensusParams,
  parent: Pick<BlockHeader, 'epochStartTime'>,
  child: Pick<BlockHeader, 'number' | 'timestamp'>,
): bigint {
  return startsPeriod(params, child.number) ? child.timestamp : parent.epochStartTime
}

/** Whether the block at `number` begins a retarget period. */
export function startsPeriod(params: ConsensusParams, number: bigint): boolean {
  return params.retargetIntervalBlocks !== 0 && number % BigInt(params.retargetIntervalBlocks) === 0n
}

/** Null when the change is allowed, else clef's message. */
export function gasLimitFault(parentGasLimit: bigint, gasLimit: bigint): string | null {
  const difference = parentGasLimit > gasLimit ? parentGasLimit - gasLimit : gasLimit - parentGasLimit
  const bound = parentGasLimit / BOUND_DIVISOR
  if (difference >= bound)
    return `invalid gas limit: have ${gasLimit}, want ${parentGasLimit} +-= ${BigInt.asUintN(64, bound - 1n)}`
  return gasLimit < MINIMUM_GAS_LIMIT ? `invalid gas limit below ${MINIMUM_GAS_LIMIT}` : null
}

/** The gas limit of a new block: one step from the parent's towards `desired`. */
export function stepGasLimit(parentGasLimit: bigint, desired: bigint): bigint {
  const delta = parentGasLimit / BOUND_DIVISOR - 1n
  const goal = desired < MINIMUM_GAS_LIMIT ? MINIMUM_GAS_LIMIT : desired
  if (parentGasLimit < goal) return parentGasLimit + delta > goal ? goal : parentGasLimit + delta
  return parentGasLimit - delta < goal ? goal : parentGasLimit - delta
}

function extraDataFault(header: BlockHeader): string | null {
  const length = header.extraData.length
  return length > MAX_EXTRA_DATA_BYTES ? `extra-data too long: ${length} > ${MAX_EXTRA_DATA_BYTES}` : null
}

function timeFault(header: BlockHeader, parent: BlockHeader, context: HeaderContext): string | null {
  if (header.timestamp > context.nowSeconds + BigInt(context.params.futureLimitSeconds)) return 'block in the future'
  const median = medianTimePast(recentTimestamps(parent, context.ancestor))
  return header.timestamp > median ? null : 'timestamp older than parent'
}

function periodFault(header: BlockHeader, parent: BlockHeader, params: ConsensusParams): string | null {
  const have = header.epochStartTime
  if (startsPeriod(params, header.number))
    return have === header.timestamp ? null : `epoch anchor mismatch: want ${header.timestamp}, have ${have}`
  if (have === parent.epochStartTime) return null
  return `epoch anchor propagation mismatch: parent ${parent.epochStartTime}, header ${have}`
}

function difficultyFault(header: BlockHeader, parent: BlockHeader, context: HeaderContext): string | null {
  const want = nextDifficulty(context.params, parent, context.ancestor)
  if (want === null) return 'unknown ancestor'
  if (header.difficulty === want) return null
  return `invalid difficulty: have ${header.difficulty}, want ${want}, height ${header.number}`
}

function gasFault(header: BlockHeader, parent: BlockHeader): string | null {
  if (header.gasLimit > MAXIMUM_GAS_LIMIT) return `invalid gasLimit: have ${header.gasLimit}, max ${MAXIMUM_GAS_LIMIT}`
  if (header.gasUsed > header.gasLimit) return `invalid gasUsed: have ${header.gasUsed}, gasLimit ${header.gasLimit}`
  if (header.baseFeePerGas !== undefined)
    return `invalid baseFee before fork: have ${header.baseFeePerGas}, expected 'nil'`
  return gasLimitFault(parent.gasLimit, header.gasLimit)
}
