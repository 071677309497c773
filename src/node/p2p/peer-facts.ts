// A connected peer as the rest of the program sees it: JSON-RPC, the window.
import { toBareHex } from '../../base/hex'
import { bracketed } from '../../base/ip-address'
import { keccak256 } from '../codec/keccak'
import type { PeerFacts as ShownPeer } from '../ports/peers-port'
import { formatEnode } from './node-address'
import type { Peer } from './peer/peer'

/** A snapshot; it doesn't change afterwards. */
export interface PeerFacts extends ShownPeer {
  /** Public key, 128 hex digits. */
  readonly name: string
  readonly host: string
  readonly port: number
  /** Round trip of the last ping; null before the first. */
  readonly latencyMs: number | null
  /** On the wire since it connected. */
  readonly bytesIn: number
  readonly bytesOut: number
  /** UTC ms */
  readonly joinedAt: number
}

/** A snapshot of a peer. @param standing what the connection itself doesn't know */
export function peerFacts(peer: Peer, standing: Pick<PeerFacts, 'isTrusted' | 'isStatic' | 'joinedAt'>): PeerFacts {
  const { info, connection, name } = peer
  const { host, port, direction } = info
  return {
    ...standing,
    ...connection.traffic,
    name,
    host,
    port,
    // An inbound peer doesn't tell us a port that we could dial.
    enode: formatEnode({ id: peer.id, host, tcpPort: port, udpPort: port }),
    id: toBareHex(keccak256(peer.id)),
    clientName: peer.clientId,
    capabilities: (connection.remoteHello?.capabilities ?? []).map((offered) => `${offered.name}/${offered.version}`),
    isInbound: direction === 'inbound',
    localAddress: connection.localAddress,
    remoteAddress: `${bracketed(host)}:${port}`,
    totalDifficulty: peer.totalDifficulty,
    head: peer.head,
    latencyMs: connection.latencyMs,
  }
}
