// Converts the chain's blocks, transactions and receipts to the shapes of the worker's wire.
import { toHex } from '../../base/hex'
import { epochOfHeight, type XhashParams } from '../../xhash/params'
import type { Chain } from '../chain/chain'
import { subsidyAt, unlockHeight } from '../consensus/rewards'
import type { Block } from '../model/block'
import { sealHash } from '../model/header'
import type { Receipt } from '../model/receipt'
import { recoverSender, type SignedTransaction } from '../model/sender'
import type { StoredReceipts } from '../model/stored-receipts'
import type { AnyTransaction } from '../model/transaction'
import { RpcFault } from '../rpc-fault'
import type { BlockDetail, BlockSummary, ReceiptInfo, TransactionInfo } from './wire/shapes'

export function summaryOf(chain: Chain, block: Block): BlockSummary {
  const { header } = block
  return {
    number: Number(header.number),
    hash: block.hash,
    parentHash: header.parentHash,
    timestamp: Number(header.timestamp),
    miner: header.coinbase,
    difficulty: header.difficulty,
    totalDifficulty: chain.reads.totalDifficulty(block.hash) ?? 0n,
    gasUsed: header.gasUsed,
    gasLimit: header.gasLimit,
    transactionCount: block.transactions.length,
    sizeBytes: block.sizeBytes,
    subsidy: subsidyAt(chain.params, header.number),
  }
}

/** A block with an empty list of transactions. */
export function headerDetailOf(chain: Chain, xhash: XhashParams, block: Block): BlockDetail {
  const { header } = block
  return {
    ...summaryOf(chain, block),
    canonical: chain.reads.isCanonical(header.number, block.hash),
    stateRoot: header.stateRoot,
    txRoot: header.txRoot,
    receiptRoot: header.receiptRoot,
    logsBloom: header.logsBloom,
    epochStartTime: Number(header.epochStartTime),
    extraData: header.extraData,
    mixHash: header.mixHash,
    nonce: header.nonce,
    sealHash: sealHash(header),
    epoch: epochOfHeight(xhash, Number(header.number)),
    unlockHeight: Number(unlockHeight(chain.params, header.number)),
    transactions: [],
  }
}

export function transactionsOf(chain: Chain, block: Block, from: number, count: number): TransactionInfo[] {
  const outcomes = chain.reads.storedReceipts(block.hash)?.outcomes
  return block.transactions.slice(from, from + count).map((tx, at) => {
    const index = from + at
    return transactionView(signedOf(tx, chain), { block, index, receipt: outcomes?.[index] ?? null })
  })
}

interface Placement {
  readonly block: Block
  readonly index: number
  readonly receipt: Pick<Receipt, 'succeeded' | 'gasUsed'> | null
}

/** A copy: of a view, the wire would send all the bytes that it is a part of, which are the block's. */
function alone(view: Uint8Array): Uint8Array {
  return new Uint8Array(view)
}

/** @param placement null for a pool transaction */
export function transactionView({ tx, sender }: SignedTransaction, placement: Placement | null): TransactionInfo {
  const { hash, type, chainId, to, nonce, value, gasLimit, gasPrice, data, v, r, s } = tx
  const receipt = placement?.receipt ?? null
  return {
    hash,
    type,
    chainId,
    from: sender,
    to: to === null ? null : alone(to),
    nonce,
    value,
    gasLimit,
    gasPrice,
    input: alone(data),
    v,
    r,
    s,
    accessList: tx.accessList.map((entry) => ({
      address: alone(entry.address),
      storageKeys: entry.storageKeys.map(alone),
    })),
    place: placement === null ? null : placeOf(placement),
    outcome: receipt === null ? null : { succeeded: receipt.succeeded, gasUsed: receipt.gasUsed },
  }
}

/** Bytes of stored logs that one receipt of this wire may have. */
const MAX_RECEIPT_LOGS = 1024 * 1024

/** Receipt `index` of an executed block. @throws RpcFault RPC_ANSWER_TOO_LARGE */
export function receiptView(chain: Chain, block: Block, stored: StoredReceipts, index: number): ReceiptInfo | null {
  const tx = block.transactions[index]
  const outcome = stored.outcomes[index]
  if (tx === undefined || outcome === undefined) return null
  if (stored.logBytes(index) > MAX_RECEIPT_LOGS) throw new RpcFault('RPC_ANSWER_TOO_LARGE', undefined)
  const first = stored.logsBefore(index)
  const logs: ReceiptInfo['logs'] = []
  for (const log of stored.logs({ transaction: index, log: first, at: 0 })) {
    const { address, topics, data } = log.copy()
    logs.push({ address, topics: [...topics], data, logIndex: log.index })
  }
  const signed = signedOf(tx, chain)
  return {
    transactionHash: tx.hash,
    place: placeOf({ block, index }),
    type: outcome.type,
    from: signed.sender,
    to: signed.tx.to === null ? null : alone(signed.tx.to),
    contractAddress: outcome.contractAddress,
    succeeded: outcome.succeeded,
    gasUsed: outcome.gasUsed,
    cumulativeGasUsed: outcome.cumulativeGasUsed,
    gasPrice: signed.tx.gasPrice,
    logs,
    logsBloom: stored.bloom(index),
  }
}

function placeOf({ block, index }: { readonly block: Block; readonly index: number }) {
  return { blockHash: block.hash, blockNumber: Number(block.header.number), index }
}

/** @throws RangeError for a stored transaction without a valid signature: the database is corrupt */
function signedOf(tx: AnyTransaction, chain: Chain): SignedTransaction {
  const signed = recoverSender(tx, chain.params.chainId)
  if (!signed.ok) throw new RangeError(`stored transaction ${toHex(tx.hash)}: ${signed.error}`)
  return signed.value
}
