// Parses account_signTransaction's parameters: strict encodings, each fault names its member.

import { equalBytes } from '../../base/bytes'
import { messageOf } from '../../base/errors'
import { isJsonObject } from '../../base/json-text'
import { SignerError } from '../errors'
import { hexBytes, hexDigits, spelledAddress } from '../model/arguments'
import type { AccessListEntry, SpelledAddress, TransactionRequest } from '../model/transaction'

const ARGUMENT = 0

/** @throws SignerError SIGNER_ARGUMENT_MISSING, SIGNER_ARGUMENTS_TOO_MANY, SIGNER_ARGUMENT_INVALID */
export function parseSignTransaction(params: readonly unknown[]): TransactionRequest {
  if (params.length === 0) throw new SignerError('SIGNER_ARGUMENT_MISSING', { index: ARGUMENT })
  if (params.length > 2) throw new SignerError('SIGNER_ARGUMENTS_TOO_MANY', { most: 2 })
  const given = params[0] ?? {}
  if (!isJsonObject(given)) throw invalid('transaction is not an object')
  const signature = params[1] ?? null
  if (signature !== null && typeof signature !== 'string') {
    throw new SignerError('SIGNER_ARGUMENT_INVALID', { index: 1, reason: 'method signature is not a string' })
  }
  return {
    from: address(given, 'from'),
    to: given.to === '0x' ? null : address(given, 'to'),
    gas: quantity(given, 'gas', 64) ?? 0n,
    gasPrice: quantity(given, 'gasPrice', 256),
    maxFeePerGas: quantity(given, 'maxFeePerGas', 256),
    maxPriorityFeePerGas: quantity(given, 'maxPriorityFeePerGas', 256),
    value: quantity(given, 'value', 256) ?? 0n,
    nonce: quantity(given, 'nonce', 64) ?? 0n,
    data: data(given, 'data'),
    input: data(given, 'input'),
    accessList: accessList(given),
    chainId: quantity(given, 'chainId', 256),
    methodSignature: signature,
  }
}

/** The transaction in a UI's answer, signed as is; `input` goes before `data`. @throws SignerError SIGNER_UI_MALFORMED */
export function parseAnswered(given: unknown): TransactionRequest {
  try {
    const tx = parseSignTransaction([given ?? {}])
    return tx.input === null ? tx : { ...tx, data: tx.input, input: null }
  } catch (cause) {
    throw new SignerError('SIGNER_UI_MALFORMED', { reason: messageOf(cause) }, { cause })
  }
}

/** `input` becomes `data`; a given chain id must be ours. @throws SignerError SIGNER_AMBIGUOUS_DATA */
export function mergeInput(tx: TransactionRequest): TransactionRequest {
  if (tx.input === null) return tx
  if (tx.data !== null && !equalBytes(tx.data, tx.input)) throw new SignerError('SIGNER_AMBIGUOUS_DATA', undefined)
  return { ...tx, data: tx.input, input: null }
}

/** @throws SignerError SIGNER_CHAIN_ID_MISMATCH */
export function checkChainId(tx: TransactionRequest, configured: bigint): void {
  if (tx.chainId === null || tx.chainId === configured) return
  throw new SignerError('SIGNER_CHAIN_ID_MISMATCH', { requested: tx.chainId.toString() })
}

/** The sender. @throws SignerError SIGNER_ARGUMENT_INVALID when it was omitted */
export function requireSender(tx: TransactionRequest): SpelledAddress {
  if (tx.from === null) throw invalid("missing required field 'from'")
  return tx.from
}

type Given = Readonly<Record<string, unknown>>

function invalid(reason: string): Error {
  return new SignerError('SIGNER_ARGUMENT_INVALID', { index: ARGUMENT, reason })
}

/** Null for a missing or null member. */
function text(given: Given, name: string): string | null {
  const value = Object.hasOwn(given, name) ? (given[name] ?? null) : null
  if (value === null) return null
  if (typeof value !== 'string') throw invalid(`${name}: not a string`)
  return value
}

function quantity(given: Given, name: string, bits: 64 | 256): bigint | null {
  const value = text(given, name)
  if (value === null) return null
  const digits = hexDigits(value, (reason) => invalid(`${name}: ${reason}`))
  if (digits === '') throw invalid(`${name}: hex number without digits`)
  if (!/^[0-9a-fA-F]+$/.test(digits)) throw invalid(`${name}: invalid hex number`)
  if (digits.length > 1 && digits.startsWith('0')) throw invalid(`${name}: hex number with leading zero digits`)
  if (digits.length > bits / 4) throw invalid(`${name}: hex number > ${bits} bits`)
  return BigInt(`0x${digits}`)
}

function data(given: Given, name: string): Uint8Array | null {
  const value = text(given, name)
  return value === null ? null : hexBytes(value, (reason) => invalid(`${name}: ${reason}`))
}

function address(given: Given, name: string): SpelledAddress | null {
  const value = text(given, name)
  return value === null ? null : spelledAddress(value, (reason) => invalid(`${name}: ${reason}`))
}

function accessList(given: Given): readonly AccessListEntry[] | null {
  const list = Object.hasOwn(given, 'accessList') ? (given.accessList ?? null) : null
  if (list === null) return null
  if (!Array.isArray(list)) throw invalid('accessList: not an array')
  return list.map((entry: unknown) => {
    if (!isJsonObject(entry)) throw invalid('accessList: entry is not an object')
    const owner = address(entry, 'address')
    if (owner === null) throw invalid("accessList: missing required field 'address'")
    const keys: unknown = entry.storageKeys ?? null
    if (!Array.isArray(keys)) throw invalid("accessList: missing required field 'storageKeys'")
    return { address: owner.bytes, storageKeys: keys.map(storageKey) }
  })
}

function storageKey(key: unknown): Uint8Array {
  const name = 'accessList.storageKeys'
  if (typeof key !== 'string') throw invalid(`${name}: not a string`)
  const bytes = hexBytes(key, (reason) => invalid(`${name}: ${reason}`))
  if (bytes.length !== 32) throw invalid(`${name}: ${bytes.length} bytes, want 32`)
  return bytes
}
