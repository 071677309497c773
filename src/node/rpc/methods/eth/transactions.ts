// eth_*: transactions and receipts, of the chain and of the pool.
import { toHex } from '../../../../base/hex'
import { JsonText } from '../../../../net/json-rpc/json-rpc'
import { encodeTransaction } from '../../../query/encoding'
import type { BlockId, TransactionInfo } from '../../../worker/wire/shapes'
import { transactionBytes } from '../../answers/described-transaction'
import { textOrStream } from '../../answers/hot-reads'
import { blockIdOf, isPending } from '../../arguments/block-argument'
import { blockNumberParam, blockParam, hashParam, quantity64 } from '../../arguments/params'
import { method, type RpcContext, type RpcMethod, type RpcNamespace, type RpcResult } from '../../dispatch/method'

/** No block has as many. */
const MAX_INDEX = 1_000_000n
const PENDING = { kind: 'tag', tag: 'pending' } as const

/** Its fields; or its bytes, empty for a missing one. */
function shown(tx: TransactionInfo | null, raw: boolean) {
  if (raw) return tx === null ? '0x' : toHex(transactionBytes(tx))
  return tx === null ? null : encodeTransaction(tx)
}

async function shownIn(id: BlockId, index: bigint, raw: boolean, { node }: RpcContext): Promise<RpcResult> {
  const [tx = null] = index > MAX_INDEX ? [] : await node.reader.transactions(id, Number(index), 1)
  return shown(tx, raw)
}

/** A transaction by hash. @param raw as bytes, as below */
export const byHash = (raw: boolean): RpcMethod =>
  method({
    params: [hashParam],
    handler: async ([hash], { node }) => shown(await node.reader.transaction(hash), raw),
  })

const byBlockHash = (raw: boolean): RpcMethod =>
  method({
    params: [hashParam, quantity64],
    handler: ([hash, index], context) => shownIn(hash, index, raw, context),
  })

const byBlockNumber = (raw: boolean): RpcMethod =>
  method({
    params: [blockNumberParam, quantity64],
    handler: async ([at, index], context, caller) => {
      if (!isPending(at)) return shownIn(await blockIdOf(at, context), index, raw, context)
      if (index > MAX_INDEX) return shown(null, raw)
      // Only a query worker reads the pending block's transactions.
      const question = { kind: 'pendingTransaction', at: PENDING, index: Number(index), raw } as const
      const text = await context.node.queries.ask(question, caller)
      return raw && text === 'null' ? '0x' : new JsonText(text)
    },
  })

export const ethTransactions: RpcNamespace = {
  eth_getTransactionByHash: byHash(false),
  eth_getTransactionByBlockNumberAndIndex: byBlockNumber(false),
  eth_getTransactionByBlockHashAndIndex: byBlockHash(false),
  eth_getRawTransactionByHash: byHash(true),
  eth_getRawTransactionByBlockNumberAndIndex: byBlockNumber(true),
  eth_getRawTransactionByBlockHashAndIndex: byBlockHash(true),
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
