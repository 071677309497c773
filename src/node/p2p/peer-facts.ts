// A connected peer as the rest of the program sees it: JSON-RPC, the window.

import { toBareHex } from '../../base/hex'
import { keccak256 } from '../codec/keccak'
import { formatEnode, hostPort } from './node-address'
import type { Peer } from './peer/peer'

/** A snapshot; it doesn't change afterwards. */
export interface PeerFacts {
  /** Public key, 128 hex digits. */
  readonly name: string
  /** keccak-256 of the public key, 64 hex digits */
  readonly id: string
  readonly enode: string
  readonly host: string
  readonly port: number
  readonly clientName: string
  /** `name/version`, everything it offered. */
  readonly capabilities: readonly string[]
  readonly isInbound: boolean
  readonly isTrusted: boolean
  readonly isStatic: boolean
  /** `HOST:PORT` */
  readonly localAddress: string
  readonly remoteAddress: string
  /** Of the best block it announced or proved. */
  readonly totalDifficulty: bigint
  /** 32 bytes */
  readonly head: Uint8Array
  /** Round trip of the last ping; null before the first. */
  readonly latencyMs: number | null
  /** On the wire since it connected. */
  readonly bytesIn: number
  readonly bytesOut: number
  /** UTC ms */
  readonly joinedAt: number
}

/** What the connection itself doesn't know. */
type PeerStanding = Pick<PeerFacts, 'isTrusted' | 'isStatic' | 'joinedAt'>

/** Takes a snapshot of a peer. @param standing whether it is trusted or static, and its rating */
export function peerFacts(peer: Peer, standing: PeerStanding): PeerFacts {
  const { info, connection, name } = peer
  const { host, port, direction } = info
  // An inbound peer doesn't tell us a port that we could dial.
  const address = { id: peer.id, host, tcpPort: port, udpPort: port }
  return {
    ...standing,
    ...connection.traffic,
    name,
    host,
    port,
    enode: formatEnode(address),
    id: toBareHex(keccak256(peer.id)),
    clientName: peer.clientId,
    capabilities: (connection.remoteHello?.capabilities ?? []).map((offered) => `${offered.name}/${offered.version}`),
    isInbound: direction === 'inbound',
    localAddress: connection.localAddress,
    remoteAddress: hostPort(host, port),
    totalDifficulty: peer.totalDifficulty,
    head: peer.head,
    latencyMs: connection.latencyMs,
  }
}
