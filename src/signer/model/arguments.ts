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
  const text = requiredText(params, index)
  const digits = prefixed(text, index)
  if (digits.length !== 40) throw invalid(index, `hex string has length ${digits.length}, want 40`)
  return { text, bytes: bytesOf(text, index) }
}

/** `0x` and an even number of digits. @throws SignerError SIGNER_ARGUMENT_INVALID */
export function requiredBytes(params: readonly unknown[], index: number): Uint8Array {
  const text = requiredText(params, index)
  if (prefixed(text, index).length % 2 !== 0) throw invalid(index, 'hex string of odd length')
  return bytesOf(text, index)
}

function requiredText(params: readonly unknown[], index: number): string {
  const value = params[index]
  if (typeof value !== 'string') throw invalid(index, 'not a string')
  return value
}

function prefixed(text: string, index: number): string {
  if (!/^0[xX]/.test(text)) throw invalid(index, 'hex string without 0x prefix')
  return text.slice(2)
}

function bytesOf(text: string, index: number): Uint8Array {
  const bytes = fromHex(text)
  if (bytes === null) throw invalid(index, 'invalid hex string')
  return bytes
}

function invalid(index: number, reason: string): Error {
  return new SignerError('SIGNER_ARGUMENT_INVALID', { index, reason })
}
