// The listeners of JSON-RPC, from the configuration.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { bracketed } from '../../base/ip-address'
import { RPC_NAMESPACES } from '../../config/options/rpc'
import type { ResolvedConfig } from '../../config/resolved-config'
import type { ListenerView } from '../../contract/explorer'
import { longestSocketPath } from '../../net/listen'
import type { NodeService } from '../../node/node-service'
import { createMethodTable } from '../../node/rpc/methods/all-methods'
import type { RpcFrontOptions } from '../../node/rpc/rpc-front'

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

/** Full names of all methods, sorted; `--http.api` decides which of them a node serves. */
export function rpcMethodNames(): readonly string[] {
  return [...createMethodTable().keys()].sort()
}

const SOCKET_NAME = 'headframe.ipc'

/** Null when nothing is served. @param warn takes a sentence and its fields */
export function rpcOptions(
  config: ResolvedConfig,
  warn: (message: string, fields: Readonly<Record<string, unknown>>) => void,
): RpcFrontOptions | null {
  const { node, rpc } = config
  const http = node.http
    ? {
        host: node.httpAddr,
        port: node.httpPort,
        api: rpc.httpApi,
        vhosts: node.httpVhosts,
        corsOrigins: rpc.httpCors,
      }
    : null
  const ws = rpc.ws ? { host: rpc.wsAddr, port: rpc.wsPort, api: rpc.wsApi, origins: rpc.wsOrigins } : null
  const ipcPath = rpc.ipcDisable ? null : (rpc.ipcPath ?? defaultSocket(config.app.dataDir, warn))
  if (http === null && ws === null && ipcPath === null) return null
  const { bodyLimitBytes, batchLimit } = rpc
  return { http, ws, ipcPath, bodyLimitBytes, batchLimit, getworkHeight: node.getworkHeight }
}

/** Null when the data directory's path is too long for a socket that nobody requested explicitly. */
function defaultSocket(dataDir: string, warn: Parameters<typeof rpcOptions>[1]): string | null {
  const path = rpcSocketPath(dataDir)
  if (process.platform === 'win32') return path
  if (Buffer.byteLength(path) <= longestSocketPath()) return path
  warn('no RPC socket: its path would be too long; name another one with --ipcpath', { path })
  return null
}

/** The default local socket of a data directory's node. */
export function rpcSocketPath(dataDir: string): string {
  // Pipe names are global to the computer: each data directory needs its own.
  if (process.platform === 'win32')
    return `headframe-${createHash('sha256').update(dataDir).digest('hex').slice(0, 8)}.ipc`
  return join(dataDir, SOCKET_NAME)
}
