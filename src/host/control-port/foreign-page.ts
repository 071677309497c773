// Keeps foreign web pages out: the rules for Origin, Sec-Fetch-Site and Host (DNS rebinding).
import { isIpLiteral, isLoopback } from '../../base/ip-address'
import { parseHostHeader } from '../../net/host-header'

export interface PageHeaders {
  readonly origin: string | undefined
  readonly host: string | undefined
  readonly fetchSite: string | undefined
  readonly fetchMode: string | undefined
}

export interface ListenAddress {
  /** as requested: an IP literal without brackets, or `localhost` */
  readonly host: string
  /** the actual port */
  readonly port: number
}

export interface HostRules {
  readonly listen: ListenAddress
  /** `--api-host`: allowed with any port or none, since a proxy may be in front */
  readonly extraHosts: readonly string[]
  /** this computer's name on the network */
  readonly computerName: string
}

/**
 * @param shellNavigation a GET of the dashboard shell: following a link from another site is fine there
 * @param extraHosts names of a proxy in front, which may speak HTTPS
 */
export function isForeignOrigin(
  headers: PageHeaders,
  shellNavigation: boolean,
  extraHosts: readonly string[] = [],
): boolean {
  const { origin, host, fetchSite, fetchMode } = headers
  if (origin !== undefined) {
    if (host === undefined || !isSameHost(origin, host, extraHosts)) return true
  }
  if (fetchSite !== 'cross-site' && fetchSite !== 'same-site') return false
  return !(shellNavigation && fetchMode === 'navigate')
}

/**
 * The port doesn't matter: a tunnel, a container or a proxy in front may have another one. A page can only borrow a
 * name that its owner controls, never one of these.
 * @param host the header's value
 */
export function isKnownHost(host: string, { listen, extraHosts, computerName }: HostRules): boolean {
  const asked = parseHostHeader(host)
  if (asked === null) return false
  const { name } = asked
  if (extraHosts.some((extra) => extra.toLowerCase() === name)) return true
  if (isOwnName(name) || name === listen.host.toLowerCase()) return true
  if (listen.host === 'localhost' || isLoopback(listen.host)) return false
  const computer = computerName.toLowerCase()
  return isIpLiteral(name) || name === computer || name === `${computer}.local`
}

/** Browsers look up none of these: they always mean the computer they run on. */
function isOwnName(name: string): boolean {
  return name === 'localhost' || isLoopback(name)
}

/** A page of ours comes from this port, or over HTTPS through a proxy in front that preserves the host. */
function isSameHost(origin: string, host: string, extraHosts: readonly string[]): boolean {
  const from = withoutDefaultPort(origin)
  if (from === withoutDefaultPort(`http://${host}`)) return true
  const name = parseHostHeader(host)?.name ?? ''
  const isProxied = isOwnName(name) || extraHosts.some((extra) => extra.toLowerCase() === name)
  return isProxied && from === withoutDefaultPort(`https://${host}`)
}

function withoutDefaultPort(origin: string): string {
  return origin.toLowerCase().replace(/^(http:\/\/[^/]*?):80$|^(https:\/\/[^/]*?):443$/, '$1$2')
}
