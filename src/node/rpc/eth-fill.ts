// eth_fillTransaction: a transaction with everything but its signature. Source: rpc.md 7; prlx internal/prlapi (FillTransaction)
import { z } from 'zod'
import { describeUnsigned } from './described-transaction'
import { fillTransaction } from './filled-transaction'
import { method, type RpcContext, type RpcNamespace } from './method'
import type { BlockArgument } from './params'
import { type TransactionArguments, transactionParam } from './transaction-params'

const PENDING: BlockArgument = { kind: 'tag', tag: 'pending' }
const quantityText = z.string().regex(/^0x[0-9a-f]+$/)

/** What the call would use. */
async function estimated(args: TransactionArguments, { node }: RpcContext, signal: AbortSignal): Promise<bigint> {
  const { from, to, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = args
  const accessList = args.accessList?.map((entry) => ({ ...entry, storageKeys: [...entry.storageKeys] })) ?? null
  const call = {
    ...{ from, to, gas: null, gasPrice, nonce: null, feeCap: maxFeePerGas, tip: maxPriorityFeePerGas, accessList },
    value: args.value ?? 0n,
    data: args.input ?? args.data ?? new Uint8Array(0),
  }
  const answer = await node.queries.ask({ kind: 'estimate', at: PENDING, call }, signal)
  return BigInt(quantityText.parse(JSON.parse(answer)))
}

export const ethFill: RpcNamespace = {
  eth_fillTransaction: method({
    params: [transactionParam],
    handler: async ([args], context, { signal }) => {
      const from = args.from ?? new Uint8Array(20)
      const filled = await fillTransaction(args, context, {
        nonce: () => context.node.reader.poolNonce(from),
        gas: () => estimated(args, context, signal),
      })
      return describeUnsigned(filled)
    },
  }),
}
