// A block's logs as JSON text, ready to send.
import { toBareHex, toHex } from '../../base/hex'
import { SizedCache } from '../../base/limits/generation-cache'
import { toQuantity } from '../../base/quantity'
import type { ChainReads } from '../chain/chain-store'
import type { Log } from '../model/bloom'
import type { LogPlace, StoredLog, StoredReceipts } from '../model/stored-receipts'
import type { LogWords } from './log-filter'

/** Characters of JSON text; about two bytes each, including overhead. */
const MAX_CHARACTERS = 24 * 1024 * 1024

/** Stored receipts of a block that is read in place, bytes: formatted, short logs take 18 times as much. */
export const LARGE_RECEIPTS = 128 * 1024

/** An LRU cache of log texts by block hash. */
export class LogCache {
  readonly #blocks = new SizedCache<readonly LogText[]>(MAX_CHARACTERS, sizeOf)

  /** Null when not stored; `in place`: read it there. @param mayKeep false for a search that would push out all others */
  logsOf(reads: ChainReads, hash: Uint8Array, mayKeep: boolean): readonly LogText[] | 'in place' | null {
    const name = toBareHex(hash)
    const known = this.#blocks.get(name)
    if (known !== undefined) return known
    const logs = mayKeep ? readLogs(reads, hash) : 'in place'
    if (logs !== null && logs !== 'in place') this.#blocks.set(name, logs)
    return logs
  }
}

function readLogs(reads: ChainReads, hash: Uint8Array): readonly LogText[] | 'in place' | null {
  const size = reads.receiptsLength(hash)
  if (size === null) return null
  if (size > LARGE_RECEIPTS) return 'in place'
  const receipts = reads.receipts(hash) ?? []
  if (receipts.every((receipt) => receipt.logs.length === 0)) return []
  const header = reads.header(hash)
  const hashOf = reads.transactionHashes(hash)
  if (header === null || hashOf === null) return null
  const transactions = receipts.map(({ logs }, index) => ({ hash: logs.length === 0 ? hash : hashOf(index), logs }))
  return logTextsOf({ hash, number: header.number, transactions })
}

/** An empty block is cached too, with a small size. */
function sizeOf(logs: readonly LogText[]): number {
  return logs.reduce((sum, log) => sum + log.text.length, 100)
}

/** @property text JSON of the log, `removed` false */
export interface LogText extends LogWords {
  readonly text: string
}

interface LoggingBlock {
  /** Null for the pending block. */
  readonly hash: Uint8Array | null
  readonly number: bigint
  /** In block order. */
  readonly transactions: readonly { readonly hash: Uint8Array; readonly logs: readonly Log[] }[]
}

/** Members of all logs of one transaction. */
function placeText(block: Pick<LoggingBlock, 'hash' | 'number'>, transaction: Uint8Array, index: number): string {
  const blockHash = block.hash === null ? 'null' : `"${toHex(block.hash)}"`
  return (
    `"blockNumber":"${toQuantity(block.number)}","transactionHash":"${toHex(transaction)}",` +
    `"transactionIndex":"${toQuantity(index)}","blockHash":${blockHash}`
  )
}

/** `logIndex` counts over the whole block. */
export function logTextsOf(block: LoggingBlock): LogText[] {
  const out: LogText[] = []
  for (const [index, { hash, logs }] of block.transactions.entries()) {
    if (logs.length === 0) continue
    const place = placeText(block, hash, index)
    for (const log of logs) {
      const address = toHex(log.address)
      const topics = log.topics.map(toHex)
      const words = `"address":"${address}","topics":${JSON.stringify(topics)},"data":"${toHex(log.data)}"`
      const text = `{${words},${place},"logIndex":"${toQuantity(out.length)}","removed":false}`
      out.push({ address, topics, text })
    }
  }
  return out
}

export interface StoredLogs {
  readonly hash: Uint8Array
  readonly number: bigint
  readonly receipts: StoredReceipts
  /** 32 bytes each, by index. */
  readonly transactionHash: (index: number) => Uint8Array
  /** Whether a reorganization removed the block: the text says so. */
  readonly isRemoved: boolean
}

/** Null when the block or its receipts aren't stored. */
export function storedLogsOf(reads: ChainReads, hash: Uint8Array, isRemoved = false): StoredLogs | null {
  const receipts = reads.storedReceipts(hash)
  const header = receipts === null ? null : reads.header(hash)
  const transactionHash = header === null ? null : reads.transactionHashes(hash)
  if (receipts === null || header === null || transactionHash === null) return null
  return { hash, number: header.number, receipts, transactionHash, isRemoved }
}

/** A log that was found, and where reading continues after it. Valid until the next one. */
interface FoundLog {
  readonly log: StoredLog
  readonly next: LogPlace
  /** JSON of the log. */
  text(): string
}

/** Where a block's logs begin. */
export const FIRST_LOG: LogPlace = { transaction: 0, log: 0, at: 0 }

/** A block's logs from a place on; each is the same object. */
export function* logsFrom(block: StoredLogs, from: LogPlace): Generator<FoundLog> {
  let count = from.log
  let at = from.at
  const end = `"removed":${block.isRemoved}}`
  for (let transaction = from.transaction; transaction < block.receipts.outcomes.length; transaction++) {
    let place: string | null = null
    const placed = (): string => (place ??= placeText(block, block.transactionHash(transaction), transaction))
    for (const log of block.receipts.logs({ transaction, log: count, at })) {
      count++
      const next = { transaction, log: count, at: log.end }
      yield { log, next, text: () => `{${log.members()},${placed()},"logIndex":"${toQuantity(log.index)}",${end}` }
    }
    at = 0
  }
}
