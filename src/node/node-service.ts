// The full node as one service: the chain worker, its events, and the JSON-RPC front on top.
import { randomBytes } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { messageOf } from '../base/errors'
import { Emitter } from '../base/events'
import { Disposables, type Service } from '../base/lifecycle'
import type { Logger } from '../base/logger'
import { onAbort } from '../base/on-abort'
import { type Clock, within } from '../base/time'
import { WEI_PER_LAX } from '../base/units'
import { createWireClient, type WireClient } from '../base/wire/client'
import { rpcExchange } from '../net/rpc-client'
import { BesideNode, type BesideState, batchSide } from './beside-node'
import { type ChainReader, createChainReader } from './chain-reader'
import { ChainError } from './errors'
import { type NodeIdentity, nodeIdentity } from './identity/enr'
import { netRestrict } from './identity/ip-address'
import { loadNodeKey } from './identity/node-key'
import { type LiveLine, liveLineOf } from './logs/live-logs'
import { logPageOf } from './logs/log-answers'
import { declareNodeMetrics, type MeasuredNode, type NodeMetrics } from './metrics'
import { type NetworkSpec, networkOf } from './networks'
import type { NodeServiceDeps, NodeServiceOptions } from './node-options'
import { bootnodesOf, type DiscoveryConfig, nodeDiscovery } from './p2p/discovery/node-discovery'
import type { HeadHealthState } from './p2p/health/head-health'
import { workerChain } from './p2p/network-parts'
import { ANCHORS_FILE, type NodeLists, readNodeLists } from './p2p/node-db'
import { P2pService, peersPort } from './p2p/p2p-service'
import { NOTHING_REQUIRED, requiredBlocks } from './p2p/required/required-blocks'
import { forkSchedule } from './protocol/fork-id'
import { QueryPool } from './query/pool/query-pool'
import { closedQueries, DEFAULT_QUERY_SETTINGS, type NodeQueries } from './query/query-wire'
import type { RpcServices, WorkSeal } from './rpc/dispatch/method'
import type { ChainWatch, LogSource } from './rpc/filters/live-logs'
import { type RpcEndpoint, RpcFront, type RpcFrontOptions } from './rpc/rpc-front'
import type { SendRules } from './rpc/sending/send-rules'
import { systemFreeBytes } from './store/disk-guard'
import { type BlockRange, type ChainWire, chainWire, StopFlag } from './worker/wire/chain-wire'
import type { ImportReport } from './worker/wire/import-shapes'
import type { MiningChange, MiningState, NewPending } from './worker/wire/pool-wire'
import type { BlockSummary, ChainWork, HeadChange, PendingCounts, SealOutcome } from './worker/wire/shapes'

/** How long the worker may take to finish its current work, ms. */
const CLOSE_MS = 1_500

/** Abandons a block in execution, and ends a thread busy otherwise: writes are whole. @throws the worker's failure */
async function closeChain(
  client: WireClient<ChainWire>,
  { stop, clock, log }: { readonly stop: StopFlag; readonly clock: Clock; readonly log: Logger },
): Promise<void> {
  stop.raise()
  try {
    const isClosed = await within(client.call('chain.close', {}), CLOSE_MS, clock)
    if (!isClosed) log.warn('chain worker is busy, ended without waiting for it', { waitedMs: CLOSE_MS })
  } finally {
    await client.close()
  }
}

/** A log source that sends each search to a query worker. */
function queryLogSource(queries: NodeQueries): LogSource {
  return {
    search: async (given, { from, to }, caller) => {
      const filter = copyOf(given)
      return logPageOf(await queries.ask({ kind: 'logs', filter, range: { from, to } }, caller))
    },
    ofNewBlock: ({ hash, isRemoved, filters }, caller) =>
      linesOf(queries.stream({ kind: 'liveLogs', hash, isRemoved, filters: filters.map(copyOf) }, caller)),
  }
}

function copyOf({ addresses, topics }: Parameters<LogSource['search']>[0]) {
  return { addresses: [...addresses], topics: topics.map((position) => [...position]) }
}

