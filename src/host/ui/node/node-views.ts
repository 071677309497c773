// The chain's blocks, transactions and accounts as view models: decimal strings for wei and difficulty, 0x strings for bytes,
// milliseconds for times.
import { toHex } from '../../../base/hex'
import type { Clock } from '../../../base/time'
import { MAX_REORG_BLOCKS, type ReorgView } from '../../../contract/explorer'
import type { BalanceView, BlockRowView, BlockView, TransactionRowView } from '../../../contract/node'
import type { HeadChange } from '../../../node/node-service'
import type { AccountInfo, BlockDetail, BlockSummary, TransactionInfo } from '../../../node/worker/wire/shapes'

const MAX_REORGS = 20

export class ReorgRing {
  #reorgs: readonly ReorgView[] = []

  constructor(private readonly clock: Clock) {}

  take({ removed, added }: HeadChange): void {
    const lowest = removed[0]
    if (lowest === undefined) return
    const reorg = {
      at: this.clock.now(),
      ancestor: lowest.number - 1,
      removed: removed.slice(0, MAX_REORG_BLOCKS).map(blockRow),
      added: added.slice(0, MAX_REORG_BLOCKS).map(blockRow),
    }
    this.#reorgs = [reorg, ...this.#reorgs].slice(0, MAX_REORGS)
  }

  /** Newest first. */
  list(): readonly ReorgView[] {
    return this.#reorgs
  }
}

const MS_PER_SECOND = 1_000

export function blockRow(block: BlockSummary): BlockRowView {
  return {
    number: block.number,
    hash: toHex(block.hash),
    parentHash: toHex(block.parentHash),
    time: block.timestamp * MS_PER_SECOND,
    miner: toHex(block.miner),
    difficulty: block.difficulty.toString(),
    gasUsed: Number(block.gasUsed),
    gasLimit: Number(block.gasLimit),
    transactionCount: block.transactionCount,
    sizeBytes: block.sizeBytes,
    subsidy: block.subsidy.toString(),
  }
}

/** @param fees wei; null when it was never executed */
export function blockView(
  block: BlockDetail,
  { transactions, fees }: { readonly transactions: readonly TransactionInfo[]; readonly fees: bigint | null },
): BlockView {
  return {
    ...blockRow(block),
    totalDifficulty: block.totalDifficulty.toString(),
    stateRoot: toHex(block.stateRoot),
    transactionsRoot: toHex(block.txRoot),
    receiptsRoot: toHex(block.receiptRoot),
    mixDigest: toHex(block.mixHash),
    nonce: `0x${block.nonce.toString(16).padStart(16, '0')}`,
    sealHash: toHex(block.sealHash),
    extraData: toHex(block.extraData),
    epoch: block.epoch,
    epochStartTime: block.epochStartTime * MS_PER_SECOND,
    isCanonical: block.canonical,
    fees: fees?.toString() ?? null,
    unlockHeight: block.unlockHeight,
    transactions: transactions.map(transactionRow),
  }
}

export function transactionRow(transaction: TransactionInfo): TransactionRowView {
  const { outcome, place, to } = transaction
  return {
    hash: toHex(transaction.hash),
    from: toHex(transaction.from),
    to: to === null ? null : toHex(to),
    value: transaction.value.toString(),
    nonce: Number(transaction.nonce),
    gasPrice: transaction.gasPrice.toString(),
    gasUsed: outcome === null ? null : Number(outcome.gasUsed),
    succeeded: outcome?.succeeded ?? null,
    blockNumber: place?.blockNumber ?? null,
    input: toHex(transaction.input),
  }
}

/** @param address in display spelling */
export function balanceView(address: string, account: AccountInfo): BalanceView {
  const { nextUnlock } = account
  return {
    address,
    available: account.balance.toString(),
    locked: account.locked.toString(),
    nextUnlock: nextUnlock === null ? null : { height: nextUnlock.height, amount: nextUnlock.amount.toString() },
    nonce: Number(account.nonce),
  }
}
