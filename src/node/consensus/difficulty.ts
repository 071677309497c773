// The difficulty required of a block: the retarget rule, then ASERT (aserti3-2d over 256-bit targets). Source: prlx
// consensus/xhash/difficulty.go, asert.go; vectors chain/difficulty.json
import { MAX_UINT256 } from '../../base/units'
import { targetOfDifficulty } from '../../xhash/target'
import type { BlockHeader } from '../model/header'
import type { ConsensusParams } from './params'

const RADIX = 65536n

type DifficultyHeader = Pick<BlockHeader, 'number' | 'timestamp' | 'epochStartTime' | 'difficulty'>

/** The ancestor of `header` at `number`, on its own branch; null when unknown. */
export type AncestorLookup<H> = (header: H, number: bigint) => H | null

/** Of the child of `parent`, whose timestamp has no influence; null when a required ancestor is missing. */
export function nextDifficulty<H extends DifficultyHeader>(
  params: ConsensusParams,
  parent: H,
  ancestor: AncestorLookup<H>,
): bigint | null {
  const activation = params.asertActivationHeight
  if (activation === null || activation === 0 || parent.number + 1n < BigInt(activation))
    return atLeast(retargetDifficulty(params, parent), params.minimumDifficulty)
  const anchorNumber = params.asertAnchor === 'parent' ? parent.number : BigInt(activation) - 1n
  const anchor = ancestor(parent, anchorNumber)
  const beforeAnchor = ancestor(parent, anchorNumber - 1n)
  if (anchor === null || beforeAnchor === null) return null
  const limit = params.maxSolveSeconds
  const measured = parent.timestamp - beforeAnchor.timestamp
  const elapsed = limit !== null && measured > BigInt(limit) ? BigInt(limit) : measured
  const blocks = parent.number - anchorNumber + 1n
  const target = asertTarget(params, { anchorTarget: targetOfDifficulty(anchor.difficulty), elapsed, blocks })
  return atLeast(difficultyOf(target), params.minimumDifficulty)
}

/** The rule in force below the activation height. */
export function retargetDifficulty(params: ConsensusParams, parent: DifficultyHeader): bigint {
  const interval = BigInt(params.retargetIntervalBlocks)
  if (interval === 0n || (parent.number + 1n) % interval !== 0n) return parent.difficulty
  const span = BigInt(params.targetSpacingSeconds) * interval
  // The subtraction wraps at 64 bits, unsigned: a parent older than its period's start counts as very slow.
  const measured = BigInt.asUintN(64, parent.timestamp - parent.epochStartTime)
  const actual = clamp(measured, span / 4n, span * 4n)
  return atLeast((parent.difficulty * span) / actual, 1n)
}

interface AsertInput {
  readonly anchorTarget: bigint
  /** seconds from the anchor's parent to the parent of the new block; may be negative */
  readonly elapsed: bigint
  /** blocks in that time: 1 when the parent of the new block is the anchor */
  readonly blocks: bigint
}

/** The target (not the difficulty) of the next block. */
export function asertTarget(
  params: Pick<ConsensusParams, 'targetSpacingSeconds' | 'asertHalfLifeSeconds'>,
  input: AsertInput,
): bigint {
  const behind = input.elapsed - BigInt(params.targetSpacingSeconds) * input.blocks
  const exponent = (behind * RADIX) / BigInt(params.asertHalfLifeSeconds) // truncates toward zero
  const shift = exponent >> 16n
  const fraction = exponent - shift * RADIX
  const cubic =
    195766423245049n * fraction + 971821376n * fraction * fraction + 5127n * fraction * fraction * fraction + 2n ** 47n
  const factor = (cubic >> 48n) + RADIX
  const scaled = input.anchorTarget * factor
  // A bigint shifted left by a negative count shifts right, rounding down.
  return clamp((scaled << shift) >> 16n, 1n, MAX_UINT256)
}

/** floor((2^256 - 1) / target), at least 1. */
export function difficultyOf(target: bigint): bigint {
  return atLeast(MAX_UINT256 / atLeast(target, 1n), 1n)
}

function atLeast(value: bigint, minimum: bigint): bigint {
  return value < minimum ? minimum : value
}

function clamp(value: bigint, low: bigint, high: bigint): bigint {
  if (value < low) return low
  return value > high ? high : value
}
