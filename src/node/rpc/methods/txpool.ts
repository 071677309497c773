// txpool_*: pending transactions by sender and nonce, written by query workers.
import { toQuantity } from '../../../base/quantity'
import { JsonText, StreamedResult } from '../../../net/json-rpc/json-rpc'
import { addressParam } from '../arguments/params'
import { type MethodContext, method, type RpcContext, type RpcNamespace, type RpcResult } from '../dispatch/method'

/** Bytes of transactions that are one short answer; more are streamed. */
const SHORT_BYTES = 128 * 1024

interface Wanted {
  readonly form: 'whole' | 'lines'
  /** 20 bytes; null = all. */
  readonly address: Uint8Array | null
}

async function content({ form, address }: Wanted, { node }: RpcContext, caller: MethodContext): Promise<RpcResult> {
  const accounts = await node.reader.poolBytes(address)
  const question = { kind: 'poolContent', accounts, form, isOne: address !== null } as const
  const bytes = accounts.reduce((sum, { pending, queued }) => sum + pending.length + queued.length, 0)
  if (bytes > SHORT_BYTES) return new StreamedResult(node.queries.stream(question, caller))
  return new JsonText(await node.queries.ask(question, caller))
}

export const txpoolNamespace: RpcNamespace = {
  txpool_content: method({
    params: [],
    handler: (_args, context, caller) => content({ form: 'whole', address: null }, context, caller),
  }),
  txpool_contentFrom: method({
    params: [addressParam],
    handler: ([address], context, caller) => content({ form: 'whole', address }, context, caller),
  }),
  txpool_inspect: method({
    params: [],
    handler: (_args, context, caller) => content({ form: 'lines', address: null }, context, caller),
  }),
  txpool_status: method({
    params: [],
    handler: async (_args, { node }) => {
      const { pending, queued } = await node.reader.counts()
      return { pending: toQuantity(pending), queued: toQuantity(queued) }
    },
  }),
}
