// `Transaction` and `Log`. Fields that depend on a block are null while a transaction is pending.
import { z } from 'zod'
import { bytesOfHex, toHex } from '../../../base/hex'
import { toQuantity } from '../../../base/quantity'
import { encodeReceipt } from '../../model/receipt'
import { rpcFailed } from '../../rpc-fault'
import type { OutcomeInfo, ReceiptInfo, TransactionInfo } from '../../worker/wire/shapes'
import { transactionBytes } from '../answers/transaction-bytes'
import { viewAt } from './block-view'
import { type AtArguments, atOf, type Graph } from './graph'

/** The view of `Transaction`. */
export function transactionView(graph: Graph, tx: TransactionInfo): object {
  const { place } = tx
  const price = toQuantity(tx.gasPrice)
  return {
    hash: toHex(tx.hash),
    nonce: toQuantity(tx.nonce),
    index: place?.index ?? null,
    from: (at: AtArguments) => graph.account(tx.from, atOf(at)),
    to: (at: AtArguments) => (tx.to === null ? null : graph.account(tx.to, atOf(at))),
    value: toQuantity(tx.value),
    gasPrice: price,
    maxFeePerGas: null,
    maxPriorityFeePerGas: null,
    effectiveTip: place === null ? null : price,
    effectiveGasPrice: place === null ? null : price,
    gas: toQuantity(tx.gasLimit),
    inputData: () => toHex(tx.input),
    block: () => (place === null ? null : viewAt(graph, place.blockHash)),
    r: toQuantity(tx.r),
    s: toQuantity(tx.s),
    v: toQuantity(tx.v),
    type: tx.type,
    accessList: () =>
      tx.accessList.map(({ address, storageKeys }) => ({
        address: toHex(address),
        storageKeys: storageKeys.map(toHex),
      })),
    raw: () => toHex(transactionBytes(tx)),
    ...ofReceipt(graph, tx),
  }
}

function ofReceipt(graph: Graph, { place, hash }: TransactionInfo): object {
  const outcomeOf = async () => (place === null ? null : graph.outcome(place))
  const receiptOf = async () => (place === null ? null : graph.receipt(hash))
  const told =
    <T>(tell: (outcome: OutcomeInfo) => T) =>
    async (): Promise<T | null> => {
      const outcome = await outcomeOf()
      return outcome === null ? null : tell(outcome)
    }
  return {
    status: told(({ succeeded }) => (succeeded ? 1 : 0)),
    gasUsed: told(({ gasUsed }) => Number(gasUsed)),
    cumulativeGasUsed: told(({ cumulativeGasUsed }) => Number(cumulativeGasUsed)),
    createdContract: async (at: AtArguments) => {
      const address = (await outcomeOf())?.contractAddress ?? null
      return address === null ? null : graph.account(address, atOf(at))
    },
    logs: async () => {
      const receipt = await receiptOf()
      graph.budget.spend(receipt?.logs.length ?? 0)
      return receipt?.logs.map((log) => logView(graph, receipt.transactionHash, log)) ?? null
    },
    rawReceipt: async () => {
      const receipt = await receiptOf()
      return receipt === null ? '0x' : toHex(encodeReceipt(receipt, receipt.logsBloom))
    },
  }
}

const logText = z.object({
  address: z.string(),
  topics: z.array(z.string()),
  data: z.string(),
  transactionHash: z.string(),
  logIndex: z.string(),
})

/** @param text a log's JSON as in `eth_getLogs` */
export function logTextView(graph: Graph, text: string): object {
  const { address, topics, data, transactionHash, logIndex } = logText.parse(JSON.parse(text))
  const log = {
    address: bytesOfHex(address, 20),
    topics: topics.map((topic) => bytesOfHex(topic, 32)),
    data: bytesOfHex(data),
    logIndex: Number(logIndex),
  }
  return logView(graph, bytesOfHex(transactionHash, 32), log)
}

function logView(graph: Graph, hash: Uint8Array, log: ReceiptInfo['logs'][number]): object {
  return {
    index: log.logIndex,
    account: (at: AtArguments) => graph.account(log.address, atOf(at)),
    topics: log.topics.map(toHex),
    data: () => toHex(log.data),
    transaction: async () => {
      const tx = await graph.budget.read(() => graph.rpc.node.reader.transaction(hash))
      if (tx === null) throw rpcFailed(`transaction ${toHex(hash)} not found`)
      return graph.transaction(tx)
    },
  }
}
