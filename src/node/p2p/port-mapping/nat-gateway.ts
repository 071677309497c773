// Finds the router: the kernel's default route where available, else the first address of each private network we are
// in.
import { readFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { formatIp, parseIp, scopeOf } from '../../identity/ip-address'

const ROUTE_FILE = '/proc/net/route'
const GATEWAY_FLAG = 2

/** IPv4 literals of possible routers, the likeliest first. */
export async function gatewayHosts(): Promise<readonly string[]> {
  // Other systems lack this file; there the guess is usually right.
  const table = await readFile(ROUTE_FILE, 'utf8').catch(() => '')
  const known = gatewaysOfTable(table)
  return known.length > 0 ? known : guessedGateways()
}

/** Default routes from Linux's routing table: hexadecimal, little-endian as every supported machine. */
export function gatewaysOfTable(table: string): readonly string[] {
  const hosts = table.split('\n').flatMap((line) => {
    const [, destination, gateway = '', flags = '0'] = line.trim().split(/\s+/)
    const isDefault = destination === '00000000' && (Number.parseInt(flags, 16) & GATEWAY_FLAG) !== 0
    if (!isDefault || !/^[0-9A-Fa-f]{8}$/.test(gateway)) return []
    return [formatIp(Uint8Array.from(Buffer.from(gateway, 'hex')).reverse())]
  })
  return [...new Set(hosts)]
}

function guessedGateways(): readonly string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const hosts = addresses.flatMap(({ address, family }) => {
    const ip = family === 'IPv4' ? parseIp(address) : null
    if (ip === null || scopeOf(ip) !== 'lan') return []
    return [formatIp(Uint8Array.of(...ip.subarray(0, 3), 1))]
  })
  return [...new Set(hosts)]
}
