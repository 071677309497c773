import { expect, it } from 'vitest'
import type { MethodContext, RpcContext } from '../dispatch/method'
import { otsNamespace } from './ots'

const ADDRESS = `0x${'11'.repeat(20)}`

/** A search whose worker had to stop at a block before it found any. */
function stoppedAt(next: number): RpcContext {
  const ask = async () => JSON.stringify({ blocks: [], next, isStopped: true })
  return { node: { queries: { ask } } } as unknown as RpcContext
}

it.each([
  ['ots_searchTransactionsBefore', 500, /down to block 501, .* ask on from 501/],
  ['ots_searchTransactionsAfter', 500, /up to block 499, .* ask on from 499/],
] as const)('%s says where a search stopped instead of returning an empty page', async (name, next, words) => {
  const found = otsNamespace[name]?.call(stoppedAt(next), [ADDRESS, 700, 25], {} as MethodContext)
  await expect(found).rejects.toThrow(words)
})
