// Encoding of what the engine's module receives and returns; integers are big-endian. The other side is
// native/engine/src/codec.rs and the readers that use it.
import { bigintFromBytes, bytesFromBigint } from '../../../base/bytes'
import { toHex } from '../../../base/hex'
import { LOCKBOX_ADDRESS, payoutSlots, subsidyAt, unlockHeight } from '../../consensus/rewards'
import { ExecutionError, StoreError } from '../../errors'
import type { Log } from '../../model/bloom'
import type { Receipt } from '../../model/receipt'
import type { SignedTransaction } from '../../model/sender'
import { logsIn } from '../../model/stored-receipts'
import type { AnyTransaction, Transaction } from '../../model/transaction'
import type { ExecutionContext, ExecutionHeader } from '../engine'
import { intrinsicGas } from '../message'
import type { PayoutParams } from '../payout'
import type { FlatChange, StateChanges } from '../state-changes'

const ABSENT = 0xffffffff
const FIRST_ROOM = 4096
const WORD_BYTES = 32
const ZERO_WORD = new Uint8Array(WORD_BYTES)

interface BlockOptions {
  readonly chainId: bigint
  /** The block is to become the head: the module's caches keep its changes. */
  readonly keeps: boolean
  /** The module polls whether to continue. */
  readonly isWatched: boolean
}

/** For `open_block`. */
export function encodeBlockContext(context: ExecutionContext, params: PayoutParams, options: BlockOptions): Uint8Array {
  const { header } = context
  const out = new Writer()
  out.bytes(context.parentRoot)
  putHeader(out, header, options.chainId)
  out.byte(options.keeps ? 1 : 0)
  out.byte(options.isWatched ? 1 : 0)
  out.bytes(LOCKBOX_ADDRESS)
  out.word(subsidyAt(params, header.number))
  for (const height of [unlockHeight(params, header.number), header.number]) {
    const slots = payoutSlots(height)
    out.bytes(slots.address)
    out.bytes(slots.amount)
  }
  out.byte(header.number === 0n ? 0 : 1)
  return out.done()
}

/** For `apply_transactions`. */
export function encodeTransactions(list: readonly SignedTransaction[]): Uint8Array {
  const out = new Writer()
  for (const { tx, sender } of list) putTransaction(out, tx, sender)
  return out.done()
}

/** The header fields that instructions can read. */
export function putHeader(out: Writer, header: ExecutionHeader, chainId: bigint): void {
  out.long(header.number)
  out.long(header.timestamp)
  out.bytes(header.coinbase)
  out.word(header.difficulty)
  out.long(header.gasLimit)
  out.long(chainId)
}

/** The fields of a transaction that its execution needs. */
export type WireTransaction = Pick<
  Transaction,
  'type' | 'nonce' | 'gasPrice' | 'gasLimit' | 'to' | 'value' | 'data' | 'accessList'
>

/** @param sender 20 bytes */
export function putTransaction(out: Writer, tx: WireTransaction, sender: Uint8Array): void {
  out.byte(tx.type)
  out.bytes(sender)
  out.long(tx.nonce)
  out.word(tx.gasPrice)
  out.long(tx.gasLimit)
  out.byte(tx.to === null ? 0 : 1)
  if (tx.to !== null) out.bytes(tx.to)
  out.word(tx.value)
  out.blob(tx.data)
  out.long(intrinsicGas(tx))
  out.count(tx.accessList.length)
  for (const { address, storageKeys } of tx.accessList) {
    out.bytes(address)
    out.count(storageKeys.length)
    for (const key of storageKeys) out.bytes(key)
  }
}

/** Why a transaction is refused: the module's reason number, and the sender's account. */
export interface WireRefusal {
  readonly index: number
  readonly reason: number
  readonly nonce: bigint
  readonly balance: bigint
  /** 32 bytes */
  readonly codeHash: Uint8Array
}

