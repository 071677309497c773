// Strict parsing of the Host header. It is the guard against DNS rebinding: a web page that makes its own name resolve
// to this computer still sends that name, so a header that isn't exactly a known name or an address must not pass.
import { isIpLiteral, isIpv6 } from '../base/ip-address'

/** Its name in lower case, IPv6 without brackets; null for text behind a bracket, no number as port, or [name]. */
export function hostNameOf(header: string): string | null {
  if (isIpv6(header)) return header.toLowerCase()
  const [, inner, name = inner ?? '', port = ''] = /^(?:\[([^\]]*)\]|([^:[\]/@\s]+))(?::(\d{0,5}))?$/.exec(header) ?? []
  if (name === '' || (inner !== undefined && !isIpv6(inner)) || Number(port) > 65_535) return null
  return name.toLowerCase()
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

/** Whether a request may pass: no header (no browser), an IP literal, or one of `vhosts` in any case; `*`: all. */
export function isHostAllowed(header: string | undefined, vhosts: readonly string[]): boolean {
  if (header === undefined || header === '' || vhosts.includes('*')) return true
  const name = hostNameOf(header)
  return name !== null && (isIpLiteral(name) || vhosts.some((vhost) => vhost.toLowerCase() === name))
}
