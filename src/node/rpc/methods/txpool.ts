// txpool_*: pending transactions by sender and nonce, written by query workers.
import { toQuantity } from '../../../base/quantity'
import { JsonText, StreamedResult } from '../../../net/json-rpc/json-rpc'
import { addressParam } from '../arguments/params'
import { type MethodContext, method, type RpcContext, type RpcNamespace, type RpcResult } from '../dispatch/method'

/** Bytes of transactions that are one short answer; more are streamed. */
const SHORT_BYTES = 128 * 1024

/** @param form see `poolContent` in query/query-wire.ts @param addresses 20 bytes each; null = all */
export async function poolContent(
  form: 'whole' | 'lines' | 'list',
  addresses: readonly Uint8Array[] | null,
  { node }: RpcContext,
  caller: MethodContext,
): Promise<RpcResult> {
  const accounts = await node.reader.poolBytes(addresses)
  const question = { kind: 'poolContent', accounts, form, isOne: addresses !== null } as const
  const bytes = accounts.reduce((sum, { pending, queued }) => sum + pending.length + queued.length, 0)
  if (bytes > SHORT_BYTES) return new StreamedResult(node.queries.stream(question, caller))
  return new JsonText(await node.queries.ask(question, caller))
}

export const txpoolNamespace: RpcNamespace = {
  txpool_content: method({
    params: [],
    handler: (_args, context, caller) => poolContent('whole', null, context, caller),
  }),
  txpool_contentFrom: method({
    params: [addressParam],
    handler: ([address], context, caller) => poolContent('whole', [address], context, caller),
  }),
  txpool_inspect: method({
    params: [],
    handler: (_args, context, caller) => poolContent('lines', null, context, caller),
  }),
  txpool_status: method({
    params: [],
    handler: async (_args, { node }) => {
      const { pending, queued } = await node.reader.counts()
      return { pending: toQuantity(pending), queued: toQuantity(queued) }
    },
  }),
}
