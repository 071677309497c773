// The network layer as one service: connections, what peers ask, sync, and what is passed on.
import { messageOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import { Disposables, type Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import type { BlockSummary, HeadChange } from '../worker/shapes'
import type { DiscoverySource } from './discovery/discovery-source'
import type { ForkSchedule } from './fork-id'
import type { NetRestrict } from './netrestrict'
import type { NodeAddress } from './node-address'
import type { P2pChain } from './p2p-chain'
import type { Peer } from './peer/peer'
import { PeerServer } from './peer/peer-server'
import { BlockFollower } from './propagation/block-follower'
import { BlockSpread } from './propagation/block-spread'
import { TransactionExchange } from './propagation/transaction-exchange'
import type { RandomBytes } from './rlpx/ecies'
import { RequestServer } from './serve/request-server'
import { Synchroniser, type SyncState } from './sync/synchroniser'
import { DISCONNECT } from './wire/base-messages'
import { CODES } from './wire/messages'

export interface P2pServiceOptions {
  /** 32 bytes: the node key */
  readonly staticKey: Uint8Array
  /** Port 0 = any free one. */
  readonly listen: { readonly host: string; readonly port: number }
  /** 0 = nobody. */
  readonly maxPeers: number
  /** As other nodes see it. */
  readonly clientId: string
  readonly networkId: number
  readonly schedule: ForkSchedule
  readonly restrict: NetRestrict
}

export interface P2pServiceDeps {
  readonly chain: P2pChain
  readonly clock: Clock
  readonly log: Logger
  readonly randomBytes: RandomBytes
  /** Made once the TCP port is known; null = nobody is looked for. */
  readonly discovery: ((tcpPort: number) => DiscoverySource) | null
  readonly head: () => BlockSummary | null
}

export interface P2pEvents {
  peersChanged: { readonly count: number }
  syncChanged: SyncState
}

export class P2pService implements Service {
  readonly name = 'p2p'
  readonly events = new Emitter<P2pEvents>()
  readonly #options: P2pServiceOptions
  readonly #deps: P2pServiceDeps
  readonly #server: PeerServer
  readonly #requests: RequestServer
  readonly #sync: Synchroniser
  readonly #spread: BlockSpread
  readonly #follower: BlockFollower
  readonly #transactions: TransactionExchange
  readonly #held = new Disposables()
  #port = 0
  #discovery: DiscoverySource | null = null

  constructor(options: P2pServiceOptions, deps: P2pServiceDeps) {
    this.#options = options
    this.#deps = deps
    const { chain, clock, log, randomBytes } = deps
    const { staticKey, listen, maxPeers, clientId, restrict } = options
    this.#server = new PeerServer(
      { staticKey, listen, maxPeers, clientId, restrict },
      { clock, log, randomBytes, ownStatus: () => this.#ownStatus() },
    )
    const { peers, bans } = this.#server
    const ownTotal = (): bigint => deps.head()?.totalDifficulty ?? 0n
    this.#requests = new RequestServer({ chain, clock, log })
    this.#sync = new Synchroniser({ chain, peers, bans, clock, log, ownTotal })
    this.#spread = new BlockSpread(peers)
    const isSyncing = (): boolean => this.#sync.isRunning
    this.#follower = new BlockFollower({
      ...{ chain, spread: this.#spread, bans, clock, log, isSyncing, ownTotal },
      headNumber: () => deps.head()?.number ?? 0,
      onFarAhead: () => this.#sync.poke(),
    })
    this.#transactions = new TransactionExchange({ chain, peers, clock, log, isSyncing })
  }

  /** @throws P2pError P2P_LISTEN_FAILED */
  async start(signal: AbortSignal): Promise<void> {
    const { peers } = this.#server
    this.#held.add(
      peers.events.on('joined', (peer) => {
        peer.events.on('message', ({ code, payload }) => this.#take(peer, code, payload))
        this.events.emit('peersChanged', { count: peers.size })
      }),
    )
    this.#held.add(
      peers.events.on('left', ({ peer, reason }) => {
        this.#deps.log.debug('peer left', { peer: peer.name.slice(0, 16), reason })
        this.events.emit('peersChanged', { count: peers.size })
      }),
    )
    this.#held.add(this.#sync.events.on('changed', (state) => this.events.emit('syncChanged', state)))
    this.#held.add(this.#sync.events.on('ended', () => this.#synced()))
    this.#sync.start()
    this.#follower.start()
    this.#transactions.start()
    this.#port = await this.#server.start()
    this.#deps.log.info('peers can connect', { host: this.#options.listen.host, port: this.#port })
    const discovery = this.#deps.discovery?.(this.#port) ?? null
    if (discovery === null) return
    this.#discovery = discovery
    this.#held.add(discovery.events.on('nodeFound', (node) => this.#server.queue.found(node)))
    await discovery.start(signal)
  }

  async stop(): Promise<void> {
    await this.#discovery?.stop()
    this.#discovery = null
    this.#transactions.stop()
    this.#follower.stop()
    await this.#server.stop()
    await this.#sync.stop()
    this.#held.dispose()
  }

  /** TCP port; 0 before the start. */
  get port(): number {
    return this.#port
  }

  get sync(): SyncState {
    return this.#sync.state
  }

  peers(): readonly Peer[] {
    return this.#server.peers.list()
  }

  /** Connects, and again whenever the connection is lost. */
  addPeer(address: NodeAddress): void {
    this.#server.addStatic(address)
  }

  /** @param name 128 hex digits */
  removePeer(name: string): void {
    this.#server.removeStatic(name)
  }

  /** Lets a node in whatever the limits say, from its next connection on. @param name 128 hex digits */
  trust(name: string, isTrusted: boolean): void {
    if (isTrusted) this.#server.trusted.add(name)
    else this.#server.trusted.delete(name)
  }

  /** To be called for each change of our head. */
  headChanged({ head }: HeadChange): void {
    if (this.#sync.isRunning || this.peers().length === 0) return
    this.#tellBlock(head).catch((error: unknown) =>
      this.#deps.log.debug('new block not passed on', { error: messageOf(error) }),
    )
  }

  /** To be called for transactions that became executable. @param hashes 32 bytes each */
  newPending(hashes: readonly Uint8Array[]): void {
    this.#transactions.spread(hashes)
  }

  /** A block that came from a peer was sent on when its header was checked; one of our own goes out whole now. */
  async #tellBlock({ hash, number, totalDifficulty }: BlockSummary): Promise<void> {
    const facts = { hash, number: BigInt(number) }
    if (!this.#spread.wasSent(hash)) {
      const block = await this.#deps.chain.blockBytes(hash)
      if (block !== null) this.#spread.sendWhole(facts, block, totalDifficulty)
    }
    this.#spread.announce(facts)
  }

  #synced(): void {
    this.#follower.resume()
    const head = this.#deps.head()
    if (head !== null) this.#spread.announce({ hash: head.hash, number: BigInt(head.number) })
  }

  async #ownStatus() {
    const { networkId, schedule } = this.#options
    const head = this.#deps.head() ?? (await this.#deps.chain.head())
    const { totalDifficulty, hash, number } = head
    return { networkId, totalDifficulty, head: hash, headNumber: BigInt(number), schedule }
  }

  #take(peer: Peer, code: number, payload: Uint8Array): void {
    if (this.#requests.take(peer, code, payload)) return
    switch (code) {
      case CODES.newBlock:
        this.#follower.takeBlock(peer, payload)
        return
      case CODES.newBlockHashes:
        this.#follower.takeHashes(peer, payload)
        return
      case CODES.transactions:
        this.#transactions.takeTransactions(peer, payload)
        return
      case CODES.newPooledTransactionHashes:
        this.#transactions.takeHashes(peer, payload)
        return
      default:
        // A second Status, a code that is not used, or one above the range.
        peer.disconnect(DISCONNECT.subprotocol)
    }
  }
}
