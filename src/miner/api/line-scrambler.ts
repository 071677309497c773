// The line RPC's nonce methods: where devices search, and changing that.
import type { NonceLayout } from '../farm/farm'
import type { NoncePlan } from '../farm/job-history'
import { badParams, countOf, objectOf, type Params, refused } from './line-fault'
import { hexNonce } from './line-stats'

const NARROWEST = 10
const WIDEST = 63
const TOP = 2n ** 64n

/** Marks a number that JSON.parse would round. */
const EXACT = '\u0000'

/** The answer about the current nonce layout. */
export function scramblerInfo({ start, bits, segments }: NonceLayout): object {
  return {
    start_nonce: hexNonce(start),
    device_width: bits,
    device_count: segments.length,
    devices: segments.map((segment, index) => ({ index, start: hexNonce(segment.start), width: segment.bits })),
  }
}

/** @throws LineFault -32602, -422 */
export function scramblerWish(params: unknown): Partial<NoncePlan> {
  const given = objectOf(params)
  if (given.noncescrambler === undefined && given.segmentwidth === undefined) throw badParams('Missing parameters')
  const start = given.noncescrambler === undefined ? {} : { startNonce: nonceOf(given.noncescrambler) }
  return { ...start, ...widthOf(given) }
}

/** A line in which the digits of a long `noncescrambler` survive JSON.parse, which only keeps 53 bits. */
export function withExactNonces(line: string): string {
  if (!line.includes('noncescrambler')) return line
  return line.replace(/("noncescrambler"\s*:\s*)(\d{16,20})(?=\s*[,}])|"(?:[^"\\]|\\.)*"/g, (all, member, digits) =>
    typeof digits === 'string' ? `${String(member)}"\\u0000${digits}"` : all,
  )
}

function nonceOf(value: unknown): bigint {
  const nonce = nonceValue(value)
  if (nonce === null || nonce >= TOP) throw badParams("Bad value in 'noncescrambler'")
  return nonce
}

function nonceValue(value: unknown): bigint | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null
  if (typeof value !== 'string') return null
  if (value.startsWith(EXACT)) return /^\d{16,20}$/.test(value.slice(1)) ? BigInt(value.slice(1)) : null
  return /^0x[0-9a-fA-F]{1,16}$/i.test(value) ? BigInt(value) : null
}

function widthOf(given: Params): Partial<NoncePlan> {
  if (given.segmentwidth === undefined) return {}
  const segmentBits = countOf(given, 'segmentwidth')
  if (segmentBits < NARROWEST || segmentBits > WIDEST)
    throw refused(`Segment width out of bounds (${NARROWEST}-${WIDEST})`)
  return { segmentBits }
}
