// IP addresses as bytes and as canonical text, so that two spellings of a host compare equal.

import { SocketAddress } from 'node:net'
import { equalBytes } from '../../base/bytes'
import { isSystemCode } from '../../base/errors'
import { toBareHex } from '../../base/hex'
import { isIpv4, isIpv6 } from '../../base/ip-address'

/** How many of `hosts` are in the neighborhood of `host` (/24, /48 of IPv6); 0 inside private networks. */
export function neighboursOf(host: string, hosts: readonly string[]): number {
  const own = neighbourhood(host)
  return own === null ? 0 : hosts.filter((other) => neighbourhood(other) === own).length
}

/** Key of the neighborhood; null inside private networks, and for names. */
export function neighbourhood(host: string): string | null {
  const ip = parseIp(host)
  return ip === null ? null : subnetKey(ip)
}

/** Key of the wide neighborhood (/16, /32 of IPv6); null inside private networks, and for names. */
export function region(host: string): string | null {
  const ip = parseIp(host)
  return ip === null ? null : regionKey(ip)
}

/** The networks of --netrestrict; without the option everything is allowed. */
export interface NetRestrict {
  /** True for an IP literal inside one of the networks; DNS names are never inside. */
  allows(host: string): boolean
}

/** @param networks such as `10.0.0.0/8`, validated by the option's type; none restrict nothing @throws RangeError */
export function netRestrict(networks: readonly string[]): NetRestrict {
  if (networks.length === 0) return { allows: () => true }
  const parsed = networks.map((text) => {
    const read = parseNetwork(text)
    if (read === null) throw new RangeError(`"${text}" is not a network such as 10.0.0.0/8`)
    return read
  })
  return {
    allows(host) {
      const address = parseIp(host)
      return address !== null && parsed.some(({ network, bits }) => isInNetwork(address, network, bits))
    },
  }
}

const MAPPED_PREFIX = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff)

/** 4 or 16 bytes of a literal (IPv4-mapped IPv6 gives 4); null for anything else, including names and zones. */
export function parseIp(text: string): Uint8Array | null {
  if (isIpv4(text)) return Uint8Array.from(text.split('.').map(Number))
  return isIpv6(text) ? unmapped(parseIpv6(text)) : null
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

/** The addresses that share these bits. */
interface IpNetwork {
  /** 4 or 16 bytes */
  readonly network: Uint8Array
  readonly bits: number
}

/** Reads `10.0.0.0/8`; null for anything else. */
export function parseNetwork(text: string): IpNetwork | null {
  const [host = '', bitsText = ''] = text.split('/')
  const network = parseIp(host)
  const bits = Number(bitsText)
  return network !== null && /^\d{1,3}$/.test(bitsText) && bits <= 8 * network.length ? { network, bits } : null
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

/** Disjoint. Source: IANA special-purpose address registries (RFC 6890) */
const LOOPBACK = networksOf('127.0.0.0/8', '::1/128')
/** Of a provider: its customers, strangers to each other, may meet there (RFC 6598). */
const SHARED = networksOf('100.64.0.0/10')
const LAN = [
  ...networksOf('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7', 'fe80::/10'),
  ...SHARED,
]
const SPECIAL = networksOf(
  ...['0.0.0.0/8', '192.0.0.0/24', '192.0.2.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4', '::/128', '2001:db8::/32', 'ff00::/8'],
)

function networksOf(...texts: readonly string[]): readonly IpNetwork[] {
  return texts.flatMap((text) => parseNetwork(text) ?? [])
}

/** Reachability of an address. @param address 4 or 16 bytes, network order */
export function scopeOf(address: Uint8Array): IpScope {
  if (isAmong(LOOPBACK, address)) return 'loopback'
  if (isAmong(LAN, address)) return 'lan'
  return isAmong(SPECIAL, address) ? 'special' : 'global'
}

const isAmong = (networks: readonly IpNetwork[], address: Uint8Array): boolean =>
  networks.some(({ network, bits }) => isInNetwork(address, network, bits))

/** True for a globally reachable literal. */
export function isGlobalHost(host: string): boolean {
  const ip = parseIp(host)
  return ip !== null && scopeOf(ip) === 'global'
}

/** Where to listen instead on a computer without IPv6; null when `error` is another failure. @param host that failed */
export function hostWithoutIpv6(host: string, error: unknown): string | null {
  return host === '::' && isSystemCode(error, 'EAFNOSUPPORT', 'EADDRNOTAVAIL') ? '0.0.0.0' : null
}

/** True for 0.0.0.0 and ::, the wildcard addresses. */
export function isUnspecifiedHost(host: string): boolean {
  return parseIp(host)?.every((byte) => byte === 0) ?? false
}

/** Nobody may refer us to reserved addresses, nor an external host to our network. Source: go-ethereum p2p/netutil */
export function mayRelay(sender: Uint8Array, address: Uint8Array): boolean {
  const scope = scopeOf(address)
  if (scope === 'special') return false
  if (scope === 'loopback') return scopeOf(sender) === 'loopback'
  return scope === 'global' || scopeOf(sender) !== 'global'
}

/** Key of the narrow neighborhood for limits: /24 of IPv4, /48 of IPv6; null inside a private network (no limit there). */
export function subnetKey(address: Uint8Array): string | null {
  return publicPrefix(address, address.length === 4 ? 3 : 6)
}

/** Key of the wide neighborhood, which one provider may own: /16 of IPv4, /32 of IPv6; null inside a private network. */
export function regionKey(address: Uint8Array): string | null {
  return publicPrefix(address, address.length === 4 ? 2 : 4)
}

function publicPrefix(address: Uint8Array, bytes: number): string | null {
  return isOwnNetwork(address) ? null : address.subarray(0, bytes).join('.')
}

/** Where several nodes behind one address are normal. */
const isOwnNetwork = (address: Uint8Array): boolean => ['loopback', 'lan'].includes(scopeOf(address))

/** True for a literal of loopback or a private network, not of one that a provider's customers share. */
export function isPrivateHost(host: string): boolean {
  const ip = parseIp(host)
  return ip !== null && isOwnNetwork(ip) && !isAmong(SHARED, ip)
}

/** Key of what certainly has a single owner: the IPv4 address, or the /64 of IPv6. @param host literal */
export function hostKey(host: string): string {
  const ip = parseIp(host)
  return ip?.length === 16 ? ip.subarray(0, 8).join('.') : host
}

function unmapped(bytes: Uint8Array): Uint8Array {
  return bytes.length === 16 && equalBytes(bytes.subarray(0, 12), MAPPED_PREFIX) ? bytes.slice(12) : bytes
}

/** @param text a valid literal */
function parseIpv6(text: string): Uint8Array {
  const lastColon = text.lastIndexOf(':')
  const tail = text.slice(lastColon + 1)
  if (tail.includes('.')) {
    const [a = 0, b = 0, c = 0, d = 0] = tail.split('.').map(Number)
    return parseIpv6(`${text.slice(0, lastColon + 1)}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`)
  }
  const [before = [], after = []] = text.split('::').map((half) => (half === '' ? [] : half.split(':')))
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return Uint8Array.from(
    [...before, ...zeros, ...after].flatMap((group) => [
      Number.parseInt(group, 16) >> 8,
      Number.parseInt(group, 16) & 0xff,
    ]),
  )
}

function formatIpv6(bytes: Uint8Array): string {
  const groups = Array.from({ length: 8 }, (_, i) => bytes.subarray(2 * i, 2 * i + 2)).map(toBareHex)
  return new SocketAddress({ address: groups.join(':'), family: 'ipv6' }).address
}
