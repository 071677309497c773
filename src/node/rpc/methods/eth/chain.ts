// eth_*: the chain and its blocks. Blocks have no uncles: counts are 0, lookups find none.
import { toQuantity } from '../../../../base/quantity'
import type { BlockArgument } from '../../../model/block-argument'
import type { SyncHeights } from '../../../ports/peers-port'
import { encodeHeader, encodePendingBlock } from '../../../query/encoding'
import type { BlockId } from '../../../worker/wire/shapes'
import { textOrStream } from '../../answers/hot-reads'
import { blockIdAt, blockIdOf, isPending } from '../../arguments/block-argument'
import { blockNumberParam, booleanParam, hashParam, quantity64 } from '../../arguments/params'
import { method, type RpcContext, type RpcNamespace } from '../../dispatch/method'

/** What `eth_syncing` returns while a sync runs. */
export function encodeSync({ from, current, target }: SyncHeights) {
  const [startingBlock, currentBlock, highestBlock] = [from, current, target].map(toQuantity)
  return { startingBlock, currentBlock, highestBlock }
}

const PENDING = { kind: 'tag', tag: 'pending' } as const

/** Null when there is no such block; not for `pending`. */
export async function headerOf(id: BlockId, { node }: RpcContext) {
  const block = await node.reader.header(id)
  return block === null ? null : encodeHeader(block)
}

async function countOf(argument: BlockArgument, context: RpcContext): Promise<number | null> {
  const { reader } = context.node
  if (isPending(argument)) return (await reader.pendingBlock()).transactionCount
  return (await reader.summary(await blockIdOf(argument, context)))?.transactionCount ?? null
}

const quantityOrNull = (value: number | null) => (value === null ? null : toQuantity(value))

export const ethChain: RpcNamespace = {
  eth_chainId: method({ params: [], handler: (_args, { network }) => toQuantity(network.chainId) }),
  eth_blockNumber: method({
    params: [],
    handler: (_args, { node }) => {
      const head = node.head()
      return head === null ? node.reader.head().then(({ number }) => toQuantity(number)) : toQuantity(head.number)
    },
  }),
  eth_syncing: method({
    params: [],
    handler: (_args, { services }) => {
      const sync = services.peers?.syncing() ?? null
      return sync === null ? false : encodeSync(sync)
    },
  }),
  eth_getBlockByNumber: method({
    params: [blockNumberParam, booleanParam],
    handler: ([argument, full], { node, hot }, caller) => {
      if (isPending(argument)) return textOrStream({ kind: 'pendingBlock', at: PENDING, full }, node.queries, caller)
      return hot.block(blockIdAt(argument, node.head()?.number ?? 0), full, caller)
    },
  }),
  eth_getBlockByHash: method({
    params: [hashParam, booleanParam],
    handler: ([hash, full], { hot }, caller) => hot.block(hash, full, caller),
  }),
  eth_getHeaderByNumber: method({
    params: [blockNumberParam],
    handler: async ([argument], context) => {
      if (isPending(argument)) {
        const { uncles: _uncles, ...header } = encodePendingBlock(await context.node.reader.pendingBlock())
        return header
      }
      return headerOf(await blockIdOf(argument, context), context)
    },
  }),
  eth_getHeaderByHash: method({
    params: [hashParam],
    handler: ([hash], context) => headerOf(hash, context),
  }),
  eth_getBlockTransactionCountByNumber: method({
    params: [blockNumberParam],
    handler: async ([argument], context) => quantityOrNull(await countOf(argument, context)),
  }),
  eth_getBlockTransactionCountByHash: method({
    params: [hashParam],
    handler: async ([hash], { node }) => quantityOrNull((await node.reader.summary(hash))?.transactionCount ?? null),
  }),
  eth_getUncleCountByBlockNumber: method({
    params: [blockNumberParam],
    handler: async ([argument], context) => ((await countOf(argument, context)) === null ? null : '0x0'),
  }),
  eth_getUncleCountByBlockHash: method({
    params: [hashParam],
    handler: async ([hash], { node }) => ((await node.reader.summary(hash)) === null ? null : '0x0'),
  }),
  eth_getUncleByBlockNumberAndIndex: method({ params: [blockNumberParam, quantity64], handler: () => null }),
  eth_getUncleByBlockHashAndIndex: method({ params: [hashParam, quantity64], handler: () => null }),
}
