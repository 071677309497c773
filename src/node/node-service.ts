// The full node as one service: the chain worker, what it announces, and the JSON-RPC front over it.
import { Emitter } from '../base/events'
import { Disposables, type Service } from '../base/lifecycle'
import type { Logger } from '../base/logger'
import type { MetricsRegistry } from '../base/metrics'
import type { Clock } from '../base/time'
import { createWireClient, type WireClient } from '../base/wire/client'
import type { Transport } from '../base/wire/define'
import { type ChainReader, createChainReader } from './chain-reader'
import { ChainError } from './errors'
import { declareNodeMetrics, type NodeMetrics } from './metrics'
import { NETWORKS } from './networks'
import type { AccountsPort } from './rpc/accounts-port'
import { RpcFront, type RpcFrontOptions } from './rpc/rpc-front'
import { type ChainWire, chainWire } from './worker/chain-wire'
import type { BlockSummary, ChainWork, HeadChange, PendingCounts } from './worker/shapes'

export type { ChainReader } from './chain-reader'
export type { AccountsPort } from './rpc/accounts-port'
export type {
  AccountInfo,
  BlockDetail,
  BlockId,
  BlockSummary,
  ChainWork,
  HeadChange,
  PendingCounts,
  ReceiptInfo,
  TransactionInfo,
} from './worker/shapes'

export interface NodeServiceOptions {
  readonly network: 'main' | 'test' | 'practice'
  /** absolute; the chain database's own folder */
  readonly chainDir: string
  /** Genesis file (JSON text) for an empty database, see `practiceGenesis`; a used one keeps its own. Asked at each start. */
  readonly genesis: () => string | null
  /** 20 bytes; null = no work until `setCoinbase`. Asked at each start. */
  readonly coinbase: () => Uint8Array | null
  /** `headframe/<version>`: the client version's start, and the default of `extraData` */
  readonly clientName: string
  /** In the header of mined blocks, at most 32 bytes; null = `clientName`. */
  readonly extraData: Uint8Array | null
  /** wei per gas that transactions of peers must offer; our own are free of it */
  readonly minimumGasPrice: bigint
  /** Null = the network's own. */
  readonly gasLimitGoal: bigint | null
  /** Templates wait this long after a change of the pool, ms. */
  readonly poolDelayMs: number
  /** Templates are renewed after this long, ms. */
  readonly recommitMs: number
  /** Null = no JSON-RPC. */
  readonly rpc: RpcFrontOptions | null
}

export interface NodeServiceDeps {
  /** Starts the chain worker and connects to it. */
  readonly chain: () => Transport
  /** Null = no accounts. */
  readonly accounts: AccountsPort | null
  /** H/s of this program's own miner; 0 without one */
  readonly localHashrate: () => number
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: MetricsRegistry
}

export interface NodeEvents {
  headChanged: HeadChange
  workChanged: ChainWork
  pendingChanged: PendingCounts
  /** The worker went away on its own. */
  lost: { readonly reason: string }
}

const MAX_EXTRA_DATA_BYTES = 32

export class NodeService implements Service {
  readonly name = 'node'
  readonly events = new Emitter<NodeEvents>()
  readonly reader: ChainReader
  readonly #options: NodeServiceOptions
  readonly #deps: NodeServiceDeps
  readonly #metrics: NodeMetrics
  readonly #held = new Disposables()
  #client: WireClient<ChainWire> | null = null
  #rpc: RpcFront | null = null
  #head: BlockSummary | null = null
  #work: ChainWork | null = null
  #counts: PendingCounts = { pending: 0, queued: 0 }
  /** Set while running; wins over the option. */
  #coinbase: Uint8Array | null = null

