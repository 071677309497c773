// Blocks, transactions and receipts as JSON-RPC objects.
import { bytesFromBigint } from '../../base/bytes'
import { toHex } from '../../base/hex'
import { toQuantity } from '../../base/quantity'
import { addressBytes, bytesOfWord } from '../execution/word'
import type { PendingBlockInfo } from '../worker/wire/pending-shapes'
import type { BlockDetail, OutcomeInfo, TransactionInfo } from '../worker/wire/shapes'

/** Hash of an empty uncle list. The header has no such field: these two members exist in answers only. */
const NO_UNCLES_HASH = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'

type BlockFields = Omit<
  BlockDetail,
  'canonical' | 'sealHash' | 'epoch' | 'unlockHeight' | 'subsidy' | 'transactionCount'
>

const EMPTY_BLOOM = `0x${'00'.repeat(256)}`

/** A block as `eth_getBlockBy*` returns it. @param withTransactions in full instead of their hashes */
export function encodeBlock(block: BlockFields, withTransactions: boolean) {
  return {
    ...encodeCommon(block),
    transactions: block.transactions.map((tx) => (withTransactions ? encodeTransaction(tx) : toHex(tx.hash))),
    hash: toHex(block.hash),
    logsBloom: toHex(block.logsBloom),
    mixHash: toHex(block.mixHash),
    nonce: toHex(bytesFromBigint(block.nonce, 8)),
    number: toQuantity(block.number),
  }
}

/** A block without its body's fields. */
export function encodeHeader(block: BlockDetail) {
  const { transactions: _transactions, uncles: _uncles, ...header } = encodeBlock(block, false)
  return header
}

/** A header as the `newHeads` subscription sends it. */
export function encodeHead(block: BlockDetail) {
  const { size: _size, totalDifficulty: _total, ...head } = encodeHeader(block)
  return head
}

/** Without transactions, and null what only a seal determines, but height and bloom: ethers and Foundry insist on them. */
export function encodePendingBlock(block: PendingBlockInfo) {
  return {
    ...encodeCommon(block),
    hash: null,
    logsBloom: EMPTY_BLOOM,
    nonce: null,
    number: toQuantity(block.number),
    mixHash: toHex(new Uint8Array(32)),
  }
}

function encodeCommon(block: Omit<BlockFields, 'transactions' | 'hash' | 'mixHash' | 'nonce'>) {
  return {
    difficulty: toQuantity(block.difficulty),
    epochStartTime: toQuantity(block.epochStartTime),
    extraData: toHex(block.extraData),
    gasLimit: toQuantity(block.gasLimit),
    gasUsed: toQuantity(block.gasUsed),
    miner: toHex(block.miner),
    parentHash: toHex(block.parentHash),
    receiptsRoot: toHex(block.receiptRoot),
    sha3Uncles: NO_UNCLES_HASH,
    size: toQuantity(block.sizeBytes),
    stateRoot: toHex(block.stateRoot),
    timestamp: toQuantity(block.timestamp),
    totalDifficulty: toQuantity(block.totalDifficulty),
    transactionsRoot: toHex(block.txRoot),
    uncles: [],
  }
}

type AccessList = readonly { readonly address: Uint8Array; readonly storageKeys: readonly Uint8Array[] }[]

type TransactionFields = Omit<TransactionInfo, 'outcome' | 'accessList'> & { readonly accessList: AccessList }

/** A transaction as `eth_getTransactionBy*` returns it. */
export function encodeTransaction(tx: TransactionFields) {
  return {
    blockHash: tx.place === null ? null : toHex(tx.place.blockHash),
    blockNumber: tx.place === null ? null : toQuantity(tx.place.blockNumber),
    from: toHex(tx.from),
    gas: toQuantity(tx.gasLimit),
    gasPrice: toQuantity(tx.gasPrice),
    hash: toHex(tx.hash),
    input: toHex(tx.input),
    nonce: toQuantity(tx.nonce),
    to: hexOrNull(tx.to),
    transactionIndex: tx.place === null ? null : toQuantity(tx.place.index),
    value: toQuantity(tx.value),
    type: toQuantity(tx.type),
    ...(tx.type === 1 ? { accessList: encodeList(tx.accessList), chainId: toQuantity(tx.chainId ?? 0n) } : {}),
    v: toQuantity(tx.v),
    r: toQuantity(tx.r),
    s: toQuantity(tx.s),
  }
}

/** A receipt without its logs and bloom. */
export function encodeOutcome(outcome: OutcomeInfo) {
  return {
    blockHash: toHex(outcome.place.blockHash),
    blockNumber: toQuantity(outcome.place.blockNumber),
    transactionHash: toHex(outcome.transactionHash),
    transactionIndex: toQuantity(outcome.place.index),
    contractAddress: hexOrNull(outcome.contractAddress),
    cumulativeGasUsed: toQuantity(outcome.cumulativeGasUsed),
    effectiveGasPrice: toQuantity(outcome.gasPrice),
    from: toHex(outcome.from),
    gasUsed: toQuantity(outcome.gasUsed),
    status: outcome.succeeded ? '0x1' : '0x0',
    to: hexOrNull(outcome.to),
    type: toQuantity(outcome.type),
  }
}

export function encodeList(list: AccessList) {
  return list.map(({ address, storageKeys }) => ({ address: toHex(address), storageKeys: storageKeys.map(toHex) }))
}

const hexOrNull = (bytes: Uint8Array | null): string | null => (bytes === null ? null : toHex(bytes))

/** The lower 160 bits, as hex of 20 bytes. */
export const addressHex = (address: bigint): string => toHex(addressBytes(address))

/** Hex of 32 bytes. */
export const wordHex = (word: bigint): string => toHex(bytesOfWord(word))
