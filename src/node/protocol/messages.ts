// The messages of parallax/66. Headers, bodies and receipts stay bytes, decoded by the code that needs their fields.
// Source: vectors test/vectors/p2p/messages.json
import { FieldReader } from '../codec/fields'
import { fail, ok, type Result } from '../codec/result'
import {
  decodeRlp,
  encodedList,
  encodeRlp,
  type RlpItem,
  type RlpSlice,
  rlpFields,
  rlpInteger,
  rlpSlice,
  rlpSlices,
} from '../codec/rlp'
import { rawOf } from '../model/transaction'
import type { ForkId } from './fork-id'

export const PARALLAX = { name: 'parallax', version: 66, length: 17 } as const

export const CODES = {
  status: 0x00,
  newBlockHashes: 0x01,
  transactions: 0x02,
  getBlockHeaders: 0x03,
  blockHeaders: 0x04,
  getBlockBodies: 0x05,
  blockBodies: 0x06,
  newBlock: 0x07,
  newPooledTransactionHashes: 0x08,
  getPooledTransactions: 0x09,
  pooledTransactions: 0x0a,
  getNodeData: 0x0d,
  nodeData: 0x0e,
  getReceipts: 0x0f,
  receipts: 0x10,
} as const

const MAX_TD_BYTES = 13
const MAX_TD_BITS = 100n
/** Per message, so that decoding it stays short; prlx packs about 100 KiB. */
const MAX_TRANSACTIONS = 4096
/** More than is ever requested at once. */
const MAX_ANSWERS = 4096
/** Flat lists: more items than any of these messages has. */
const MAX_STATUS_ITEMS = 32
const MAX_ANNOUNCEMENT_ITEMS = 3 * 4096

/** Message 0 of parallax/66; a mismatch with ours ends the connection. */
export interface Status {
  readonly networkId: number
  readonly totalDifficulty: bigint
  /** 32 bytes each */
  readonly head: Uint8Array
  readonly genesis: Uint8Array
  readonly forkId: ForkId
}

/** A header request: `amount` headers from `origin`, every `skip + 1`th, upwards or in `reverse`. */
export interface HeadersQuery {
  /** 32-byte hash, or a height */
  readonly origin: Uint8Array | bigint
  readonly amount: bigint
  readonly skip: bigint
  readonly reverse: boolean
}

/** The hash of a block that the sender has. */
export interface BlockAnnouncement {
  /** 32 bytes */
  readonly hash: Uint8Array
  readonly number: bigint
}

interface NewBlock {
  /** RLP of the block */
  readonly block: Uint8Array
  readonly totalDifficulty: bigint
}

/** A message with a request id: the decoded items after the id. */
export interface Paired {
  readonly id: bigint
  readonly items: readonly RlpItem[]
}

/** RLP [version, network, total difficulty, head, genesis, fork id]. */
export function encodeStatus({ networkId, totalDifficulty, head, genesis, forkId }: Status): Uint8Array {
  return encodeRlp([
    rlpInteger(PARALLAX.version),
    rlpInteger(networkId),
    rlpInteger(totalDifficulty),
    head,
    genesis,
    [forkId.hash, rlpInteger(forkId.next)],
  ])
}

/** Includes the version. */
export function decodeStatus(bytes: Uint8Array): Result<Status & { readonly version: bigint }> {
  const items = listOf('status', bytes, 6, MAX_STATUS_ITEMS)
  if (!items.ok) return items
  const fields = new FieldReader('status', items.value)
  const version = fields.integer('version')
  const networkId = fields.integer('networkId')
  const totalDifficulty = fields.integer('totalDifficulty', 32)
  const head = fields.bytes('head', { length: 32 })
  const genesis = fields.bytes('genesis', { length: 32 })
  const forkItems = fields.list('forkId')
  if (fields.error === null && forkItems.length !== 2) return fail('status: the fork id has 2 items')
  const fork = new FieldReader('status', forkItems)
  const forkId = { hash: fork.bytes('fork hash', { length: 4 }), next: fork.integer('fork next') }
  fields.error ??= fork.error
  return fields.result({ version, networkId: Number(networkId), totalDifficulty, head, genesis, forkId })
}

