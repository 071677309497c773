// Who gets news whole, and who is asked: some of the peers by chance. With the same ones each time, the others would hear of
// everything late, and who is first could always be a liar.
import type { RandomBytes } from './rlpx/ecies'

/** `count` different ones of `all`, or all of them. */
export function chosen<T>(all: readonly T[], count: number, randomBytes: RandomBytes): readonly T[] {
  const rest = [...all]
  const most = Math.min(count, rest.length)
  return Array.from({ length: most }, () => rest.splice(chanceBelow(rest.length, randomBytes), 1)).flat()
}

/** From 0 up to `limit`, which is small against 2^32. */
export function chanceBelow(limit: number, randomBytes: RandomBytes): number {
  const bytes = randomBytes(4)
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0) % limit
}
