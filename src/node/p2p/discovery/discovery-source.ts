// Where the dialer learns of nodes; how they were found is hidden from it.
import type { Emitter } from '../../../base/events'
import type { Service } from '../../../base/lifecycle'
import type { NodeAddress } from '../node-address'
import type { LocalRecord } from './local-record'

/** Events of a node source. */
export interface DiscoveryEvents {
  /**
   * A node worth dialing: it is alive (discovery) or in a signed list (DNS), has a TCP port, is inside --netrestrict,
   * and its record, if known, doesn't name another chain. May be repeated after some minutes.
   */
  nodeFound: NodeAddress
}

/** Nodes to dial, however they were found; all that the dialer sees of discovery. */
export interface DiscoverySource extends Service {
  readonly events: Emitter<DiscoveryEvents>
  /** Our own record. */
  readonly record: LocalRecord
  /** Nodes that could be dialed now, unordered. */
  nodes(): readonly NodeAddress[]
}
