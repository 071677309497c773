// Keeps foreign web pages out: the rules of miner.md A3 on Origin, Sec-Fetch-Site and Host (DNS rebinding).
import { isIP } from 'node:net'
import { isLoopback } from './access-guard'

export interface PageHeaders {
  readonly origin: string | undefined
  readonly host: string | undefined
  readonly fetchSite: string | undefined
  readonly fetchMode: string | undefined
}

export interface ListenAddress {
  /** as it was asked for: an IP literal without brackets, or `localhost` */
  readonly host: string
  /** the real port */
  readonly port: number
}

export interface HostRules {
  readonly listen: ListenAddress
  /** `--api-host`: accepted with any port or none, since a proxy may stand in front */
  readonly extraHosts: readonly string[]
  /** of this computer, as others may call it */
  readonly computerName: string
}

/**
 * @param shellNavigation a GET of the dashboard shell: following a link from elsewhere is fine there
 * @param extraHosts names under which a proxy may stand in front, which may speak HTTPS
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

/** @param host the header's value */
export function isKnownHost(host: string, { listen, extraHosts, computerName }: HostRules): boolean {
  const { name, port } = splitHost(host.toLowerCase())
  if (extraHosts.some((extra) => extra.toLowerCase() === name)) return true
  const ours = port === null ? listen.port === 80 : port === listen.port
  if (!ours) return false
  if (['127.0.0.1', 'localhost', '[::1]', bracketed(listen.host.toLowerCase())].includes(name)) return true
  if (listen.host === 'localhost' || isLoopback(listen.host)) return false
  const computer = computerName.toLowerCase()
  return isIP(name.replace(/^\[|\]$/g, '')) !== 0 || name === computer || name === `${computer}.local`
}

/** A page of ours comes from this port, or by HTTPS through a proxy in front of it that passes the host on. */
function isSameHost(origin: string, host: string, extraHosts: readonly string[]): boolean {
  const from = withoutDefaultPort(origin)
  if (from === withoutDefaultPort(`http://${host}`)) return true
  const isProxied = extraHosts.some((extra) => extra.toLowerCase() === splitHost(host.toLowerCase()).name)
  return isProxied && from === withoutDefaultPort(`https://${host}`)
}

function withoutDefaultPort(origin: string): string {
  return origin.toLowerCase().replace(/^(http:\/\/[^/]*?):80$|^(https:\/\/[^/]*?):443$/, '$1$2')
}

/** Port null: not given. NaN: not a port, which equals none. */
function splitHost(host: string): { readonly name: string; readonly port: number | null } {
  const [, name = host, port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(host) ?? []
  if (port === undefined) return { name, port: null }
  return { name, port: /^\d{1,5}$/.test(port) ? Number(port) : Number.NaN }
}

function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host
}