/** Why a transaction can't be in a block: its index, reason, and the numbers for the message. */
export function decodeRefusal(bytes: Uint8Array): WireRefusal {
  const from = new Reader(bytes)
  const [index, reason, nonce] = [from.count(), from.byte(), from.long()]
  return { index, reason, nonce, balance: bigintFromBytes(from.bytes(32)), codeHash: from.bytes(32) }
}

/** Why a block could not be executed at all. */
type WireFailure =
  | { readonly kind: 'host' }
  | { readonly kind: 'missing node' | 'missing code'; readonly hash: Uint8Array }
  | { readonly kind: 'unsupported' | 'fault'; readonly text: string }

/** Why the module returned nothing: the host stopped it, a trie node or code is missing, or a fault in words. */
export function decodeFailure(bytes: Uint8Array): WireFailure {
  const from = new Reader(bytes)
  const number = from.byte()
  if (number === 0) return { kind: 'host' }
  const detail = from.blob()
  if (number === 1) return { kind: 'missing node', hash: detail }
  if (number === 2) return { kind: 'missing code', hash: detail }
  return { kind: number === 3 ? 'unsupported' : 'fault', text: new TextDecoder().decode(detail) }
}

/** The same as an error. */
export function failureOf(failure: WireFailure): Error {
  switch (failure.kind) {
    case 'missing node':
      return new StoreError('STORE_MISSING_NODE', { hash: toHex(failure.hash) })
    case 'missing code':
      return new StoreError('STORE_MISSING_CODE', { hash: toHex(failure.hash) })
    case 'unsupported':
      return new ExecutionError('ENGINE_LIMIT', { reason: failure.text })
    case 'fault':
      return new ExecutionError('ENGINE_FAULT', { reason: failure.text })
    case 'host':
      return new ExecutionError('ENGINE_FAULT', { reason: 'a read failed without a reason' })
  }
}

/** 8 bytes, big-endian. */
export function decodeGasUsed(bytes: Uint8Array): bigint {
  return new Reader(bytes).long()
}

export interface WireBlock {
  readonly gasUsed: bigint
  readonly logsBloom: Uint8Array
  readonly receiptRoot: Uint8Array
  readonly receipts: readonly Receipt[]
  readonly changes: StateChanges
}

/** The result of `finish_block`; its fields are views of `bytes`. @param transactions that were applied, in order */
export function decodeBlock(bytes: Uint8Array, transactions: readonly AnyTransaction[]): WireBlock {
  const from = new Reader(bytes)
  const gasUsed = from.long()
  const logsBloom = from.bytes(256)
  const receiptRoot = from.bytes(32)
  const stateRoot = from.bytes(32)
  const receipts = readReceipts(from, transactions)
  const flat = from.list(readFlat)
  const nodes = from.packed((at) => at.skip(32).skip(at.count()))
  const dead = from.packed((at) => at.skip(32))
  const codes = from.list(readNamed)
  return { gasUsed, logsBloom, receiptRoot, receipts, changes: { stateRoot, flat, nodes, dead, codes } }
}

function readReceipts(from: Reader, transactions: readonly AnyTransaction[]): readonly Receipt[] {
  let cumulativeGasUsed = 0n
  let index = 0
  return from.list((at) => {
    const succeeded = at.byte() === 1
    const gasUsed = at.long()
    const contractAddress = at.byte() === 1 ? at.bytes(20) : null
    const logList = at.blob()
    cumulativeGasUsed += gasUsed
    const type = transactions[index++]?.raw[0] === 1 ? 1 : 0
    return new WireReceipt({ type, succeeded, cumulativeGasUsed, gasUsed, contractAddress }, logList)
  })
}

/** Its logs are read from their RLP when somebody wants them as objects: the store takes them as they are. */
class WireReceipt implements Receipt {
  readonly type: 0 | 1
  readonly succeeded: boolean
  readonly cumulativeGasUsed: bigint
  readonly gasUsed: bigint
  readonly contractAddress: Uint8Array | null
  #logs: readonly Log[] | null = null

