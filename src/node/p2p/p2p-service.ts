// The network layer as one service: connections, serving peers, sync, and propagation.
import { messageOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import { toBareHex } from '../../base/hex'
import { bracketed } from '../../base/ip-address'
import { Disposables, type Service } from '../../base/lifecycle'
import { keccak256 } from '../codec/keccak'
import { P2pError } from '../errors'
import { type NodeIdentity, nodeIdOf } from '../identity/enr'
import type { PeersPort, PeerFacts as ShownPeer, SyncHeights } from '../ports/peers-port'
import { DISCONNECT } from '../protocol/base-messages'
import type { ForkSchedule } from '../protocol/fork-id'
import { CODES } from '../protocol/messages'
import { RpcFault } from '../rpc-fault'
import type { BlockSummary, HeadChange } from '../worker/wire/shapes'
import type { DiscoverySource } from './discovery/discovery'
import { HeadHealth, type HeadHealthState } from './health/head-health'
import type { NetworkParts } from './network-parts'
import { formatEnode, type NodeAddress, nodeName, parseEnode } from './node-address'
import { AnchorFile, anchorsAmong, type NodeLists } from './node-db'
import type { BannedNode } from './peer/bans'
import type { Peer } from './peer/peer'
import { PeerServer, type PeerServerOptions } from './peer/peer-server'
import { BlockFollower, BlockSpread } from './propagation/block-follower'
import { Intake } from './propagation/intake'
import { TransactionExchange } from './propagation/transaction-exchange'
import { type RequiredBlocks, RequiredCheck, withRequired, wrongBlockText } from './required/required-blocks'
import { publicKeyOf } from './rlpx/handshake'
import { RequestServer } from './serve/request-server'
import { isFetching, type SyncLimits, type SyncProgress } from './sync/sync-parts'
import { Synchroniser } from './sync/synchroniser'

/** Wraps the service. Methods with an enode URL throw RPC_FAILED with the reason when it is invalid. */
export function peersPort(p2p: P2pService): PeersPort {
  return {
    count: () => p2p.peers().length,
    list: () => p2p.facts(),
    add: (url) => p2p.addPeerAt(url),
    remove: (url) => p2p.removePeer(nodeName(addressOf(url).id)),
    trust: (url, isTrusted) => p2p.trust(nodeName(addressOf(url).id), isTrusted),
    syncing: () => heightsOf(p2p.progress()),
    wrongBlock: () => {
      const { wrongBlock } = p2p.health()
      return wrongBlock === null ? null : wrongBlockText(wrongBlock)
    },
    watchSync(listener) {
      let wasRunning = isFetching(p2p.progress())
      return p2p.events.on('syncChanged', (progress) => {
        const isRunning = isFetching(progress)
        if (isRunning !== wasRunning) listener(heightsOf(progress))
        wasRunning = isRunning
      })
    },
  }
}

function heightsOf(progress: SyncProgress): SyncHeights | null {
  const { startingBlock: from, currentBlock: current, highestBlock: target } = progress
  return isFetching(progress) ? { from, current, target } : null
}

function addressOf(url: string): NodeAddress {
  const read = parseEnode(url)
  if (!read.ok) throw new RpcFault('RPC_FAILED', { reason: read.error })
  return read.value
}

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

interface P2pServiceOptions extends PeerServerOptions {
  readonly networkId: number
  readonly schedule: ForkSchedule
  /** Static nodes, and nodes exempt from the limits. */
  readonly lists: NodeLists
  /** File for good peers to dial at the next start, absolute path; null = none. */
  readonly anchorsFile: string | null
  /** Blocks that peers must have once they reach that height; default none. */
  readonly required?: RequiredBlocks
}

interface P2pServiceDeps extends Pick<NetworkParts, 'chain' | 'clock' | 'log' | 'randomBytes'> {
  /** Called once the TCP port is known. */
  readonly discovery: (tcpPort: number) => DiscoverySource
  readonly head: () => BlockSummary | null
  /** Time limits of a sync; shorter in tests. */
  readonly syncLimits?: Partial<SyncLimits>
}

interface P2pEvents {
  peersChanged: { readonly count: number }
  /** At each phase change and after each import. */
  syncChanged: SyncProgress
  /** We fell behind or caught up, or may be cut off or no longer are. */
  healthChanged: HeadHealthState
}

/** Interval at which the peers worth keeping are saved; also saved on stop. */
const ANCHORS_MS = 5 * 60_000
/** Shown while our address is unknown; it isn't put into the record. */
const UNKNOWN_HOST = '127.0.0.1'

/** Composes the layer. `start` listens and dials; `stop` ends every connection and awaits running work. */
export class P2pService implements Service {
  readonly name = 'p2p'
  readonly events = new Emitter<P2pEvents>()
  readonly #server: PeerServer
  readonly #requests: RequestServer
  readonly #sync: Synchroniser
  readonly #spread: BlockSpread
  readonly #follower: BlockFollower
  readonly #transactions: TransactionExchange
  readonly #health: HeadHealth
  readonly #required: RequiredCheck
  readonly #held = new Disposables()
  /** UTC ms by peer name */
  readonly #joinedAt = new Map<string, number>()
  #keepAnchors: () => void = () => undefined
  #port = 0
  #discovery: DiscoverySource | null = null

  constructor(
    private readonly options: P2pServiceOptions,
    private readonly deps: P2pServiceDeps,
  ) {
    const { clock, log, randomBytes } = deps
    const { required = new Map() } = options
    const chain = withRequired(deps.chain, required)
    this.#server = new PeerServer(options, { ...deps, ownStatus: () => this.#ownStatus() })
    const { peers, bans, ratings } = this.#server
    const ownTotal = (): bigint => deps.head()?.totalDifficulty ?? 0n
    const parts: NetworkParts = { chain, peers, bans, ratings, clock, log, randomBytes, ownTotal }
    this.#required = new RequiredCheck(required, parts)
    this.#requests = new RequestServer(parts)
    this.#sync = new Synchroniser({ ...parts, limits: deps.syncLimits ?? {} })
    this.#spread = new BlockSpread(peers, randomBytes)
    this.#health = new HeadHealth({ peers: () => peers.list(), head: deps.head, clock, log })
    const intake = new Intake(clock)
    this.#follower = new BlockFollower({
      ...parts,
      spread: this.#spread,
      intake,
      headNumber: () => deps.head()?.number ?? 0,
      onFarAhead: () => this.#sync.poke(),
    })
    this.#transactions = new TransactionExchange({ ...parts, intake, isSyncing: () => this.#sync.isCatchingUp })
  }

  /** @throws P2pError P2P_LISTEN_FAILED */
  async start(signal: AbortSignal): Promise<void> {
    const { peers } = this.#server
    await this.#required.lookAtOwn(this.deps.chain)
    this.#held.add(peers.events.on('joined', (peer) => this.#joined(peer)))
    this.#held.add(peers.events.on('left', ({ peer, reason }) => this.#left(peer, reason)))
    this.#held.add(this.#sync.events.on('progress', (now) => this.events.emit('syncChanged', now)))
    this.#held.add(this.#sync.events.on('ended', () => this.#synced()))
    this.#held.add(
      this.#sync.events.on('tooDeep', ({ peer, partsAt }) => this.#health.partsTooDeep(peer.name, partsAt)),
    )
    this.#held.add(this.#health.events.on('changed', (state) => this.events.emit('healthChanged', state)))
    this.#health.start()
    this.#sync.start()
    this.#follower.start()
    this.#transactions.start()
    const { fixed, trusted, anchors } = this.options.lists
    for (const { id } of trusted) this.#server.trusted.add(nodeName(id))
    this.#port = await this.#server.start()
    this.deps.log.info('peers can connect', { host: this.options.listen.host, port: this.#port })
    for (const address of fixed) this.#addListed(address)
    for (const address of anchors) this.#server.queue.anchor(address)
    const file = new AnchorFile(this.options.anchorsFile, this.deps.log)
    this.#keepAnchors = () => file.keep(anchorsAmong(peers.list()))
    this.#held.add(this.deps.clock.setInterval(this.#keepAnchors, ANCHORS_MS))
    const discovery = this.deps.discovery(this.#port)
    this.#discovery = discovery
    this.#held.add(discovery.events.on('nodeFound', (node) => this.#server.queue.found(node)))
    await discovery.start(signal)
  }

  #joined(peer: Peer): void {
    this.#joinedAt.set(peer.name, this.deps.clock.now())
    this.#required.ask(peer)
    peer.events.on('message', ({ code, payload }) => this.#take(peer, code, payload))
    this.events.emit('peersChanged', { count: this.#server.peers.size })
  }

  #left(peer: Peer, reason: string): void {
    this.#joinedAt.delete(peer.name)
    this.deps.log.debug('peer left', { peer: peer.name.slice(0, 16), reason })
    this.events.emit('peersChanged', { count: this.#server.peers.size })
  }

  async stop(): Promise<void> {
    this.#keepAnchors()
    await this.#discovery?.stop()
    this.#discovery = null
    this.#health.stop()
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

  progress(): SyncProgress {
    return this.#sync.progress()
  }

  /** Our head compared with what peers have proven to have, and our chain with the required blocks. */
  health() {
    return { ...this.#health.state(), wrongBlock: this.#required.wrongBlock() }
  }

  /** Our current identity to others; null while not running. */
  identity(): NodeIdentity | null {
    const record = this.#discovery?.record ?? null
    if (record === null) return null
    const address = record.address(UNKNOWN_HOST)
    return {
      id: nodeIdOf(record.id),
      enode: formatEnode(address),
      enr: record.text,
      ip: address.host,
      port: address.tcpPort,
      discoveryPort: address.udpPort,
      listenAddress: `${bracketed(this.options.listen.host)}:${this.#port}`,
    }
  }

  /** Our public key, 128 hex digits. */
  get ownName(): string {
    return nodeName(publicKeyOf(this.options.staticKey))
  }

  /** Trusted and static peers may exceed it. */
  get maxPeers(): number {
    return this.#server.peers.maxPeers
  }

  /** Applies to peers from now on. @param count at least 1 */
  setMaxPeers(count: number): void {
    this.#server.peers.maxPeers = count
  }

  peers(): readonly Peer[] {
    return this.#server.peers.list()
  }

  facts(): readonly PeerFacts[] {
    const { trusted, queue } = this.#server
    return this.peers().map((peer) => {
      const joinedAt = this.#joinedAt.get(peer.name) ?? this.deps.clock.now()
      return peerFacts(peer, { isTrusted: trusted.has(peer.name), isStatic: queue.isFixed(peer.name), joinedAt })
    })
  }

  /** What peers made us hold; every figure is bounded by the number of peers. */
  load() {
    return { blocks: this.#follower.load, transactions: this.#transactions.load }
  }

  bans(): readonly BannedNode[] {
    return this.#server.bans.list()
  }

  /** Disconnects and bans it for a while, whatever its status. @param name 128 hex digits */
  ban(name: string, reason: string, durationMs: number): void {
    this.#server.trusted.delete(name)
    this.#server.bans.add(name, reason, durationMs)
    this.#server.removeStatic(name)
  }

  /** @param name 128 hex digits */
  liftBan(name: string): void {
    this.#server.bans.lift(name)
  }

  /** Connects, and reconnects whenever the connection is lost. @throws P2pError P2P_ENODE for one that can never be reached */
  addPeer(address: NodeAddress): void {
    const { id, host, tcpPort } = address
    const isOutside = !this.options.restrict.allows(host)
    const reason =
      nodeName(id) === this.ownName ? 'it is this node' : isOutside ? `${host} is outside --netrestrict` : null
    if (reason !== null || tcpPort === 0)
      throw new P2pError('P2P_ENODE', { reason: reason ?? 'port 0 cannot be dialed' })
    this.#server.addStatic(address)
  }

  /** The same by URL. @throws P2pError P2P_ENODE also when it isn't a valid enode */
  addPeerAt(enode: string): void {
    const address = parseEnode(enode)
    if (!address.ok) throw new P2pError('P2P_ENODE', { reason: address.error })
    this.addPeer(address.value)
  }

  #addListed(address: NodeAddress): void {
    try {
      this.addPeer(address)
    } catch (error: unknown) {
      this.deps.log.warn('a static node is not dialed', { enode: formatEnode(address), reason: messageOf(error) })
    }
  }

  /** @param name 128 hex digits */
  removePeer(name: string): void {
    this.#server.removeStatic(name)
  }

  /** Exempts a node from the limits, from its next connection on. @param name 128 hex digits */
  trust(name: string, isTrusted: boolean): void {
    if (isTrusted) this.#server.trusted.add(name)
    else this.#server.trusted.delete(name)
  }

  /** Call it after this computer slept. */
  wake(): void {
    this.#server.wake()
  }

  /** Call it for each change of our head. */
  headChanged(change: HeadChange): void {
    const { head, added } = change
    this.#required.headChanged(change)
    this.#follower.headChanged(added.map(({ hash }) => hash))
    if (this.#sync.isCatchingUp || this.peers().length === 0) return
    this.#tellBlock(head).catch((error: unknown) =>
      this.deps.log.debug('new block not passed on', { error: messageOf(error) }),
    )
  }

  /** Call it for transactions that became executable. @param hashes 32 bytes each */
  newPending(hashes: readonly Uint8Array[]): void {
    this.#transactions.spread(hashes)
  }

  /** A peer's block was relayed when its header was verified; our own is sent whole now. */
  async #tellBlock({ hash, number, totalDifficulty }: BlockSummary): Promise<void> {
    const facts = { hash, number: BigInt(number) }
    if (!this.#spread.wasSent(hash)) {
      const block = await this.deps.chain.blockBytes(hash)
      if (block !== null) this.#spread.sendWhole(facts, block, totalDifficulty)
    }
    this.#spread.announce(facts)
  }

  #synced(): void {
    this.#follower.resume()
    const head = this.deps.head()
    if (head !== null) this.#spread.announce({ hash: head.hash, number: BigInt(head.number) })
  }

  async #ownStatus() {
    const { networkId, schedule } = this.options
    const { totalDifficulty, hash, number } = this.deps.head() ?? (await this.deps.chain.head())
    return { networkId, totalDifficulty, head: hash, headNumber: BigInt(number), schedule }
  }

  #take(peer: Peer, code: number, payload: Uint8Array): void {
    if (this.#requests.take(peer, code, payload)) return
    if (code === CODES.newBlock) this.#follower.takeBlock(peer, payload)
    else if (code === CODES.newBlockHashes) this.#follower.takeHashes(peer, payload)
    else if (code === CODES.transactions) this.#transactions.takeTransactions(peer, payload)
    else if (code === CODES.newPooledTransactionHashes) this.#transactions.takeHashes(peer, payload)
    else peer.disconnect(DISCONNECT.subprotocol) // a second Status, an unused code, or one above the range
  }
}
