// `client.reconnect`: a pool may redirect its miners, but only within its own domain.
import { isIP } from 'node:net'
import type { PoolUrl } from '../../../config/values/pool-url'
import type { SessionEnd } from './session'

const LONGEST_WAIT_SECONDS = 60
const HOST = /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?$/

/** @param params `[host?, port?, wait?]` */
export function movedEnd(params: unknown, url: PoolUrl): SessionEnd {
  const [hostWish, portWish, waitWish]: readonly unknown[] = Array.isArray(params) ? params : []
  const host = typeof hostWish === 'string' && hostWish !== '' ? hostWish : url.host
  const port = portNumber(portWish) ?? url.port
  const waitMs = waitSeconds(waitWish) * 1_000
  if (host !== url.host && !sameDomain(host, url.host)) {
    const reason = `the pool wanted to send this miner to ${host.slice(0, 80)}, which is not its own domain`
    return { kind: 'moved', reason, host: url.host, port: url.port, waitMs }
  }
  return { kind: 'moved', reason: 'the pool asked to reconnect', host, port, waitMs }
}

/**
 * The last two labels must match (three when the last but one is a registry's, as in `co.uk`): the strict rule without
 * the public suffix list.
 */
function sameDomain(a: string, b: string): boolean {
  if (!HOST.test(a) || isIP(a) !== 0 || isIP(b) !== 0) return false
  const [left, right] = [registrable(a), registrable(b)]
  return left !== null && left === right
}

function registrable(host: string): string | null {
  const labels = host.toLowerCase().split('.')
  const last = labels.at(-1) ?? ''
  const second = labels.at(-2) ?? ''
  const count = last.length === 2 && second.length <= 3 ? 3 : 2
  return labels.length < count ? null : labels.slice(-count).join('.')
}

function portNumber(value: unknown): number | null {
  const port = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value
  return typeof port === 'number' && Number.isInteger(port) && port >= 1 && port <= 65_535 ? port : null
}

function waitSeconds(value: unknown): number {
  const seconds = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value
  return typeof seconds === 'number' && seconds >= 0 ? Math.min(seconds, LONGEST_WAIT_SECONDS) : 0
}
