// Canonical blocks in block file form, for exports: header and body are stored in the same encoding.
import { joinBytes, minimalBytes } from '../../base/bytes'
import { chainKeys } from '../store/keys'
import type { ChainSession } from './chain-session'
import type { BlockRange } from './wire/block-range-wire'

/** An answer ends with the block that reaches this size. */
const ANSWER_BYTES = 1024 * 1024

/** @throws RangeError for a height above the head, or a missing canonical block */
export function blockRange({ chain, store }: ChainSession, first: number, last: number): BlockRange {
  const parts: Uint8Array[] = []
  let size = 0
  let number = first
  for (; number <= last && size < ANSWER_BYTES; number++) {
    const hash = chain.reads.canonicalHash(BigInt(number))
    const header = hash === null ? undefined : store.get(chainKeys.header(hash))
    const body = hash === null ? undefined : store.get(chainKeys.body(hash))
    if (header === undefined || body === undefined) throw new RangeError(`canonical block ${number} is missing`)
    const prefix = listPrefix(header.length + body.length)
    parts.push(prefix, header, body)
    size += prefix.length + header.length + body.length
  }
  return { bytes: joinBytes(parts), count: number - first }
}

/** The prefix of an RLP list of this length in bytes. */
function listPrefix(length: number): Uint8Array {
  if (length < 56) return Uint8Array.of(0xc0 + length)
  const digits = minimalBytes(BigInt(length))
  return Uint8Array.of(0xf7 + digits.length, ...digits)
}