/** RLP [[hash, number], ...]. */
export function encodeNewBlockHashes(blocks: readonly BlockAnnouncement[]): Uint8Array {
  return encodeRlp(blocks.map(({ hash, number }) => [hash, rlpInteger(number)]))
}

/** More items than allowed are a fault, not truncated. */
export function decodeNewBlockHashes(bytes: Uint8Array): Result<readonly BlockAnnouncement[]> {
  const items = listOf('announcement', bytes, null, MAX_ANNOUNCEMENT_ITEMS)
  if (!items.ok) return items
  const blocks: BlockAnnouncement[] = []
  for (const item of items.value) {
    if (item instanceof Uint8Array || item.length !== 2) return fail('announcement: want 2 items')
    const fields = new FieldReader('announcement', item)
    const block = fields.result({ hash: fields.bytes('hash', { length: 32 }), number: fields.integer('number') })
    if (!block.ok) return block
    blocks.push(block.value)
  }
  return ok(blocks)
}

/** @param block RLP of the block */
export function encodeNewBlock({ block, totalDifficulty }: NewBlock): Uint8Array {
  return encodedList([block, encodeRlp(rlpInteger(totalDifficulty))])
}

/** The block is a view into `bytes`, not decoded. */
export function decodeNewBlock(bytes: Uint8Array): Result<NewBlock> {
  const parts = rlpFields(bytes, 2, 'new block: want 2 items')
  if (!parts.ok) return parts
  const [block, total] = parts.value
  if (block?.isList !== true || total === undefined || total.isList) return fail('new block: want a block and a number')
  const fields = new FieldReader('new block', [total.payload])
  const totalDifficulty = fields.integer('totalDifficulty', MAX_TD_BYTES)
  if (fields.error !== null) return fail(fields.error)
  if (totalDifficulty >> MAX_TD_BITS > 0n) return fail(`new block: total difficulty above ${MAX_TD_BITS} bits`)
  return ok({ block: block.encoded, totalDifficulty })
}

/** RLP [id, [origin, amount, skip, reverse]]. */
export function encodeHeadersQuery(id: bigint, { origin, amount, skip, reverse }: HeadersQuery): Uint8Array {
  const start = origin instanceof Uint8Array ? origin : rlpInteger(origin)
  return encodeRlp([rlpInteger(id), [start, rlpInteger(amount), rlpInteger(skip), rlpInteger(reverse ? 1 : 0)]])
}

/** Reads the items after the request id of GetBlockHeaders. */
export function headersQueryOf(items: readonly RlpItem[]): Result<HeadersQuery> {
  if (items.length !== 4) return fail('header request: want 4 items')
  const fields = new FieldReader('header request', items)
  const isHash = items[0] instanceof Uint8Array && items[0].length === 32
  const origin = isHash ? fields.bytes('origin', { length: 32 }) : fields.integer('origin')
  const amount = fields.integer('amount')
  const skip = fields.integer('skip')
  const reverse = fields.integer('reverse', 1)
  if (fields.error !== null) return fail(fields.error)
  return reverse > 1n
    ? fail('header request: reverse is 0 or 1')
    : ok({ origin, amount, skip, reverse: reverse === 1n })
}

/** GetBlockBodies, GetReceipts, GetPooledTransactions, GetNodeData. */
export function encodeHashRequest(id: bigint, hashes: readonly Uint8Array[]): Uint8Array {
  return encodeRlp([rlpInteger(id), [...hashes]])
}

/** An answer whose items are already RLP. */
export function encodeAnswer(id: bigint, items: readonly Uint8Array[]): Uint8Array {
  return encodedList([encodeRlp(rlpInteger(id)), encodedList(items)])
}

/** Separates a request or an answer from its id. @param maxItems lists and strings in total; see `decodeRlp` */
export function decodePaired(what: string, bytes: Uint8Array, maxItems?: number): Result<Paired> {
  const items = listOf(what, bytes, 2, maxItems)
  if (!items.ok) return items
  const fields = new FieldReader(what, items.value)
  return fields.result({ id: fields.integer('request id'), items: fields.list('content') })
}

