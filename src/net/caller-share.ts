// Which caller a connection counts against, so that one caller can't take every slot. For remote connections that is
// the address; local programs share one address, and the system's process table tells them apart (Linux only). It
// identifies the program at the other end, not who is behind it: a program that starts others gets their shares too.
import type { Socket } from 'node:net'
import { isIpv6, isLoopback, plainAddress } from '../base/ip-address'
import { type Clock, sleep } from '../base/time'
import { ProcessTable } from './process-table'

/** Identifies the callers of local connections; null for one that the system doesn't report. */
export type NameLocals = (sockets: readonly Socket[]) => Promise<readonly (string | null)[]>

/** Between two scans of the process table: each reads the open files of every process. */
const LOOK_PAUSE_MS = 500

/** The caller by its address: IPv4, or the /64 of IPv6 (a host there has them all); null for local ones and sockets. */
export function addressShare(remoteAddress: string | undefined): string | null {
  const address = plainAddress(remoteAddress).split('%')[0] ?? ''
  if (address === '' || isLoopback(address)) return null
  return isIpv6(address) ? `${networkOf(address)}::/64` : address
}

/** Queries the process table, for many connections at once and at most twice a second. */
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
