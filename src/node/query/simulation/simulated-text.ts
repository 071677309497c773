// Simulated blocks as JSON: the members of eth_getBlockByNumber plus the calls.

import { bytesFromBigint } from '../../../base/bytes'
import { toHex } from '../../../base/hex'
import { toQuantity } from '../../../base/quantity'
import { encodedList } from '../../codec/rlp'
import type { WorldLog } from '../../execution/tracer'
import { addressBytes, bytesOfWord } from '../../execution/word'
import { type BlockHeader, encodeHeader } from '../../model/header'
import { rawToBodyBytes } from '../../model/transaction'
import type { SimulatedRun } from './simulated-call'

/** Hash of an empty uncle list. The header has no such field: these two members exist in answers only. */
const NO_UNCLES_HASH = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'

/** The outcome of one call. */
export interface CallText {
  readonly status: '0x0' | '0x1'
  readonly returnData: string
  readonly gasUsed: string
  readonly logs: readonly object[]
  readonly error?: object
}

interface LogPlace {
  readonly hash: Uint8Array
  readonly number: bigint
  readonly transaction: Uint8Array
  readonly index: number
  /** Number of earlier logs in the block. */
  readonly firstLog: number
}

/** Logs as JSON objects. */
export function logViews(logs: readonly WorldLog[], place: LogPlace): readonly object[] {
  return logs.map(({ address, topics, data }, at) => ({
    address: toHex(addressBytes(address)),
    topics: topics.map((topic) => toHex(bytesOfWord(topic))),
    data: toHex(data),
    blockNumber: toQuantity(place.number),
    transactionHash: toHex(place.transaction),
    transactionIndex: toQuantity(place.index),
    blockHash: toHex(place.hash),
    logIndex: toQuantity(place.firstLog + at),
    removed: false,
  }))
}

/** A simulated block as JSON text. */
export function blockText(block: {
  readonly header: BlockHeader
  readonly hash: Uint8Array
  readonly runs: readonly SimulatedRun['result'][]
  readonly calls: readonly CallText[]
  /** Full transactions instead of their hashes. */
  readonly isFull: boolean
}): string {
  const { header, hash, runs, calls, isFull } = block
  const transactions = runs.map((run, index) => (isFull ? fullView(run, { header, hash, index }) : toHex(run.hash)))
  return JSON.stringify({
    ...headerView(header),
    hash: toHex(hash),
    uncles: [],
    transactions,
    size: sizeOf(header, runs),
    calls,
  })
}

function headerView(header: BlockHeader) {
  return {
    difficulty: toQuantity(header.difficulty),
    epochStartTime: toQuantity(header.epochStartTime),
    extraData: toHex(header.extraData),
    gasLimit: toQuantity(header.gasLimit),
    gasUsed: toQuantity(header.gasUsed),
    logsBloom: toHex(header.logsBloom),
    miner: toHex(header.coinbase),
    mixHash: toHex(header.mixHash),
    nonce: toHex(bytesFromBigint(header.nonce, 8)),
    number: toQuantity(header.number),
    parentHash: toHex(header.parentHash),
    receiptsRoot: toHex(header.receiptRoot),
    sha3Uncles: NO_UNCLES_HASH,
    stateRoot: toHex(header.stateRoot),
    timestamp: toQuantity(header.timestamp),
    transactionsRoot: toHex(header.txRoot),
  }
}

/** Of the block's RLP. */
function sizeOf(header: BlockHeader, runs: readonly SimulatedRun['result'][]): string {
  return toQuantity(encodedList([encodeHeader(header), encodedList(runs.map(({ raw }) => rawToBodyBytes(raw)))]).length)
}

function fullView(
  { message, nonce, type, hash }: SimulatedRun['result'],
  place: { readonly header: BlockHeader; readonly hash: Uint8Array; readonly index: number },
): object {
  const { from, to, gas, gasPrice, data, value, accessList } = message
  const list = accessList.map((entry) => ({
    address: toHex(entry.address),
    storageKeys: entry.storageKeys.map(toHex),
  }))
  return {
    blockHash: toHex(place.hash),
    blockNumber: toQuantity(place.header.number),
    from: toHex(addressBytes(from)),
    gas: toQuantity(gas),
    gasPrice: toQuantity(gasPrice),
    hash: toHex(hash),
    input: toHex(data),
    nonce: toQuantity(nonce),
    to: to === null ? null : toHex(addressBytes(to)),
    transactionIndex: toQuantity(place.index),
    value: toQuantity(value),
    type: toQuantity(type),
    ...(type === 1 ? { accessList: list } : {}),
    v: '0x0',
    r: '0x0',
    s: '0x0',
  }
}
