// What counts as our own network, where one address may stand for many nodes.
import { BlockList, isIP } from 'node:net'
import { parseIp, regionKey, subnetKey } from '../../identity/ip-address'

/** False for DNS names. @param host IP literal without brackets */
export function isIn(list: BlockList, host: string): boolean {
  const family = isIP(host)
  return family !== 0 && list.check(host, family === 4 ? 'ipv4' : 'ipv6')
}

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

/** Loopback and private ranges: several nodes behind one address are normal there. */
export function localNetworks(): BlockList {
  const list = new BlockList()
  for (const [host, bits] of [
    ['127.0.0.0', 8],
    ['10.0.0.0', 8],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
    ['169.254.0.0', 16],
  ] as const)
    list.addSubnet(host, bits, 'ipv4')
  list.addAddress('::1', 'ipv6')
  list.addSubnet('fc00::', 7, 'ipv6')
  list.addSubnet('fe80::', 10, 'ipv6')
  return list
}
