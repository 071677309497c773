// Receipts as JSON text, written while they are read in place: one with a million logs is never held as a whole.
import { toHex } from '../../../base/hex'
import { LARGE_RECEIPTS, logsFrom, type StoredLogs } from '../../logs/block-logs'
import type { Block } from '../../model/block'
import { BloomWriter } from '../../model/bloom'
import { recoverSender } from '../../model/sender'
import type { BlockId } from '../../worker/wire/shapes'
import { encodeOutcome } from '../encoding'
import { type ReceiptQuestion, TOO_LONG } from '../query-wire'
import type { QuerySession } from '../session'
import type { TextStream } from '../text-sink'

/** Transactions of a block whose receipts are one short answer: each sender is recovered. */
const SHORT_TRANSACTIONS = 256
/** Logs between two looks at whether somebody still reads. */
const LOGS_AT_ONCE = 1_024

interface Found {
  readonly block: Block
  readonly logs: StoredLogs
  readonly first: number
  /** Exclusive. */
  readonly end: number
  readonly isList: boolean
}

/** JSON text, `null` when there is none; `TOO_LONG` when a stream must bring it. */
export function shortReceipts(session: QuerySession, question: ReceiptQuestion): string {
  const found = find(session, question)
  if (found === null) return 'null'
  const { logs, first, end } = found
  let bytes = 0
  for (let index = first; index < end; index++) bytes += logs.receipts.logBytes(index)
  if (bytes > LARGE_RECEIPTS || end - first > SHORT_TRANSACTIONS) return TOO_LONG
  const parts: string[] = []
  writeFound(session, found, { write: (text) => parts.push(text), isOver: () => false })
  return parts.join('')
}

/** The same in any length. */
export function writeReceipts(session: QuerySession, question: ReceiptQuestion, { limits, sink }: TextStream): void {
  const found = find(session, question)
  const isOver = (): boolean => limits.isStopped() || !sink.isOpen
  if (found === null) sink.write('null')
  else writeFound(session, found, { write: (text) => sink.write(text), isOver })
}

/** Null when the transaction or the block is unknown, or the block was never executed. */
function find(session: QuerySession, question: ReceiptQuestion): Found | null {
  const { reads } = session.view()
  const place = question.kind === 'receipt' ? reads.transactionPlace(question.hash) : null
  const hash = question.kind === 'receipt' ? (place?.blockHash ?? null) : hashOf(session, question.block)
  const block = hash === null ? null : session.keptBlocks.block(hash, () => reads.block(hash))
  if (hash === null || block === null) return null
  const receipts = reads.storedReceipts(hash)
  if (receipts === null) return null
  const transactionHash = (index: number) => block.transactions[index]?.hash ?? hash
  const logs = { hash, number: block.header.number, receipts, transactionHash, isRemoved: false }
  if (place !== null) return { block, logs, first: place.index, end: place.index + 1, isList: false }
  return { block, logs, first: 0, end: receipts.outcomes.length, isList: true }
}

/** Null when there is none. */
export function hashOf(session: QuerySession, id: BlockId): Uint8Array | null {
  const { head, reads } = session.view()
  if (id === 'head') return head.hash
  return typeof id === 'number' ? reads.canonicalHash(BigInt(id)) : id
}

interface Destination {
  readonly write: (text: string) => void
  readonly isOver: () => boolean
}

function writeFound(session: QuerySession, found: Found, to: Destination): void {
  const { logs, first, end, isList } = found
  if (isList) to.write('[')
  let log = logs.receipts.logsBefore(first)
  for (let index = first; index < end && !to.isOver(); index++) {
    if (index > first) to.write(',')
    log = writeReceipt(session, found, { index, log }, to)
  }
  if (isList) to.write(']')
}

interface LogsBefore {
  readonly index: number
  readonly log: number
}

/** @returns logs of the block before the next one */
function writeReceipt(
  session: QuerySession,
  { block, logs }: Found,
  { index, log }: LogsBefore,
  to: Destination,
): number {
  const tx = block.transactions[index]
  const outcome = logs.receipts.outcomes[index]
  if (tx === undefined || outcome === undefined)
    throw new RangeError(`stored block ${toHex(logs.hash)} has no receipt ${index}`)
  const signed = recoverSender(tx, session.options.chainId)
  if (!signed.ok) throw new RangeError(`stored transaction ${toHex(tx.hash)}: ${signed.error}`)
  const { sender: from, tx: sent } = signed.value
  const {
    status,
    to: receiver,
    type,
    ...before
  } = encodeOutcome({
    ...outcome,
    place: { blockHash: logs.hash, blockNumber: Number(logs.number), index },
    transactionHash: tx.hash,
    from,
    to: sent.to,
    gasPrice: sent.gasPrice,
  })
  to.write(`${JSON.stringify(before).slice(0, -1)},"logs":[`)
  const bloom = new BloomWriter()
  const next = writeLogs(logs, { index, log }, bloom, to)
  to.write(`],"logsBloom":"${toHex(bloom.bytes)}",${JSON.stringify({ status, to: receiver, type }).slice(1)}`)
  return next
}

function writeLogs(logs: StoredLogs, { index, log: first }: LogsBefore, bloom: BloomWriter, to: Destination): number {
  let next = first
  for (const found of logsFrom(logs, { transaction: index, log: first, at: 0 })) {
    if (found.next.transaction !== index) break
    if ((next - first) % LOGS_AT_ONCE === 0 && to.isOver()) break
    found.log.addTo(bloom)
    to.write(next === first ? found.text() : `,${found.text()}`)
    next = found.next.log
  }
  return next
}
