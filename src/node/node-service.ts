// The full node as one service: the chain worker, its events, and the JSON-RPC front on top.
import { randomBytes } from 'node:crypto'
import { Emitter } from '../base/events'
import { Disposables, type Service } from '../base/lifecycle'
import { onAbort } from '../base/on-abort'
import { createWireClient, type WireClient } from '../base/wire/client'
import { type ChainReader, createChainReader } from './chain-reader'
import { closeChain } from './close-chain'
import { ChainError } from './errors'
import { queryLogSource } from './log-source'
import { declareNodeMetrics, type NodeMetrics } from './metrics'
import { networkOf } from './networks'
import type { NodeEvents } from './node-events'
import type { NodeServiceDeps, NodeServiceOptions } from './node-options'
import { createNodeP2p, identityOf, nodeKeyOf } from './node-p2p'
import { DEFAULT_SEND_RULES, nodeRpcServices, withPorts } from './node-rpc'
import type { P2pService } from './p2p/p2p-service'

import { QueryPool } from './query/pool/query-pool'

import { closedQueries, DEFAULT_QUERY_SETTINGS, type NodeQueries } from './query/query-port'
import type { ChainWatch } from './rpc/filters/log-source'
import { RpcFront, type RpcFrontOptions } from './rpc/rpc-front'
import { WorkGate } from './work-gate'
import type { BlockRange } from './worker/wire/block-range-wire'
import { type ChainWire, chainWire } from './worker/wire/chain-wire'
import type { ImportReport } from './worker/wire/import-shapes'
import type { MiningChange, MiningState } from './worker/wire/pool-wire'
import type { BlockSummary, ChainWork, HeadChange, PendingCounts, SealOutcome } from './worker/wire/shapes'
import { StopFlag } from './worker/wire/stop-flag'

