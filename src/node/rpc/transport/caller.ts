// Who sent an HTTP request or opened a WebSocket, as far as the connection tells.
import type { IncomingMessage } from 'node:http'
import type { RpcCaller } from '../accounts-port'

export function callerOf(transport: 'http' | 'ws', { socket, headers }: IncomingMessage): RpcCaller {
  const { remoteAddress = 'NA', remotePort = 0 } = socket
  const host = remoteAddress.includes(':') ? `[${remoteAddress}]` : remoteAddress
  return {
    transport,
    remote: remoteAddress === 'NA' ? remoteAddress : `${host}:${remotePort}`,
    local: headers.host ?? '',
    userAgent: headers['user-agent'] ?? '',
    origin: headers.origin ?? '',
  }
}
