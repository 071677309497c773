// Strict parsing of JSON-RPC arguments: QUANTITY, DATA, block arguments, plain JSON values, and what is to be signed.
import { bytesFromBigint } from '../../../base/bytes'
import { fromHex } from '../../../base/hex'
import { isJsonObject, jsonOrNull } from '../../../base/json-text'
import { fromQuantity } from '../../../base/quantity'
import { fail, ok, type Result } from '../../codec/result'
import { type BlockArgument, type BlockTag, heightFromCaller } from '../../model/block-argument'

export interface Param<T> {
  /** `NAME: WHAT IS ACCEPTED`, for the reference. */
  readonly type: string
  readonly read: (value: unknown) => Result<T>
  /** The value of an omitted or null argument; absent: it is required. */
  readonly absent?: { readonly value: T }
}

export type ParamList<T extends readonly unknown[]> = { readonly [I in keyof T]: Param<T[I]> }

/** All arguments of a call; the error is the text of -32602. */
export function readParams<T extends readonly unknown[]>(list: ParamList<T>, args: readonly unknown[]): Result<T> {
  if (args.length > list.length) return fail(`too many arguments, want at most ${list.length}`)
  const values: unknown[] = []
  for (let i = 0; i < list.length; i++) {
    const param = list[i]
    if (param === undefined) break
    const given = args[i]
    if (param.absent !== undefined && (given === undefined || given === null)) {
      values.push(param.absent.value)
      continue
    }
    if (given === undefined) return fail(`missing value for required argument ${i}`)
    const read = param.read(given)
    if (!read.ok) return fail(`invalid argument ${i}: ${read.error}`)
    values.push(read.value)
  }
  return ok(values as unknown as T)
}

/** Makes a parameter optional: `value` when it is omitted or null. */
export function optional<T>(param: Param<T>, value: T): Param<T> {
  return { ...param, absent: { value } }
}

/** Longest part of a caller's own word in an error, characters. */
const MAX_SHOWN = 80

/** The fault of an unknown member that isn't null: it would change the question. @param extras accepted without effect */
export function unknownMember(given: object, known: readonly string[], extras: readonly string[] = []): string | null {
  for (const [name, value] of Object.entries(given)) {
    if (known.includes(name) || extras.includes(name) || value === null || value === undefined) continue
    return `unknown member ${JSON.stringify(name.slice(0, MAX_SHOWN))}: want ${known.join(', ')}`
  }
  return null
}

/** An object's members; null for those that are null or absent. */
export type Given<T> = { readonly [K in keyof T]: T[K] | null }

/** Reads members in the order of `params`; the first fault names its member. */
export function readMembers<T>(
  given: Readonly<Record<string, unknown>>,
  params: { readonly [K in keyof T]: Param<T[K]> },
): Result<Given<T>> {
  const values: Record<string, unknown> = {}
  for (const name of Object.keys(params)) {
    const found = given[name] ?? null
    const read = found === null ? ok(null) : params[name as keyof T].read(found)
    if (!read.ok) return fail(`${name}: ${read.error}`)
    values[name] = read.value
  }
  return ok(values as Given<T>)
}

/** The same for an object without other members, see `unknownMember`. @param other the fault of anything else */
export function readObject<T>(
  value: unknown,
  other: string,
  params: { readonly [K in keyof T]: Param<T[K]> },
  extras: readonly string[] = [],
): Result<Given<T>> {
  if (!isJsonObject(value)) return fail(other)
  const unknown = unknownMember(value, Object.keys(params), extras)
  return unknown === null ? readMembers(value, params) : fail(unknown)
}

/** Reads a list's items; the first fault is the list's. */
export function readList<T>(value: unknown, read: Param<T>['read'], most = Number.POSITIVE_INFINITY): Result<T[]> {
  if (!Array.isArray(value)) return fail('not a list')
  if (value.length > most) return fail(`a list of ${value.length}, want at most ${most}`)
  const items: T[] = []
  for (const item of value as readonly unknown[]) {
    const one = read(item)
    if (!one.ok) return one
    items.push(one.value)
  }
  return ok(items)
}

/** Whether it is a nonnegative JSON integer. */
export function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function required<T>(type: string, read: (value: unknown) => Result<T>): Param<T> {
  return { type, read }
}

