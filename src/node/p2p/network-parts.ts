// What the parts of the network layer share.
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import type { P2pChain } from './p2p-chain'
import type { AddressRatings } from './peer/address-ratings'
import type { Bans } from './peer/bans'
import type { PeerSet } from './peer/peer-set'
import type { RandomBytes } from './rlpx/handshake'

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
