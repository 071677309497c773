// Hex parameters of account_signData, with clef's -32000 error texts.
import { fromHex } from '../../base/hex'
import { SignerError } from '../errors'

/** @throws SignerError SIGNER_DATA_INVALID */
export function hexInput(text: string): Uint8Array {
  if (text === '') throw fault('empty hex string')
  if (!/^0[xX]/.test(text)) throw fault('hex string without 0x prefix')
  if (!/^[0-9a-fA-F]*$/.test(text.slice(2))) throw fault('invalid hex string')
  if (text.length % 2 !== 0) throw fault('hex string of odd length')
  const bytes = fromHex(text)
  if (bytes === null) throw fault('invalid hex string')
  return bytes
}

/**
 * The error for a value that can't be signed.
 * @param reason for the caller @param reference the text in strict mode, if different
 */
export function fault(reason: string, reference: string | null = null): Error {
  return new SignerError('SIGNER_DATA_INVALID', { reason, reference })
}
