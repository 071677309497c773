// eth_*: transactions and receipts, of the chain and of the pool.
import { toHex } from '../../../../base/hex'
import type { BlockArgument } from '../../../model/block-argument'
import type { BlockId, TransactionInfo } from '../../../worker/wire/shapes'
import { encodeReceipt, encodeTransaction } from '../../answers/encoding'
import { transactionBytes } from '../../answers/transaction-bytes'
import { blockIdOf, isPending } from '../../arguments/block-argument'
import { blockNumberParam, blockParam, hashParam, quantity64 } from '../../arguments/params'
import { method, type RpcContext, type RpcNamespace } from '../../dispatch/method'

async function transactionIn(id: BlockId, index: bigint, { node }: RpcContext): Promise<TransactionInfo | null> {
  return (await node.reader.block(id))?.transactions[Number(index)] ?? null
}

async function transactionAt(argument: BlockArgument, index: bigint, context: RpcContext) {
  if (isPending(argument)) return (await context.node.reader.pendingBlock()).transactions[Number(index)] ?? null
  return transactionIn(await blockIdOf(argument, context), index, context)
}

const encoded = (tx: TransactionInfo | null) => (tx === null ? null : encodeTransaction(tx))
/** A missing transaction gives empty data. */
const raw = (tx: TransactionInfo | null) => (tx === null ? '0x' : toHex(transactionBytes(tx)))

const lookups: RpcNamespace = {
  eth_getTransactionByHash: method({
    params: [hashParam],
    handler: async ([hash], { node }) => encoded(await node.reader.transaction(hash)),
  }),
  eth_getTransactionByBlockNumberAndIndex: method({
    params: [blockNumberParam, quantity64],
    handler: async ([argument, index], context) => encoded(await transactionAt(argument, index, context)),
  }),
  eth_getTransactionByBlockHashAndIndex: method({
    params: [hashParam, quantity64],
    handler: async ([hash, index], context) => encoded(await transactionIn(hash, index, context)),
  }),
  eth_getRawTransactionByHash: method({
    params: [hashParam],
    handler: async ([hash], { node }) => raw(await node.reader.transaction(hash)),
  }),
  eth_getRawTransactionByBlockNumberAndIndex: method({
    params: [blockNumberParam, quantity64],
    handler: async ([argument, index], context) => raw(await transactionAt(argument, index, context)),
  }),
  eth_getRawTransactionByBlockHashAndIndex: method({
    params: [hashParam, quantity64],
    handler: async ([hash, index], context) => raw(await transactionIn(hash, index, context)),
  }),
}

export const ethTransactions: RpcNamespace = {
  ...lookups,
  eth_getTransactionReceipt: method({
    params: [hashParam],
    handler: async ([hash], { node }) => {
      const receipt = await node.reader.receipt(hash)
      return receipt === null ? null : encodeReceipt(receipt)
    },
  }),
  /** Also of executed side blocks; a pending block has no receipts yet. */
  eth_getBlockReceipts: method({
    params: [blockParam],
    handler: async ([argument], context) => {
      if (isPending(argument)) return null
      const receipts = await context.node.reader.receipts(await blockIdOf(argument, context))
      return receipts === null ? null : receipts.map(encodeReceipt)
    },
  }),
}
