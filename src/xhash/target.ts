// Converts difficulty to target, and compares a result with it.

import { bigintFromBytes } from '../base/bytes'
import { MAX_UINT256 } from '../base/units'

/**
 * floor((2^256 - 1) / difficulty); a difficulty of 0 counts as 1.
 * Source: prlx consensus/xhash/consensus.go
 */
export function targetOfDifficulty(difficulty: bigint): bigint {
  return MAX_UINT256 / (difficulty < 1n ? 1n : difficulty)
}

/** True when `result` (32 bytes, big-endian) is at or below `target`. */
export function meetsTarget(result: Uint8Array, target: bigint): boolean {
  return bigintFromBytes(result) <= target
}
