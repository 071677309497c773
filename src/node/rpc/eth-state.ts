// eth_*: accounts in the state of a block. States that were not kept answer `missing trie node`.
import { toHex } from '../../base/hex'
import { toQuantity } from '../../base/quantity'
import { stateBlock } from './block-argument'
import { method, type RpcNamespace } from './method'
import { addressParam, blockParam, slotParam } from './params'

export const ethState: RpcNamespace = {
  eth_getBalance: method({
    params: [addressParam, blockParam],
    handler: async ([address, argument], context) => {
      const block = await stateBlock(argument, context)
      const account = await context.node.reader.account(address, block.hash)
      return toQuantity(account?.balance ?? 0n)
    },
  }),
  eth_getTransactionCount: method({
    params: [addressParam, blockParam],
    handler: async ([address, argument], context) => {
      const { reader } = context.node
      if (argument.kind === 'tag' && argument.tag === 'pending') return toQuantity(await reader.poolNonce(address))
      const block = await stateBlock(argument, context)
      const account = await reader.account(address, block.hash)
      return toQuantity(account?.nonce ?? 0n)
    },
  }),
  eth_getCode: method({
    params: [addressParam, blockParam],
    handler: async ([address, argument], context) => {
      const block = await stateBlock(argument, context)
      const code = await context.node.reader.code(address, block.hash)
      return toHex(code ?? new Uint8Array(0))
    },
  }),
  eth_getStorageAt: method({
    params: [addressParam, slotParam, blockParam],
    handler: async ([address, slot, argument], context) => {
      const block = await stateBlock(argument, context)
      const value = await context.node.reader.storage(address, slot, block.hash)
      return toHex(value ?? new Uint8Array(32))
    },
  }),
}
