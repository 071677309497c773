// eth_*: transactions and receipts, of the chain and of the pool.
import { toHex } from '../../../../base/hex'
import { JsonText } from '../../../../net/json-rpc/json-rpc'
import { encodeTransaction } from '../../../query/encoding'
import type { BlockId, TransactionInfo } from '../../../worker/wire/shapes'
import { textOrStream } from '../../answers/hot-reads'
import { transactionBytes } from '../../answers/transaction-bytes'
import { blockIdOf, isPending } from '../../arguments/block-argument'
import { blockNumberParam, blockParam, hashParam, quantity64 } from '../../arguments/params'
import { type MethodContext, method, type RpcContext, type RpcNamespace, type RpcResult } from '../../dispatch/method'

/** No block has as many. */
const MAX_INDEX = 1_000_000n

async function transactionIn(id: BlockId, index: bigint, { node }: RpcContext): Promise<TransactionInfo | null> {
  return index > MAX_INDEX ? null : ((await node.reader.transactions(id, Number(index), 1))[0] ?? null)
}

const PENDING = { kind: 'tag', tag: 'pending' } as const

/** Of the pending block: only a query worker reads its transactions. @param raw as bytes */
async function pendingTransaction(
  { index, raw }: { readonly index: bigint; readonly raw: boolean },
  { node }: RpcContext,
  caller: MethodContext,
): Promise<RpcResult> {
  if (index > MAX_INDEX) return raw ? '0x' : null
  const question = { kind: 'pendingTransaction', at: PENDING, index: Number(index), raw } as const
  const text = await node.queries.ask(question, caller)
  return raw && text === 'null' ? '0x' : new JsonText(text)
}

const encoded = (tx: TransactionInfo | null) => (tx === null ? null : encodeTransaction(tx))
/** A missing transaction gives empty data. */
const raw = (tx: TransactionInfo | null) => (tx === null ? '0x' : toHex(transactionBytes(tx)))

export const ethTransactions: RpcNamespace = {
  eth_getTransactionByHash: method({
    params: [hashParam],
    handler: async ([hash], { node }) => encoded(await node.reader.transaction(hash)),
  }),
  eth_getTransactionByBlockNumberAndIndex: method({
    params: [blockNumberParam, quantity64],
    handler: async ([argument, index], context, caller) =>
      isPending(argument)
        ? pendingTransaction({ index, raw: false }, context, caller)
        : encoded(await transactionIn(await blockIdOf(argument, context), index, context)),
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
    handler: async ([argument, index], context, caller) =>
      isPending(argument)
        ? pendingTransaction({ index, raw: true }, context, caller)
        : raw(await transactionIn(await blockIdOf(argument, context), index, context)),
  }),
  eth_getRawTransactionByBlockHashAndIndex: method({
    params: [hashParam, quantity64],
    handler: async ([hash, index], context) => raw(await transactionIn(hash, index, context)),
  }),
  eth_getTransactionReceipt: method({
    params: [hashParam],
    handler: ([hash], { node }, caller) => textOrStream({ kind: 'receipt', hash }, node.queries, caller),
  }),
  /** Also of executed side blocks; a pending block has no receipts yet. */
  eth_getBlockReceipts: method({
    params: [blockParam],
    handler: async ([argument], context, caller) => {
      if (isPending(argument)) return null
      const block = await blockIdOf(argument, context)
      return textOrStream({ kind: 'blockReceipts', block }, context.node.queries, caller)
    },
  }),
}
