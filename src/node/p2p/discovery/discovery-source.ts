// Where the dialer learns of nodes: it does not know how they were found.
import type { Emitter } from '../../../base/events'
import type { Service } from '../../../base/lifecycle'
import type { NodeAddress } from '../node-address'
import type { LocalRecord } from './local-record'

/** What a source of nodes tells, as it finds it. */
export interface DiscoveryEvents {
  /**
   * A node that can be dialled: it lives (discovery) or was signed into a list (DNS), has a TCP port, is inside --netrestrict, and
   * its record, where known, does not name another chain. The same node may come again after some minutes.
   */
  nodeFound: NodeAddress
}

/** Nodes to dial, whatever way they were found; the dialer sees nothing else of discovery. */
export interface DiscoverySource extends Service {
  readonly events: Emitter<DiscoveryEvents>
  /** What we tell others of ourselves. */
  readonly record: LocalRecord
  /** Nodes that could be dialled now, in no order. */
  nodes(): readonly NodeAddress[]
}
