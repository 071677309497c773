// Transactions: legacy and type 1 (EIP-2930). Other types keep their bytes and hash, so that a block containing one can
// be rejected with the right reason. Source: go-ethereum 1.10 core/types/transaction*.go
import { concatBytes } from '../../base/bytes'
import { EncodedFields, type ListShape } from '../codec/fields'
import { keccak256 } from '../codec/keccak'
import { fail, ok, type Result } from '../codec/result'
import {
  encodedList,
  encodeRlp,
  firstItems,
  type RlpItem,
  type RlpSlice,
  rlpFields,
  rlpInteger,
  rlpSlices,
} from '../codec/rlp'

/** EIP-2930: an address and slots paid for in advance. */
export interface AccessListEntry {
  /** 20 bytes */
  readonly address: Uint8Array
  /** 32 bytes each */
  readonly storageKeys: readonly Uint8Array[]
}

/** A decoded transaction. Its signature wasn't verified: `recoverSender` does that. */
export interface Transaction {
  readonly kind: 'supported'
  readonly type: 0 | 1
  /** Null for a legacy transaction valid on any chain (v 27 or 28). */
  readonly chainId: bigint | null
  readonly nonce: bigint
  /** wei per gas */
  readonly gasPrice: bigint
  readonly gasLimit: bigint
  /** 20 bytes, null = contract creation */
  readonly to: Uint8Array | null
  readonly value: bigint
  readonly data: Uint8Array
  readonly accessList: readonly AccessListEntry[]
  readonly v: bigint
  readonly r: bigint
  readonly s: bigint
  /** As in the transaction trie and on the wire: the RLP list, or type || payload. */
  readonly raw: Uint8Array
  /** 32 bytes */
  readonly hash: Uint8Array
}

/** A well-formed envelope of a type that this chain lacks. */
interface UnsupportedTransaction {
  readonly kind: 'unsupported'
  readonly type: number
  readonly raw: Uint8Array
  readonly hash: Uint8Array
}

/** Any transaction a block can contain; only `supported` ones can be executed. */
export type AnyTransaction = Transaction | UnsupportedTransaction

const ACCESS_LIST_TYPE = 1
const LEGACY_FIELDS = 9
const TYPE_ONE_FIELDS = 11
const SIGNATURE_FIELDS = 3
const LEGACY = shapeOf(LEGACY_FIELDS)
const TYPE_ONE = shapeOf(TYPE_ONE_FIELDS)
const NO_ENTRIES: readonly AccessListEntry[] = []
/** Two empty byte strings. */
const EMPTY_ITEMS = Uint8Array.of(0x80, 0x80)
/** It has the hash and the root of the plain list, but prlx rejects it: we must not relay it. */
const WRAPPED = 'transaction: a legacy one stands as a list, not as a byte string'
const NO_ENTRY = 'transaction: an access list entry has 2 fields'

function shapeOf(count: number): ListShape {
  return { what: 'transaction', count, fault: `transaction: want ${count} fields` }
}

/** Reads `raw` (RLP list, or type byte and payload). @param hash of `raw`, when it is known */
export function decodeTransaction(raw: Uint8Array, hash?: Uint8Array): Result<AnyTransaction> {
  const first = raw[0]
  if (first === undefined) return fail('typed transaction too short')
  if (first >= 0xc0) return legacyFrom(raw, hash)
  if (first > 0x7f) return fail('transaction: a byte string where a list or a type was expected')
  if (raw.length < 2) return fail('typed transaction too short')
  if (first === ACCESS_LIST_TYPE) return typeOneFrom(raw, hash)
  return ok({ kind: 'unsupported', type: first, raw, hash: hash ?? keccak256(raw) })
}

/** As it appears in a block body: a list for legacy, a byte string for typed. Its bytes are views of the slice's. */
export function transactionFromSlice(slice: RlpSlice, hash?: Uint8Array): Result<AnyTransaction> {
  return !slice.isList && isLegacy(slice.payload) ? fail(WRAPPED) : decodeTransaction(rawOf(slice), hash)
}

/** The bytes whose hash names a transaction, from where it appears in a block body: a view. */
export function rawOf({ isList, encoded, payload }: RlpSlice): Uint8Array {
  return isList ? encoded : payload
}

/** How `raw` appears inside a block: legacy as the list itself, typed as a byte string. */
export function rawToBodyBytes(raw: Uint8Array): Uint8Array {
  return isLegacy(raw) ? raw : encodeRlp(raw)
}

function isLegacy(raw: Uint8Array): boolean {
  return (raw[0] ?? 0) >= 0xc0
}

