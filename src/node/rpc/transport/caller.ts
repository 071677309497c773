// The sender of an HTTP request or WebSocket, as far as the connection reveals it.
import type { IncomingMessage } from 'node:http'
import { isLoopback, plainAddress } from '../../../base/ip-address'
import type { RpcCaller } from '../../ports/accounts-port'

/** Characters of a caller's self-reported name. */
const MAX_AGENT = 200

/**
 * The key under which a caller takes turns and gets its share. Local programs all have the same address, and a new port
 * with each connection: their self-reported names tell them apart, as far as they are honest.
 */
export function shareOf({ transport, remote, userAgent, origin }: RpcCaller): string {
  const address = remote.replace(/:\d+$/, '')
  const isHere = address === 'NA' || isLoopback(plainAddress(address.replace(/^\[|\]$/g, '')))
  return isHere ? `${transport} ${origin} ${userAgent.slice(0, MAX_AGENT)}` : address
}

/** The caller of a request, for display. */
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
