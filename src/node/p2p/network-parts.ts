// What the parts of the network layer share.
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import type { P2pChain } from './p2p-chain'
import type { AddressRatings, Bans } from './peer/bans'
import type { PeerSet } from './peer/peer-set'
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

/** Each part of the network layer takes those that it uses. */
export interface NetworkParts {
  readonly chain: P2pChain
  readonly peers: PeerSet
  readonly bans: Bans
  readonly ratings: AddressRatings
  readonly clock: Clock
  readonly log: Logger
  readonly randomBytes: RandomBytes
  /** Total difficulty of our head. */
  readonly ownTotal: () => bigint
}
