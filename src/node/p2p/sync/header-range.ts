// A series of headers with a known predecessor and count: nothing else is accepted.
import { equalBytes } from '../../../base/bytes'
import { MAX_EXTRA_DATA_BYTES } from '../../consensus/header-rules'
import { areLinked, bad, type FetchedHeader } from '../peer/fetch'
import type { Peer } from '../peer/peer'
import { type AnswerOptions, fetchManyHeaders } from './long-answers'

/** The block that the following headers build on. */
export interface Ancestor {
  readonly number: bigint
  /** 32 bytes */
  readonly hash: Uint8Array
}

/** A series of headers that can be verified on its own. */
export interface RangeRequest {
  /** Parent of the first header. */
  readonly after: Ancestor
  readonly count: bigint
  /** 32 bytes: hash of the last one; null = unknown */
  readonly end: Uint8Array | null
}

/**
 * Exactly the requested headers: a peer that returns fewer could keep us busy indefinitely with one header at a time.
 * @throws P2pError P2P_TIMEOUT, P2P_CLOSED, P2P_BAD_DATA
 */
export async function fetchRange(peer: Peer, request: RangeRequest, options: AnswerOptions): Promise<FetchedHeader[]> {
  const { after, count, end } = request
  const query = { origin: after.number + 1n, amount: count, skip: 0n, reverse: false }
  const headers = plain(await fetchManyHeaders(peer, query, options))
  const first = headers[0]
  const last = headers[headers.length - 1]
  if (first === undefined || last === undefined) throw bad('headers', `none after block ${after.number}`)
  const follows = first.header.number === after.number + 1n && equalBytes(first.header.parentHash, after.hash)
  if (!follows || !areLinked(headers)) throw bad('headers', `they do not follow block ${after.number}`)
  if (BigInt(headers.length) !== count)
    throw bad('headers', `${headers.length} of ${count} after block ${after.number}`)
  if (end !== null && !equalBytes(last.hash, end)) throw bad('headers', 'they do not lead to the skeleton')
  return headers
}

/** Headers that may be kept: none is inflated by its extra data. @throws P2pError P2P_BAD_DATA */
export function plain(headers: FetchedHeader[]): FetchedHeader[] {
  const big = headers.find(({ header }) => header.extraData.length > MAX_EXTRA_DATA_BYTES)
  if (big === undefined) return headers
  throw bad('headers', `block ${big.header.number}: extra-data too long: ${big.header.extraData.length}`)
}