/** From so many characters on, hex digits are read by Buffer, whose call costs more than a short text. */
const LONG_TEXT = 1_024
const UINT64 = 2n ** 64n
const INT64 = 2n ** 63n

/** A count of blocks, gas, a nonce or an index: 64 bits. */
export const quantity64: Param<bigint> = required('quantity: 0x and hex digits without leading zeros', (value) => {
  const read = readQuantity(value)
  return read.ok && read.value >= UINT64 ? fail('over 64 bits') : read
})

/** An amount: 256 bits. */
export const quantity256: Param<bigint> = required('amount: a quantity of up to 256 bits', readQuantity)

/** Bytes of exactly this length. */
export function fixedData(length: number, name: string): Param<Uint8Array> {
  return required(`${name}: 0x and ${2 * length} hex digits`, (value) => {
    const read = readData(value)
    return read.ok && read.value.length !== length ? fail(`${read.value.length} bytes, want ${length}`) : read
  })
}

export const addressParam: Param<Uint8Array> = fixedData(20, 'address')
export const hashParam: Param<Uint8Array> = fixedData(32, 'hash')
export const dataParam: Param<Uint8Array> = required('data: 0x and an even number of hex digits', readData)

/** Null counts as false. */
export const booleanParam: Param<boolean> = required('boolean: true or false', (value) => {
  if (value === null) return ok(false)
  return typeof value === 'boolean' ? ok(value) : fail('not a boolean: want true or false')
})

export const textParam: Param<string> = required('text: a JSON string', (value) =>
  typeof value === 'string' ? ok(value) : fail('not a string'),
)

/** A nonnegative JSON integer; null is 0, as in prlx. */
export const numberParam: Param<number> = {
  type: 'number: a whole JSON number',
  read: (value) => (value === null ? ok(0) : isWhole(value) ? ok(value) : fail('not a whole number')),
}

/** A nonnegative integer or a QUANTITY; at most 2^53 - 1. */
export const countParam: Param<number> = required('count: a whole number or a quantity', (value) => {
  if (typeof value === 'number') return isWhole(value) ? ok(value) : fail('not a whole number')
  const read = quantity64.read(value)
  if (!read.ok) return read
  return read.value <= BigInt(Number.MAX_SAFE_INTEGER) ? ok(Number(read.value)) : fail('over 53 bits')
})

/** A storage position: 1 to 64 digits, leading zeros allowed, because libraries send 32 bytes. */
export const slotParam: Param<Uint8Array> = required('position: 0x and 1 to 64 hex digits', (value) => {
  if (typeof value !== 'string' || !/^0[xX][0-9a-fA-F]{1,64}$/.test(value)) return fail('not 0x and 1 to 64 hex digits')
  return ok(bytesFromBigint(BigInt(`0x${value.slice(2)}`), 32))
})

/** A reported hashrate: QUANTITY, or 32 bytes. */
export const rateParam: Param<bigint> = required('hashrate: a quantity, or 0x and 64 hex digits', (value) => {
  const quantity = readQuantity(value)
  if (quantity.ok) return quantity
  const data = readData(value)
  return data.ok && data.value.length === 32 && typeof value === 'string' ? ok(BigInt(value)) : quantity
})

const TAGS: ReadonlySet<string> = new Set<BlockTag>(['latest', 'earliest', 'pending', 'safe', 'finalized'])
const NUMBER_OR_TAG = `block number: a quantity, ${[...TAGS].join(', ')}`
const WANTED_NUMBER = 'want 0x and hex digits without leading zeros'
const WANTED_BLOCK = `${WANTED_NUMBER}, or ${[...TAGS].join(', ')}`

/** For block methods: a number or a tag. */
export const blockNumberParam: Param<BlockArgument> = required(NUMBER_OR_TAG, readNumberOrTag)

/** For state methods: also a hash, or an object that contains either. */
export const blockParam: Param<BlockArgument> = required(
  'block: a block number, a hash, or an object with one',
  (value) => {
    if (value === null) return ok({ kind: 'neither' })
    if (Array.isArray(value)) return fail('not a block number or tag, nor an object that names a block')
    if (isJsonObject(value)) return readBlockObject(value)
    if (typeof value === 'string' && value.length === 66) return readBlockHash(value, false)
    return readNumberOrTag(value)
  },
)

