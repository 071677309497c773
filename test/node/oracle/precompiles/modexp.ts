// Precompile 5: base ** exponent % modulus of any length. Its price grows with the exponent's length, so its work must
// too: the exponent is processed byte by byte from its high end and never converted to a number.
// Source: EIP-198 (encoding), EIP-2565 (price), go-ethereum 1.10 core/vm/contracts.go (edge cases)
import { modularPower } from '../../../../src/node/execution/wasm/instance'
import { ABORTED, done, failed, integerOf, OUT_OF_GAS, type PrecompileResult, padded } from './precompile'

const HEAD_BYTES = 96
const MIN_GAS = 200n
/**
 * Longest base or modulus. One this long costs more than 10^13 gas, which no block has; a call without a gas cap ends
 * here as it would at its deadline.
 */
const MAX_NUMBER_BYTES = 64 * 1024 * 1024
interface Lengths {
  readonly base: bigint
  readonly exponent: bigint
  readonly modulus: bigint
}

/** @param isOver polled every few milliseconds */
export function modexp(input: Uint8Array, gas: number, isOver: () => boolean): PrecompileResult {
  const lengths: Lengths = {
    base: integerOf(padded(input, 0, 32)),
    exponent: integerOf(padded(input, 32, 32)),
    modulus: integerOf(padded(input, 64, 32)),
  }
  const price = modexpGas(input, lengths)
  if (price > BigInt(gas)) return OUT_OF_GAS
  const gasLeft = gas - Number(price)
  if (lengths.base === 0n && lengths.modulus === 0n) return done(new Uint8Array(0), gasLeft)
  if (lengths.base > MAX_NUMBER_BYTES || lengths.modulus > MAX_NUMBER_BYTES) return failed(ABORTED)
  const [baseLength, modulusLength] = [Number(lengths.base), Number(lengths.modulus)]
  const exponentAt = HEAD_BYTES + baseLength
  const exponentLength = Number(lengths.exponent)
  const modulus = padded(input, exponentAt + exponentLength, modulusLength)
  const base = padded(input, HEAD_BYTES, baseLength)
  const exponent = padded(input, exponentAt, exponentLength)
  const result = modularPower({ base, exponent, modulus }, isOver)
  return result === null ? failed(ABORTED) : done(result, gasLeft)
}

/** EIP-2565. */
function modexpGas(input: Uint8Array, lengths: Lengths): bigint {
  const longest = lengths.base > lengths.modulus ? lengths.base : lengths.modulus
  const words = (longest + 7n) / 8n
  const headLength = lengths.exponent < 32n ? Number(lengths.exponent) : 32
  const isThere = BigInt(input.length - HEAD_BYTES) > lengths.base
  const head = isThere ? integerOf(padded(input, HEAD_BYTES + Number(lengths.base), headLength)) : 0n
  const headBits = head === 0n ? 0 : head.toString(2).length - 1
  const rounds = (lengths.exponent > 32n ? 8n * (lengths.exponent - 32n) : 0n) + BigInt(headBits)
  const price = (words * words * (rounds > 0n ? rounds : 1n)) / 3n
  return price > MIN_GAS ? price : MIN_GAS
}
