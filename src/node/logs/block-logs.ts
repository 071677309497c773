// A block's logs as JSON text, ready to send, with the words that filters match.
import { toHex } from '../../base/hex'
import { toQuantity } from '../../base/quantity'
import type { Log } from '../model/bloom'
import type { LogWords } from './log-filter'

/** @property text JSON of the log, `removed` false */
export interface LogText extends LogWords {
  readonly text: string
}

/** A block whose logs are formatted. */
export interface LoggingBlock {
  /** Null for the pending block. */
  readonly hash: Uint8Array | null
  readonly number: bigint
  /** In block order. */
  readonly transactions: readonly { readonly hash: Uint8Array; readonly logs: readonly Log[] }[]
}

const NOT_REMOVED = '"removed":false}'

/** `logIndex` counts over the whole block. */
export function logTextsOf(block: LoggingBlock): LogText[] {
  const blockHash = block.hash === null ? 'null' : `"${toHex(block.hash)}"`
  const blockNumber = toQuantity(block.number)
  const out: LogText[] = []
  for (const [index, { hash, logs }] of block.transactions.entries()) {
    if (logs.length === 0) continue
    const place =
      `"blockNumber":"${blockNumber}","transactionHash":"${toHex(hash)}",` +
      `"transactionIndex":"${toQuantity(index)}","blockHash":${blockHash}`
    for (const log of logs) {
      const address = toHex(log.address)
      const topics = log.topics.map(toHex)
      const words = `{"address":"${address}","topics":${JSON.stringify(topics)},"data":"${toHex(log.data)}"`
      const text = `${words},${place},"logIndex":"${toQuantity(out.length)}",${NOT_REMOVED}`
      out.push({ address, topics, text })
    }
  }
  return out
}

/** The same log marked as removed by a reorganisation. */
export function removedText(text: string): string {
  return `${text.slice(0, -NOT_REMOVED.length)}"removed":true}`
}
