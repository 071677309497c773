// Random choice of peers for full messages and for requests. If the same ones were always chosen, the others would hear
// of everything late, and the first one could always be a liar.
import type { RandomBytes } from './rlpx/handshake'

/** `count` different elements of `all`, or all of them. */
export function chosen<T>(all: readonly T[], count: number, randomBytes: RandomBytes): readonly T[] {
  const rest = [...all]
  const most = Math.min(count, rest.length)
  return Array.from({ length: most }, () => rest.splice(chanceBelow(rest.length, randomBytes), 1)).flat()
}

/** Uniform in 0 .. limit - 1; `limit` must be small against 2^32. */
export function chanceBelow(limit: number, randomBytes: RandomBytes): number {
  const bytes = randomBytes(4)
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0) % limit
}
