// All node sources as one service: discovery v4, DNS node lists, the node database; plus our own record.
import { hasCode } from '../../../base/errors'
import { Emitter } from '../../../base/events'
import { isLoopback } from '../../../base/ip-address'
import type { Service } from '../../../base/lifecycle'
import type { Clock } from '../../../base/time'
import { type NodeRecord, nodeIdOf, recordEndpoint } from '../../identity/enr'
import type { NetRestrict } from '../../identity/ip-address'
import { parseIp, scopeOf, subnetKey } from '../../identity/ip-address'
import type { ForkId } from '../../protocol/fork-id'
import { BoundedMap } from '../bounded-map'
import type { NetworkParts } from '../network-parts'
import { type NodeAddress, nodeName } from '../node-address'
import { NodeDb } from '../node-db'
import { Discv4, type Discv4Limits, type UdpOptions, UdpPort } from './discv4'
import { DnsTrees, type ResolveTxt, type TreeTimes } from './dns/dns-trees'
import { LocalRecord } from './local-record'
import { type DiscoveryEvents, type FinderTimes, isOfThisChain, NodeFinder } from './node-finder'
import { NodeTable } from './table/node-table'
import { Tasks } from './tasks'

// Our address as seen by others. Anyone can lie, so several from different networks have to agree. Source: go-ethereum
// p2p/netutil/iptrack.go

const VOTE_MS = 5 * 60_000
const MIN_VOTES = 10

/** Counts reports of our address by the reporter's network; each network has one vote. */
export class EndpointVotes {
  readonly #votes = new BoundedMap<string, { readonly host: string; readonly at: number }>(256)

  constructor(private readonly clock: Clock) {}

  /** @param host literal, ours as seen by `by` (literal) */
  add(host: string, by: string): void {
    const ip = parseIp(host)
    const voter = parseIp(by)
    if (ip === null || voter === null || scopeOf(ip) !== 'global') return
    this.#votes.set(subnetKey(voter) ?? by, { host, at: this.clock.monotonic() })
  }

  /** The address named by most of at least ten voters; null if none. IPv4 is preferred: most nodes only reach that. */
  winner(): string | null {
    return this.#winnerOf(4) ?? this.#winnerOf(16)
  }

  /** @param length of the addresses, bytes */
  #winnerOf(length: number): string | null {
    const oldest = this.clock.monotonic() - VOTE_MS
    const counts = new Map<string, number>()
    for (const { host, at } of this.#votes.values())
      if (at >= oldest && parseIp(host)?.length === length) counts.set(host, (counts.get(host) ?? 0) + 1)
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
    const best = [...counts].find(([, count]) => 2 * count > total)
    return best !== undefined && total >= MIN_VOTES ? best[0] : null
  }
}

const SAVE_MS = 5 * 60_000
const MAX_LISTED = 512

/** Nodes to dial, however they were found; all that the dialer sees of discovery. */
export interface DiscoverySource extends Service {
  readonly events: Emitter<DiscoveryEvents>
  readonly record: LocalRecord
}

export interface DiscoveryOptions {
  /** 32 bytes */
  readonly key: Uint8Array
  /** Null = no discovery v4. Port 0 = the announced TCP port if there is one, else any free one. */
  readonly udp: UdpOptions | null
  /** Addresses of DNS node lists. */
  readonly dnsTrees: readonly string[]
  readonly bootnodes: readonly NodeAddress[]
  /** Null = not persisted. */
  readonly nodesFile: string | null
  readonly restrict: NetRestrict
  readonly times?: FinderTimes
  readonly limits?: Discv4Limits
  readonly treeTimes?: TreeTimes
}

interface DiscoveryDeps extends Pick<NetworkParts, 'randomBytes' | 'clock' | 'log'> {
  /** False for another chain's fork id. */
  readonly acceptsForkId: (id: ForkId) => boolean
  readonly resolveTxt: ResolveTxt
}

/** The service. Throws P2P_UDP_LISTEN_FAILED when an explicitly requested port is taken. */
export class Discovery implements DiscoverySource {
  readonly name = 'discovery'
  readonly events = new Emitter<DiscoveryEvents>()
  readonly record: LocalRecord
  readonly #table: NodeTable
  readonly #database: NodeDb
  readonly #votes: EndpointVotes
  readonly #tasks: Tasks
  readonly #trees: DnsTrees
  readonly #listed = new BoundedMap<string, NodeAddress>(MAX_LISTED)
  #isFixedAddress = false
  #isStarted = false
  #running: { readonly protocol: Discv4; readonly finder: NodeFinder } | null = null

