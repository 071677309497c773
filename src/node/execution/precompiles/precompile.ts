// What a built-in contract is to the machines that call it.

/** What a call of a built-in contract leaves. */
export interface PrecompileResult {
  readonly output: Uint8Array
  readonly gasLeft: number
  /** Null when it went well; else all gas is gone. */
  readonly error: string | null
}

/** @param isOver looked at by what may take long, every few milliseconds; its error is then ABORTED */
export type Precompile = (input: Uint8Array, gas: number, isOver: () => boolean) => PrecompileResult

/** The error of a run that was ended from outside. */
export const ABORTED = 'aborted'

const EMPTY = new Uint8Array(0)
export const OUT_OF_GAS: PrecompileResult = failed('out of gas')

/** All gas is gone, nothing comes back. @param error the reference's words */
export function failed(error: string): PrecompileResult {
  return { output: EMPTY, gasLeft: 0, error }
}

/** A call that went well. */
export function done(output: Uint8Array, gasLeft: number): PrecompileResult {
  return { output, gasLeft, error: null }
}

/** A part of `data`; what lies behind its end is zero. */
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
