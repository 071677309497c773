// What a query worker holds while a chain is open: views of it, cached code and states, and the limits of calls.
import { toBareHex } from '../../base/hex'
import type { Keccak256 } from '../codec/keccak'
import { ChainError } from '../errors'
import type { PayoutParams } from '../execution/payout'
import { fastPrecompiles } from '../execution/precompiles/fast-precompiles'
import { createPrecompiles } from '../execution/precompiles/precompiles'
import { LogCache } from '../logs/log-cache'
import { NodeCache } from '../trie/node-cache'
import { BlockStates, failed, machineBlock, type StateBlock } from './block-state'
import { CodeCache } from './evm/code'
import { Machine, type MachineParts } from './evm/machine'
import { createOperations } from './evm/operations'
import type { Tracer } from './evm/tracer'
import type { Message } from './evm/transition'
import { World } from './evm/world'
import { KeptBlocks, KeptStages } from './kept-blocks'
import type { PendingState } from './query-wire'
import type { ChainView, ViewSource } from './snapshots'

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
}

/** Views of the database and the platform. */
export interface QuerySessionDeps {
  readonly views: ViewSource
  readonly keccak256: Keccak256
  /** Absolute folder from which the precompile module is searched; absent: all precompiles in TypeScript. */
  readonly searchFrom?: string
}

/** Accounts and slots that a cached world may hold before it is recreated. */
const MAX_HELD = 200_000
const KEPT_WORLDS = 4
const NODE_BYTES = 32 * 1024 * 1024

/** With the instruction and precompile tables, made once per worker. */
export function createQuerySession(options: QuerySessionOptions, deps: QuerySessionDeps): QuerySession {
  const { keccak256, searchFrom } = deps
  return new QuerySession(options, deps, {
    operations: createOperations(),
    precompiles: searchFrom === undefined ? createPrecompiles() : fastPrecompiles(searchFrom),
    keccak256,
  })
}

/** Lives as long as the chain is open in this worker; a new head doesn't need a new one. */
export class QuerySession {
  readonly keccak256: Keccak256
  readonly views: ViewSource
  /** Worlds of recently queried blocks: what they read is kept, what calls changed was reverted. */
  readonly #worlds = new Map<string, World>()
  readonly #codes = new CodeCache()
  readonly #nodes = new NodeCache({ maxBytes: NODE_BYTES })
  /** By block hash, so it outlives views. */
  readonly logs = new LogCache()
  /** The same. */
  readonly keptBlocks = new KeptBlocks()
  /** Of the current view, which their worlds read. */
  readonly keptStages = new KeptStages()
  #pending: PendingState | null = null
  #view: ChainView | null = null

  constructor(
    readonly options: QuerySessionOptions,
    deps: QuerySessionDeps,
    private readonly parts: MachineParts,
  ) {
    this.keccak256 = deps.keccak256
    this.views = deps.views
  }

  setPending(pending: PendingState): void {
    this.#pending = pending
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
    return new BlockStates(this.view(), { keccak256: this.keccak256, nodes: this.#nodes, pending: this.#pending })
  }

  /** A cached world that is reverted to the block's state after each use. */
  keptWorld(block: StateBlock): World {
    const name = block.hash === null ? PENDING : toBareHex(block.hash)
    const kept = this.#worlds.get(name)
    if (kept !== undefined && kept.held < MAX_HELD) return kept
    const world = this.newWorld(block)
    if (this.#worlds.size >= KEPT_WORLDS) this.#worlds.clear()
    this.#worlds.set(name, world)
    return world
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
    return {
      isOver: () => limits.isStopped() || limits.now() > end,
      check: (machine: Machine) => {
        if (machine.aborted) throw failed(`execution aborted (timeout = ${goDuration(callTimeoutMs)})`)
      },
    }
  }

  async close(): Promise<void> {
    this.#worlds.clear()
    await this.views.close()
  }
}

const PENDING = 'pending'

/** In the reference's format: `5s`, `1.5s`, `300ms`. */
export function goDuration(ms: number): string {
  return ms >= 1_000 ? `${ms / 1_000}s` : `${ms}ms`
}
