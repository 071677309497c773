// Counting and reading a call's parameters: which one is missing or wrong.
import { fromHex } from '../../base/hex'
import { SignerError } from '../errors'
import type { SpelledAddress } from './transaction'

/** @throws SignerError SIGNER_ARGUMENT_MISSING, SIGNER_ARGUMENTS_TOO_MANY */
export function argumentsBetween(params: readonly unknown[], fewest: number, most: number): void {
  if (params.length < fewest) throw new SignerError('SIGNER_ARGUMENT_MISSING', { index: params.length })
  if (params.length > most) throw new SignerError('SIGNER_ARGUMENTS_TOO_MANY', { most })
}

/** An address in any case, spelling preserved. @throws SignerError SIGNER_ARGUMENT_INVALID */
export function requiredAddress(params: readonly unknown[], index: number): SpelledAddress {
  return spelledAddress(requiredText(params, index), (reason) => invalid(index, reason))
}

/** `0x` and an even number of digits. @throws SignerError SIGNER_ARGUMENT_INVALID */
export function requiredBytes(params: readonly unknown[], index: number): Uint8Array {
  return hexBytes(requiredText(params, index), (reason) => invalid(index, reason))
}

type Fault = (reason: string) => Error

/** @throws what `fault` makes of the reason, as the next two */
export function spelledAddress(text: string, fault: Fault): SpelledAddress {
  const { length } = hexDigits(text, fault)
  if (length !== 40) throw fault(`hex string has length ${length}, want 40`)
  return { text, bytes: hexBytes(text, fault) }
}

/** `0x` and an even number of digits. */
export function hexBytes(text: string, fault: Fault): Uint8Array {
  if (hexDigits(text, fault).length % 2 !== 0) throw fault('hex string of odd length')
  const bytes = fromHex(text)
  if (bytes === null) throw fault('invalid hex string')
  return bytes
}

export function hexDigits(text: string, fault: Fault): string {
  if (!/^0[xX]/.test(text)) throw fault('hex string without 0x prefix')
  return text.slice(2)
}

function requiredText(params: readonly unknown[], index: number): string {
  const value = params[index]
  if (typeof value !== 'string') throw invalid(index, 'not a string')
  return value
}

function invalid(index: number, reason: string): Error {
  return new SignerError('SIGNER_ARGUMENT_INVALID', { index, reason })
}
