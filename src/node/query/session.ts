// What a query worker holds while a chain is open: views of it, cached code and states, and the limits of calls.
import type { Keccak256 } from '../codec/keccak'
import { ChainError, ExecutionError } from '../errors'
import type { PayoutParams } from '../execution/payout'
import { KeptInstance } from '../execution/wasm/instance'
import { loadEngineModule } from '../execution/wasm/module-file'
import { bytesOfWord } from '../execution/word'
import { World } from '../execution/world'
import { LogCache } from '../logs/block-logs'
import type { StoreReader } from '../store/store'
import { NodeCache } from '../trie/node'
import type { PendingBlockInfo } from '../worker/wire/pending-shapes'
import { ancestorOf, BlockStates, failed, type StateBlock } from './block-state'
import { FeeCache, KeptBlocks, KeptStages, ProofNodes } from './kept-blocks'
import { MessageEngine } from './message-engine'
import type { Asked, AskRequest, QueryOpen } from './query-wire'
import type { ChainView, ViewSource } from './snapshots'

export type CallDeadline = ReturnType<QuerySession['callDeadline']>

export interface QueryLimits {
  /** The caller disconnected. */
  readonly isStopped: () => boolean
  readonly now: () => number
}

/** For what may read the whole chain. @throws RpcFault RPC_FAILED once nobody waits for the answer any more */
export function mustBeAwaited({ isStopped }: QueryLimits): void {
  if (isStopped()) throw failed('stopped')
}

/** Answers a question with JSON text. */
export type Answer<K extends AskRequest['kind']> = (
  session: QuerySession,
  question: Asked<K>,
  limits: QueryLimits,
) => string

export interface QuerySessionOptions {
  readonly chainId: bigint
  readonly gasCap: number
  readonly callTimeoutMs: number
  readonly epochBlocks: number
  readonly subsidies: PayoutParams
  /** Default: what a worker may keep. */
  readonly caches?: typeof WORKER_CACHES
}

interface QuerySessionDeps {
  readonly views: ViewSource
  readonly keccak256: Keccak256
  readonly module: WasmModule
  /** The module ends calls and traces that would keep the thread for longer than a millisecond. */
  readonly boundsCalls: boolean
}

/** Limits of what a worker keeps between queries. */
const WORKER_CACHES = {
  /** Estimated memory of trie nodes kept for proofs. */
  proofBytes: 16 * 1024 * 1024,
  /** Of decoded blocks, about. */
  blockBytes: 16 * 1024 * 1024,
  /** Memory of the engine's instance, above which it is replaced. */
  instanceBytes: 192 * 1024 * 1024,
}
const NODE_BYTES = 32 * 1024 * 1024

/** @param deps.searchFrom absolute folder to find the module from, upwards @throws ExecutionError ENGINE_MODULE */
export function createQuerySession(
  options: QuerySessionOptions,
  deps: Pick<QuerySessionDeps, 'views' | 'keccak256'> & { readonly searchFrom: string },
): QuerySession {
  const loaded = loadEngineModule(deps.searchFrom)
  if ('absent' in loaded) throw new ExecutionError('ENGINE_MODULE', { reason: loaded.absent })
  return new QuerySession(options, { ...deps, module: loaded.module, boundsCalls: false })
}

/** Lives as long as the chain is open in this worker; a new head doesn't need a new one. */
export class QuerySession {
  readonly keccak256: Keccak256
  readonly views: ViewSource
  readonly messages: MessageEngine
  readonly #nodes = new NodeCache({ maxBytes: NODE_BYTES })
  readonly proofNodes: ProofNodes
  // By block hash, so they outlive views.
  readonly logs = new LogCache()
  readonly fees = new FeeCache()
  readonly keptBlocks: KeptBlocks
  /** Of the current view, which their worlds read. */
  readonly keptStages = new KeptStages()
  /** Calls that would take long end early. */
  readonly boundsCalls: boolean
  #pending: PendingBlockInfo | null = null
  #genesis: StoreReader | null = null
  #view: ChainView | null = null
  /** Contents of worlds that have had a name. */
  #names = 0n
  /** Of the current view and pending block. */
  #blocks: BlockStates | null = null

  constructor(
    readonly options: QuerySessionOptions,
    { views, keccak256, module, boundsCalls }: QuerySessionDeps,
  ) {
    this.keccak256 = keccak256
    this.views = views
    this.boundsCalls = boundsCalls
    const { chainId, caches = WORKER_CACHES } = options
    this.proofNodes = new ProofNodes(caches.proofBytes)
    const ancestorHash = (base: StateBlock['base'], height: bigint) => ancestorOf(this.view(), base, height)
    const kept = new KeptInstance(module, caches.instanceBytes)
    this.messages = new MessageEngine({ kept, chainId, boundsCalls, ancestorHash })
    this.keptBlocks = new KeptBlocks(caches.blockBytes)
  }

  /** Nodes and code of the genesis state, once it was made again; null: it is read from the view. */
  get genesis(): StoreReader | null {
    return this.#genesis
  }

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
  }

  /** Moves to the newest head before each query; within one the view must not move, since that ends its readers. */
  refresh(): void {
    const view = this.views.current()
    if (view === this.#view) return
    this.#view = view
    this.#blocks = null
    this.keptStages.clear()
  }

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

  /** The block's state, which changes by itself. */
  newWorld({ state, store, header }: StateBlock): World {
    const read = (key: Uint8Array): Uint8Array | undefined => store.get(key)
    const nextName = (): Uint8Array => bytesOfWord(++this.#names)
    return new World({ base: state, read, root: header.stateRoot, keccak256: this.keccak256, nextName })
  }

  /** Starts the time limit of a call; `check` throws if it ended a run. */
  callDeadline(limits: QueryLimits) {
    const { callTimeoutMs } = this.options
    const end = callTimeoutMs === 0 ? Number.POSITIVE_INFINITY : limits.now() + callTimeoutMs
    const fault = (): Error => failed(`execution aborted (timeout = ${goDuration(callTimeoutMs)})`)
    return {
      isOver: () => limits.isStopped() || limits.now() > end,
      fault,
      check: ({ aborted }: { readonly aborted: boolean }) => {
        if (aborted) throw fault()
      },
    }
  }

  async close(): Promise<void> {
    await this.views.close()
  }
}

/** Gas is a number here; nobody has more than 2^53. A gas cap of 0 = none. */
export function sessionOptions({ gasCap, ...rest }: Omit<QueryOpen, 'flags'>): QuerySessionOptions {
  const most = BigInt(Number.MAX_SAFE_INTEGER)
  return { ...rest, gasCap: Number(gasCap === 0n || gasCap > most ? most : gasCap) }
}

/** In prlx's format: `5s`, `1.5s`, `300ms`. */
function goDuration(ms: number): string {
  return ms >= 1_000 ? `${ms / 1_000}s` : `${ms}ms`
}
