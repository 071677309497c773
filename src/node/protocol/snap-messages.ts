// The messages of parallax-snap/1: requests of a node that downloads the state instead of all blocks, and the answers.
// Source: devp2p's snap protocol, under another name here
import { FieldReader } from '../codec/fields'
import { fail, type Result } from '../codec/result'
import { decodeRlp, encodedList, encodeRlp, type RlpItem, rlpInteger } from '../codec/rlp'
import type { Capability } from './base-messages'
import { PARALLAX } from './messages'

/** In the order in which shared ones get their codes. Some tools only speak the upstream name. */
export const SNAP_CAPABILITIES: readonly Capability[] = [
  { name: 'parallax-snap', version: 1 },
  { name: 'snap', version: 1 },
]
const SNAP_LENGTH = 8
/** After the chain protocol's last code. */
const FIRST_SNAP_CODE = PARALLAX.length

export const SNAP_CODES = {
  getAccountRange: 0,
  accountRange: 1,
  getStorageRanges: 2,
  storageRanges: 3,
  getByteCodes: 4,
  byteCodes: 5,
  getTrieNodes: 6,
  trieNodes: 7,
} as const

/** A request with more accounts, codes or paths is truncated. */
const MAX_LOOKUPS = 1024
/** Lists and strings in the longest request. */
const MAX_REQUEST_ITEMS = 8 * MAX_LOOKUPS
/** Approximate maximum answer, whatever was requested. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024

interface AnyQuery {
  readonly id: bigint
  /** Of the answer, about. */
  readonly bytes: number
}

/** GetAccountRange: accounts from `origin` on, in order of their address hash. */
export interface AccountRangeQuery extends AnyQuery {
  readonly kind: 'accounts'
  /** 32 bytes each */
  readonly root: Uint8Array
  readonly origin: Uint8Array
  readonly limit: Uint8Array
}

/** GetStorageRanges: slots of several accounts; the range applies to the first one only. */
export interface StorageRangesQuery extends AnyQuery {
  readonly kind: 'storage'
  readonly root: Uint8Array
  /** hashes of addresses */
  readonly accounts: readonly Uint8Array[]
  /** 32 bytes, for the first account; null = all of it */
  readonly origin: Uint8Array | null
  readonly limit: Uint8Array | null
}

/** GetByteCodes: code by its keccak-256, 32 bytes each. */
export interface ByteCodesQuery extends AnyQuery {
  readonly kind: 'codes'
  readonly hashes: readonly Uint8Array[]
}

/** GetTrieNodes: nodes by their paths below a root. */
export interface TrieNodesQuery extends AnyQuery {
  readonly kind: 'nodes'
  readonly root: Uint8Array
  /** A path in the account trie; or an account hash followed by paths in its storage. Compact form. */
  readonly paths: readonly (readonly Uint8Array[])[]
}

/** Any of the four requests. */
export type SnapQuery = AccountRangeQuery | StorageRangesQuery | ByteCodesQuery | TrieNodesQuery

/** A state message on a connection. */
export interface SnapCode {
  /** See `SNAP_CODES`. */
  readonly code: number
  /** Code of its answer, as `Peer.send` takes it. */
  readonly answer: number
}

/** Null for other messages. @param offered by the other side @param code after the base protocol's */
export function snapCodeOf(offered: readonly Capability[], code: number): SnapCode | null {
  if (code < FIRST_SNAP_CODE) return null
  const shared = SNAP_CAPABILITIES.filter(({ name, version }) =>
    offered.some((other) => other.name === name && other.version === version),
  ).length
  const place = code - FIRST_SNAP_CODE
  return place < shared * SNAP_LENGTH ? { code: place % SNAP_LENGTH, answer: code + 1 } : null
}

/** Of a state message, bytes uncompressed; null for a code after the last. @param code after the base protocol's */
export function maxSnapBytes(code: number): number | null {
  const place = code - FIRST_SNAP_CODE
  if (place < 0 || place >= SNAP_CAPABILITIES.length * SNAP_LENGTH) return null
  return REQUEST_BYTES.get(place % SNAP_LENGTH) ?? SHORT_BYTES
}

/** Answers are short here: we never request any. */
const SHORT_BYTES = 1024
const REQUEST_BYTES: ReadonlyMap<number, number> = new Map([
  [SNAP_CODES.getStorageRanges, 64 * 1024],
  [SNAP_CODES.getByteCodes, 64 * 1024],
  [SNAP_CODES.getTrieNodes, 128 * 1024],
])

/** @param code see `SNAP_CODES` */
export function decodeSnapQuery(code: number, payload: Uint8Array): Result<SnapQuery> {
  const decoded = decodeRlp(payload, MAX_REQUEST_ITEMS)
  if (!decoded.ok) return decoded
  const items = decoded.value
  const read = READERS.get(code)
  if (read === undefined || items instanceof Uint8Array || items.length !== read.count)
    return fail(`state request ${code}: malformed`)
  const fields = new FieldReader('state request', items)
  const query = read.query(fields)
  return fields.result(query)
}

