// Converts the pending block to the shape of the worker's wire.
import type { StateChanges } from '../execution/state-changes'
import type { PendingBlock } from '../miner-work/pending-block'
import { encodeTransactions } from '../model/block'
import { encodeStoredReceipts } from '../model/receipt'
import { stateKeys } from '../store/keys'
import { nodesOf } from '../store/node-list'
import { type PendingBlockInfo, packEntries, type StateEntry } from './wire/pending-shapes'

/** The pending block with its effects on the state. */
export function pendingView({ parent, block, built }: PendingBlock): PendingBlockInfo {
  const { header } = block
  return {
    parentHash: parent.hash,
    number: Number(header.number),
    timestamp: Number(header.timestamp),
    miner: header.coinbase,
    difficulty: header.difficulty,
    totalDifficulty: parent.totalDifficulty + header.difficulty,
    gasLimit: header.gasLimit,
    gasUsed: header.gasUsed,
    epochStartTime: Number(header.epochStartTime),
    extraData: header.extraData,
    logsBloom: header.logsBloom,
    stateRoot: header.stateRoot,
    txRoot: header.txRoot,
    receiptRoot: header.receiptRoot,
    sizeBytes: block.sizeBytes,
    transactionCount: block.transactions.length,
    fees: block.transactions.reduce((sum, tx, index) => {
      const gasPrice = tx.kind === 'supported' ? tx.gasPrice : 0n
      return sum + gasPrice * (built.receipts[index]?.gasUsed ?? 0n)
    }, 0n),
    transactions: encodeTransactions(block.transactions),
    receipts: encodeStoredReceipts(built.receipts),
    changes: packEntries(changedBy(built.changes)),
  }
}

function* changedBy({ flat, nodes, codes }: StateChanges): Generator<StateEntry> {
  for (const { key, after } of flat) yield [key, after]
  for (const [hash, node] of nodesOf(nodes)) yield [stateKeys.node(hash), node]
  for (const [hash, code] of codes) yield [stateKeys.code(hash), code]
}