/** The lines of each chunk, in order. */
async function* linesOf(chunks: AsyncIterable<string | Uint8Array>): AsyncGenerator<readonly LiveLine[]> {
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + (typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'))).split('\n')
    rest = lines.pop() ?? ''
    if (lines.length > 0) yield lines.map(liveLineOf)
  }
}

/** prlx's: nobody pays more than one coin of fees by mistake. */
const DEFAULT_SEND_RULES: SendRules = { feeCapWei: WEI_PER_LAX, allowUnprotected: false }

type Address = { readonly port: number } | null

/** A listener with an arbitrary port keeps its current one. @param before the previously requested address */
function withPorts(
  doors: RpcFrontOptions,
  before: RpcFrontOptions | null,
  has: { readonly http: Address; readonly ws: Address },
): RpcFrontOptions {
  const kept = <T extends RpcEndpoint>(wanted: T, old: RpcEndpoint | null, at: Address): T =>
    wanted.port === 0 && at !== null && old?.host === wanted.host ? { ...wanted, port: at.port } : wanted
  return {
    ...doors,
    http: doors.http === null ? null : kept(doors.http, before?.http ?? null, has.http),
    ws: doors.ws === null ? null : kept(doors.ws, before?.ws ?? null, has.ws),
  }
}

interface NodeP2pFacts {
  /** 32 bytes: the node key */
  readonly key: Uint8Array
  /** 32 bytes */
  readonly genesisHash: Uint8Array
  readonly client: () => WireClient<ChainWire>
  readonly head: () => BlockSummary | null
  readonly clock: Clock
  readonly log: Logger
}

/** The node options relevant here. */
export type NodeP2pOptions = Pick<NodeServiceOptions, 'network' | 'custom' | 'chainDir' | 'clientName' | 'p2p'>

/** 32 bytes; null when no identity is needed. @throws ChainError CHAIN_NODE_KEY */
async function nodeKeyOf({ rpc, p2p = null, chainDir }: NodeServiceOptions): Promise<Uint8Array | null> {
  if (rpc === null && p2p === null) return null
  return p2p?.nodeKey ?? loadNodeKey(p2p?.nodeKeyFile ?? join(dirname(chainDir), 'nodekey'), randomBytes)
}

const NO_BOOTNODES =
  'no bootnodes are published for this network: name nodes by --bootnodes, --discovery.dns or static-nodes.json'

/** Not started yet; null for a node without peers. @throws DiscoveryError P2P_BOOTNODE, P2P_DNS_TREE */
export async function createNodeP2p(options: NodeP2pOptions, facts: NodeP2pFacts): Promise<P2pService | null> {
  const { p2p: settings = null, clientName, network, custom = null, chainDir } = options
  const { key, genesisHash, clock, head, client } = facts
  if (settings === null || settings.maxPeers === 0) return null
  const { listen, maxPeers } = settings
  // No network has a fork above genesis: the activation of ASERT doesn't count as one.
  const schedule = forkSchedule(genesisHash, [])
  const log = facts.log.child({ module: 'p2p' })
  const { netRestrict: networks, ...config } = settings.discovery
  const restrict = netRestrict(networks)
  const folder = dirname(chainDir)
  const base = { randomBytes, clock, log }
  const search = nodeDiscovery({ network, config, listen, restrict, folder }, base)
  const required = await requiredBlocks(settings.required ?? NOTHING_REQUIRED, genesisHash)
  const { networkId } = networkOf(network, custom)
  const clientId = `${clientName}/${process.platform}-${process.arch}/node${process.versions.node}`
  const lists = await readNodeLists(folder, log)
  const anchorsFile = join(folder, ANCHORS_FILE)
  if (knowsNobody(network, config, lists)) log.warn(NO_BOOTNODES, { network })
  return new P2pService(
    { staticKey: key, listen, maxPeers, clientId, networkId, schedule, restrict, lists, anchorsFile, required },
    { ...base, chain: workerChain(client), head, discovery: (tcpPort) => search({ key, schedule, tcpPort }) },
  )
}

