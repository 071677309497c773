// Drives discovery v4: fills the table, keeps it fresh, continues searching, and reports live nodes of our chain.
import { Emitter } from '../../../base/events'
import { type NodeRecord, nodeIdOf, recordForkId, recordTcpPort } from '../../identity/enr'
import type { ForkId } from '../../protocol/fork-id'
import { BoundedMap } from '../bounded-map'
import type { NetworkParts } from '../network-parts'
import { type NodeAddress, nodeName } from '../node-address'
import type { NodeDb } from '../node-db'
import type { Discv4 } from './discv4'
import type { LocalRecord } from './local-record'
import { BUCKET_SIZE, type NodeTable, nearestFirst, type TableNode, tableNode } from './table/node-table'
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
export type FinderTimes = Readonly<typeof TIMES>

/** Events of a node source. */
export interface DiscoveryEvents {
  /**
   * A node worth dialing: it is alive (discovery) or in a signed list (DNS), has a TCP port, is inside --netrestrict,
   * and its record, if known, doesn't name another chain. May be repeated after some minutes.
   */
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
export class NodeFinder {
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
export function isOfThisChain(record: NodeRecord, acceptsForkId: (id: ForkId) => boolean): boolean {
  if (!record.entries.has('parallax')) return !record.entries.has('eth')
  const id = recordForkId(record)
  return id !== null && acceptsForkId(id)
}
