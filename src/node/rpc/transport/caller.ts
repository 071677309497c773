// Who sent an HTTP request or opened a WebSocket, as far as the connection tells.
import type { IncomingMessage } from 'node:http'
import { isLoopback, plainAddress } from '../../../base/ip-address'
import type { RpcCaller } from '../../ports/accounts-port'

/** Characters of a name that a caller gives itself. */
const MAX_AGENT = 200

/**
 * The name under which a caller takes its turns and its share of what there is. Programs on this computer all have its address,
 * and a new port with each connection: what they say of themselves tells them apart, as far as they are honest.
 */
export function shareOf({ transport, remote, userAgent, origin }: RpcCaller): string {
  const address = remote.replace(/:\d+$/, '')
  const isHere = address === 'NA' || isLoopback(plainAddress(address.replace(/^\[|\]$/g, '')))
  return isHere ? `${transport} ${origin} ${userAgent.slice(0, MAX_AGENT)}` : address
}

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
