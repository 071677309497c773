// The listeners of JSON-RPC, from the configuration.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { ResolvedConfig } from '../../config/resolved-config'
import { longestSocketPath } from '../../net/listen'
import type { RpcFrontOptions } from '../../node/rpc/rpc-front'

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
