// eth_*: accounts in a block's state, read by a query worker. Unavailable states answer `missing trie node`.
import { toQuantity } from '../../../../base/quantity'
import { jsonText } from '../../../../net/json-rpc/json-rpc'
import { isPending } from '../../arguments/block-argument'
import { addressParam, blockParam, slotParam } from '../../arguments/params'
import { method, type RpcMethod, type RpcNamespace } from '../../dispatch/method'

function ofAccount(kind: 'balance' | 'code'): RpcMethod {
  return method({
    params: [addressParam, blockParam],
    handler: ([address, at], { node }, caller) => jsonText(node.queries.ask({ kind, address, at }, caller)),
  })
}

export const ethState: RpcNamespace = {
  eth_getBalance: ofAccount('balance'),
  eth_getTransactionCount: method({
    params: [addressParam, blockParam],
    handler: ([address, at], { node }, caller) =>
      isPending(at)
        ? node.reader.poolNonce(address).then(toQuantity)
        : jsonText(node.queries.ask({ kind: 'nonce', address, at }, caller)),
  }),
  eth_getCode: ofAccount('code'),
  eth_getStorageAt: method({
    params: [addressParam, slotParam, blockParam],
    handler: ([address, slot, at], { node }, caller) =>
      jsonText(node.queries.ask({ kind: 'storage', address, slot, at }, caller)),
  }),
}
