// eth_*: the chain, its blocks and their transactions.
import { toQuantity } from '../../base/quantity'
import type { BlockDetail } from '../worker/shapes'
import { blockIdOf } from './block-argument'
import { encodeBlock, encodeReceipt, encodeTransaction } from './encoding'
import { method, type RpcContext, type RpcNamespace } from './method'
import { type BlockArgument, blockNumberParam, booleanParam, hashParam, quantity64 } from './params'

async function blockOf(argument: BlockArgument, context: RpcContext): Promise<BlockDetail | null> {
  return context.node.reader.block(await blockIdOf(argument, context))
}

function transactionAt(block: BlockDetail | null, index: bigint) {
  const tx = block?.transactions[Number(index)]
  return tx === undefined ? null : encodeTransaction(tx)
}

export const ethChain: RpcNamespace = {
  eth_chainId: method({ params: [], handler: (_args, { network }) => toQuantity(network.chainId) }),
  eth_blockNumber: method({
    params: [],
    handler: async (_args, { node }) => toQuantity((node.head() ?? (await node.reader.head())).number),
  }),
  eth_syncing: method({ params: [], handler: () => false }),
  eth_getBlockByNumber: method({
    params: [blockNumberParam, booleanParam],
    handler: async ([argument, full], context) => {
      const block = await blockOf(argument, context)
      return block === null ? null : encodeBlock(block, full)
    },
  }),
  eth_getBlockByHash: method({
    params: [hashParam, booleanParam],
    handler: async ([hash, full], { node }) => {
      const block = await node.reader.block(hash)
      return block === null ? null : encodeBlock(block, full)
    },
  }),
  eth_getBlockTransactionCountByNumber: method({
    params: [blockNumberParam],
    handler: async ([argument], context) => {
      const block = await context.node.reader.summary(await blockIdOf(argument, context))
      return block === null ? null : toQuantity(block.transactionCount)
    },
  }),
  eth_getBlockTransactionCountByHash: method({
    params: [hashParam],
    handler: async ([hash], { node }) => {
      const block = await node.reader.summary(hash)
      return block === null ? null : toQuantity(block.transactionCount)
    },
  }),
  eth_getTransactionByBlockNumberAndIndex: method({
    params: [blockNumberParam, quantity64],
    handler: async ([argument, index], context) => transactionAt(await blockOf(argument, context), index),
  }),
  eth_getTransactionByBlockHashAndIndex: method({
    params: [hashParam, quantity64],
    handler: async ([hash, index], { node }) => transactionAt(await node.reader.block(hash), index),
  }),
  eth_getUncleCountByBlockNumber: method({
    params: [blockNumberParam],
    handler: async ([argument], context) => {
      const block = await context.node.reader.summary(await blockIdOf(argument, context))
      return block === null ? null : '0x0'
    },
  }),
  eth_getUncleCountByBlockHash: method({
    params: [hashParam],
    handler: async ([hash], { node }) => ((await node.reader.summary(hash)) === null ? null : '0x0'),
  }),
  eth_getTransactionByHash: method({
    params: [hashParam],
    handler: async ([hash], { node }) => {
      const tx = await node.reader.transaction(hash)
      return tx === null ? null : encodeTransaction(tx)
    },
  }),
  eth_getTransactionReceipt: method({
    params: [hashParam],
    handler: async ([hash], { node }) => {
      const receipt = await node.reader.receipt(hash)
      return receipt === null ? null : encodeReceipt(receipt)
    },
  }),
}
