// Recent transactions of an address. There is no index of addresses, so blocks are searched, and the answer says which.
import { equalBytes } from '../../../base/bytes'
import type { Clock } from '../../../base/time'
import type { AddressHistoryView } from '../../../contract/explorer'
import { transactionsOf } from '../../../node/chain-reader'
import type { ChainReader, TransactionInfo } from '../../../node/node-service'
import { transactionRow } from './node-views'

/** Blocks per answer: their summaries come at once, only those with transactions are read in full. */
const MAX_BLOCKS = 1_024
const PAGE = 50
const MAX_MS = 2_000

interface HistoryDeps {
  readonly reader: Pick<ChainReader, 'blocksDown' | 'transactions'>
  readonly clock: Clock
}

/** @param address 20 bytes @param from height; null = head */
export async function addressHistory(
  { reader, clock }: HistoryDeps,
  address: Uint8Array,
  from: number | null,
): Promise<AddressHistoryView> {
  const began = clock.monotonic()
  const blocks = await reader.blocksDown(from, MAX_BLOCKS)
  const newest = blocks[0]?.number ?? 0
  const found: TransactionInfo[] = []
  let oldest = newest
  for (const { number, hash, transactionCount } of blocks) {
    if (found.length >= PAGE || clock.monotonic() - began > MAX_MS) break
    oldest = number
    if (transactionCount === 0) continue
    const sent = await transactionsOf(reader, { hash, transactionCount })
    found.push(...sent.filter((transaction) => concerns(transaction, address)).reverse())
  }
  return { transactions: found.map(transactionRow), newest, oldest }
}

function concerns({ from, to }: TransactionInfo, address: Uint8Array): boolean {
  return equalBytes(from, address) || (to !== null && equalBytes(to, address))
}
