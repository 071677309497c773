// Blocks with chosen logs in a store in memory, written as the chain writes them, without execution.
import { toHex } from '../../base/hex'
import { ChainReads, removeCanonical, writeBlock, writeCanonical } from '../chain/chain-store'
import { indexLogs } from '../log-index/log-index'
import { type Block, createBlock } from '../model/block'
import { bloomOf, type Log } from '../model/bloom'
import type { Receipt } from '../model/receipt'
import { MemoryStore, StoreLayer } from '../store/store'
import { plainHeader } from './test-header'
import { TestWallet } from './test-wallet'

const wallet = new TestWallet(1)
const transactions = [0n, 1n].map((nonce) => wallet.sign({ nonce }))

/** A successful receipt with these logs. */
function receiptOf(logs: readonly Log[]): Receipt {
  return { type: 0, succeeded: true, cumulativeGasUsed: 21_000n, gasUsed: 21_000n, logs, contractAddress: null }
}

/** A log whose address and topics are made from these numbers. */
export function logOf(address: number, topics: readonly number[] = [], data = 0): Log {
  return { address: new Uint8Array(20).fill(address), topics: topics.map(topicOf), data: Uint8Array.of(data) }
}

/** A padded number, as in events. */
function topicOf(value: number): Uint8Array {
  return Uint8Array.from({ length: 32 }, (_, i) => (i === 31 ? value : 0))
}

/** The address made from a number, `0x` hex. */
export const addressText = (address: number): string => toHex(new Uint8Array(20).fill(address))
/** The topic made from a number, `0x` hex. */
export const topicText = (topic: number): string => toHex(topicOf(topic))

/** A chain of blocks with chosen logs. */
export class LoggingChain {
  readonly store = new MemoryStore()
  readonly reads = new ChainReads(this.store)
  #tag = 0

  /** Stores a block with these logs for its first two transactions. */
  async put(number: number, logs: readonly (readonly Log[])[]): Promise<Block> {
    const layer = new StoreLayer(this.store)
    const used = transactions.slice(0, logs.length)
    const fields = { number: BigInt(number), logsBloom: bloomOf(logs.flat()), extraData: Uint8Array.of(this.#tag++) }
    const block = createBlock(plainHeader({ ...fields, gasLimit: 1n, gasUsed: 1n }), used)
    writeBlock(layer, block, 1n)
    const receipts = logs.map(receiptOf)
    writeCanonical(layer, block, receipts)
    indexLogs(layer, block.header.number, receipts)
    await this.store.write(layer.changes())
    return block
  }

  async remove(block: Block): Promise<void> {
    const layer = new StoreLayer(this.store)
    removeCanonical(layer, block)
    await this.store.write(layer.changes())
  }
}
