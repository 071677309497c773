// `Account`: an address in a block's state.
import { toHex } from '../../../base/hex'
import { toQuantity } from '../../../base/quantity'
import type { BlockArgument } from '../../model/block-argument'
import { isPending } from '../arguments/block-argument'
import type { Graph } from './graph'

/** The view of `Account`. */
export function accountView(graph: Graph, address: Uint8Array, at: BlockArgument): object {
  return {
    address: toHex(address),
    balance: () => graph.ask({ kind: 'balance', address, at }),
    transactionCount: () =>
      isPending(at)
        ? graph.budget.read(async () => toQuantity(await graph.rpc.node.reader.poolNonce(address)))
        : graph.ask({ kind: 'nonce', address, at }),
    code: () => graph.ask({ kind: 'code', address, at }),
    storage: ({ slot }: { readonly slot: Uint8Array }) => graph.ask({ kind: 'storage', address, slot, at }),
  }
}
