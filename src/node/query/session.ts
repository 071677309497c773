// What a query worker holds while a chain is open: views of it, cached code and states, and the limits of calls.
import { toBareHex } from '../../base/hex'
import type { Keccak256 } from '../codec/keccak'
import { ChainError } from '../errors'
import { CodeCache } from '../execution/interpreter/code'
import { Machine, type MachineParts } from '../execution/interpreter/machine'
import { createOperations } from '../execution/interpreter/operations'
import type { Tracer } from '../execution/interpreter/tracer'
import type { Message } from '../execution/interpreter/transition'
import { World } from '../execution/interpreter/world'
import type { PayoutParams } from '../execution/payout'
import { precompilesOf } from '../execution/precompiles/fast-precompiles'
import { createPrecompiles } from '../execution/precompiles/precompiles'
import { KeptInstance } from '../execution/wasm/kept-instance'
import { loadEngineModule } from '../execution/wasm/module-file'
import { LogCache } from '../logs/log-cache'
import type { StoreReader } from '../store/store'
import { NodeCache } from '../trie/node-cache'
import type { PendingBlockInfo } from '../worker/wire/pending-shapes'
import { ancestorOf, BlockStates, failed, machineBlock, type StateBlock } from './block-state'
import { CallEngine } from './call-engine'
import { KeptBlocks, KeptStages } from './kept-blocks'
import { ProofNodes } from './reads/proof-nodes'
import type { ChainView, ViewSource } from './snapshots'
import { TraceEngine } from './trace-engine'

/** Ends a query from outside. */
export interface QueryLimits {
  /** The caller disconnected. */
  readonly isStopped: () => boolean
  readonly now: () => number
}

/** Chain parameters and the limits of --rpc. */
export interface QuerySessionOptions {
  readonly chainId: bigint
  /** Maximum gas of a call. */
  readonly gasCap: number
  readonly callTimeoutMs: number
  /** Blocks per proof-of-work epoch. */
  readonly epochBlocks: number
  readonly subsidies: PayoutParams
  /** Default: what a worker may keep. */
  readonly caches?: SessionCaches
}

/** Limits of what a session keeps between queries. */
interface SessionCaches {
  /** Accounts and slots that a cached world may hold before it is recreated. */
  readonly held: number
  /** Code, without its analysis. */
  readonly codeBytes: number
  /** Estimated memory of trie nodes kept for proofs. */
  readonly proofBytes: number
  /** Of decoded blocks, about. */
  readonly blockBytes: number
  /** Memory of the engine's instance, above which it is replaced. */
  readonly instanceBytes: number
}

/** Views of the database and the platform. */
interface QuerySessionDeps {
  readonly views: ViewSource
  readonly keccak256: Keccak256
  /** Absolute folder from which the engine's module is searched; absent: all of it in TypeScript. */
  readonly searchFrom?: string
  /** Called with the reason when the module broke. */
  readonly warn?: (reason: string) => void
}

const WORKER_CACHES: SessionCaches = {
  held: 200_000,
  codeBytes: 16 * 1024 * 1024,
  proofBytes: 16 * 1024 * 1024,
  blockBytes: 16 * 1024 * 1024,
  instanceBytes: 192 * 1024 * 1024,
}
const KEPT_WORLDS = 4
const NODE_BYTES = 32 * 1024 * 1024

/** Tables of the interpreter, and the engine. */
interface SessionParts extends MachineParts {
  /** Null: all calls run on the interpreter. */
  readonly module: WasmModule | null
  /** The module ends calls and traces that would keep the thread for longer than a millisecond. */
  readonly boundsCalls: boolean
}

/** With the instruction and precompile tables, made once per worker. */
export function createQuerySession(options: QuerySessionOptions, deps: QuerySessionDeps): QuerySession {
  const { keccak256, searchFrom } = deps
  const loaded = searchFrom === undefined ? null : loadEngineModule(searchFrom)
  const module = loaded === null || 'absent' in loaded ? null : loaded.module
  const parts = {
    operations: createOperations(),
    precompiles: module === null ? createPrecompiles() : precompilesOf(module),
    keccak256,
  }
  return new QuerySession(options, deps, {
    ...parts,
    module,
    boundsCalls: false,
  })
}

/** Lives as long as the chain is open in this worker; a new head doesn't need a new one. */
export class QuerySession {
  readonly keccak256: Keccak256
  readonly views: ViewSource
  /** Null: calls run on the interpreter. */
  readonly calls: CallEngine | null
  /** The same for traces. */
  readonly traces: TraceEngine | null
  /** Worlds of recently queried blocks: what they read is kept, what calls changed was reverted. */
  readonly #worlds = new Map<string, World>()
  readonly #codes: CodeCache
  readonly #nodes = new NodeCache({ maxBytes: NODE_BYTES })
  readonly proofNodes: ProofNodes
  /** By block hash, so it outlives views. */
  readonly logs = new LogCache()
  /** The same. */
  readonly keptBlocks: KeptBlocks
  /** Of the current view, which their worlds read. */
  readonly keptStages = new KeptStages()
  readonly #caches: SessionCaches
  #pending: PendingBlockInfo | null = null
  #genesis: StoreReader | null = null
  #view: ChainView | null = null
  /** Of the current view and pending block. */
  #blocks: BlockStates | null = null

