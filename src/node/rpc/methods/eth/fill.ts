// eth_fillTransaction: completes a transaction except for its signature. Source: prlx internal/prlapi (FillTransaction)
import { z } from 'zod'
import type { BlockArgument } from '../../../model/block-argument'
import { describeUnsigned } from '../../answers/described-transaction'
import { type TransactionArguments, transactionParam } from '../../arguments/transaction-params'
import { type MethodContext, method, type RpcContext, type RpcNamespace } from '../../dispatch/method'
import { fillTransaction } from '../../sending/filled-transaction'

const PENDING: BlockArgument = { kind: 'tag', tag: 'pending' }
const quantityText = z.string().regex(/^0x[0-9a-f]+$/)

/** Estimated gas of the call. */
async function estimated(args: TransactionArguments, { node }: RpcContext, caller: MethodContext): Promise<bigint> {
  const { from, to, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = args
  const accessList = args.accessList?.map((entry) => ({ ...entry, storageKeys: [...entry.storageKeys] })) ?? null
  const call = {
    from,
    to,
    gas: null,
    gasPrice,
    nonce: null,
    feeCap: maxFeePerGas,
    tip: maxPriorityFeePerGas,
    accessList,
    value: args.value ?? 0n,
    data: args.input ?? args.data ?? new Uint8Array(0),
  }
  const answer = await node.queries.ask({ kind: 'estimate', at: PENDING, call }, caller)
  return BigInt(quantityText.parse(JSON.parse(answer)))
}

export const ethFill: RpcNamespace = {
  eth_fillTransaction: method({
    params: [transactionParam],
    handler: async ([args], context, caller) => {
      const from = args.from ?? new Uint8Array(20)
      const filled = await fillTransaction(args, context, {
        nonce: () => context.node.reader.poolNonce(from),
        gas: () => estimated(args, context, caller),
      })
      return describeUnsigned(filled)
    },
  }),
}
