// Where a user interface sits: at this computer, or elsewhere, perhaps behind a proxy that runs here and speaks HTTPS. A
// proxy's connections come from this computer too, so its own headers and the page's origin tell them apart.
import type { IncomingHttpHeaders } from 'node:http'
import { hostname } from 'node:os'
import { isLoopback } from '../../base/ip-address'

export interface ChannelPeer {
  /** Not through a proxy, from this very computer. */
  readonly isLocal: boolean
  /** Nobody on the way can read along; always so for a local one. */
  readonly isEncrypted: boolean
}

/** Headers by which proxies tell of themselves. */
const PROXY_HEADER =
  /^(forwarded|via|x-forwarded(-.+)?|x-(real|client)-ip|x-original-(for|host)|true-client-ip|cf-connecting-ip)$/

/** @param remoteAddress as `plainAddress` gives it */
export function peerOf(remoteAddress: string, headers: IncomingHttpHeaders, computerName = hostname()): ChannelPeer {
  // This port itself speaks no TLS.
  if (!isLoopback(remoteAddress)) return { isLocal: false, isEncrypted: false }
  const isProxied = Object.keys(headers).some((name) => PROXY_HEADER.test(name))
  const origin = headers.origin ?? ''
  const isSecurePage = origin.toLowerCase().startsWith('https://')
  if (!isProxied && !isSecurePage && isOwnName(headers.host ?? '', computerName)) {
    return { isLocal: true, isEncrypted: true }
  }
  // The browser's own word counts, and a proxy that says otherwise is believed.
  const told = headers['x-forwarded-proto']
  return { isLocal: false, isEncrypted: isSecurePage && (told === undefined || told === 'https') }
}

function isOwnName(host: string, computerName: string): boolean {
  const name = host.toLowerCase().replace(/:\d+$/, '')
  const own = computerName.toLowerCase()
  return name === '' || [...LOOPBACK_NAMES, own, `${own}.local`].includes(name) || isLoopback(name)
}

const LOOPBACK_NAMES = ['localhost', '[::1]']