  constructor(
    outcome: Omit<Receipt, 'logs' | 'logList'>,
    readonly logList: Uint8Array,
  ) {
    this.type = outcome.type
    this.succeeded = outcome.succeeded
    this.cumulativeGasUsed = outcome.cumulativeGasUsed
    this.gasUsed = outcome.gasUsed
    this.contractAddress = outcome.contractAddress
  }

  get logs(): readonly Log[] {
    this.#logs ??= [...logsIn(this.logList)].map((log) => log.copy())
    return this.#logs
  }
}

function readFlat(from: Reader): FlatChange {
  return { key: from.bytes(from.byte()), before: from.optional(), after: from.optional() }
}

function readNamed(from: Reader): readonly [Uint8Array, Uint8Array] {
  return [from.bytes(32), from.blob()]
}

/** Reads what the module wrote; byte ranges are views. */
export class Reader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset)
  }

  bytes(length: number): Uint8Array {
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  skip(length: number): this {
    this.#at += length
    return this
  }

  byte(): number {
    return this.#bytes[this.#at++] ?? 0
  }

  count(): number {
    this.#at += 4
    return this.#view.getUint32(this.#at - 4)
  }

  /** Eight bytes, as a number: exact up to 2^53. */
  whole(): number {
    this.#at += 8
    return this.#view.getUint32(this.#at - 8) * 2 ** 32 + this.#view.getUint32(this.#at - 4)
  }

  long(): bigint {
    this.#at += 8
    return this.#view.getBigUint64(this.#at - 8)
  }

  word(): bigint {
    return bigintFromBytes(this.bytes(32))
  }

  blob(): Uint8Array {
    return this.bytes(this.count())
  }

  optional(): Uint8Array | null {
    const length = this.count()
    return length === ABSENT ? null : this.bytes(length)
  }

  /** A list's items as they are, one after the other, without its count. */
  packed(skip: (from: Reader) => unknown): Uint8Array {
    let left = this.count()
    const start = this.#at
    for (; left > 0; left--) skip(this)
    return this.#bytes.subarray(start, this.#at)
  }

  list<T>(read: (from: Reader) => T): T[] {
    const items: T[] = []
    for (let left = this.count(); left > 0; left--) items.push(read(this))
    return items
  }
}

/** Writes what the module reads. */
export class Writer {
  #room = new Uint8Array(FIRST_ROOM)
  #view = new DataView(this.#room.buffer)
  #at = 0

  bytes(bytes: Uint8Array): void {
    this.#grow(bytes.length)
    this.#room.set(bytes, this.#at)
    this.#at += bytes.length
  }

  byte(value: number): void {
    this.#grow(1)
    this.#room[this.#at++] = value
  }

  count(value: number): void {
    this.#grow(4)
    this.#view.setUint32(this.#at, value)
    this.#at += 4
  }

  long(value: bigint): void {
    this.#grow(8)
    this.#view.setBigUint64(this.#at, value)
    this.#at += 8
  }

  word(value: bigint): void {
    this.bytes(value === 0n ? ZERO_WORD : bytesFromBigint(value, WORD_BYTES))
  }

  /** With its length in front. */
  blob(bytes: Uint8Array): void {
    this.count(bytes.length)
    this.bytes(bytes)
  }

  /** Starts over in the same memory, whose earlier content must no longer be used. */
  reset(): void {
    this.#at = 0
  }

  done(): Uint8Array {
    return this.#room.subarray(0, this.#at)
  }

  #grow(by: number): void {
    if (this.#at + by <= this.#room.length) return
    const room = new Uint8Array(Math.max(2 * this.#room.length, this.#at + by))
    room.set(this.#room)
    this.#room = room
    this.#view = new DataView(room.buffer)
  }
}
