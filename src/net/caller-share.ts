// Whom a connection counts for, so that one caller cannot take every place. From elsewhere that is the address; programs on
// this computer all have the same one, and there the system's process table tells them apart (Linux only). It tells which
// program has the other end, not who is behind it: a program that starts others gets their shares too.
import type { Socket } from 'node:net'
import { isIpv6, isLoopback, plainAddress } from '../base/ip-address'
import { type Clock, sleep } from '../base/time'
import { ProcessTable } from './process-table'

/** Names the callers of connections from this computer; null for one that the system doesn't tell. */
export type NameLocals = (sockets: readonly Socket[]) => Promise<readonly (string | null)[]>

/** Between two looks at the process table: each of them reads the open files of every process. */
const LOOK_PAUSE_MS = 500

/**
 * The caller by its address: an IPv4 address, the /64 of an IPv6 one (whoever has one address there has all of them), null for
 * this computer's own and for local sockets.
 */
export function addressShare(remoteAddress: string | undefined): string | null {
  const address = plainAddress(remoteAddress).split('%')[0] ?? ''
  if (address === '' || isLoopback(address)) return null
  return isIpv6(address) ? `${networkOf(address)}::/64` : address
}

/** Asks the process table, for many connections at once and at most twice a second. */
export function localCallers(clock: Clock, table = new ProcessTable()): NameLocals {
  let lookedAt = Number.NEGATIVE_INFINITY
  return async (sockets) => {
    const pause = lookedAt + LOOK_PAUSE_MS - clock.monotonic()
    if (pause > 0) await sleep(clock, pause)
    lookedAt = clock.monotonic()
    return table.ownersOf(
      sockets.map(({ remoteAddress = '', remotePort = 0, localAddress = '', localPort = 0 }) => ({
        near: { host: remoteAddress, port: remotePort },
        far: { host: localAddress, port: localPort },
      })),
    )
  }
}

/** The first four groups, without leading zeros. @param address a valid IPv6 literal */
function networkOf(address: string): string {
  const [head = '', tail] = address.toLowerCase().split('::')
  const groups = head === '' ? [] : head.split(':')
  const behind = tail === undefined || tail === '' ? [] : tail.split(':')
  const width = 8 - (behind.at(-1)?.includes('.') === true ? 1 : 0)
  const all =
    tail === undefined ? groups : [...groups, ...Array(width - groups.length - behind.length).fill('0'), ...behind]
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