/** The request id only: the rest isn't decoded, so that unsolicited answers cost nothing. */
export function decodeRequestId(what: string, bytes: Uint8Array): Result<bigint> {
  const parts = rlpFields(bytes, 2, `${what}: want 2 items`)
  if (!parts.ok) return parts
  const [id] = parts.value
  if (id === undefined || id.isList) return fail(`${what}: the request id is not a number`)
  const fields = new FieldReader(what, [id.payload])
  return fields.result(fields.integer('request id'))
}

/** The items of an answer, not decoded, which takes a tenth of the memory. Views into `bytes`. */
export function answersOf(bytes: Uint8Array): Result<readonly RlpSlice[]> {
  const parts = rlpFields(bytes, 2, 'answer: want 2 items')
  if (!parts.ok) return parts
  const [, content] = parts.value
  if (content?.isList !== true) return fail('answer: the content is not a list')
  return eachOf(content.payload, (item, place) =>
    place === MAX_ANSWERS ? fail(`answer: more than ${MAX_ANSWERS} items`) : ok(item),
  )
}

/** RLP [hash, ...], without a request id. @param hashes 32 bytes each */
export function encodeHashes(hashes: readonly Uint8Array[]): Uint8Array {
  return encodeRlp([...hashes])
}

/** @param what names the message in a fault */
export function decodeHashes(what: string, bytes: Uint8Array): Result<readonly Uint8Array[]> {
  const list = payloadOf(what, bytes)
  if (!list.ok) return list
  return eachOf(list.value, ({ isList, payload }) =>
    isList || payload.length !== 32 ? fail(`${what}: a hash has 32 bytes`) : ok(payload.slice()),
  )
}

/** The same for already decoded items. @param what names the message in a fault */
export function hashesOf(what: string, items: readonly RlpItem[]): Result<readonly Uint8Array[]> {
  const hashes: Uint8Array[] = []
  for (const item of items) {
    if (!(item instanceof Uint8Array) || item.length !== 32) return fail(`${what}: a hash has 32 bytes`)
    hashes.push(item.slice())
  }
  return ok(hashes)
}

/** Transactions: each as `raw` of model/transaction.ts (a list for legacy, otherwise type and payload). */
export function decodeRawTransactions(what: string, bytes: Uint8Array): Result<readonly Uint8Array[]> {
  const list = payloadOf(what, bytes)
  if (!list.ok) return list
  return eachOf(list.value, (item, place) =>
    place === MAX_TRANSACTIONS ? fail(`${what}: more than ${MAX_TRANSACTIONS} transactions`) : ok(rawOf(item).slice()),
  )
}

/** The items of a list's payload as `read` makes them, up to the first fault. */
function eachOf<T>(payload: Uint8Array, read: (item: RlpSlice, place: number) => Result<T>): Result<readonly T[]> {
  const values: T[] = []
  for (const item of rlpSlices(payload)) {
    const value = item.ok ? read(item.value, values.length) : item
    if (!value.ok) return value
    values.push(value.value)
  }
  return ok(values)
}

function listOf(what: string, bytes: Uint8Array, count: number | null, maxItems?: number): Result<readonly RlpItem[]> {
  const decoded = decodeRlp(bytes, maxItems)
  if (!decoded.ok) return fail(`${what}: ${decoded.error}`)
  if (decoded.value instanceof Uint8Array) return fail(`${what}: not a list`)
  if (count !== null && decoded.value.length !== count)
    return fail(`${what}: ${decoded.value.length} items, want ${count}`)
  return ok(decoded.value)
}

function payloadOf(what: string, bytes: Uint8Array): Result<Uint8Array> {
  const list = rlpSlice(bytes)
  if (!list.ok) return fail(`${what}: ${list.error}`)
  return list.value.isList ? ok(list.value.payload) : fail(`${what}: not a list`)
}
