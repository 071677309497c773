// What JSON-RPC listens on, for people: each way in with what it serves and to whom.

import { bracketed } from '../../base/ip-address'
import { RPC_NAMESPACES } from '../../config/options/rpc'
import type { ResolvedConfig } from '../../config/resolved-config'
import type { ListenerView } from '../../contract/explorer'
import type { NodeService } from '../../node/node-service'

type Address = { readonly host: string; readonly port: number } | null

/** One entry for each transport that is switched on; `rpc` answers on all of them and is not listed. */
export function rpcListeners(
  { node: options, rpc }: Pick<ResolvedConfig, 'node' | 'rpc'>,
  node: Pick<NodeService, 'rpcAddress' | 'rpcWsAddress' | 'rpcIpcPath'> | null,
): ListenerView[] {
  if (node === null) return []
  const http: ListenerView[] = options.http
    ? [
        {
          kind: 'http',
          address: text(node.rpcAddress()),
          namespaces: [...rpc.httpApi],
          origins: [...rpc.httpCors],
          hosts: [...options.httpVhosts],
        },
      ]
    : []
  const ws: ListenerView[] = rpc.ws
    ? [
        {
          kind: 'ws',
          address: text(node.rpcWsAddress()),
          namespaces: [...rpc.wsApi],
          origins: [...rpc.wsOrigins],
          hosts: null,
        },
      ]
    : []
  const ipc: ListenerView[] = rpc.ipcDisable
    ? []
    : [{ kind: 'ipc', address: node.rpcIpcPath(), namespaces: [...RPC_NAMESPACES], origins: null, hosts: null }]
  return [...http, ...ws, ...ipc]
}

function text(address: Address): string | null {
  return address === null ? null : `${bracketed(address.host)}:${address.port}`
}