export type { ChainReader } from './chain-reader'
export type { NodeEvents } from './node-events'
export type { NodeServiceDeps, NodeServiceOptions } from './node-options'
export type { P2pSettings } from './node-p2p'
export type { P2pService as NetworkLayer } from './p2p/p2p-service'
export type { PeerFacts } from './p2p/peer-facts'
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
  #head: BlockSummary | null = null
  readonly #work: WorkGate
  #counts: PendingCounts = { pending: 0, queued: 0 }
  /** Changed while running; overrides the options. */
  #chosen: MiningChange = {}

  constructor(options: NodeServiceOptions, deps: NodeServiceDeps) {
    this.#options = options
    this.#doors = options.rpc
    this.#deps = deps
    this.#work = new WorkGate(this.events, options.p2p?.minesBehind !== true)
    this.reader = createChainReader(() => this.#opened())
    this.#metrics = declareNodeMetrics(deps.metrics, {
      head: () => this.#head,
      counts: () => this.#counts,
      health: () => this.#p2p?.health() ?? null,
    })
  }

  /** @throws STORE_*, CHAIN_*, RPC_PORT_IN_USE, RPC_LISTEN_FAILED */
  async start(signal: AbortSignal): Promise<void> {
    // Imported lazily: a program without a node must not need the database's native module.
    const { holdLevel } = await import('./store/level-store')
    this.#release = await holdLevel(this.#options.chainDir)
    const client = createWireClient(chainWire, this.#deps.chain())
    this.#client = client
    this.#stop = new StopFlag()
    this.#held.add(client.on('chain.headChanged', (change) => this.#takeHead(change)))
    this.#held.add(client.on('chain.workChanged', (work) => this.#work.take(work)))
    this.#held.add(client.on('chain.pendingChanged', (counts) => this.#takeCounts(counts)))
    this.#held.add(client.on('chain.newPending', (batch) => this.events.emit('newPending', batch)))
    this.#held.add(this.events.on('newPending', ({ hashes }) => this.#p2p?.newPending(hashes)))
    this.#held.add(client.onClose((reason) => this.#takeLoss(reason)))
    // Opening may execute blocks again, which only the end of its thread can interrupt.
    const stopped = onAbort(signal, () => void client.close())
    const { network, chainDir } = this.#options
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
      engine: this.#options.engine ?? 'auto',
      fakePow: this.#options.fakePow ?? false,
      stop: this.#stop.buffer,
    })
    stopped.dispose()
    signal.throwIfAborted()
    this.#head ??= opened.head
    await this.#startQueries()
    const key = await nodeKeyOf(this.#options)
    if (key !== null) await this.#startP2p(key, opened.genesisHash, signal)
    this.#nodeKey = key
    if (key !== null && this.#doors !== null) await this.#startRpc(this.#doors, key, signal)
  }

  async stop(): Promise<void> {
    const rpc = this.#rpc
    const client = this.#client
    this.#rpc = null
    this.#client = null
    this.events.emit('stopped', null)
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

  counts(): PendingCounts {
    return this.#counts
  }

  coinbase(): Uint8Array | null {
    const { coinbase } = this.#chosen
    return coinbase === undefined ? this.#options.coinbase() : coinbase
  }

  async submitWork(work: {
    readonly nonce: bigint
    readonly sealHash: Uint8Array
    readonly mixDigest: Uint8Array
  }): Promise<SealOutcome> {
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

  /**
   * Imports blocks, concatenated RLP (some MB per call); calls may overlap. @throws STORE_DISK_LOW
   * @param following number of blocks known to come after them
   */
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
    const { chainDir, network, custom = null, engine = 'auto' } = this.#options
    const spec = networkOf(network, custom)
    const { workers, gasCap, callTimeoutMs } = this.#options.queries ?? DEFAULT_QUERY_SETTINGS
    const { initialSubsidy, subsidyHalvingBlocks, coinbaseMaturityBlocks } = spec.consensus
    const subsidies = { initialSubsidy, subsidyHalvingBlocks, coinbaseMaturityBlocks }
    const chain = { folder: chainDir, chainId: BigInt(spec.chainId), epochBlocks: spec.xhash.epochLength, subsidies }
    const pendingBlock = () => this.reader.pendingBlock()
    // Imported lazily, as above.
    const { openInline } = await import('./query/inline/open-inline')
    const deps = { connect, pendingBlock, head: () => this.#head, clock, log }
    this.#queries = new QueryPool(
      { workers, open: { ...chain, engine, gasCap, callTimeoutMs } },
      { ...deps, openInline: (open) => openInline(open, { clock, log, searchFrom }) },
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

  /**
   * Switches to these listeners; open connections are closed. On failure the previous listeners are reopened.
   * @throws RpcError as in start
   */
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
    const spec = networkOf(this.#options.network, this.#options.custom ?? null)
    const { chainId, networkId, consensus } = spec
    const network = { chainId, networkId, clientName: this.#options.clientName, subsidies: consensus, rules: consensus }
    const services = nodeRpcServices({
      chainDir: this.#options.chainDir,
      reader: this.reader,
      importBlocks: this.importBlocks.bind(this),
      configureMining: this.configureMining.bind(this),
      sending: this.#options.sending ?? DEFAULT_SEND_RULES,
      compiler: this.#deps.compiler ?? null,
      p2p: this.#p2p,
      identity: () => identityOf(this.#p2p, key),
    })
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
      watch: this.#watch(),
    }
    const deps = {
      node,
      network,
      accounts,
      services,
      localHashrate,
      clock,
      randomBytes,
      log: log.child({ module: 'rpc' }),
    }
    const rpc = new RpcFront(options, deps)
    this.#rpc = rpc
    await rpc.start(signal)
  }

  #watch(): ChainWatch {
    const { events } = this
    return {
      headChanged: (listener) => events.on('headChanged', listener),
      newPending: (listener) => events.on('newPending', ({ hashes }) => listener(hashes)),
    }
  }

  #takeHead(change: HeadChange): void {
    this.#head = change.head
    this.#metrics.countHeadChange(change.removed.length, change.added.length)
    this.events.emit('headChanged', change)
    this.#p2p?.headChanged(change)
  }

  #takeCounts(counts: PendingCounts): void {
    this.#counts = counts
    this.events.emit('pendingChanged', counts)
  }

  #takeLoss(reason: string): void {
    if (this.#client === null) return
    this.#client = null
    this.#head = null
    this.#work.take(null)
    this.events.emit('lost', { reason })
  }

  /** @throws ChainError CHAIN_NOT_OPEN */
  #opened(): WireClient<ChainWire> {
    if (this.#client === null) throw new ChainError('CHAIN_NOT_OPEN', undefined)
    return this.#client
  }
}