  /** @throws DiscoveryError P2P_DNS_TREE for an invalid tree address */
  constructor(
    private readonly options: DiscoveryOptions,
    private readonly deps: DiscoveryDeps,
  ) {
    const { clock, log } = deps
    this.record = new LocalRecord(options.key, BigInt(clock.now()))
    this.#table = new NodeTable(this.record.id)
    this.#database = new NodeDb(options.nodesFile, { clock, log })
    this.#votes = new EndpointVotes(clock)
    this.#tasks = new Tasks(deps)
    this.#trees = new DnsTrees(options.dnsTrees, deps, options.treeTimes)
    this.#trees.events.on('recordFound', (record) => this.#onListed(record))
  }

  /** @throws DiscoveryError P2P_UDP_LISTEN_FAILED */
  async start(signal: AbortSignal): Promise<void> {
    if (this.#isStarted) return
    signal.throwIfAborted()
    const { udp } = this.options
    if (udp !== null) await this.#startUdp(udp)
    this.#isStarted = true
    this.#trees.start()
  }

  async stop(): Promise<void> {
    this.#isStarted = false
    const running = this.#running
    this.#running = null
    await this.#trees.stop()
    if (running === null) return
    await Promise.all([running.finder.stop(), running.protocol.close(), this.#tasks.stop()])
    await this.#database.save()
  }

  /** Nodes that could be dialed now, unordered. */
  nodes(): readonly NodeAddress[] {
    const live = this.#running?.finder.nodes() ?? []
    const names = new Set(live.map(({ id }) => nodeName(id)))
    return [...live, ...[...this.#listed.values()].filter(({ id }) => !names.has(nodeName(id)))]
  }

  get tableSize(): number {
    return this.#table.size
  }

  /** Our listening address (literal), used until peers or --nat report an external one. */
  assumeAddress(host: string): void {
    if (this.record.content.host === null) this.record.update({ host: parseIp(host) })
  }

  /** Our address according to --nat (literal); overrides peers' reports. */
  announceAddress(host: string): void {
    this.#isFixedAddress = true
    this.record.update({ host: parseIp(host) })
  }

  async #startUdp(udp: UdpOptions): Promise<void> {
    await this.#database.load()
    const { protocol, udpPort } = await this.#open(udp)
    this.record.update({ udpPort })
    const finder = this.#makeFinder(protocol)
    this.#running = { protocol, finder }
    finder.start()
    this.#tasks.repeat(
      () => SAVE_MS,
      () => this.#database.save(),
    )
    this.deps.log.info('looking for nodes', { port: udpPort, bootnodes: this.options.bootnodes.length })
  }

  async #open({ host, port }: UdpOptions): Promise<{ readonly protocol: Discv4; readonly udpPort: number }> {
    const { tcpPort } = this.record.content
    const protocol = this.#makeProtocol({ host, port: port === 0 ? tcpPort : port })
    try {
      return { protocol, udpPort: await protocol.open() }
    } catch (error: unknown) {
      // The system chose a number that is free for TCP; for UDP any other will do.
      if (port !== 0 || tcpPort === 0 || !hasCode(error, 'P2P_UDP_LISTEN_FAILED')) throw error
    }
    const other = this.#makeProtocol({ host, port: 0 })
    return { protocol: other, udpPort: await other.open() }
  }

  #makeProtocol(udp: UdpOptions): Discv4 {
    const { options, deps, record } = this
    const closest = (target: Uint8Array, count: number) =>
      this.#table.closest(nodeIdOf(target), count).map(({ address }) => address)
    const { key, restrict, limits } = options
    const protocol = new Discv4({ ...deps, key, restrict, record, port: new UdpPort(udp, deps), closest }, limits)
    protocol.events.on('endpointSeen', ({ host, by }) => this.#onEndpointSeen(host, by))
    return protocol
  }

  #makeFinder(protocol: Discv4): NodeFinder {
    const { record, deps, options } = this
    const parts = { protocol, table: this.#table, record, database: this.#database, bootnodes: options.bootnodes }
    const finder = new NodeFinder({ ...deps, ...parts }, options.times)
    finder.events.on('nodeFound', (node) => this.events.emit('nodeFound', node))
    return finder
  }

  #onListed(record: NodeRecord): void {
    const endpoint = recordEndpoint(record)
    const name = nodeName(record.publicKey)
    if (endpoint === null || endpoint.tcpPort === 0 || !this.options.restrict.allows(endpoint.host)) return
    if (!isElsewhere(endpoint.host) || name === nodeName(this.record.id)) return
    if (!isOfThisChain(record, this.deps.acceptsForkId)) return
    const node = { id: record.publicKey, ...endpoint }
    this.#listed.set(name, node)
    this.events.emit('nodeFound', node)
  }

  #onEndpointSeen(host: string, by: string): void {
    this.#votes.add(host, by)
    const winner = this.#isFixedAddress ? null : this.#votes.winner()
    if (winner !== null) this.record.update({ host: parseIp(winner) })
  }
}

/** A list must not make us dial services on our own computer, or addresses that can't be a node's. */
function isElsewhere(host: string): boolean {
  const ip = parseIp(host)
  return ip !== null && scopeOf(ip) !== 'special' && !isLoopback(host)
}
