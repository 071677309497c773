// Strict parsing of the Host header. It is the guard against DNS rebinding: a web page that makes its own name resolve
// to this computer still sends that name, so a header that isn't exactly a known name or an address must not pass.
import { isIpLiteral, isIpv6 } from '../base/ip-address'

/** A parsed Host header. */
interface HostHeader {
  /** Lower case; an IPv6 literal without its brackets. */
  readonly name: string
  /** Null when the header has none. */
  readonly port: number | null
}

/** Null when the header is malformed: text behind a bracket, a port that isn't a number, brackets around a name. */
export function parseHostHeader(header: string): HostHeader | null {
  if (isIpv6(header)) return { name: header.toLowerCase(), port: null }
  const [, inner, name = inner ?? '', port = ''] = /^(?:\[([^\]]*)\]|([^:[\]/@\s]+))(?::(\d{0,5}))?$/.exec(header) ?? []
  if (name === '' || (inner !== undefined && !isIpv6(inner)) || Number(port) > 65_535) return null
  return { name: name.toLowerCase(), port: port === '' ? null : Number(port) }
}

/** `isHostAllowed` for one list of names. Caches the last header that passed: most clients always send the same one. */
export function hostFilter(vhosts: readonly string[]): (header: string | undefined) => boolean {
  let passed: string | undefined
  return (header) => {
    if (header === passed) return true
    if (!isHostAllowed(header, vhosts)) return false
    passed = header
    return true
  }
}

/**
 * Whether the Host header lets a request pass: missing (not a browser), an IP literal, or a listed name.
 * @param vhosts names in any case; `*` accepts every header
 */
export function isHostAllowed(header: string | undefined, vhosts: readonly string[]): boolean {
  if (header === undefined || header === '' || vhosts.includes('*')) return true
  const host = parseHostHeader(header)
  if (host === null) return false
  return isIpLiteral(host.name) || vhosts.some((vhost) => vhost.toLowerCase() === host.name)
}
