// eth_*: transactions and receipts, of the chain and of the pool.
import { toHex } from '../../../../base/hex'
import { JsonText, StreamedResult } from '../../../../net/json-rpc/json-rpc'
import type { BlockArgument } from '../../../model/block-argument'
import type { NodeQueries } from '../../../query/query-port'
import { type ReceiptQuestion, TOO_LONG } from '../../../query/query-wire'
import type { BlockId, TransactionInfo } from '../../../worker/wire/shapes'
import { encodeTransaction } from '../../answers/encoding'
import { transactionBytes } from '../../answers/transaction-bytes'
import { blockIdOf, isPending } from '../../arguments/block-argument'
import { blockNumberParam, blockParam, hashParam, quantity64 } from '../../arguments/params'
import { type MethodContext, method, type RpcContext, type RpcNamespace, type RpcResult } from '../../dispatch/method'

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

/** Short answers come whole, long ones as they are written. */
async function receiptAnswer(
  question: ReceiptQuestion,
  queries: NodeQueries,
  caller: MethodContext,
): Promise<RpcResult> {
  const text = await queries.ask(question, caller)
  return text === TOO_LONG ? new StreamedResult(queries.stream(question, caller)) : new JsonText(text)
}

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
    handler: ([hash], { node }, caller) => receiptAnswer({ kind: 'receipt', hash }, node.queries, caller),
  }),
  /** Also of executed side blocks; a pending block has no receipts yet. */
  eth_getBlockReceipts: method({
    params: [blockParam],
    handler: async ([argument], context, caller) => {
      if (isPending(argument)) return null
      const block = await blockIdOf(argument, context)
      return receiptAnswer({ kind: 'blockReceipts', block }, context.node.queries, caller)
    },
  }),
}
