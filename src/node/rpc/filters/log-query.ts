// The filter object of eth_getLogs, eth_newFilter and the logs subscription.
import { toHex } from '../../../base/hex'
import { isJsonObject } from '../../../base/json-text'
import { fail, ok, type Result } from '../../codec/result'
import type { LogFilter } from '../../logs/log-filter'
import type { BlockArgument } from '../../model/block-argument'
import { addressParam, blockNumberParam, hashParam, type Param, readList, unknownMember } from '../arguments/params'

export interface LogQuery {
  readonly filter: LogFilter
  /** When set: only this block, and no range. */
  readonly blockHash: Uint8Array | null
  readonly from: BlockArgument
  readonly to: BlockArgument
}

/** Each is looked up in the index. Our own limit. */
const MAX_WORDS = 10_000

const MEMBERS = ['fromBlock', 'toBlock', 'address', 'topics', 'blockHash', 'blockhash'] as const

/** Null is the empty object. */
export const logQueryParam: Param<LogQuery> = {
  type: `log filter: an object with ${MEMBERS.slice(0, -1).join(', ')}`,
  read: (value) => readQuery(value ?? {}),
}

function readQuery(given: unknown): Result<LogQuery> {
  if (!isJsonObject(given)) return fail('not a filter object')
  const unknown = unknownMember(given, MEMBERS)
  if (unknown !== null) return fail(unknown)
  const { fromBlock = null, toBlock = null, address = null, topics = null } = given
  const [hash = null, other = null] = [given.blockHash, given.blockhash].filter((one) => one != null)
  if (other !== null) return fail('blockHash and blockhash are one member: give one')
  if (hash !== null && (fromBlock !== null || toBlock !== null))
    return fail('cannot specify both blockHash and fromBlock/toBlock, choose one or the other')
  const blockHash = hash === null ? ok(null) : hashParam.read(hash)
  if (!blockHash.ok) return blockHash
  const from = blockNumberParam.read(fromBlock ?? 'latest')
  if (!from.ok) return from
  const to = blockNumberParam.read(toBlock ?? 'latest')
  if (!to.ok) return to
  const filter = readFilter(address, topics)
  if (!filter.ok) return filter
  return ok({ filter: filter.value, blockHash: blockHash.value, from: from.value, to: to.value })
}

function readFilter(address: unknown, topics: unknown): Result<LogFilter> {
  const addresses = address === null ? ok([]) : readWords(Array.isArray(address) ? address : [address], addressParam)
  if (!addresses.ok) return fail(`address: ${addresses.error}`)
  if (topics !== null && !Array.isArray(topics)) return fail('topics: not an array')
  const positions = readList(topics ?? [], readPosition)
  if (!positions.ok) return fail(`topics: ${positions.error}`)
  const inTopics = positions.value.reduce((sum, position) => sum + position.length + 1, 0)
  const words = addresses.value.length + inTopics
  if (words > MAX_WORDS) return fail(`${words} addresses and topics, want at most ${MAX_WORDS}`)
  return ok({ addresses: addresses.value, topics: positions.value })
}

/** Null alone, or in a list, means any topic; so does an empty list. */
function readPosition(entry: unknown): Result<readonly string[]> {
  const wanted: readonly unknown[] = Array.isArray(entry) ? entry : [entry]
  const given = wanted.filter((topic) => topic !== null)
  const read = readWords(given, hashParam)
  return read.ok && given.length < wanted.length ? ok([]) : read
}

function readWords(values: readonly unknown[], param: Param<Uint8Array>): Result<readonly string[]> {
  const read = readList(values, param.read)
  return read.ok ? ok([...new Set(read.value.map((word) => toHex(word)))]) : read
}
