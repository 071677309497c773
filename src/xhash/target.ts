// Converts difficulty to target, and compares a result with it.
import { bigintFromBytes } from '../base/bytes'

const MAX_UINT256 = 2n ** 256n - 1n

/**
 * floor((2^256 - 1) / difficulty).
 * @param difficulty at least 1
 * Source: prlx consensus/xhash/consensus.go
 */
export function targetOfDifficulty(difficulty: bigint): bigint {
  return MAX_UINT256 / difficulty
}

/** True when `result` (32 bytes, big-endian) is at or below `target`. */
export function meetsTarget(result: Uint8Array, target: bigint): boolean {
  return bigintFromBytes(result) <= target
}
