// Share difficulty: the average number of hashes per hit below a target.
import { bigintFromBytes } from '../base/bytes'

const SPACE = 2n ** 256n
/** fraction bits kept before the division result becomes a float */
const FRACTION_BITS = 64n

/** 2^256 / (target + 1), nearest integer. @param target 32 bytes, big-endian. Source: vectors miner/difficulty.json */
export function difficultyOfTarget(target: Uint8Array): bigint {
  const hits = bigintFromBytes(target) + 1n
  return (SPACE + hits / 2n) / hits
}

/** The same with its fraction, to float precision; also a hash's own difficulty (32 bytes, big-endian). */
export function expectedHashes(target: Uint8Array): number {
  const scaled = (SPACE << FRACTION_BITS) / (bigintFromBytes(target) + 1n)
  return Number(scaled) / 2 ** Number(FRACTION_BITS)
}
