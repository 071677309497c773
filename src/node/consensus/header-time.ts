// The two clocks of a header: median time past, and the start time of its retarget period.
// Source: prlx consensus/xhash/consensus.go; vectors chain/headerrules.json
import type { BlockHeader } from '../model/header'
import type { ConsensusParams } from './params'

/** Number of blocks, parent included, that enter the median. */
export const MEDIAN_BLOCKS = 11

/**
 * Median of the last timestamps up to the parent (any order, 1..11 of them); the upper of the two middle ones when the
 * count is even.
 */
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