  constructor(
    readonly options: QuerySessionOptions,
    deps: QuerySessionDeps,
    private readonly parts: SessionParts,
  ) {
    this.keccak256 = deps.keccak256
    this.views = deps.views
    this.#caches = options.caches ?? WORKER_CACHES
    this.#codes = new CodeCache(this.#caches.codeBytes)
    this.proofNodes = new ProofNodes(this.#caches.proofBytes)
    const { module, operations, boundsCalls } = parts
    const { chainId } = options
    const { warn = () => undefined } = deps
    const ancestorHash = ({ base }: StateBlock, height: bigint) => ancestorOf(this.view(), base, height)
    const kept = module === null ? null : new KeptInstance(module, this.#caches.instanceBytes)
    this.calls = kept === null ? null : new CallEngine({ kept, chainId, operations, boundsCalls, ancestorHash, warn })
    this.traces = kept === null ? null : new TraceEngine({ kept, chainId, isBounded: boundsCalls, ancestorHash, warn })
    this.keptBlocks = new KeptBlocks(this.#caches.blockBytes)
  }

  /** Nodes and code of the genesis state, once it was made again; null: it is read from the view. */
  get genesis(): StoreReader | null {
    return this.#genesis
  }

  /** See genesis-state.ts. */
  setGenesis(genesis: StoreReader): void {
    this.#genesis = genesis
    this.#blocks = null
  }

  /** The last one that was sent; null: none was. */
  get pending(): PendingBlockInfo | null {
    return this.#pending
  }

  setPending(pending: PendingBlockInfo): void {
    this.#pending = pending
    this.#blocks = null
    this.#worlds.delete(PENDING)
  }

  /**
   * Call it before each query: moves to the newest head. Within a query the view must not move, since that ends its
   * readers.
   */
  refresh(): void {
    const view = this.views.current()
    if (view === this.#view) return
    this.#view = view
    this.#blocks = null
    this.#worlds.clear()
    this.keptStages.clear()
  }

  /** The view of the last refresh. */
  view(): ChainView {
    if (this.#view === null) this.refresh()
    if (this.#view === null) throw new ChainError('CHAIN_NOT_OPEN', undefined)
    return this.#view
  }

  blocks(): BlockStates {
    const deps = { keccak256: this.keccak256, nodes: this.#nodes, pending: this.#pending, genesis: this.#genesis }
    this.#blocks ??= new BlockStates(this.view(), deps)
    return this.#blocks
  }

  /** A cached world that is reverted to the block's state after each use. */
  keptWorld(block: StateBlock): World {
    const name = block.hash === null ? PENDING : toBareHex(block.hash)
    const kept = this.#worlds.get(name)
    if (kept !== undefined && kept.held < this.#caches.held) return kept
    const world = this.newWorld(block)
    if (this.#worlds.size >= KEPT_WORLDS) this.#worlds.clear()
    this.#worlds.set(name, world)
    return world
  }

  /** After an error that may have left one in the middle of a change. */
  forgetWorlds(): void {
    this.#worlds.clear()
  }

  /** @param keepsLogs whether its logs can be read between transactions */
  newWorld(block: StateBlock, keepsLogs = false): World {
    return new World({ base: block.state, codes: this.#codes, keccak256: this.keccak256, keepsLogs })
  }

  machine(run: {
    readonly header: StateBlock['header']
    readonly base: StateBlock['base']
    readonly world: World
    readonly message: Message
    readonly tracer: Tracer | null
    readonly isOver: () => boolean
    /** Precompiles at other addresses; null = at their own. */
    readonly precompiles?: Machine['precompiles'] | null
    /** Hashes of blocks known only to this run; null for others. */
    readonly ancestor?: (height: bigint) => Uint8Array | null
  }): Machine {
    const { header, base, world, message, tracer, isOver, ancestor } = run
    const chain = { view: this.view(), chainId: this.options.chainId }
    const { operations, keccak256 } = this.parts
    const precompiles = run.precompiles ?? this.parts.precompiles
    const { from: origin, gasPrice } = message
    const stored = machineBlock(header, base, chain)
    const ancestorHash = (height: bigint) => ancestor?.(height) ?? stored.ancestorHash(height)
    const block = ancestor === undefined ? stored : { ...stored, ancestorHash }
    return new Machine({ operations, precompiles, keccak256, world, tracer, isOver, block, origin, gasPrice })
  }

  /** Precompiles by address. */
  precompiles(): Machine['precompiles'] {
    return this.parts.precompiles
  }

  /** Names of the 256 opcodes. */
  operationNames(): readonly string[] {
    return this.parts.operations.map(({ name }) => name)
  }

  isPrecompile(address: bigint): boolean {
    return this.parts.precompiles.has(address)
  }

  /** Starts the time limit of a call; `check` throws if it ended a run. */
  callDeadline(limits: QueryLimits) {
    const { callTimeoutMs } = this.options
    const end = callTimeoutMs === 0 ? Number.POSITIVE_INFINITY : limits.now() + callTimeoutMs
    const fault = (): Error => failed(`execution aborted (timeout = ${goDuration(callTimeoutMs)})`)
    return {
      isOver: () => limits.isStopped() || limits.now() > end,
      fault,
      check: ({ aborted }: Pick<Machine, 'aborted'>) => {
        if (aborted) throw fault()
      },
    }
  }

  async close(): Promise<void> {
    this.#worlds.clear()
    await this.views.close()
  }
}

const PENDING = 'pending'

/** Gas is a number here; nobody has more than 2^53. 0 = no cap. */
export function exactGasCap(gasCap: bigint): number {
  const most = BigInt(Number.MAX_SAFE_INTEGER)
  return Number(gasCap === 0n || gasCap > most ? most : gasCap)
}

/** In the reference's format: `5s`, `1.5s`, `300ms`. */
function goDuration(ms: number): string {
  return ms >= 1_000 ? `${ms / 1_000}s` : `${ms}ms`
}
