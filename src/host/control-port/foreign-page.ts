// Keeps foreign web pages out: the rules for Origin, Sec-Fetch-Site and Host (DNS rebinding).
import { isIpLiteral, isLoopback } from '../../base/ip-address'
import { hostNameOf } from '../../net/host-header'

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

/** @param shellNavigation a GET of the dashboard, which any site may link @param extraHosts of a proxy, maybe HTTPS */
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

/** Of any port, as tunnels and proxies change it. A page borrows only names that its owner controls, never these. */
export function isKnownHost(host: string, { listen, extraHosts, computerName }: HostRules): boolean {
  const name = hostNameOf(host)
  if (name === null) return false
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
  const name = hostNameOf(host) ?? ''
  const isProxied = isOwnName(name) || extraHosts.some((extra) => extra.toLowerCase() === name)
  return isProxied && from === withoutDefaultPort(`https://${host}`)
}

function withoutDefaultPort(origin: string): string {
  return origin.toLowerCase().replace(/^(http:\/\/[^/]*?):80$|^(https:\/\/[^/]*?):443$/, '$1$2')
}
