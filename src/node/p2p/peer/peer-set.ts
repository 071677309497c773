// The connected peers, and the limits by kind.
import { Emitter } from '../../../base/events'
import { neighboursOf, region } from '../../identity/ip-address'
import { DISCONNECT, type DisconnectReason } from '../../protocol/base-messages'
import type { Peer, PeerInfo } from './peer'

interface PeerSetEvents {
  joined: Peer
  left: { readonly peer: Peer; readonly reason: string }
}

/** Maximum share of outbound peers; the rest is reserved for inbound ones. */
const DIALLED_PART = 3
/** Maximum share of inbound slots for one neighborhood: a single host must not fill them all. */
const NEIGHBOURS_PART = 4
const MIN_NEIGHBOURS = 2
/** Inbound peers that delivered verified blocks and are connected longest are never evicted. */
const MAX_KEPT = 8

/** Peers by name, within the limits per direction. */
export class PeerSet {
  readonly events = new Emitter<PeerSetEvents>()
  readonly #peers = new Map<string, Peer>()

  /** @param maxPeers may be changed; peers above a lowered limit stay until they leave */
  constructor(public maxPeers: number) {}

  get size(): number {
    return this.#peers.size
  }

  list(): readonly Peer[] {
    return [...this.#peers.values()]
  }

  get(name: string): Peer | null {
    return this.#peers.get(name) ?? null
  }

  roomToDial(): number {
    const most = Math.max(1, Math.floor(this.maxPeers / DIALLED_PART))
    const free = this.maxPeers - this.#peers.size
    return this.maxPeers === 0 ? 0 : Math.min(free, most - this.#ofLimit('outbound').length)
  }

  /** Wide neighborhoods of the peers dialed through discovery. */
  dialledRegions(): ReadonlySet<string> {
    return new Set(this.#ofLimit('outbound').flatMap((peer) => peer.region ?? []))
  }

  /** Why a peer may not join; null when it may, possibly by evicting another. */
  refusal(name: string, info: PeerInfo): DisconnectReason | null {
    if (this.#peers.has(name)) return DISCONNECT.alreadyConnected
    if (info.trusted || info.isStatic) return null
    if (info.direction === 'outbound') return this.#peers.size >= this.maxPeers ? DISCONNECT.tooManyPeers : null
    const inbound = this.#ofLimit('inbound').map((peer) => peer.info.host)
    const maxNeighbours = Math.max(MIN_NEIGHBOURS, Math.floor(this.#maxInbound / NEIGHBOURS_PART))
    if (neighboursOf(info.host, inbound) >= maxNeighbours) return DISCONNECT.tooManyPeers
    return !this.#isFullFor(info) || this.#victimFor(info) !== null ? null : DISCONNECT.tooManyPeers
  }

  get #maxInbound(): number {
    // With one slot there is nothing to divide.
    if (this.maxPeers === 1) return 1
    return this.maxPeers - Math.max(1, Math.floor(this.maxPeers / DIALLED_PART))
  }

  #isFullFor({ direction, trusted, isStatic }: PeerInfo): boolean {
    if (direction === 'outbound' || trusted || isStatic) return false
    return this.#peers.size >= this.maxPeers || this.#ofLimit('inbound').length >= this.#maxInbound
  }

  /** Evicted for a newcomer: the least useful peer of the most crowded region, if that has more than the newcomer's. */
  #victimFor({ host }: PeerInfo): Peer | null {
    const inbound = this.#ofLimit('inbound')
    const counts = new Map<string, number>()
    for (const peer of inbound) if (peer.region !== null) counts.set(peer.region, (counts.get(peer.region) ?? 0) + 1)
    const countOf = (place: string | null): number => (place === null ? 0 : (counts.get(place) ?? 0))
    const useful = inbound.filter(({ proven }) => proven !== null).sort((a, b) => a.joinedAt - b.joinedAt)
    const kept = new Set(useful.slice(0, MAX_KEPT))
    const least = countOf(region(host)) + 1
    const crowd = inbound
      .filter((peer) => !kept.has(peer) && countOf(peer.region) > least)
      .sort((a, b) => countOf(b.region) - countOf(a.region) || usefulness(a) - usefulness(b))
    return crowd[0] ?? null
  }

  add(peer: Peer): void {
    if (this.#isFullFor(peer.info)) this.#victimFor(peer.info)?.disconnect(DISCONNECT.tooManyPeers)
    this.#peers.set(peer.name, peer)
    peer.events.on('closed', ({ reason }) => {
      if (this.#peers.get(peer.name) !== peer) return
      this.#peers.delete(peer.name)
      this.events.emit('left', { peer, reason })
    })
    this.events.emit('joined', peer)
  }

  #ofLimit(direction: PeerInfo['direction']): readonly Peer[] {
    return this.list().filter(({ info }) => info.direction === direction && !info.trusted && !info.isStatic)
  }
}

/** Higher for a peer that delivered verified blocks, and for one connected longer. */
function usefulness({ proven, joinedAt }: Peer): number {
  return (proven === null ? 0 : Number.MAX_SAFE_INTEGER / 2) - joinedAt
}
