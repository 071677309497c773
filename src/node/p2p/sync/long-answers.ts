// Processes long answers in turns: hundreds of headers or full blocks at once would block the whole thread.
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../../base/time'
import type { RlpSlice } from '../../codec/rlp'
import { CODES, encodeHashRequest, encodeHeadersQuery, type HeadersQuery } from '../../protocol/messages'
import { bad, bodyOf, type FetchedBody, type FetchedHeader, headerOf } from '../peer/fetch'
import type { Peer } from '../peer/peer'

const TURN_MS = 4

/** Time limit of an answer. */
export interface AnswerOptions {
  readonly timeoutMs: number
  readonly clock: Clock
}

/** @throws P2pError P2P_TIMEOUT, P2P_CLOSED, P2P_BAD_DATA for malformed headers or more than requested */
export async function fetchManyHeaders(
  peer: Peer,
  query: HeadersQuery,
  { timeoutMs, clock }: AnswerOptions,
): Promise<FetchedHeader[]> {
  const items = await peer.request({
    code: CODES.getBlockHeaders,
    answer: CODES.blockHeaders,
    timeoutMs,
    encode: (id) => encodeHeadersQuery(id, query),
  })
  if (BigInt(items.length) > query.amount) throw bad('headers', `${items.length} of ${query.amount}`)
  return inTurns(items, headerOf, clock)
}

/** The requested bodies that the peer has, in order. @throws P2pError P2P_TIMEOUT, P2P_CLOSED, P2P_BAD_DATA */
export async function fetchManyBodies(
  peer: Peer,
  hashes: readonly Uint8Array[],
  { timeoutMs, clock }: AnswerOptions,
): Promise<FetchedBody[]> {
  const items = await peer.request({
    code: CODES.getBlockBodies,
    answer: CODES.blockBodies,
    timeoutMs,
    encode: (id) => encodeHashRequest(id, hashes),
  })
  if (items.length > hashes.length) throw bad('bodies', `${items.length} of ${hashes.length}`)
  return inTurns(items, bodyOf, clock)
}

async function inTurns<T>(items: readonly RlpSlice[], read: (item: RlpSlice) => T, clock: Clock): Promise<T[]> {
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
