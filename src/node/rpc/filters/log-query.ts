// The filter object of eth_getLogs, eth_newFilter and the logs subscription.
import { toHex } from '../../../base/hex'
import { fail, ok, type Result } from '../../codec/result'
import type { LogFilter } from '../../logs/log-filter'
import type { BlockArgument } from '../../model/block-argument'
import { addressParam, blockNumberParam, hashParam, type Param, unknownMember } from '../arguments/params'

/** A parsed filter object. */
export interface LogQuery {
  readonly filter: LogFilter
  /** When set: only this block, and no range. */
  readonly blockHash: Uint8Array | null
  readonly from: BlockArgument
  readonly to: BlockArgument
}

const LATEST: BlockArgument = { kind: 'tag', tag: 'latest' }
/** Each is looked up in the index. Our own limit. */
const MAX_WORDS = 10_000

const MEMBERS = ['fromBlock', 'toBlock', 'address', 'topics', 'blockHash', 'blockhash'] as const

/** Null is the empty object. */
export const logQueryParam: Param<LogQuery> = {
  type: `log filter: an object with ${MEMBERS.slice(0, -1).join(', ')}`,
  read: readQuery,
}

function readQuery(value: unknown): Result<LogQuery> {
  if (value === null) return readQuery({})
  if (typeof value !== 'object' || Array.isArray(value)) return fail('not a filter object')
  const members = value as Readonly<Record<string, unknown>>
  const unknown = unknownMember(members, MEMBERS)
  if (unknown !== null) return fail(unknown)
  const given = (name: (typeof MEMBERS)[number]): unknown => members[name] ?? null
  const hash = given('blockHash') ?? given('blockhash')
  const hasRange = given('fromBlock') !== null || given('toBlock') !== null
  if (hash !== null && hasRange)
    return fail('cannot specify both blockHash and fromBlock/toBlock, choose one or the other')
  const blockHash = hash === null ? ok(null) : hashParam.read(hash)
  if (!blockHash.ok) return blockHash
  const from = readBlock(given('fromBlock'))
  if (!from.ok) return from
  const to = readBlock(given('toBlock'))
  if (!to.ok) return to
  const filter = readFilter(given('address'), given('topics'))
  if (!filter.ok) return filter
  return ok({ filter: filter.value, blockHash: blockHash.value, from: from.value, to: to.value })
}

function readBlock(value: unknown): Result<BlockArgument> {
  return value === null ? ok(LATEST) : blockNumberParam.read(value)
}

function readFilter(address: unknown, topics: unknown): Result<LogFilter> {
  const addresses = address === null ? ok([]) : readWords(Array.isArray(address) ? address : [address], addressParam)
  if (!addresses.ok) return fail(`address: ${addresses.error}`)
  if (topics !== null && !Array.isArray(topics)) return fail('topics: not an array')
  const positions: (readonly string[])[] = []
  for (const entry of topics ?? []) {
    const position = readPosition(entry)
    if (!position.ok) return fail(`topics: ${position.error}`)
    positions.push(position.value)
  }
  const words = addresses.value.length + positions.reduce((sum, position) => sum + position.length, positions.length)
  if (words > MAX_WORDS) return fail(`${words} addresses and topics, want at most ${MAX_WORDS}`)
  return ok({ addresses: addresses.value, topics: positions })
}

/** Null alone, or in a list, means any topic; so does an empty list. */
function readPosition(entry: unknown): Result<readonly string[]> {
  if (entry === null) return ok([])
  const wanted: readonly unknown[] = Array.isArray(entry) ? entry : [entry]
  const read = readWords(
    wanted.filter((topic) => topic !== null),
    hashParam,
  )
  return read.ok && wanted.includes(null) ? ok([]) : read
}

function readWords(values: readonly unknown[], param: Param<Uint8Array>): Result<readonly string[]> {
  const words: string[] = []
  for (const value of values) {
    const read = param.read(value)
    if (!read.ok) return read
    words.push(toHex(read.value))
  }
  return ok([...new Set(words)])
}