function legacyFrom(raw: Uint8Array, hash?: Uint8Array): Result<Transaction> {
  const read = EncodedFields.of(raw, LEGACY)
  if (!read.ok) return read
  const fields = read.value
  const payment = readPayment(fields)
  const signature = readSignature(fields)
  if (fields.error !== null) return fail(fields.error)
  const { v } = signature
  const chainId = v >= 35n ? (v - 35n) / 2n : null
  const rest = { accessList: NO_ENTRIES, raw, hash: hash ?? keccak256(raw) }
  return ok({ kind: 'supported', type: 0, chainId, ...payment, ...signature, ...rest })
}

function typeOneFrom(raw: Uint8Array, hash?: Uint8Array): Result<Transaction> {
  const read = EncodedFields.of(raw.subarray(1), TYPE_ONE)
  if (!read.ok) return read
  const fields = read.value
  const chainId = fields.integer('chainId', 32)
  const payment = readPayment(fields)
  const accessList = readAccessList(fields.listOf('accessList'))
  const signature = readSignature(fields)
  if (fields.error !== null) return fail(fields.error)
  if (!accessList.ok) return accessList
  const rest = { accessList: accessList.value, raw, hash: hash ?? keccak256(raw) }
  return ok({ kind: 'supported', type: 1, chainId, ...payment, ...signature, ...rest })
}

/** `to` and `data` are views. */
function readPayment(fields: EncodedFields) {
  const nonce = fields.integer('nonce')
  const gasPrice = fields.integer('gasPrice', 32)
  const gasLimit = fields.integer('gasLimit')
  const to = fields.bytesOf('to', 20)
  if (to.length !== 0 && to.length !== 20) fields.error ??= `transaction: to has ${to.length} bytes, want 20 or none`
  const value = fields.integer('value', 32)
  const data = fields.bytesOf('data')
  return { nonce, gasPrice, gasLimit, to: to.length === 0 ? null : to, value, data }
}

function readSignature(fields: EncodedFields) {
  return { v: fields.integer('v', 32), r: fields.integer('r', 32), s: fields.integer('s', 32) }
}

/** Addresses and keys are views. */
function readAccessList(payload: Uint8Array): Result<readonly AccessListEntry[]> {
  const entries: AccessListEntry[] = []
  for (const item of rlpSlices(payload)) {
    if (!item.ok) return item
    const parts = rlpFields(item.value.encoded, 2, NO_ENTRY)
    if (!parts.ok) return parts
    const [address, keys] = parts.value
    if (address === undefined || keys === undefined) return fail(NO_ENTRY)
    if (address.isList || address.payload.length !== 20) return fail('transaction: an access list address has 20 bytes')
    const storageKeys = readStorageKeys(keys)
    if (!storageKeys.ok) return storageKeys
    entries.push({ address: address.payload, storageKeys: storageKeys.value })
  }
  return ok(entries)
}

function readStorageKeys(keys: RlpSlice): Result<readonly Uint8Array[]> {
  if (!keys.isList) return fail('transaction: access list keys is not a list')
  const read: Uint8Array[] = []
  for (const key of rlpSlices(keys.payload)) {
    if (!key.ok) return key
    if (key.value.isList || key.value.payload.length !== 32) return fail('transaction: an access list key has 32 bytes')
    read.push(key.value.payload)
  }
  return ok(read)
}

/** 32 bytes: the hash that a decoded transaction's sender signed, from its bytes. Equals `signingHash`. */
export function signedHash({ type, chainId, raw }: Transaction): Uint8Array {
  if (type === 1) {
    const list = encodedList([firstItems(raw.subarray(1), TYPE_ONE_FIELDS - SIGNATURE_FIELDS)])
    return keccak256(concatBytes(Uint8Array.of(ACCESS_LIST_TYPE), list))
  }
  const payment = firstItems(raw, LEGACY_FIELDS - SIGNATURE_FIELDS)
  const replay = chainId === null ? [] : [encodeRlp(rlpInteger(chainId)), EMPTY_ITEMS]
  return keccak256(encodedList([payment, ...replay]))
}

/** 32 bytes: the hash that a sender signs. */
export function signingHash(tx: Omit<Transaction, 'v' | 'r' | 's' | 'raw' | 'hash' | 'kind'>): Uint8Array {
  const payment: RlpItem[] = [
    rlpInteger(tx.nonce),
    rlpInteger(tx.gasPrice),
    rlpInteger(tx.gasLimit),
    tx.to ?? new Uint8Array(0),
    rlpInteger(tx.value),
    tx.data,
  ]
  if (tx.type === 0) {
    const replay = tx.chainId === null ? [] : [rlpInteger(tx.chainId), rlpInteger(0n), rlpInteger(0n)]
    return keccak256(encodeRlp([...payment, ...replay]))
  }
  const list = tx.accessList.map((entry) => [entry.address, [...entry.storageKeys]])
  const payload = encodeRlp([rlpInteger(tx.chainId ?? 0n), ...payment, list])
  return keccak256(concatBytes(Uint8Array.of(ACCESS_LIST_TYPE), payload))
}