/** Unlike a QUANTITY elsewhere, an empty text is not a block. */
function readNumberOrTag(value: unknown): Result<BlockArgument> {
  if (typeof value !== 'string' || value === '') return fail(`not a block number or tag: ${WANTED_BLOCK}`)
  if (TAGS.has(value)) return ok({ kind: 'tag', tag: value as BlockTag })
  const read = readQuantity(value)
  if (!read.ok) return fail(`not a QUANTITY or tag: ${WANTED_BLOCK}`)
  if (read.value >= INT64) return fail('block number larger than int64')
  return ok({ kind: 'number', number: heightFromCaller(read.value) })
}

function readBlockObject(value: Readonly<Record<string, unknown>>): Result<BlockArgument> {
  const { blockNumber = null, blockHash = null, requireCanonical = null } = value
  const unknown = unknownMember(value, ['blockNumber', 'blockHash', 'requireCanonical'])
  if (unknown !== null) return fail(unknown)
  if (requireCanonical !== null && typeof requireCanonical !== 'boolean') return fail('requireCanonical: not a boolean')
  if (blockNumber !== null && blockHash !== null)
    return fail('cannot specify both blockHash and blockNumber, choose one or the other')
  if (blockNumber !== null) return readNumberOrTag(blockNumber)
  return blockHash === null ? ok({ kind: 'neither' }) : readBlockHash(blockHash, requireCanonical === true)
}

function readBlockHash(value: unknown, requireCanonical: boolean): Result<BlockArgument> {
  const read = hashParam.read(value)
  return read.ok ? ok({ kind: 'hash', hash: read.value, requireCanonical }) : read
}

/** The empty text is 0, as in prlx. Source: prlx common/hexutil (checkNumberText) */
function readQuantity(value: unknown): Result<bigint> {
  if (value === '') return ok(0n)
  const read = typeof value === 'string' ? fromQuantity(value) : null
  return read === null ? fail(`not a QUANTITY: ${WANTED_NUMBER}`) : ok(read)
}

/** The empty text is empty data, as in prlx. Source: prlx common/hexutil (checkText) */
function readData(value: unknown): Result<Uint8Array> {
  if (value === '') return ok(new Uint8Array(0))
  if (typeof value !== 'string' || !/^0[xX]/.test(value)) return fail('not DATA: want 0x and hex digits')
  const bytes = value.length < LONG_TEXT ? fromHex(value) : fromLongHex(value)
  return bytes === null ? fail('not DATA: want an even number of hex digits') : ok(bytes)
}

/** Calls may bring megabytes, and all callers wait meanwhile. @param text with its prefix; null for anything but pairs of digits */
function fromLongHex(text: string): Uint8Array | null {
  // Buffer takes a character above 255 by its low byte, and stops in silence at what is no digit.
  if (text.length % 2 !== 0 || Buffer.byteLength(text) !== text.length) return null
  const bytes = Buffer.from(text.slice(2), 'hex')
  return bytes.length === text.length / 2 - 1 ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length) : null
}

/** Maximum characters of a document; nesting is limited by the signer. */
const MAX_DOCUMENT_TEXT = 1024 * 1024

/** Bytes as hex, or, as web pages send it, text that doesn't begin with 0x. */
export const messageParam: Param<Uint8Array> = {
  type: 'message: data, or text that does not begin with 0x',
  read: (value) =>
    typeof value === 'string' && !/^0x/i.test(value) ? ok(new TextEncoder().encode(value)) : dataParam.read(value),
}

/** An EIP-712 document: the object, or its JSON text as sent by some libraries. */
export const documentParam: Param<object> = {
  type: 'document: EIP-712 typed data, as an object or its JSON text',
  read: (value) => {
    const given = typeof value === 'string' ? parsed(value) : value
    if (Array.isArray(given))
      return fail('a list of values is the first version of typed data; accepted: an EIP-712 document')
    if (typeof given === 'object' && given !== null) return ok(given)
    return fail('not an EIP-712 document, as an object or its JSON text')
  },
}

/** Null is reported by the caller. */
function parsed(text: string): unknown {
  return text.length > MAX_DOCUMENT_TEXT ? null : jsonOrNull(text)
}
