// Blocks as JSON text, written one transaction at a time: a block has up to 28,000, and each sender is recovered.
import { checksumAddress } from '../../../base/checksum-address'
import { toBareHex, toHex } from '../../../base/hex'
import type { Result } from '../../codec/result'
import { LARGE_RECEIPTS, logsFrom, type StoredLogs } from '../../logs/block-logs'
import { type Block, decodeBlock, decodeTransactions } from '../../model/block'
import { BloomWriter } from '../../model/bloom'
import { type KnownSenders, recoverSender, SenderReader, type SignedTransaction } from '../../model/sender'
import type { AnyTransaction, Transaction } from '../../model/transaction'
import type { BlockId } from '../../worker/wire/shapes'
import { encodeBlock, encodeOutcome, encodePendingBlock, encodeTransaction } from '../encoding'
import {
  type Asked,
  type BadBlocksQuestion,
  type BlockQuestion,
  type PoolContentQuestion,
  type ReceiptQuestion,
  TOO_LONG,
} from '../query-wire'
import type { QuerySession } from '../session'
import { type TextStream, writerOf } from '../text-sink'

/** Logs between two looks at whether somebody still reads. */
const LOGS_AT_ONCE = 1_024

interface FoundReceipts {
  readonly block: Block
  readonly logs: StoredLogs
  readonly first: number
  /** Exclusive. */
  readonly end: number
  readonly isList: boolean
}

/** JSON text, `null` when there is none; `TOO_LONG` when a stream must bring it. */
export function shortReceipts(session: QuerySession, question: ReceiptQuestion): string {
  const found = findReceipts(session, question)
  if (found === null) return 'null'
  const { logs, first, end } = found
  let bytes = 0
  for (let index = first; index < end; index++) bytes += logs.receipts.logBytes(index)
  if (bytes > LARGE_RECEIPTS || end - first > SHORT_TRANSACTIONS) return TOO_LONG
  const parts: string[] = []
  writeFoundReceipts(session, found, { write: (text) => parts.push(text), isOver: () => false })
  return parts.join('')
}

/** The same in any length. */
export function writeReceipts(session: QuerySession, question: ReceiptQuestion, { limits, sink }: TextStream): void {
  const found = findReceipts(session, question)
  const isOver = (): boolean => limits.isStopped() || !sink.isOpen
  if (found === null) sink.write('null')
  else writeFoundReceipts(session, found, { write: (text) => sink.write(text), isOver })
}

