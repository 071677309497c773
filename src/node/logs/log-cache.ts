// Caches the logs of recently read blocks as text: searches repeat, and reading them means hashing the transactions.
import { toBareHex } from '../../base/hex'
import type { ChainReads } from '../chain/chain-store'
import { type LogText, logTextsOf } from './block-logs'

/** Characters of JSON text; about two bytes each, including overhead. */
const MAX_CHARACTERS = 24 * 1024 * 1024

/** Stored receipts of a block that is read in place, bytes: formatted, short logs take 18 times as much. */
export const LARGE_RECEIPTS = 128 * 1024

/** An LRU cache of log texts by block hash. */
export class LogCache {
  readonly #blocks = new Map<string, readonly LogText[]>()
  #characters = 0

  constructor(private readonly maxCharacters = MAX_CHARACTERS) {}

  /** Null when not stored; `in place`: read it there. @param mayKeep false for a search that would push out all others */
  logsOf(reads: ChainReads, hash: Uint8Array, mayKeep: boolean): readonly LogText[] | 'in place' | null {
    const name = toBareHex(hash)
    const known = this.#blocks.get(name)
    if (known !== undefined) {
      this.#blocks.delete(name) // move to the end: most recently used
      this.#blocks.set(name, known)
      return known
    }
    const logs = mayKeep ? readLogs(reads, hash) : 'in place'
    if (logs !== null && logs !== 'in place') this.#keep(name, logs)
    return logs
  }

  #keep(name: string, logs: readonly LogText[]): void {
    const size = sizeOf(logs)
    if (size > this.maxCharacters) return
    this.#blocks.set(name, logs)
    this.#characters += size
    for (const [oldest, dropped] of this.#blocks) {
      if (this.#characters <= this.maxCharacters) return
      this.#blocks.delete(oldest)
      this.#characters -= sizeOf(dropped)
    }
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
