// Edits that the user may make before signing: limits, prices and the nonce. Sender, recipient, value and data can't be
// edited: reject the request and make a new one.
import { SignerError } from '../errors'
import type { TransactionRequest } from '../model/transaction'
import type { TransactionEdits } from '../model/transaction-edits'

/** @throws SignerError SIGNER_ARGUMENT_INVALID for an invalid or too large number */
export function applyEdits(tx: TransactionRequest, edits: TransactionEdits): TransactionRequest {
  const dynamic = tx.maxFeePerGas !== null || tx.maxPriorityFeePerGas !== null
  if (dynamic && (edits.gasPrice ?? null) !== null && tx.gasPrice === null) throw fault('gasPrice', 'not of this form')
  if (!dynamic && ((edits.maxFeePerGas ?? null) !== null || (edits.maxPriorityFeePerGas ?? null) !== null)) {
    throw fault('maxFeePerGas', 'not of this form')
  }
  return {
    ...tx,
    gas: edited('gas', edits.gas, 64) ?? tx.gas,
    nonce: edited('nonce', edits.nonce, 64) ?? tx.nonce,
    gasPrice: edited('gasPrice', edits.gasPrice, 256) ?? tx.gasPrice,
    maxFeePerGas: edited('maxFeePerGas', edits.maxFeePerGas, 256) ?? tx.maxFeePerGas,
    maxPriorityFeePerGas: edited('maxPriorityFeePerGas', edits.maxPriorityFeePerGas, 256) ?? tx.maxPriorityFeePerGas,
  }
}

function edited(name: string, text: string | null | undefined, bits: number): bigint | null {
  if (text === null || text === undefined) return null
  if (!/^\d{1,78}$/.test(text)) throw fault(name, 'not a decimal number')
  const value = BigInt(text)
  if (value >= 1n << BigInt(bits)) throw fault(name, `more than ${bits} bits`)
  return value
}

function fault(name: string, reason: string): Error {
  return new SignerError('SIGNER_ARGUMENT_INVALID', { index: 0, reason: `${name}: ${reason}` })
}
