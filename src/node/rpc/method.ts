// What an RPC method is: its arguments and what answers it. A namespace is a record of methods.
import type { Disposable } from '../../base/disposable'
import type { Clock } from '../../base/time'
import type { ChainReader } from '../chain-reader'
import type { ConsensusParams } from '../consensus/params'
import type { NodeQueries } from '../query/query-port'
import type { BlockSummary, ChainWork } from '../worker/shapes'
import type { AccountsPort, RpcCaller } from './accounts-port'
import { RpcFault } from './errors'
import type { ChainFeed } from './filters/chain-feed'
import type { FilterStore } from './filters/filter-store'
import type { ChainWatch, LogSource } from './filters/log-source'
import type { HotReads } from './hot-reads'
import type { KeyLocks } from './key-locks'
import { type ParamList, readParams } from './params'
import type { ReportedRates } from './reported-rates'
import type { RpcServices } from './rpc-services'

/** The node as the RPC front sees it. */
export interface RpcNode {
  readonly reader: ChainReader
  /** Calls, estimates, proofs, traces. */
  readonly queries: NodeQueries
  readonly logs: LogSource
  readonly watch: ChainWatch
  head(): BlockSummary | null
  currentWork(): ChainWork | null
  coinbase(): Uint8Array | null
  submitWork(work: {
    readonly nonce: bigint
    readonly sealHash: Uint8Array
    readonly mixDigest: Uint8Array
  }): Promise<boolean>
  /** @throws TXPOOL_REFUSED */
  addTransaction(raw: Uint8Array): Promise<Uint8Array>
}

/** What the supply is made of. */
export interface SubsidyRules {
  /** wei */
  readonly initialSubsidy: bigint
  readonly subsidyHalvingBlocks: number
}

export interface RpcNetwork {
  readonly chainId: number
  readonly networkId: number
  readonly clientName: string
  readonly subsidies: SubsidyRules
  readonly rules: ChainRules
}

/** What `admin_nodeInfo` tells of the rules. @see ConsensusParams */
export type ChainRules = Pick<
  ConsensusParams,
  'coinbaseMaturityBlocks' | 'retargetIntervalBlocks' | 'asertActivationHeight'
>

export interface RpcContext {
  readonly node: RpcNode
  readonly network: RpcNetwork
  /** Null = no accounts. */
  readonly accounts: AccountsPort | null
  readonly services: RpcServices
  /** Sends of one account wait for each other. */
  readonly locks: KeyLocks
  readonly clock: Clock
  readonly rates: ReportedRates
  readonly feed: ChainFeed
  readonly filters: FilterStore
  readonly hot: HotReads
  /** Fresh random bytes. */
  readonly randomBytes: (length: number) => Uint8Array
  /** `eth_getWork` appends the block number. */
  readonly getworkHeight: boolean
  /** Namespaces that are served, for `rpc_modules`. */
  readonly modules: readonly string[]
}

/** What an RPC result may be: plain JSON values (no bigint; encoding.ts encodes), `JsonText` or `StreamedResult`. */
export type RpcResult = unknown

/** A result that is JSON text already (made by a worker, or kept from an earlier answer); sent as it is. */
export class JsonText {
  /** @param text one complete JSON value */
  constructor(readonly text: string) {}
}

/**
 * A result that is never whole in memory: one JSON value cut anywhere, bytes are UTF-8. The next chunk is asked for only when
 * the client has taken the last ones; `return()` of the iterator is called when it goes away. A failure before the first
 * chunk is answered as an error; a later one cuts the connection, because the answer has begun.
 */
export class StreamedResult {
  constructor(readonly chunks: AsyncIterable<string | Uint8Array>) {}
}

export type RpcTransport = 'http' | 'ws' | 'ipc'

/** A WebSocket or IPC connection: it can be told things, and has an end. */
export interface PushConnection {
  /** One message. A client that does not read is cut off when too much waits for it. */
  send(text: string): void
  /** By id; they end with the connection. */
  readonly subscriptions: Map<string, Disposable>
}

/** One call's own surroundings. */
export interface MethodContext {
  /** Aborted when the client goes away or the time limit passes; the reason is an RpcFault RPC_FAILED or RPC_CLIENT_GONE. */
  readonly signal: AbortSignal
  readonly transport: RpcTransport
  /** Null over HTTP, where nothing can be sent later. */
  readonly connection: PushConnection | null
  /** Who asks, for those that show it to a person; not known where it is left out. */
  readonly who?: () => RpcCaller
  /** Runs `callback` once the answer is in the connection's queue: notices must not come before the id they belong to. */
  afterAnswer(callback: () => void): void
}

export interface RpcMethod {
  /** ms; null = none (a person decides, or a stream of its own limit). */
  readonly timeLimitMs: number | null
  /** @throws RpcFault RPC_INVALID_PARAMS, and whatever the method fails with */
  readonly call: (
    context: RpcContext,
    args: readonly unknown[],
    caller: MethodContext,
  ) => RpcResult | Promise<RpcResult>
}

export type RpcNamespace = Readonly<Record<string, RpcMethod>>

export interface MethodDefinition<T extends readonly unknown[]> {
  readonly params: ParamList<T>
  /** Answers at once where it can: a promise costs a turn of the loop. */
  readonly handler: (args: T, context: RpcContext, caller: MethodContext) => RpcResult | Promise<RpcResult>
  /** Default 30 s; null = none. Ends when the result (of a stream: its first chunk) is there. */
  readonly timeLimitMs?: number | null
}

const TIME_LIMIT_MS = 30_000

/** Declares a method with its arguments. */
export function method<const T extends readonly unknown[]>(definition: MethodDefinition<T>): RpcMethod {
  const { params, handler, timeLimitMs = TIME_LIMIT_MS } = definition
  return {
    timeLimitMs,
    call: (context, args, caller) => {
      const read = readParams(params, args)
      if (!read.ok) throw new RpcFault('RPC_INVALID_PARAMS', { reason: read.error })
      return handler(read.value, context, caller)
    },
  }
}