  constructor(options: NodeServiceOptions, deps: NodeServiceDeps) {
    this.#options = options
    this.#deps = deps
    this.reader = createChainReader(() => this.#opened())
    this.#metrics = declareNodeMetrics(deps.metrics, { head: () => this.#head, counts: () => this.#counts })
  }

  /** @throws STORE_*, CHAIN_*, RPC_PORT_IN_USE, RPC_LISTEN_FAILED */
  async start(signal: AbortSignal): Promise<void> {
    const client = createWireClient(chainWire, this.#deps.chain())
    this.#client = client
    this.#held.add(client.on('chain.headChanged', (change) => this.#takeHead(change)))
    this.#held.add(client.on('chain.workChanged', (work) => this.#takeWork(work)))
    this.#held.add(client.on('chain.pendingChanged', (counts) => this.#takeCounts(counts)))
    this.#held.add(client.onClose((reason) => this.#takeLoss(reason)))
    const { network, chainDir, gasLimitGoal, poolDelayMs, recommitMs } = this.#options
    const genesis = this.#options.genesis()
    const { minimumGasPrice, clientName } = this.#options
    const extraData = this.#options.extraData ?? new TextEncoder().encode(clientName).slice(0, MAX_EXTRA_DATA_BYTES)
    const templates = { coinbase: this.coinbase(), extraData, gasLimitGoal, poolDelayMs, recommitMs }
    const opened = await client.call('chain.open', {
      ...{ network, folder: chainDir, genesis, minimumGasPrice },
      ...templates,
    })
    signal.throwIfAborted()
    this.#head ??= opened.head
    if (this.#options.rpc !== null) await this.#startRpc(this.#options.rpc, signal)
  }

  async stop(): Promise<void> {
    const rpc = this.#rpc
    const client = this.#client
    this.#rpc = null
    this.#client = null
    await rpc?.stop()
    this.#held.dispose()
    if (client !== null) {
      try {
        await client.call('chain.close', {})
      } finally {
        client.close()
      }
    }
    this.#head = null
    this.#work = null
  }

  /** The last announced head; null before the chain is open. */
  head(): BlockSummary | null {
    return this.#head
  }

  /** Null without a coinbase. */
  currentWork(): ChainWork | null {
    return this.#work
  }

  counts(): PendingCounts {
    return this.#counts
  }

  coinbase(): Uint8Array | null {
    return this.#coinbase ?? this.#options.coinbase()
  }

  /** True when the seal became a block of ours; false for unknown, stale or wrong ones. */
  async submitWork(work: {
    readonly nonce: bigint
    readonly sealHash: Uint8Array
    readonly mixDigest: Uint8Array
  }): Promise<boolean> {
    const accepted = await this.#opened().call('chain.submitWork', work)
    this.#metrics.countWork(accepted)
    return accepted
  }

  /** @param address 20 bytes; work is given from now on, with this receiver */
  async setCoinbase(address: Uint8Array): Promise<void> {
    await this.#opened().call('chain.setCoinbase', { address })
    this.#coinbase = address
  }

  /** Takes a signed transaction of ours. @throws TXPOOL_REFUSED @returns 32-byte hash */
  addTransaction(raw: Uint8Array): Promise<Uint8Array> {
    return this.#opened().call('chain.addTransaction', { raw, local: true })
  }

  /** Takes blocks, RLP one after another. */
  importBlocks(blocks: Uint8Array) {
    return this.#opened().call('chain.import', { blocks })
  }

  /** Where JSON-RPC listens; null when it is off. */
  rpcAddress(): { readonly host: string; readonly port: number } | null {
    return this.#rpc?.address() ?? null
  }

  async #startRpc(options: RpcFrontOptions, signal: AbortSignal): Promise<void> {
    const { accounts, localHashrate, clock, log } = this.#deps
    const spec = NETWORKS[this.#options.network]
    const network = { chainId: spec.chainId, networkId: spec.networkId, clientName: this.#options.clientName }
    const node = {
      reader: this.reader,
      head: () => this.#head,
      currentWork: () => this.#work,
      coinbase: () => this.coinbase(),
      submitWork: this.submitWork.bind(this),
      addTransaction: this.addTransaction.bind(this),
    }
    const deps = { node, network, accounts, localHashrate, clock, log: log.child({ module: 'rpc' }) }
    const rpc = new RpcFront(options, deps)
    this.#rpc = rpc
    await rpc.start(signal)
  }

  #takeHead(change: HeadChange): void {
    this.#head = change.head
    this.#metrics.countHeadChange(change.removed.length, change.added.length)
    this.events.emit('headChanged', change)
  }

  #takeWork(work: ChainWork): void {
    this.#work = work
    this.events.emit('workChanged', work)
  }

  #takeCounts(counts: PendingCounts): void {
    this.#counts = counts
    this.events.emit('pendingChanged', counts)
  }

  #takeLoss(reason: string): void {
    if (this.#client === null) return
    this.#client = null
    this.#head = null
    this.#work = null
    this.events.emit('lost', { reason })
  }

  /** @throws ChainError CHAIN_NOT_OPEN */
  #opened(): WireClient<ChainWire> {
    if (this.#client === null) throw new ChainError('CHAIN_NOT_OPEN', undefined)
    return this.#client
  }
}