/** True when discovery has no starting point and that wasn't intended; others may still connect to us. */
function knowsNobody(network: NetworkSpec['name'], config: DiscoveryConfig, { fixed }: NodeLists): boolean {
  if (config.noDiscover || config.bootnodes !== null || config.dnsTrees.length + fixed.length > 0) return false
  const published = bootnodesOf(network, null)
  return published.ok && published.value.length === 0
}

/** Without a network layer: an identity that can't be dialed. */
function identityOf(p2p: P2pService | null, key: Uint8Array): NodeIdentity {
  return p2p?.identity() ?? nodeIdentity(key, { ip: '127.0.0.1', port: 0, discoveryPort: 0 }, 1n)
}

/** The node's events: chain, pool, peers, shutdown. */
export interface NodeEvents {
  headChanged: HeadChange
  workChanged: ChainWork
  /** A peer is verifiably ahead: stop working on what was given out until new work comes. */
  workHeld: null
  pendingChanged: PendingCounts
  /** Transactions that became executable, each once. */
  newPending: NewPending
  /** Peers connected or disconnected. */
  peersChanged: { readonly count: number }
  /** A sync began, progressed or ended. */
  syncChanged: null
  /** It is stopping: work given out before is void. */
  stopped: null
  /** The worker ended by itself. */
  lost: { readonly reason: string }
}

/** Withholds work while a peer is verifiably ahead: a block on an old parent will most likely not stay. */
export class StaleWorkFilter {
  #work: ChainWork | null = null
  #isHeld = false

  /** @param holds false = work is given out whatever peers have */
  constructor(
    private readonly events: Pick<Emitter<NodeEvents>, 'emit'>,
    private readonly holds: boolean,
  ) {}

  /** Null without work, and while it is withheld. */
  current(): ChainWork | null {
    return this.#isHeld ? null : this.#work
  }

