// A block's logs as JSON text, ready to send.
import { toHex } from '../../base/hex'
import { toQuantity } from '../../base/quantity'
import type { ChainReads } from '../chain/chain-store'
import type { Log } from '../model/bloom'
import type { LogPlace, StoredLog, StoredReceipts } from '../model/stored-receipts'
import type { LogWords } from './log-filter'

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
