// Who sent an HTTP request or opened a WebSocket, as far as the connection tells.
import type { IncomingMessage } from 'node:http'
import type { RpcCaller } from '../accounts-port'

export function callerOf(transport: 'http' | 'ws', { socket, headers }: IncomingMessage): RpcCaller {
  const { remoteAddress, remotePort } = socket
  return {
    transport,
    remote: remoteAddress === undefined ? 'NA' : `${remoteAddress}:${remotePort ?? 0}`,
    local: headers.host ?? '',
    userAgent: headers['user-agent'] ?? '',
    origin: headers.origin ?? '',
  }
}
