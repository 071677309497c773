// IP addresses as bytes and as canonical text, so that two spellings of a host compare equal.
import { equalBytes } from '../../base/bytes'

const MAPPED_PREFIX = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff)

/** 4 or 16 bytes of a literal (IPv4-mapped IPv6 gives 4); null for anything else, including names and zones. */
export function parseIp(text: string): Uint8Array | null {
  const bytes = text.includes(':') ? parseIpv6(text) : parseIpv4(text)
  return bytes === null ? null : unmapped(bytes)
}

/** Dotted IPv4, or IPv6 in RFC 5952 form. @param bytes 4 or 16 bytes */
export function formatIp(bytes: Uint8Array): string {
  const plain = unmapped(bytes)
  return plain.length === 4 ? plain.join('.') : formatIpv6(plain)
}

/** Canonical text; null when `text` isn't a literal. */
export function canonicalIp(text: string): string | null {
  const bytes = parseIp(text)
  return bytes === null ? null : formatIp(bytes)
}

/** Whether the first `bits` bits agree; never across families. */
export function isInNetwork(address: Uint8Array, network: Uint8Array, bits: number): boolean {
  if (address.length !== network.length) return false
  const whole = bits >> 3
  if (!equalBytes(address.subarray(0, whole), network.subarray(0, whole))) return false
  const rest = bits & 7
  return rest === 0 || ((address[whole] ?? 0) ^ (network[whole] ?? 0)) >> (8 - rest) === 0
}

/** Where an address is reachable from. `special`: nowhere (unspecified, multicast, documentation, reserved). */
type IpScope = 'loopback' | 'lan' | 'special' | 'global'

/** Source: IANA special-purpose address registries (RFC 6890) */
const SCOPE_TABLE: readonly (readonly [scope: IpScope, network: string, bits: number])[] = [
  ['loopback', '127.0.0.0', 8],
  ['lan', '10.0.0.0', 8],
  ['lan', '172.16.0.0', 12],
  ['lan', '192.168.0.0', 16],
  ['lan', '169.254.0.0', 16],
  ['lan', '100.64.0.0', 10],
  ['special', '0.0.0.0', 8],
  ['special', '192.0.0.0', 24],
  ['special', '192.0.2.0', 24],
  ['special', '198.18.0.0', 15],
  ['special', '198.51.100.0', 24],
  ['special', '203.0.113.0', 24],
  ['special', '224.0.0.0', 4],
  ['special', '240.0.0.0', 4],
  ['loopback', '::1', 128],
  ['lan', 'fc00::', 7],
  ['lan', 'fe80::', 10],
  ['special', '::', 128],
  ['special', '2001:db8::', 32],
  ['special', 'ff00::', 8],
]
const SCOPES = SCOPE_TABLE.map(([scope, network, bits]) => ({
  scope,
  network: parseIp(network) ?? MAPPED_PREFIX,
  bits,
}))

/** Reachability of an address. @param address 4 or 16 bytes, network order */
export function scopeOf(address: Uint8Array): IpScope {
  return SCOPES.find(({ network, bits }) => isInNetwork(address, network, bits))?.scope ?? 'global'
}

/** True for a globally reachable literal. */
export function isGlobalHost(host: string): boolean {
  const ip = parseIp(host)
  return ip !== null && scopeOf(ip) === 'global'
}

/**
 * Fallback listening address on a computer without IPv6; null when `error` is another failure. @param host that
 * listening failed on
 */
export function hostWithoutIpv6(host: string, error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return host === '::' && (code === 'EAFNOSUPPORT' || code === 'EADDRNOTAVAIL') ? '0.0.0.0' : null
}

/** True for 0.0.0.0 and ::, the wildcard addresses. */
export function isUnspecifiedHost(host: string): boolean {
  return parseIp(host)?.every((byte) => byte === 0) ?? false
}

/**
 * Whether a host may tell us about `address`: nobody may refer us to reserved addresses, nor an external host to our
 * local network. Source: go-ethereum p2p/netutil (CheckRelayIP)
 */
export function mayRelay(sender: Uint8Array, address: Uint8Array): boolean {
  const scope = scopeOf(address)
  if (scope === 'special') return false
  if (scope === 'loopback') return scopeOf(sender) === 'loopback'
  return scope === 'global' || scopeOf(sender) !== 'global'
}

/**
 * Key of the narrow neighborhood for per-network limits: /24 of IPv4, /48 of IPv6; null inside a private network (no
 * limit there).
 */
export function subnetKey(address: Uint8Array): string | null {
  const scope = scopeOf(address)
  if (scope === 'loopback' || scope === 'lan') return null
  return address.subarray(0, address.length === 4 ? 3 : 6).join('.')
}

/**
 * Key of the wide neighborhood, which one provider may own: /16 of IPv4, /32 of IPv6; null inside a private network.
 */
export function regionKey(address: Uint8Array): string | null {
  const scope = scopeOf(address)
  if (scope === 'loopback' || scope === 'lan') return null
  return address.subarray(0, address.length === 4 ? 2 : 4).join('.')
}

/** Key of what certainly has a single owner: the IPv4 address, or the /64 of IPv6. @param host literal */
export function hostKey(host: string): string {
  const ip = parseIp(host)
  return ip?.length === 16 ? ip.subarray(0, 8).join('.') : host
}

function unmapped(bytes: Uint8Array): Uint8Array {
  return bytes.length === 16 && equalBytes(bytes.subarray(0, 12), MAPPED_PREFIX) ? bytes.slice(12) : bytes
}

function parseIpv4(text: string): Uint8Array | null {
  const parts = text.split('.')
  const isAddress = parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
  return isAddress ? Uint8Array.from(parts.map(Number)) : null
}

function parseIpv6(text: string): Uint8Array | null {
  if (text.length > 45) return null
  const lastColon = text.lastIndexOf(':')
  const tail = text.slice(lastColon + 1)
  if (tail.includes('.')) {
    const last = parseIpv4(tail)
    if (last === null) return null
    const [a = 0, b = 0, c = 0, d = 0] = last
    return parseIpv6(`${text.slice(0, lastColon + 1)}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`)
  }
  const halves = text.split('::')
  if (halves.length > 2) return null
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')))
  const [before = [], after = []] = groups
  const count = before.length + after.length
  if (halves.length === 2 ? count > 7 : count !== 8) return null
  const all = [...before, ...Array.from({ length: 8 - count }, () => '0'), ...after]
  if (!all.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return null
  return Uint8Array.from(all.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]))
}

function formatIpv6(bytes: Uint8Array): string {
  const groups = Array.from({ length: 8 }, (_, i) =>
    (((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0)).toString(16),
  )
  const zeros = longestZeros(groups)
  if (zeros.length < 2) return groups.join(':')
  return `${groups.slice(0, zeros.start).join(':')}::${groups.slice(zeros.start + zeros.length).join(':')}`
}

function longestZeros(groups: readonly string[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 }
  let start = 0
  for (const [i, group] of groups.entries()) {
    if (group !== '0') start = i + 1
    else if (i + 1 - start > best.length) best = { start, length: i + 1 - start }
  }
  return best
}
