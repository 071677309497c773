// The connected peers, and how many of which kind there may be.
import { Emitter } from '../../../base/events'
import type { DisconnectReason } from '../wire/base-messages'
import { DISCONNECT } from '../wire/base-messages'
import { neighboursOf } from './address-rules'
import type { Peer, PeerInfo } from './peer'

export interface PeerSetEvents {
  joined: Peer
  left: { readonly peer: Peer; readonly reason: string }
}

/** Of all peers, this part may be dialled by us; the rest is for those who dial. */
const DIALLED_PART = 3
/** Of the places of those who dial, this part may go to one neighbourhood: a single host must not fill them all. */
const NEIGHBOURS_PART = 4
const LEAST_NEIGHBOURS = 2

export class PeerSet {
  readonly events = new Emitter<PeerSetEvents>()
  readonly #peers = new Map<string, Peer>()

  constructor(private readonly mostPeers: number) {}

  get size(): number {
    return this.#peers.size
  }

  list(): readonly Peer[] {
    return [...this.#peers.values()]
  }

  get(name: string): Peer | null {
    return this.#peers.get(name) ?? null
  }

  /** How many more we may dial. */
  roomToDial(): number {
    const most = Math.max(1, Math.floor(this.mostPeers / DIALLED_PART))
    const free = this.mostPeers - this.#peers.size
    return this.mostPeers === 0 ? 0 : Math.min(free, most - this.#ofLimit('outbound').length)
  }

  /** Why a peer may not join; null when it may. */
  refusal(name: string, info: PeerInfo): DisconnectReason | null {
    if (this.#peers.has(name)) return DISCONNECT.alreadyConnected
    if (info.trusted || info.isStatic) return null
    if (this.#peers.size >= this.mostPeers) return DISCONNECT.tooManyPeers
    const dialled = Math.max(1, Math.floor(this.mostPeers / DIALLED_PART))
    // A set of one has no room to keep apart.
    const mostInbound = this.mostPeers === 1 ? 1 : this.mostPeers - dialled
    if (info.direction !== 'inbound') return null
    const inbound = this.#ofLimit('inbound').map((peer) => peer.info.host)
    const mostNeighbours = Math.max(LEAST_NEIGHBOURS, Math.floor(mostInbound / NEIGHBOURS_PART))
    const isFull = inbound.length >= mostInbound || neighboursOf(info.host, inbound) >= mostNeighbours
    return isFull ? DISCONNECT.tooManyPeers : null
  }

  add(peer: Peer): void {
    this.#peers.set(peer.name, peer)
    peer.events.on('closed', ({ reason }) => {
      if (this.#peers.get(peer.name) !== peer) return
      this.#peers.delete(peer.name)
      this.events.emit('left', { peer, reason })
    })
    this.events.emit('joined', peer)
  }

  /** The one with the most total difficulty; null without peers. */
  best(): Peer | null {
    let best: Peer | null = null
    for (const peer of this.#peers.values())
      if (best === null || peer.totalDifficulty > best.totalDifficulty) best = peer
    return best
  }

  /** Those that the limits hold for. */
  #ofLimit(direction: PeerInfo['direction']): readonly Peer[] {
    return this.list().filter(({ info }) => info.direction === direction && !info.trusted && !info.isStatic)
  }
}
