// Dashboard addresses for browsers, and the links that sign in.
import type { NetworkInterfaceInfo } from 'node:os'
import { bracketed } from '../../base/ip-address'
import type { Secret } from '../../base/secret'
import type { TcpAddress } from '../../net/listen'

/** As `os.networkInterfaces` gives them. */
type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>

const ALL_IPV4 = '0.0.0.0'
const ALL = '::'
/** Needs an interface name, which browsers don't accept. */
const LINK_LOCAL = /^fe80:/i

/**
 * `http://HOST:PORT/`, this computer's own first. A wildcard address can't be opened: it is replaced by the computer's
 * addresses.
 * @param bound null: there is no dashboard
 */
export function dashboardAddresses(bound: TcpAddress | null, interfaces: Interfaces): readonly string[] {
  if (bound === null) return []
  const { host, port } = bound
  return hostsOf(host, interfaces).map((name) => `http://${bracketed(name)}:${port}/`)
}

function hostsOf(host: string, interfaces: Interfaces): readonly string[] {
  if (host !== ALL_IPV4 && host !== ALL) return [host]
  const outside = Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .filter(
      ({ internal, family, address }) =>
        !internal && (family === 'IPv4' || (host === ALL && !LINK_LOCAL.test(address))),
    )
  return ['127.0.0.1', ...outside.map(({ address }) => address)]
}

/** The addresses as links that sign in; the fragment never reaches a server. @param token null: none is needed */
export function dashboardLinks(addresses: readonly string[], token: Secret | null): readonly string[] {
  return token === null
    ? addresses
    : addresses.map((address) => `${address}#token=${encodeURIComponent(token.reveal())}`)
}
