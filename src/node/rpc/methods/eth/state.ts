// eth_*: accounts in the state of a block, read by a query worker. States that were not kept answer `missing trie node`.
import { toQuantity } from '../../../../base/quantity'
import { jsonText } from '../../../../net/json-rpc/result-stream'
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