/** Null when the transaction or the block is unknown, or the block was never executed. */
function findReceipts(session: QuerySession, question: ReceiptQuestion): FoundReceipts | null {
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

function writeFoundReceipts(session: QuerySession, found: FoundReceipts, to: Destination): void {
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
  { block, logs }: FoundReceipts,
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

type Account = PoolContentQuestion['accounts'][number]

/** @param write false ends it @throws RangeError for damaged transactions */
export function writePoolContent(
  session: QuerySession,
  { accounts, form, isOne }: PoolContentQuestion,
  write: (text: string) => boolean,
): void {
  const { chainId } = session.options
  if (form === 'list') {
    let before = '['
    for (const account of accounts)
      for (const { shown } of entriesOf(account, 'pending', { chainId, form })) {
        if (!write(before + JSON.stringify(shown))) return
        before = ','
      }
    write(before === '[' ? '[]' : ']')
    return
  }
  for (const part of ['pending', 'queued'] as const) {
    write(part === 'pending' ? '{"pending":{' : '},"queued":{')
    let before = ''
    for (const account of accounts) {
      let isFirst = true
      for (const { nonce, shown } of entriesOf(account, part, { chainId, form })) {
        const text = `"${nonce}":${JSON.stringify(shown)}`
        const start = isOne || !isFirst ? '' : `"${checksumAddress(account.address)}":{`
        if (!write(`${isFirst ? before : ','}${start}${text}`)) return
        before = ','
        isFirst = false
      }
      if (!isFirst && !isOne) write('}')
    }
  }
  write('}}')
}

function* entriesOf(
  { address, ...lists }: Account,
  part: 'pending' | 'queued',
  { chainId, form }: { readonly chainId: bigint; readonly form: PoolContentQuestion['form'] },
): Generator<{ readonly nonce: bigint; readonly shown: object | string }> {
  const transactions = decodeTransactions(lists[part])
  if (!transactions.ok) throw new RangeError(transactions.error)
  for (const given of transactions.value) {
    const signed = recoverSender(given, chainId, address)
    if (!signed.ok) throw new RangeError(signed.error)
    const { tx } = signed.value
    const shown =
      form === 'lines' ? lineOf(tx) : encodeTransaction({ ...tx, from: address, input: tx.data, place: null })
    yield { nonce: tx.nonce, shown }
  }
}

/** `0xTO: V wei + G gas × P wei` */
function lineOf({ to, value, gasLimit, gasPrice }: Transaction): string {
  const receiver = to === null ? 'contract creation' : checksumAddress(to)
  return `${receiver}: ${value} wei + ${gasLimit} gas × ${gasPrice} wei`
}

/** Transactions of a block that is one short answer. */
const SHORT_TRANSACTIONS = 256
/** Bytes of such a block: as text they are twice as many. */
const SHORT_BYTES = 128 * 1024
/** Hashes in one short answer. */
const SHORT_HASHES = 4_096
/** Transactions between two looks at whether somebody still reads. */
const TRANSACTIONS_AT_ONCE = 64

interface Found {
  readonly members: object
  readonly transactions: readonly AnyTransaction[]
  readonly sizeBytes: number
  /** Null for the pending block. */
  readonly place: { readonly blockHash: Uint8Array; readonly blockNumber: number } | null
  /** Those that were recovered before. */
  readonly senders?: KnownSenders
}

/** JSON text, `null` when there is none; `TOO_LONG` when a stream must bring it. */
export function shortBlock(session: QuerySession, question: BlockQuestion): string {
  const found = find(session, question)
  if (found === null) return 'null'
  const { length } = found.transactions
  const { full } = question
  const isShort = full ? length <= SHORT_TRANSACTIONS && found.sizeBytes <= SHORT_BYTES : length <= SHORT_HASHES
  if (!isShort) return TOO_LONG
  const parts: string[] = []
  writeFound(session, { found, full }, (part) => parts.push(part) > 0)
  return parts.join('')
}

/** JSON text of the pending block's transaction, or of its bytes; `null` when there is none. */
export function pendingTransaction(session: QuerySession, { index, raw }: Asked<'pendingTransaction'>): string {
  const found = pending(session)
  const tx = found?.transactions[index]
  if (found === null || tx === undefined) return 'null'
  return raw
    ? JSON.stringify(toHex(tx.raw))
    : transactionText(found, { signed: recoverSender(tx, session.options.chainId), tx, index })
}

/** The same in any length. */
export function writeBlock(session: QuerySession, question: BlockQuestion, stream: TextStream): void {
  const found = find(session, question)
  if (found === null) stream.sink.write('null')
  else writeFound(session, { found, full: question.full }, writerOf(stream))
}

/** Invalid blocks with their RLP; instead of a block that has a transaction without a sender, why it is invalid. */
export function writeBadBlocks(session: QuerySession, { blocks }: BadBlocksQuestion, stream: TextStream): void {
  const write = writerOf(stream)
  for (const [place, { hash, reason, rlp }] of blocks.entries()) {
    if (!write(`${place === 0 ? '[' : ','}{"hash":"${toHex(hash)}","block":`)) return
    const block = decodeBlock(rlp)
    if (!block.ok) throw new RangeError(block.error)
    const senders = sendersOf(block.value.transactions, session.options.chainId)
    if (senders !== null) {
      const { members, ...rest } = stored(session, block.value)
      const { totalDifficulty: _unplaced, ...shown } = members
      writeFound(session, { found: { ...rest, members: shown, senders }, full: true }, write)
    } else write(JSON.stringify({ error: reason }))
    write(',"rlp":"0x')
    for (let at = 0; at < rlp.length; at += SHORT_BYTES)
      if (!write(toBareHex(rlp.subarray(at, at + SHORT_BYTES)))) return
    write('"}')
  }
  write(blocks.length === 0 ? '[]' : ']')
}

/** Of all of them; null when one has none. */
function sendersOf(transactions: readonly AnyTransaction[], chainId: bigint): KnownSenders | null {
  const reader = new SenderReader(transactions, chainId, undefined)
  const addresses: Uint8Array[] = []
  for (const [index, tx] of transactions.entries()) {
    const signed = reader.of(tx, index)
    if (!signed.ok) return null
    addresses.push(signed.value.sender)
  }
  return { addressOf: (index) => addresses[index] ?? null }
}

function find(session: QuerySession, question: BlockQuestion): Found | null {
  if (question.kind === 'pendingBlock') return pending(session)
  const hash = hashOf(session, question.block)
  const block = hash === null ? null : session.keptBlocks.block(hash, () => session.view().reads.block(hash))
  return block === null ? null : stored(session, block)
}

function stored(session: QuerySession, { header, hash, sizeBytes, transactions }: Block) {
  const totalDifficulty = session.view().reads.totalDifficulty(hash) ?? 0n
  const { coinbase: miner, ...fields } = header
  const number = Number(header.number)
  const times = { timestamp: Number(header.timestamp), epochStartTime: Number(header.epochStartTime) }
  const shown = { ...fields, ...times, number, miner, hash, sizeBytes, totalDifficulty, transactions: [] }
  const { transactions: _none, ...members } = encodeBlock(shown, false)
  return { members, transactions, sizeBytes, place: { blockHash: hash, blockNumber: number } }
}

/** As it was sent last. @throws RangeError when its transactions are damaged */
function pending(session: QuerySession): Found | null {
  const block = session.pending
  if (block === null) return null
  const transactions = decodeTransactions(block.transactions)
  if (!transactions.ok) throw new RangeError(transactions.error)
  const members = encodePendingBlock(block)
  return { members, transactions: transactions.value, sizeBytes: block.sizeBytes, place: null }
}

/** The transactions come last, behind the block's own hash. @param write false ends it */
function writeFound(
  session: QuerySession,
  { found, full }: { readonly found: Found; readonly full: boolean },
  write: (part: string) => boolean,
): void {
  const senders = new SenderReader(found.transactions, session.options.chainId, found.senders)
  write(`${JSON.stringify(found.members).slice(0, -1)},"transactions":[`)
  for (const [index, tx] of found.transactions.entries()) {
    const text = full ? transactionText(found, { signed: senders.of(tx, index), tx, index }) : `"${toHex(tx.hash)}"`
    const isWanted = write(index === 0 ? text : `,${text}`)
    if (!isWanted && index % TRANSACTIONS_AT_ONCE === 0) return
  }
  write(']}')
}

interface Given {
  readonly signed: Result<SignedTransaction>
  readonly tx: AnyTransaction
  readonly index: number
}

function transactionText({ place }: Found, { signed, tx, index }: Given): string {
  if (!signed.ok) throw new RangeError(`transaction ${toHex(tx.hash)}: ${signed.error}`)
  const { sender: from, tx: sent } = signed.value
  const at = place === null ? null : { ...place, index }
  return JSON.stringify(encodeTransaction({ ...sent, from, input: sent.data, place: at }))
}
