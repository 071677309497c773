// debug_*: blocks as bytes, for those who compare nodes. Source: rpc.md 11
import { JsonText, method, type RpcMethod, type RpcNamespace } from './method'
import { addressParam, blockNumberParam, blockParam, dataParam, hashParam, optional } from './params'
import { numberParam } from './plain-params'
import { traceParam } from './trace-params'

/** Methods that take a height as a JSON number. */
function ofHeight(kind: 'headerRlp' | 'blockRlp' | 'seedHash'): RpcMethod {
  return method({
    params: [numberParam],
    handler: async ([number], { node }, { signal }) => new JsonText(await node.queries.ask({ kind, number }, signal)),
  })
}

export const debug: RpcNamespace = {
  debug_getHeaderRlp: ofHeight('headerRlp'),
  debug_getBlockRlp: ofHeight('blockRlp'),
  debug_seedHash: ofHeight('seedHash'),
  debug_getAccessibleState: method({
    params: [blockNumberParam, blockNumberParam],
    handler: async ([from, to], { node }, { signal }) =>
      new JsonText(await node.queries.ask({ kind: 'accessibleState', from, to }, signal)),
  }),
  debug_getModifiedAccountsByNumber: method({
    params: [numberParam, optional<number | null>(numberParam, null)],
    handler: async ([first, last], { node }, { signal }) =>
      new JsonText(await node.queries.ask({ kind: 'modifiedAccounts', first, last }, signal)),
  }),
  debug_intermediateRoots: method({
    params: [hashParam, traceParam],
    handler: async ([hash], { node }, { signal }) =>
      new JsonText(await node.queries.ask({ kind: 'intermediateRoots', hash }, signal)),
  }),
  debug_storageRangeAt: method({
    params: [hashParam, numberParam, addressParam, dataParam, numberParam],
    handler: async ([hash, index, address, start, most], { node }, { signal }) =>
      new JsonText(await node.queries.ask({ kind: 'storageRange', hash, index, address, start, most }, signal)),
  }),
  debug_getRawReceipts: method({
    params: [blockParam],
    handler: async ([at], { node }, { signal }) =>
      new JsonText(await node.queries.ask({ kind: 'rawReceipts', at }, signal)),
  }),
}