  /** @param work null = there is none any more, which listeners are told */
  take(work: ChainWork | null): void {
    this.#work = work
    if (work !== null && !this.#isHeld) this.events.emit('workChanged', work)
  }

  judge({ isBehind }: Pick<HeadHealthState, 'isBehind'>): void {
    if (!this.holds || isBehind === this.#isHeld) return
    this.#isHeld = isBehind
    if (isBehind) this.events.emit('workHeld', null)
    else if (this.#work !== null) this.events.emit('workChanged', this.#work)
  }
}

export type { ChainReader } from './chain-reader'
export type { NodeServiceDeps, NodeServiceOptions } from './node-options'
export type { P2pService as NetworkLayer, PeerFacts } from './p2p/p2p-service'
export type { MiningChange, MiningState, NewPending, PoolParams } from './worker/wire/pool-wire'
export type {
  BlockSummary,
  ChainWork,
  HeadChange,
  PendingCounts,
  SealOutcome,
  TransactionInfo,
} from './worker/wire/shapes'

const MAX_EXTRA_DATA_BYTES = 32
const MEASURE_MS = 60_000

/** Of the files directly in it; those that end meanwhile don't count. */
async function folderBytes(folder: string): Promise<number> {
  const found = (await readdir(folder)).map((name) => stat(join(folder, name)).catch(() => null))
  return (await Promise.all(found)).reduce((sum, file) => sum + (file?.size ?? 0), 0)
}

function directionsOf(p2p: P2pService) {
  const facts = p2p.facts()
  const inbound = facts.filter(({ isInbound }) => isInbound).length
  return { inbound, outbound: facts.length - inbound }
}

/** Starts and stops the chain worker, the network layer and JSON-RPC together. */
export class NodeService implements Service {
  readonly name = 'node'
  readonly events = new Emitter<NodeEvents>()
  readonly reader: ChainReader
  /** Calls and traces on the chain's states; CHAIN_NOT_OPEN while there is no query worker. */
  readonly queries = (): NodeQueries => this.#queries ?? closedQueries
  readonly #options: NodeServiceOptions
  readonly #deps: NodeServiceDeps
  readonly #metrics: NodeMetrics
  readonly #held = new Disposables()
  #client: WireClient<ChainWire> | null = null
  #stop = new StopFlag()
  /** Releases the database lock, which outlives the workers. */
  #release: (() => Promise<void>) | null = null
  #rpc: RpcFront | null = null
  /** JSON-RPC's current listeners. */
  #doors: RpcFrontOptions | null
  #nodeKey: Uint8Array | null = null
  #queries: QueryPool | null = null
  #p2p: P2pService | null = null
  #beside: BesideNode | null = null
  /** Null before the first measurement, and while it is off. */
  #measured: MeasuredNode | null = null
  #head: BlockSummary | null = null
  readonly #work: StaleWorkFilter
  /** Null before the chain is open, and once it isn't. */
  #counts: PendingCounts | null = null
  /** Changed while running; overrides the options. */
  #chosen: MiningChange = {}

  constructor(options: NodeServiceOptions, deps: NodeServiceDeps) {
    this.#options = options
    this.#doors = options.rpc
    this.#deps = deps
    this.#work = new StaleWorkFilter(this.events, options.p2p?.minesBehind !== true)
    this.reader = createChainReader(() => this.#opened())
    this.#metrics = declareNodeMetrics(deps.metrics, {
      head: () => this.#head,
      counts: () => this.#counts,
      health: () => this.#p2p?.health() ?? null,
      peers: () => (this.#p2p === null ? null : directionsOf(this.#p2p)),
      sync: () => {
        const progress = this.#p2p?.progress() ?? null
        return progress === null ? null : { isRunning: progress.phase !== 'idle', target: progress.highestBlock }
      },
      measured: () => this.#measured,
      rpc: () => (this.#rpc === null ? null : { calls: this.#rpc.traffic(), gaps: this.#rpc.logGaps() }),
      beside: () => this.beside(),
    })
  }

  /** @throws STORE_*, CHAIN_*, RPC_PORT_IN_USE, RPC_LISTEN_FAILED */
  async start(signal: AbortSignal): Promise<void> {
    // Imported lazily: a program without a node must not need the database's native module.
    const { finishSwap, holdLevel } = await import('./store/level-store')
    const { network, chainDir } = this.#options
    if (await finishSwap(chainDir)) this.#deps.log.warn('a killed database repair is finished', { folder: chainDir })
    this.#release = await holdLevel(chainDir)
    const client = createWireClient(chainWire, this.#deps.chain())
    this.#client = client
    this.#stop = new StopFlag()
    this.#held.add(client.on('chain.headChanged', (change) => this.#takeHead(change)))
    this.#held.add(client.on('chain.workChanged', (work) => this.#work.take(work)))
    this.#held.add(
      client.on('chain.pendingChanged', (counts) => {
        this.#counts = counts
        this.events.emit('pendingChanged', counts)
      }),
    )
    this.#held.add(client.on('chain.newPending', (batch) => this.events.emit('newPending', batch)))
    this.#held.add(this.events.on('newPending', ({ hashes }) => this.#p2p?.newPending(hashes)))
    this.#held.add(client.onClose((reason) => this.#takeLoss(reason)))
    // Opening may execute blocks again, which only the end of its thread can interrupt.
    const stopped = onAbort(signal, () => void client.close())
    const genesis = this.#options.genesis()
    const opened = await client.call('chain.open', {
      network,
      folder: chainDir,
      held: true,
      genesis,
      custom: this.#options.custom ?? null,
      pool: this.#options.pool ?? null,
      ...this.#templateOptions(),
      gcMode: this.#options.gcMode ?? 'full',
      historyBlocks: this.#options.historyBlocks ?? 0,
      fakePow: this.#options.fakePow ?? false,
      stop: this.#stop.buffer,
    })
    stopped.dispose()
    signal.throwIfAborted()
    this.#head ??= opened.head
    this.#counts ??= opened.counts
    await this.#startQueries()
    const key = await nodeKeyOf(this.#options)
    if (key !== null) await this.#startP2p(key, opened.genesisHash, signal)
    this.#nodeKey = key
    if (key !== null && this.#doors !== null) await this.#startRpc(this.#doors, key, signal)
    this.#startBeside()
    this.#held.add(this.#deps.clock.setInterval(() => void this.#measure(), MEASURE_MS))
    void this.#measure()
  }

  async stop(): Promise<void> {
    const rpc = this.#rpc
    const client = this.#client
    this.#rpc = null
    this.#client = null
    this.events.emit('stopped', null)
    this.#beside?.stop()
    this.#beside = null
    this.#measured = null
    await rpc?.stop()
    await this.#p2p?.stop()
    this.#p2p = null
    this.#deps.compiler?.close()
    await this.#queries?.stop()
    this.#queries = null
    this.#held.dispose()
    if (client !== null) await closeChain(client, { ...this.#deps, stop: this.#stop })
    // Last: the threads that use the database have ended.
    const release = this.#release
    this.#release = null
    await release?.()
    this.#head = null
    this.#counts = null
    this.#work.take(null)
  }

  /** The last announced head; null before the chain is open. */
  head(): BlockSummary | null {
    return this.#head
  }

  /** Null without a coinbase, while mining is off, and while a peer is verifiably ahead. */
  currentWork(): ChainWork | null {
    return this.#work.current()
  }

  /** What the pool holds; null while the chain isn't open. */
  counts(): PendingCounts | null {
    return this.#counts
  }

  coinbase(): Uint8Array | null {
    const { coinbase } = this.#chosen
    return coinbase === undefined ? this.#options.coinbase() : coinbase
  }

  async submitWork(work: WorkSeal): Promise<SealOutcome> {
    const outcome = await this.#opened().call('chain.submitWork', work)
    this.#metrics.countWork(outcome)
    return outcome
  }

  /** @param address 20 bytes; work is given out from now on, paying this address */
  async setCoinbase(address: Uint8Array): Promise<void> {
    await this.configureMining({ coinbase: address, mining: true })
  }

  /** Whether work is given out, or would be with a coinbase. */
  mining(): boolean {
    return this.#chosen.mining ?? this.#options.mining ?? true
  }

  /** Like `configureMining`, but also while the node is off: then it applies from its next start. */
  async choose(change: MiningChange): Promise<void> {
    this.#chosen = { ...this.#chosen, ...change }
    if (this.#client !== null) await this.configureMining(change)
  }

  /** Changes the named mining settings for the lifetime of this object. Returns the settings in effect. */
  async configureMining(change: MiningChange): Promise<MiningState> {
    const state = await this.#opened().call('chain.configureMining', change)
    this.#chosen = { ...this.#chosen, ...change }
    if (!state.mining) this.#work.take(null)
    return state
  }

  /** Adds a signed transaction of ours to the pool. @throws TXPOOL_REFUSED @returns 32-byte hash */
  addTransaction(raw: Uint8Array): Promise<Uint8Array> {
    return this.#opened().call('chain.addTransaction', { raw, local: true })
  }

  /** RLP, some MB a call; calls may overlap. @param following blocks known to come after @throws STORE_DISK_LOW */
  importBlocks(blocks: Uint8Array, following = 0): Promise<ImportReport> {
    return this.#opened().call('chain.import', { blocks, following })
  }

  /** Removes the canonical blocks above `number`. Null when done, else why it can't be. */
  async goBackTo(number: number): Promise<string | null> {
    const { refusal } = await this.#opened().call('chain.goBackTo', { number })
    if (refusal === null) this.#deps.log.warn('chain rewound', { to: number })
    return refusal
  }

  /** Concatenated RLP of canonical blocks from `first` on, about 1 MB and none above `last`. */
  blockRange(first: number, last: number): Promise<BlockRange> {
    return this.#opened().call('chain.blockRange', { first, last })
  }

  /** Null while there is no network layer. */
  network(): P2pService | null {
    return this.#p2p
  }

  /** Address of JSON-RPC over WebSocket; null when it is off. */
  rpcWsAddress(): { readonly host: string; readonly port: number } | null {
    return this.#rpc?.wsAddress() ?? null
  }

  /** JSON-RPC's local socket; null when it is off. */
  rpcIpcPath(): string | null {
    return this.#rpc?.ipcPath() ?? null
  }

  /** JSON-RPC's HTTP address; null when it is off. */
  rpcAddress(): { readonly host: string; readonly port: number } | null {
    return this.#rpc?.address() ?? null
  }

  /** What JSON-RPC offers to the program's own window; null when it is off. */
  rpcControl(): Pick<RpcFront, 'console' | 'traffic'> | null {
    return this.#rpc
  }

  /** The comparison with the node beside; null without one. */
  beside(): BesideState | null {
    return this.#beside?.state() ?? null
  }

  /** Once a minute. Never rejects: what can't be measured is absent. */
  async #measure(): Promise<void> {
    const client = this.#client
    if (client === null) return
    const { chainDir } = this.#options
    try {
      const [databaseBytes, freeBytes, importSeconds, { estimates: fees }] = await Promise.all([
        folderBytes(chainDir),
        systemFreeBytes(chainDir),
        client.call('chain.importSeconds', {}),
        client.call('chain.feeEstimates', {}),
      ])
      if (this.#client === client) this.#measured = { databaseBytes, freeBytes, importSeconds, fees }
    } catch (error: unknown) {
      this.#measured = null
      if (this.#client === client) this.#deps.log.debug('the node was not measured', { error: messageOf(error) })
    }
  }

  #startBeside(): void {
    const { beside = null } = this.#options
    if (beside === null) return
    const { clock } = this.#deps
    const log = this.#deps.log.child({ module: 'beside' })
    const ours = batchSide((batch, signal) => {
      if (this.#rpc === null) throw new Error('JSON-RPC is off, and this node cannot be asked')
      return this.#rpc.reading.exchange(batch, signal)
    })
    const theirs = batchSide(rpcExchange(beside))
    const node = new BesideNode(beside, { ours, theirs, head: () => this.#head?.number ?? null, clock, log })
    this.#beside = node
    node.start()
  }

  #templateOptions() {
    const { clientName, gasLimitGoal, minimumGasPrice, poolDelayMs, recommitMs } = this.#options
    const extraData = this.#options.extraData ?? new TextEncoder().encode(clientName).slice(0, MAX_EXTRA_DATA_BYTES)
    const chosen = this.#chosen
    return {
      extraData: chosen.extraData ?? extraData,
      gasLimitGoal: chosen.gasLimitGoal ?? gasLimitGoal,
      coinbase: this.coinbase(),
      mining: this.mining(),
      minimumGasPrice: chosen.gasPrice ?? minimumGasPrice,
      poolDelayMs,
      recommitMs: chosen.recommitMs ?? recommitMs,
    }
  }

  async #startQueries(): Promise<void> {
    const { queries: connect = null, clock, searchFrom = null } = this.#deps
    const log = this.#deps.log.child({ module: 'query' })
    if (connect === null) return
    const { chainDir, network, custom = null } = this.#options
    const spec = networkOf(network, custom)
    const { workers, gasCap, callTimeoutMs } = this.#options.queries ?? DEFAULT_QUERY_SETTINGS
    const { initialSubsidy, subsidyHalvingBlocks, coinbaseMaturityBlocks } = spec.consensus
    const subsidies = { initialSubsidy, subsidyHalvingBlocks, coinbaseMaturityBlocks }
    const chain = { folder: chainDir, chainId: BigInt(spec.chainId), epochBlocks: spec.xhash.epochLength, subsidies }
    const pendingBlock = () => this.reader.pendingBlock()
    // Imported lazily, as above.
    const { openInline } = await import('./query/inline/inline-queries')
    const deps = { connect, pendingBlock, head: () => this.#head, clock, log }
    this.#queries = new QueryPool(
      { workers, open: { ...chain, gasCap, callTimeoutMs } },
      { ...deps, openInline: searchFrom === null ? null : (open) => openInline(open, { clock, searchFrom }) },
    )
    await this.#queries.start()
  }

  async #startP2p(key: Uint8Array, genesisHash: Uint8Array, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#deps
    const facts = { key, genesisHash, clock, log, head: () => this.#head, client: () => this.#opened() }
    this.#p2p = await createNodeP2p(this.#options, facts)
    this.#p2p?.events.on('peersChanged', (change) => this.events.emit('peersChanged', change))
    this.#p2p?.events.on('healthChanged', (state) => this.#work.judge(state))
    this.#p2p?.events.on('syncChanged', () => this.events.emit('syncChanged', null))
    await this.#p2p?.start(signal)
  }

  /** Switches listeners, closing all connections; on failure back to the previous ones. @throws RpcError as in start */
  async listen(doors: RpcFrontOptions | null): Promise<void> {
    const before = this.#doors
    const key = this.#nodeKey
    this.#doors = doors
    if (this.#client === null || key === null) return // applies from the next start
    const { signal } = new AbortController()
    const ports = { http: this.rpcAddress(), ws: this.rpcWsAddress() }
    await this.#rpc?.stop()
    this.#rpc = null
    try {
      if (doors !== null) await this.#startRpc(withPorts(doors, before, ports), key, signal)
    } catch (error: unknown) {
      this.#doors = before
      if (before !== null) await this.#startRpc(withPorts(before, before, ports), key, signal)
      throw error
    }
  }

  async #startRpc(options: RpcFrontOptions, key: Uint8Array, signal: AbortSignal): Promise<void> {
    const { accounts, localHashrate, clock, log } = this.#deps
    const { chainId, networkId, consensus } = networkOf(this.#options.network, this.#options.custom ?? null)
    const network = { chainId, networkId, clientName: this.#options.clientName, rules: consensus }
    const services: RpcServices = {
      compiler: this.#deps.compiler ?? null,
      sending: this.#options.sending ?? DEFAULT_SEND_RULES,
      files: this.#deps.files,
      peers: this.#p2p === null ? null : peersPort(this.#p2p),
      identity: () => identityOf(this.#p2p, key),
      dataDir: dirname(this.#options.chainDir),
      beside: () => this.beside(),
      configureMining: this.configureMining.bind(this),
    }
    const node = {
      reader: this.reader,
      queries: this.#queries ?? closedQueries,
      head: () => this.#head,
      currentWork: () => this.#work.current(),
      coinbase: () => this.coinbase(),
      submitWork: this.submitWork.bind(this),
      addTransaction: this.addTransaction.bind(this),
      goBackTo: this.goBackTo.bind(this),
      logs: queryLogSource(this.#queries ?? closedQueries),
      watch: {
        headChanged: (listener) => this.events.on('headChanged', listener),
        newPending: (listener) => this.events.on('newPending', ({ hashes }) => listener(hashes)),
      } satisfies ChainWatch,
    }
    const deps = { node, network, accounts, services, localHashrate, clock, randomBytes }
    const rpc = new RpcFront(options, { ...deps, log: log.child({ module: 'rpc' }) })
    this.#rpc = rpc
    await rpc.start(signal)
  }

  #takeHead(change: HeadChange): void {
    this.#head = change.head
    this.#metrics.countHeadChange(change.removed.length, change.added)
    const [replaced] = change.removed
    if (replaced !== undefined) this.#beside?.replaced(replaced.number)
    void this.#beside?.poll()
    this.events.emit('headChanged', change)
    this.#p2p?.headChanged(change)
  }

  #takeLoss(reason: string): void {
    if (this.#client === null) return
    this.#client = null
    this.#head = null
    this.#counts = null
    this.#work.take(null)
    this.events.emit('lost', { reason })
  }

  /** @throws ChainError CHAIN_NOT_OPEN */
  #opened(): WireClient<ChainWire> {
    if (this.#client === null) throw new ChainError('CHAIN_NOT_OPEN', undefined)
    return this.#client
  }
}
