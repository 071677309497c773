// All node sources as one service: discovery v4, DNS node lists, the node database; plus our own record.
import { hasCode } from '../../../base/errors'
import { Emitter } from '../../../base/events'
import { isLoopback } from '../../../base/ip-address'
import type { Service } from '../../../base/lifecycle'
import { BoundedMap } from '../../../base/limits/bounded-map'
import type { Clock } from '../../../base/time'
import { type NodeRecord, nodeIdOf, recordEndpoint, recordForkId, recordTcpPort } from '../../identity/enr'
import { type NetRestrict, parseIp, scopeOf, subnetKey } from '../../identity/ip-address'
import type { ForkId } from '../../protocol/fork-id'
import type { NetworkParts } from '../network-parts'
import { type NodeAddress, nodeName } from '../node-address'
import { NodeDb } from '../node-db'
import { Discv4, type Discv4Limits, type UdpOptions, UdpPort } from './discv4'
import { DnsTrees, type ResolveTxt, type TreeTimes } from './dns/dns-trees'
import { LocalRecord } from './local-record'
import { BUCKET_SIZE, NodeTable, nearestFirst, type TableNode, tableNode } from './table/node-table'
import { Tasks } from './tasks'

// Iterative search for the nodes nearest to a key: ask the nearest known ones, then the nearer ones they return, until
// none are nearer. Source: Kademlia (alpha = 3); devp2p, discovery v4, recursive lookup

const ALPHA = 3
/** A liar could keep a lookup going endlessly. */
const MAX_QUESTIONS = 48

interface LookupDeps {
  /** Null when the node doesn't answer. */
  readonly ask: (node: NodeAddress, target: Uint8Array) => Promise<readonly NodeAddress[] | null>
  readonly isSelf: (node: NodeAddress) => boolean
}

/** @param target public key, 64 bytes @returns up to 16 nodes, nearest first; the last ones may not have been asked */
export async function lookup(
  target: Uint8Array,
  start: readonly NodeAddress[],
  deps: LookupDeps,
  signal: AbortSignal,
): Promise<readonly NodeAddress[]> {
  const targetHash = nodeIdOf(target)
  const asked = new Set<string>()
  const silent = new Set<string>()
  let nearest = merged([], start, targetHash, deps)
  while (asked.size < MAX_QUESTIONS && !signal.aborted) {
    const next = nearest.filter(({ name }) => !asked.has(name)).slice(0, ALPHA)
    if (next.length === 0) break
    for (const { name } of next) asked.add(name)
    const answers = await Promise.all(next.map(({ address }) => deps.ask(address, target)))
    for (const [i, node] of next.entries()) if (answers[i] === null) silent.add(node.name)
    const living = nearest.filter(({ name }) => !silent.has(name))
    const told = answers.flatMap((nodes) => nodes ?? []).filter((node) => !silent.has(tableNode(node)?.name ?? ''))
    nearest = merged(living, told, targetHash, deps)
  }
  return nearest.map(({ address }) => address)
}

function merged(
  known: readonly TableNode[],
  more: readonly NodeAddress[],
  targetHash: Uint8Array,
  deps: LookupDeps,
): TableNode[] {
  const byName = new Map(known.map((node) => [node.name, node]))
  for (const address of more) {
    const node = deps.isSelf(address) ? null : tableNode(address)
    if (node !== null && !byName.has(node.name)) byName.set(node.name, node)
  }
  return nearestFirst([...byName.values()], targetHash).slice(0, BUCKET_SIZE)
}

/** Intervals. Refreshes and checks of all table nodes within 5 min are prlx's, the searches are ours. */
const TIMES = {
  /** Between two liveness checks of a table node; randomized by a factor of 0.5 to 1.5. */
  revalidateMs: 5_000,
  /** Between two searches for a random key, while the table is nearly empty and afterwards. */
  eagerSearchMs: 10_000,
  calmSearchMs: 60_000,
  /** Between two refreshes from the bootnodes. */
  refreshMs: 30 * 60_000,
}
type FinderTimes = Readonly<typeof TIMES>

/** Events of a node source. */
interface DiscoveryEvents {
  /** A node worth dialing: alive or in a signed list, with a TCP port, inside --netrestrict, of no other known chain. */
  nodeFound: NodeAddress
}

const EAGER_BELOW = 32
const SEEDS = 30
/** A node is reported again after this: its peers may have room by then. */
const TELL_AGAIN_MS = 5 * 60_000
const MAX_RECORD_REQUESTS = 16
const RANDOM_SEARCHES = 3

interface FinderDeps extends Pick<NetworkParts, 'randomBytes' | 'clock' | 'log'> {
  readonly protocol: Discv4
  readonly table: NodeTable
  readonly record: LocalRecord
  readonly database: NodeDb
  readonly bootnodes: readonly NodeAddress[]
  /** False for another chain's fork id. */
  readonly acceptsForkId: (id: ForkId) => boolean
}

/** The loop on top of discovery v4. Reports a node at most once per interval, and only nodes of our fork. */
class NodeFinder {
  readonly events = new Emitter<DiscoveryEvents>()
  readonly #tasks: Tasks
  readonly #records = new BoundedMap<string, NodeRecord>(1_024)
  readonly #toldAt = new BoundedMap<string, number>(4_096)
  #recordRequests = 0

