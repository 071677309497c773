// Converts the pending block to the shape of the worker's wire.
import { toHex } from '../../base/hex'
import { nodesOf } from '../execution/changed-nodes'
import type { StateChanges } from '../execution/state-changes'
import type { PendingBlock } from '../miner-work/pending-block'
import { recoverSender, type SignedTransaction } from '../model/sender'
import type { AnyTransaction } from '../model/transaction'
import { stateKeys } from '../store/keys'
import type { ChainSession } from './chain-session'
import { transactionView } from './views'
import type { PendingBlockInfo, PendingReceiptInfo, StateEntry } from './wire/pending-shapes'

/** The pending block with its effects on the state. */
export function pendingView(session: ChainSession, { parent, block, built }: PendingBlock): PendingBlockInfo {
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
    transactions: block.transactions.map((tx) => transactionView(signedIn(session, tx), null)),
    receipts: receiptsOf(built.receipts),
    changes: entriesOf(built.changes),
  }
}

function receiptsOf(receipts: PendingBlock['built']['receipts']): PendingReceiptInfo[] {
  let logIndex = 0
  return receipts.map(({ contractAddress, succeeded, gasUsed, cumulativeGasUsed, logs }) => ({
    contractAddress,
    succeeded,
    gasUsed,
    cumulativeGasUsed,
    logs: logs.map((log) => ({ ...log, topics: [...log.topics], logIndex: logIndex++ })),
  }))
}

function entriesOf({ flat, nodes, codes }: StateChanges): StateEntry[] {
  return [
    ...flat.map(({ key, after }): StateEntry => [key, after]),
    ...[...nodesOf(nodes)].map(([hash, node]): StateEntry => [stateKeys.node(hash), node]),
    ...codes.map(([hash, code]): StateEntry => [stateKeys.code(hash), code]),
  ]
}

/** The pool knows the sender, which saves a recovery, unless the transaction has left it. */
function signedIn({ pool, network }: ChainSession, tx: AnyTransaction): SignedTransaction {
  const waiting = pool.get(tx.hash)
  if (waiting !== null) return waiting
  const signed = recoverSender(tx, network.consensus.chainId)
  if (!signed.ok) throw new RangeError(`pending transaction ${toHex(tx.hash)}: ${signed.error}`)
  return signed.value
}
