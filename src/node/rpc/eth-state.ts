// eth_*: accounts in the state of a block, read by a query worker. States that were not kept answer `missing trie node`.
import { toQuantity } from '../../base/quantity'
import { isPending } from './block-argument'
import { JsonText, method, type RpcMethod, type RpcNamespace } from './method'
import { addressParam, blockParam, slotParam } from './params'

function ofAccount(kind: 'balance' | 'code'): RpcMethod {
  return method({
    params: [addressParam, blockParam],
    handler: async ([address, at], { node }, { signal }) =>
      new JsonText(await node.queries.ask({ kind, address, at }, signal)),
  })
}

export const ethState: RpcNamespace = {
  eth_getBalance: ofAccount('balance'),
  eth_getTransactionCount: method({
    params: [addressParam, blockParam],
    handler: async ([address, at], { node }, { signal }) => {
      if (isPending(at)) return toQuantity(await node.reader.poolNonce(address))
      return new JsonText(await node.queries.ask({ kind: 'nonce', address, at }, signal))
    },
  }),
  eth_getCode: ofAccount('code'),
  eth_getStorageAt: method({
    params: [addressParam, slotParam, blockParam],
    handler: async ([address, slot, at], { node }, { signal }) =>
      new JsonText(await node.queries.ask({ kind: 'storage', address, slot, at }, signal)),
  }),
}
