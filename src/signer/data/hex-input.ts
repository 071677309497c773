// Hex text among the parameters of account_signData, whose faults are the reference's -32000 texts.
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
 * The error of a value that cannot be signed.
 * @param reason what the caller reads @param reference what it reads in strict mode, where that differs
 */
export function fault(reason: string, reference: string | null = null): Error {
  return new SignerError('SIGNER_DATA_INVALID', { reason, reference })
}
