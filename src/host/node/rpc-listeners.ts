// The listeners of JSON-RPC, for display: each with its namespaces and access rules.

import { bracketed } from '../../base/ip-address'
import { RPC_NAMESPACES } from '../../config/options/rpc'
import type { ResolvedConfig } from '../../config/resolved-config'
import type { ListenerView } from '../../contract/explorer'
import type { NodeService } from '../../node/node-service'

type Address = { readonly host: string; readonly port: number } | null

/** One entry per enabled transport; `rpc` is available on all of them and isn't listed. */
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
