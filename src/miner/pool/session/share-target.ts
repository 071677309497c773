// Targets as pools send them: padded hex, or a difficulty in one of the two conventions of `mining.set_difficulty`.

import { bytesFromBigint } from '../../../base/bytes'
import { MAX_UINT256 } from '../../../base/units'

/** Target of difficulty 1 in the original protocol: 2^32 hashes. */
const CLASSIC_ONE = 0xffffn << 208n
/** Below it a plain number is a classic difficulty, from it on a number of hashes. */
const CLASSIC_BELOW = 65_536n
const LARGEST = 2n ** 64n

/** Until the first `set_difficulty`: 2^32 hashes. 32 bytes. */
export function startTarget(): Uint8Array {
  return bytesFromBigint(CLASSIC_ONE, 32)
}

/** 32 bytes from up to 64 hex digits, `0x` optional, left-padded; null for zero or anything else. */
export function parseTarget(text: unknown): Uint8Array | null {
  if (typeof text !== 'string') return null
  const digits = /^(?:0x)?([0-9a-fA-F]{1,64})$/i.exec(text)?.[1]
  if (digits === undefined) return null
  const value = BigInt(`0x${digits}`)
  return value === 0n ? null : bytesFromBigint(value, 32)
}

/** Unit of a difficulty. */
export type DifficultyUnit = 'hashes' | 'classic'

/**
 * Target of a difficulty given as decimal text ("60", "0.015", "2e4"): exact, at most 2^64. Small ones are taken as
 * they are, since a pool may credit each share with its own figure. Null for anything else, zero and negatives included.
 * @param unit null: classic below 65536, else hashes
 * Source, EthereumStratum/1.0.0
 */
export function targetOfDifficultyText(text: string, unit: DifficultyUnit | null) {
  const ratio = parseDecimal(text)
  if (ratio === null || ratio.over === 0n) return null
  const chosen = unit ?? (ratio.over < CLASSIC_BELOW * ratio.under ? 'classic' : 'hashes')
  const { over, under } = ratio.over > LARGEST * ratio.under ? { over: LARGEST, under: 1n } : ratio
  const one = chosen === 'classic' ? CLASSIC_ONE : MAX_UINT256
  const value = (one * under) / over
  return { target: bytesFromBigint(value > MAX_UINT256 ? MAX_UINT256 : value, 32), unit: chosen }
}

function parseDecimal(text: string): { over: bigint; under: bigint } | null {
  const match = /^(\d{1,40})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,2}))?$/.exec(text)
  if (match === null) return null
  const [, whole = '0', fraction = '', exponent = '0'] = match
  const power = Number(exponent) - fraction.length
  const digits = BigInt(whole + fraction)
  return power >= 0
    ? { over: digits * 10n ** BigInt(power), under: 1n }
    : { over: digits, under: 10n ** BigInt(-power) }
}
