// IP addresses as text: the one definition of a loopback address, a literal and a bracketed address.

/** True for 127.0.0.0/8 and ::1, also as `::ffff:127.0.0.1`. @param host a literal without brackets; names are never loopback */
export function isLoopback(host: string): boolean {
  const plain = plainAddress(host)
  return plain === '::1' || (plain.startsWith('127.') && isIpv4(plain))
}

/** Unwraps `::ffff:1.2.3.4`, an IPv4 address from a dual-stack socket. Undefined, from a closed socket, gives ''. */
export function plainAddress(address: string | undefined): string {
  return (address ?? '').replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
}

/** An IPv6 literal in brackets, as URLs and `host:port` need it; anything else unchanged. */
export function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

/** True for an IPv4 or IPv6 literal without brackets or zone. */
export function isIpLiteral(text: string): boolean {
  return isIpv4(text) || isIpv6(text)
}

/** Four decimal numbers up to 255 without leading zeros. */
export function isIpv4(text: string): boolean {
  const parts = text.split('.')
  return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
}

/** RFC 4291 text form: eight groups, `::` at most once, the last 32 bits possibly as IPv4. */
export function isIpv6(text: string): boolean {
  if (!text.includes(':')) return false
  const lastColon = text.lastIndexOf(':')
  const tail = text.slice(lastColon + 1)
  if (tail.includes('.')) return isIpv4(tail) && isIpv6(`${text.slice(0, lastColon + 1)}0:0`)
  const halves = text.split('::')
  if (halves.length > 2) return false
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  if (!groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return false
  return halves.length === 2 ? groups.length <= 7 : groups.length === 8
}
