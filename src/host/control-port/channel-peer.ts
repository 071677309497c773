// Where a user interface runs: a local HTTPS proxy's connections are told apart by their headers and the page's origin.
import type { IncomingHttpHeaders } from 'node:http'
import { hostname } from 'node:os'
import { isLoopback } from '../../base/ip-address'

export interface ChannelPeer {
  /** On this computer, without a proxy. */
  readonly isLocal: boolean
  /** Nobody in between can read it; always true for a local one. */
  readonly isEncrypted: boolean
}

/** Headers added by proxies. */
const PROXY_HEADER =
  /^(forwarded|via|x-forwarded(-.+)?|x-(real|client)-ip|x-original-(for|host)|true-client-ip|cf-connecting-ip)$/

/** @param remoteAddress from `plainAddress` */
export function peerOf(remoteAddress: string, headers: IncomingHttpHeaders, computerName = hostname()): ChannelPeer {
  // This port itself doesn't speak TLS.
  if (!isLoopback(remoteAddress)) return { isLocal: false, isEncrypted: false }
  const isProxied = Object.keys(headers).some((name) => PROXY_HEADER.test(name))
  const origin = headers.origin ?? ''
  const isSecurePage = origin.toLowerCase().startsWith('https://')
  if (!isProxied && !isSecurePage && isOwnName(headers.host ?? '', computerName)) {
    return { isLocal: true, isEncrypted: true }
  }
  // The browser's Origin counts; a proxy that contradicts it is believed.
  const told = headers['x-forwarded-proto']
  return { isLocal: false, isEncrypted: isSecurePage && (told === undefined || told === 'https') }
}

function isOwnName(host: string, computerName: string): boolean {
  const name = host.toLowerCase().replace(/:\d+$/, '')
  const own = computerName.toLowerCase()
  return name === '' || [...LOOPBACK_NAMES, own, `${own}.local`].includes(name) || isLoopback(name)
}

const LOOPBACK_NAMES = ['localhost', '[::1]']
