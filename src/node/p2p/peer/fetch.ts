// Requests to peers, with answers validated as far as they can be on their own.
import { setImmediate } from 'node:timers/promises'
import { bytesName } from '../../../base/bytes'
import { keccak256 } from '../../codec/keccak'
import { type RlpSlice, rlpFields, rlpSlices } from '../../codec/rlp'
import { P2pError } from '../../errors'
import { type BlockHeader, blockHash, decodeHeader } from '../../model/header'
import { rawOf, transactionFromSlice } from '../../model/transaction'
import { CODES, encodeHashRequest, encodeHeadersQuery, type HeadersQuery } from '../../protocol/messages'
import { orderedRoot } from '../../trie/trie'
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

/** An answer is read in turns of this long: hundreds of headers or full blocks at once would block the whole thread. */
const TURN_MS = 4

/** @throws P2pError P2P_TIMEOUT, P2P_CLOSED, P2P_BAD_DATA for malformed headers or more than requested */
export async function fetchHeaders(peer: Peer, query: HeadersQuery, timeoutMs: number): Promise<FetchedHeader[]> {
  const items = await peer.request(CODES.getBlockHeaders, timeoutMs, (id) => encodeHeadersQuery(id, query))
  if (BigInt(items.length) > query.amount) throw bad('headers', `${items.length} of ${query.amount}`)
  return inTurns(peer, items, headerOf)
}

/** The requested bodies that the peer has, in order. @throws P2pError P2P_TIMEOUT, P2P_CLOSED, P2P_BAD_DATA */
export async function fetchBodies(
  peer: Peer,
  hashes: readonly Uint8Array[],
  timeoutMs: number,
): Promise<FetchedBody[]> {
  const items = await peer.request(CODES.getBlockBodies, timeoutMs, (id) => encodeHashRequest(id, hashes))
  if (items.length > hashes.length) throw bad('bodies', `${items.length} of ${hashes.length}`)
  return inTurns(peer, items, bodyOf)
}

/** Raw transactions, each at most once and only requested ones. @throws P2pError P2P_TIMEOUT, P2P_CLOSED */
export async function fetchPooled(
  peer: Peer,
  hashes: readonly Uint8Array[],
  timeoutMs: number,
): Promise<readonly Uint8Array[]> {
  const items = await peer.request(CODES.getPooledTransactions, timeoutMs, (id) => encodeHashRequest(id, hashes))
  const wanted = new Set(hashes.map(bytesName))
  return items.map((item) => rawOf(item).slice()).filter((raw) => wanted.delete(bytesName(keccak256(raw))))
}

async function inTurns<T>({ clock }: Peer, items: readonly RlpSlice[], read: (item: RlpSlice) => T): Promise<T[]> {
  const values: T[] = []
  let turnAt = clock.monotonic()
  for (const item of items) {
    values.push(read(item))
    if (clock.monotonic() - turnAt < TURN_MS) continue
    await setImmediate()
    turnAt = clock.monotonic()
  }
  return values
}

function headerOf({ encoded }: RlpSlice): FetchedHeader {
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

/** The error for a protocol violation; its handler drops the peer. Code P2P_BAD_DATA. */
export function bad(what: string, reason: string): Error {
  return new P2pError('P2P_BAD_DATA', { what, reason })
}
