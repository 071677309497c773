// What the parts of the network layer share.
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import type { WireClient } from '../../base/wire/client'
import { type Forwarded, forward } from '../../base/wire/forward'
import type { ChainWire } from '../worker/wire/chain-wire'
import type { ImportReport } from '../worker/wire/import-shapes'
import { p2pCalls, readCalls } from '../worker/wire/read-wire'
import type { AddressRatings, Bans } from './peer/bans'
import type { PeerSet } from './peer/peer-set'
import type { RandomBytes } from './rlpx/handshake'

type Reads = Pick<Forwarded<typeof readCalls, 'chain.'>, 'head' | 'blockBytes' | 'totalDifficulty' | 'reach'>

/** A method for each call of `p2pCalls`, and some reads. Bytes are RLP unless stated otherwise, hashes 32 bytes. */
export interface P2pChain extends Forwarded<typeof p2pCalls, 'chain.p2p'>, Reads {
  /** Concatenated blocks. @param following number of blocks known to come after them */
  importBlocks(blocks: Uint8Array, following?: number): Promise<ImportReport>
}

/** @param client looked up at each call; throws CHAIN_NOT_OPEN when there is none */
export function workerChain(client: () => WireClient<ChainWire>): P2pChain {
  const { head, blockBytes, totalDifficulty, reach } = forward(client, readCalls, 'chain.')
  return {
    ...forward(client, p2pCalls, 'chain.p2p'),
    head,
    blockBytes,
    totalDifficulty,
    reach,
    importBlocks: async (blocks, following = 0) => client().call('chain.import', { blocks, following }),
  }
}

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