const READERS: ReadonlyMap<number, { readonly count: number; readonly query: (fields: FieldReader) => SnapQuery }> =
  new Map([
    [SNAP_CODES.getAccountRange, { count: 5, query: accountRangeOf }],
    [SNAP_CODES.getStorageRanges, { count: 6, query: storageRangesOf }],
    [SNAP_CODES.getByteCodes, { count: 3, query: byteCodesOf }],
    [SNAP_CODES.getTrieNodes, { count: 4, query: trieNodesOf }],
  ])

function accountRangeOf(fields: FieldReader): SnapQuery {
  const id = fields.integer('request id')
  const hash = (name: string) => fields.bytes(name, { length: 32 })
  const [root, origin, limit] = [hash('root'), hash('origin'), hash('limit')]
  return { kind: 'accounts', id, root, origin, limit, bytes: bytesOf(fields) }
}

function storageRangesOf(fields: FieldReader): SnapQuery {
  const id = fields.integer('request id')
  const root = fields.bytes('root', { length: 32 })
  const accounts = hashesIn(fields, 'accounts')
  const [origin, limit] = [boundOf(fields, 'origin'), boundOf(fields, 'limit')]
  return { kind: 'storage', id, root, accounts, origin, limit, bytes: bytesOf(fields) }
}

function byteCodesOf(fields: FieldReader): SnapQuery {
  const id = fields.integer('request id')
  return { kind: 'codes', id, hashes: hashesIn(fields, 'hashes'), bytes: bytesOf(fields) }
}

function trieNodesOf(fields: FieldReader): SnapQuery {
  const id = fields.integer('request id')
  const root = fields.bytes('root', { length: 32 })
  const paths: (readonly Uint8Array[])[] = []
  for (const item of fields.list('paths').slice(0, MAX_LOOKUPS)) {
    const set = item instanceof Uint8Array ? [] : item.filter((path): path is Uint8Array => path instanceof Uint8Array)
    // A set without paths requests nothing: only a faulty node sends one.
    if (item instanceof Uint8Array || set.length === 0 || set.length !== item.length)
      fields.error ??= 'state request: a path set is malformed'
    paths.push(set)
  }
  return { kind: 'nodes', id, root, paths, bytes: bytesOf(fields) }
}

function bytesOf(fields: FieldReader): number {
  const wanted = fields.integer('bytes')
  return wanted > BigInt(MAX_ANSWER_BYTES) ? MAX_ANSWER_BYTES : Number(wanted)
}

function hashesIn(fields: FieldReader, name: string): readonly Uint8Array[] {
  const items = fields.list(name).slice(0, MAX_LOOKUPS)
  const hashes = items.filter((item): item is Uint8Array => item instanceof Uint8Array && item.length === 32)
  if (hashes.length !== items.length) fields.error ??= `state request: a hash of ${name} does not have 32 bytes`
  return hashes
}

/** Shorter ones are numbers with leading zeros stripped. */
function boundOf(fields: FieldReader, name: string): Uint8Array | null {
  const bytes = fields.bytes(name, { maxLength: 32 })
  if (bytes.length === 0) return null
  const hash = new Uint8Array(32)
  hash.set(bytes, 32 - bytes.length)
  return hash
}

/** [hash, body]; an account's body is already RLP, a slot's is bytes. */
export interface RangeItem {
  readonly hash: Uint8Array
  readonly body: Uint8Array
}

/** @param accounts bodies: RLP, with empty roots and code hashes omitted @param proof RLP of trie nodes */
export function encodeAccountRange(
  id: bigint,
  accounts: readonly RangeItem[],
  proof: readonly Uint8Array[],
): Uint8Array {
  const items = accounts.map(({ hash, body }) => encodedList([encodeRlp(hash), body]))
  return encodedList([encodeRlp(rlpInteger(id)), encodedList(items), encodeRlp([...proof])])
}

/** RLP [id, slots by account, proof]. @param proof of the bounds of the last list; empty when it is complete */
export function encodeStorageRanges(
  id: bigint,
  slots: readonly (readonly RangeItem[])[],
  proof: readonly Uint8Array[],
): Uint8Array {
  const lists: RlpItem = slots.map((list) => list.map(({ hash, body }) => [hash, body]))
  return encodeRlp([rlpInteger(id), lists, [...proof]])
}

/** Codes, or trie nodes. */
export function encodeBlobs(id: bigint, blobs: readonly Uint8Array[]): Uint8Array {
  return encodeRlp([rlpInteger(id), [...blobs]])
}
