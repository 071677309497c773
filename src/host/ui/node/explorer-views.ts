// Single items of the chain as view models: receipts with their logs, pool transactions in block order.
import { toHex } from '../../../base/hex'
import type { PoolPageView, PoolRowView, ReceiptView } from '../../../contract/explorer'
import type { AccountContentInfo } from '../../../node/worker/wire/pool-wire'
import type { ReceiptInfo, TransactionInfo } from '../../../node/worker/wire/shapes'
import { transactionRow } from './node-views'

export function receiptView(receipt: ReceiptInfo): ReceiptView {
  const { place, contractAddress, gasUsed, gasPrice } = receipt
  return {
    succeeded: receipt.succeeded,
    blockHash: toHex(place.blockHash),
    blockNumber: place.blockNumber,
    index: place.index,
    gasUsed: Number(gasUsed),
    cumulativeGasUsed: Number(receipt.cumulativeGasUsed),
    fee: (gasUsed * gasPrice).toString(),
    contractAddress: contractAddress === null ? null : toHex(contractAddress),
    logs: receipt.logs.map((log) => ({
      index: log.logIndex,
      address: toHex(log.address),
      topics: log.topics.map((topic) => toHex(topic)),
      data: toHex(log.data),
    })),
  }
}

interface PoolPageQuery {
  readonly from: number
  readonly count: number
  /** Empty = all. */
  readonly filter: string
}

/** Executable ones first; highest price first within each, the order of inclusion. */
export function poolPage(
  accounts: readonly AccountContentInfo[],
  { from, count, filter }: PoolPageQuery,
): PoolPageView {
  const pending = accounts.flatMap((account) => account.pending)
  const queued = accounts.flatMap((account) => account.queued)
  const wanted = filter.trim().toLowerCase()
  const rows = [...byPrice(pending).map(rowIn('pending')), ...byPrice(queued).map(rowIn('queued'))]
  const found = wanted === '' ? rows : rows.filter((row) => isMatch(row, wanted))
  return {
    pending: pending.length,
    queued: queued.length,
    found: found.length,
    transactions: found.slice(from, from + count),
  }
}

function byPrice(transactions: readonly TransactionInfo[]): readonly TransactionInfo[] {
  return [...transactions].sort((a, b) => (a.gasPrice === b.gasPrice ? 0 : a.gasPrice > b.gasPrice ? -1 : 1))
}

const rowIn =
  (place: PoolRowView['place']) =>
  (transaction: TransactionInfo): PoolRowView => {
    const { input: _selector, ...row } = transactionRow(transaction)
    return { ...row, place, gasLimit: Number(transaction.gasLimit) }
  }

function isMatch({ hash, from, to }: PoolRowView, wanted: string): boolean {
  return [hash, from, to ?? ''].some((text) => text.toLowerCase().includes(wanted))
}
