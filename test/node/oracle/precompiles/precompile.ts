// What a precompile is to the machines that call it.
import { EMPTY_BYTES } from '../../../../src/base/bytes'

/** The result of a precompile call. */
export interface PrecompileResult {
  readonly output: Uint8Array
  readonly gasLeft: number
  /** Null on success; otherwise all gas is consumed. */
  readonly error: string | null
}

/** @param isOver polled by long computations, every few milliseconds; their error is then ABORTED */
export type Precompile = (input: Uint8Array, gas: number, isOver: () => boolean) => PrecompileResult

/** The error of an aborted run. */
export const ABORTED = 'aborted'

export const OUT_OF_GAS: PrecompileResult = failed('out of gas')

/** Consumes all gas and returns nothing. @param error prlx's text */
export function failed(error: string): PrecompileResult {
  return { output: EMPTY_BYTES, gasLeft: 0, error }
}

/** A successful call. */
export function done(output: Uint8Array, gasLeft: number): PrecompileResult {
  return { output, gasLeft, error: null }
}

/** A slice of `data`; bytes past its end are zero. */
export function padded(data: Uint8Array, at: number, length: number): Uint8Array {
  const out = new Uint8Array(length)
  out.set(data.subarray(Math.min(at, data.length), Math.min(at + length, data.length)))
  return out
}

/** Unsigned big-endian; empty = 0. */
export function integerOf(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n
  return BigInt(`0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`)
}

/** Big-endian; `value` must fit. */
export function integerBytes(value: bigint, length: number): Uint8Array {
  return new Uint8Array(Buffer.from(value.toString(16).padStart(2 * length, '0'), 'hex'))
}