  constructor(
    private readonly deps: FinderDeps,
    private readonly times: FinderTimes = TIMES,
  ) {
    this.#tasks = new Tasks(deps)
    deps.protocol.events.on('nodeVerified', ({ node, recordSequence }) => this.#onVerified(node, recordSequence))
  }

  /** The socket is open. */
  start(): void {
    const { revalidateMs, eagerSearchMs, calmSearchMs, refreshMs } = this.times
    const refresh = (): Promise<void> => this.#refresh()
    this.#tasks.run(refresh)
    this.#tasks.repeat(
      () => revalidateMs * (0.5 + this.#randomFraction()),
      () => this.#revalidate(),
    )
    this.#tasks.repeat(
      () => (this.deps.table.size < EAGER_BELOW ? eagerSearchMs : calmSearchMs),
      () => (this.deps.table.size === 0 ? refresh() : this.#search(this.#randomKey())),
    )
    this.#tasks.repeat(() => refreshMs, refresh)
  }

  /** Call it before or after the socket is closed: open requests end by timeout or by the closing. */
  stop(): Promise<void> {
    return this.#tasks.stop()
  }

  nodes(): readonly NodeAddress[] {
    return this.deps.table.all().flatMap(({ address, name }) => (this.#isDialable(address, name) ? [address] : []))
  }

  async #refresh(): Promise<void> {
    const { bootnodes, database, record } = this.deps
    await Promise.all([...bootnodes, ...database.seeds(SEEDS)].map((node) => this.deps.protocol.ping(node)))
    await this.#search(record.id)
    for (let i = 0; i < RANDOM_SEARCHES && !this.#tasks.signal.aborted; i++) await this.#search(this.#randomKey())
  }

  /** Pings the nodes found; an answer adds them to the table. */
  async #search(target: Uint8Array): Promise<void> {
    const { protocol, table, record } = this.deps
    const self = nodeName(record.id)
    const deps = {
      ask: async (node: NodeAddress, key: Uint8Array) => {
        const nodes = await protocol.findNode(node, key)
        return nodes === null ? null : nodes.map((told) => this.#known(told))
      },
      isSelf: ({ id }: NodeAddress) => nodeName(id) === self,
    }
    const start = table.all().map(({ address }) => address)
    const found = await lookup(target, start, deps, this.#tasks.signal)
    if (this.#tasks.signal.aborted) return
    const known = new Set(table.all().map(({ name }) => name))
    await Promise.all(found.filter(({ id }) => !known.has(nodeName(id))).map((node) => protocol.ping(node)))
  }

  /** Hearsay doesn't override the proven endpoint of a node. */
  #known(told: NodeAddress): NodeAddress {
    const name = nodeName(told.id)
    return this.deps.table.all().find((node) => node.name === name)?.address ?? told
  }

  async #revalidate(): Promise<void> {
    const { protocol, table, database } = this.deps
    const node = table.stalest(this.#randomFraction())
    if (node === null) return
    // Retry once: a datagram may be lost.
    if ((await protocol.ping(node.address)) || (await protocol.ping(node.address))) return
    if (this.#tasks.signal.aborted) return
    table.remove(node.name)
    database.forget(node.name)
  }

  #onVerified(verified: NodeAddress, recordSequence: bigint | null): void {
    const { table, database, log } = this.deps
    const node = this.#withRecord(verified)
    const outcome = table.add(node)
    // One host with ever new keys must not fill the table, the dial queue or the caches.
    if (outcome === 'refused' || outcome === 'limited') return
    if (outcome !== 'full') database.note(node)
    const name = nodeName(node.id)
    if (outcome === 'added') log.debug('node found', { host: node.host, port: node.udpPort, nodes: table.size })
    const known = this.#records.use(name)
    const isNewer = recordSequence !== null && (known === undefined || recordSequence > known.sequence)
    if (isNewer && this.#recordRequests < MAX_RECORD_REQUESTS) this.#tasks.run(() => this.#readRecord(node, name))
    else this.#tell(node, name)
  }

  async #readRecord(node: NodeAddress, name: string): Promise<void> {
    this.#recordRequests++
    const record = await this.deps.protocol.requestRecord(node).finally(() => this.#recordRequests--)
    if (this.#tasks.signal.aborted) return
    if (record !== null) this.#records.set(name, record)
    const current = this.#withRecord(node)
    this.deps.table.add(current)
    this.#tell(current, name)
  }

  /** A node that began to listen after it pinged us announces that only in its record. */
  #withRecord(node: NodeAddress): NodeAddress {
    const record = this.#records.use(nodeName(node.id))
    const tcpPort = record === undefined ? 0 : recordTcpPort(record)
    return tcpPort === 0 ? node : { ...node, tcpPort }
  }

  #tell(node: NodeAddress, name: string): void {
    const now = this.deps.clock.monotonic()
    const toldAt = this.#toldAt.use(name)
    if (!this.#isDialable(node, name) || (toldAt !== undefined && now - toldAt < TELL_AGAIN_MS)) return
    this.#toldAt.set(name, now)
    this.events.emit('nodeFound', node)
  }

  #isDialable(node: NodeAddress, name: string): boolean {
    const record = this.#records.use(name)
    return node.tcpPort !== 0 && (record === undefined || isOfThisChain(record, this.deps.acceptsForkId))
  }

  #randomKey(): Uint8Array {
    return this.deps.randomBytes(64)
  }

  #randomFraction(): number {
    const [a = 0, b = 0] = this.deps.randomBytes(2)
    return (a * 256 + b) / 65_536
  }
}

/** False when the record names another chain; a record without a chain entry is accepted. */
function isOfThisChain(record: NodeRecord, acceptsForkId: (id: ForkId) => boolean): boolean {
  if (!record.entries.has('parallax')) return !record.entries.has('eth')
  const id = recordForkId(record)
  return id !== null && acceptsForkId(id)
}

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
