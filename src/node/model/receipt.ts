// Receipts: the leaf of the receipt trie, and the stored form (without the bloom, which is recomputed from the logs).
// Source: prlx core/types/receipt.go
import { concatBytes, equalBytes } from '../../base/bytes'
import { FieldReader } from '../codec/fields'
import { fail, ok, type Result } from '../codec/result'
import { decodeRlp, encodedList, encodeRlp, type RlpItem, rlpInteger } from '../codec/rlp'
import { bloomOf, type Log } from './bloom'

/** The outcome of one transaction. */
export interface Receipt {
  readonly type: 0 | 1
  readonly succeeded: boolean
  /** Gas used by the block's transactions up to and including this one. */
  readonly cumulativeGasUsed: bigint
  readonly gasUsed: bigint
  readonly logs: readonly Log[]
  /** The same as an RLP list, where it is known. */
  readonly logList?: Uint8Array
  /** 20 bytes; set for every contract creation, even a failed one. */
  readonly contractAddress: Uint8Array | null
}

/** The bytes that the receipt root covers. @param bloom of its logs, when already known */
export function encodeReceipt(receipt: Receipt, bloom: Uint8Array = bloomOf(receipt.logs)): Uint8Array {
  const list = encodeRlp([
    rlpInteger(receipt.succeeded ? 1 : 0),
    rlpInteger(receipt.cumulativeGasUsed),
    bloom,
    receipt.logs.map(logToItem),
  ])
  return receipt.type === 0 ? list : concatBytes(Uint8Array.of(receipt.type), list)
}

/** All receipts of a block in stored form. */
export function encodeStoredReceipts(receipts: readonly Receipt[]): Uint8Array {
  return encodedList(
    receipts.map((receipt) =>
      encodedList([
        encodeRlp(rlpInteger(receipt.type)),
        encodeRlp(rlpInteger(receipt.succeeded ? 1 : 0)),
        encodeRlp(rlpInteger(receipt.cumulativeGasUsed)),
        encodeRlp(rlpInteger(receipt.gasUsed)),
        encodeRlp(receipt.contractAddress ?? new Uint8Array(0)),
        receipt.logList ?? encodeRlp(receipt.logs.map(logToItem)),
      ]),
    ),
  )
}

/** The receipts of a block in order, with recomputed blooms. A fault means a corrupt database. */
export function decodeStoredReceipts(bytes: Uint8Array): Result<readonly Receipt[]> {
  const decoded = decodeRlp(bytes, null) // a block may have over a million logs
  if (!decoded.ok) return decoded
  if (decoded.value instanceof Uint8Array) return fail('receipts: not a list')
  const receipts: Receipt[] = []
  for (const item of decoded.value) {
    const receipt = receiptFromItem(item)
    if (!receipt.ok) return receipt
    receipts.push(receipt.value)
  }
  return ok(receipts)
}

function receiptFromItem(item: RlpItem): Result<Receipt> {
  if (item instanceof Uint8Array) return fail('receipt: not a list')
  const fields = new FieldReader('receipt', item)
  const type = fields.integer('type') === 0n ? 0 : 1
  const succeeded = equalBytes(fields.bytes('status', { maxLength: 1 }), Uint8Array.of(1))
  const cumulativeGasUsed = fields.integer('cumulativeGasUsed')
  const gasUsed = fields.integer('gasUsed')
  const contract = fields.bytes('contractAddress', { maxLength: 20 })
  const logs: Log[] = []
  for (const entry of fields.list('logs')) {
    const log = logFromItem(entry)
    if (!log.ok) return log
    logs.push(log.value)
  }
  if (fields.error !== null) return fail(fields.error)
  const contractAddress = contract.length === 0 ? null : contract
  return ok({ type, succeeded, cumulativeGasUsed, gasUsed, logs, contractAddress })
}

function logToItem(log: Log): RlpItem {
  return [log.address, [...log.topics], log.data]
}

function logFromItem(item: RlpItem): Result<Log> {
  if (item instanceof Uint8Array) return fail('log: not a list')
  const fields = new FieldReader('log', item)
  const address = fields.bytes('address', { length: 20 })
  const topicItems = fields.list('topics')
  const data = fields.bytes('data', {})
  const reader = new FieldReader('log', topicItems)
  const topics = topicItems.map(() => reader.bytes('topic', { length: 32 }))
  const error = fields.error ?? reader.error
  return error === null ? ok({ address, topics, data }) : fail(error)
}
