// Requests to peers, with answers validated as far as they can be on their own.
import { equalBytes } from '../../../base/bytes'
import { keccak256 } from '../../codec/keccak'
import { type RlpSlice, rlpFields, rlpSlices } from '../../codec/rlp'
import { P2pError } from '../../errors'
import { type BlockHeader, blockHash, decodeHeader } from '../../model/header'
import { transactionFromSlice } from '../../model/transaction'
import { CODES, encodeHashRequest, encodeHeadersQuery, type HeadersQuery, rawOf } from '../../protocol/messages'
import { orderedRoot } from '../../trie/ordered-root'
import type { Peer } from './peer'

/** A header as received, and its hash. */
export interface FetchedHeader {
  readonly header: BlockHeader
  /** 32 bytes */
  readonly hash: Uint8Array
  readonly rlp: Uint8Array
}

/** A body as received. */
export interface FetchedBody {
  /** RLP of the transaction list */
  readonly rlp: Uint8Array
  /** 32 bytes */
  readonly txRoot: Uint8Array
}

/** @throws P2pError P2P_TIMEOUT, P2P_CLOSED, P2P_BAD_DATA for malformed headers or more than requested */
export async function fetchHeaders(peer: Peer, query: HeadersQuery, timeoutMs: number): Promise<FetchedHeader[]> {
  const items = await peer.request({
    code: CODES.getBlockHeaders,
    answer: CODES.blockHeaders,
    timeoutMs,
    encode: (id) => encodeHeadersQuery(id, query),
  })
  if (BigInt(items.length) > query.amount) throw bad('headers', `${items.length} of ${query.amount}`)
  return items.map(headerOf)
}

/** The requested bodies that the peer has, in order. @throws P2pError P2P_TIMEOUT, P2P_CLOSED, P2P_BAD_DATA */
export async function fetchBodies(
  peer: Peer,
  hashes: readonly Uint8Array[],
  timeoutMs: number,
): Promise<FetchedBody[]> {
  const items = await peer.request({
    code: CODES.getBlockBodies,
    answer: CODES.blockBodies,
    timeoutMs,
    encode: (id) => encodeHashRequest(id, hashes),
  })
  if (items.length > hashes.length) throw bad('bodies', `${items.length} of ${hashes.length}`)
  return items.map(bodyOf)
}

/** Raw transactions, each at most once and only requested ones. @throws P2pError P2P_TIMEOUT, P2P_CLOSED */
export async function fetchPooled(
  peer: Peer,
  hashes: readonly Uint8Array[],
  timeoutMs: number,
): Promise<readonly Uint8Array[]> {
  const items = await peer.request({
    code: CODES.getPooledTransactions,
    answer: CODES.pooledTransactions,
    timeoutMs,
    encode: (id) => encodeHashRequest(id, hashes),
  })
  const wanted = new Set(hashes.map((hash) => Buffer.from(hash).toString('hex')))
  return items.map(rawOf).filter((raw) => wanted.delete(Buffer.from(keccak256(raw)).toString('hex')))
}

/** @throws P2pError P2P_BAD_DATA */
export function headerOf({ encoded }: RlpSlice): FetchedHeader {
  const rlp = encoded.slice()
  const header = decodeHeader(rlp)
  if (!header.ok) throw bad('headers', header.error)
  return { header: header.value, hash: blockHash(header.value), rlp }
}

/** A body on the wire is a one-item list: the transactions. @throws P2pError P2P_BAD_DATA */
export function bodyOf({ encoded }: RlpSlice): FetchedBody {
  const parts = rlpFields(encoded, 1, 'want a list of one list')
  if (!parts.ok) throw bad('bodies', parts.error)
  const [transactions] = parts.value
  if (transactions?.isList !== true) throw bad('bodies', 'want a list of one list')
  const raws: Uint8Array[] = []
  for (const entry of rlpSlices(transactions.payload)) {
    const tx = entry.ok ? transactionFromSlice(entry.value) : entry
    if (!tx.ok) throw bad('bodies', tx.error)
    raws.push(tx.value.raw)
  }
  return { rlp: transactions.encoded.slice(), txRoot: orderedRoot(raws, keccak256) }
}

/** Whether each header's parent is the one before it. */
export function areLinked(headers: readonly FetchedHeader[]): boolean {
  return headers.every((entry, index) => {
    const before = headers[index - 1]
    if (before === undefined) return true
    return entry.header.number === before.header.number + 1n && equalBytes(entry.header.parentHash, before.hash)
  })
}

/** The error for a protocol violation; its handler drops the peer. Code P2P_BAD_DATA. */
export function bad(what: string, reason: string): Error {
  return new P2pError('P2P_BAD_DATA', { what, reason })
}
