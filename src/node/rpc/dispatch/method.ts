// What an RPC method is: its arguments and what answers it. A namespace is a record of methods.
import type { Disposable } from '../../../base/disposable'
import type { Clock } from '../../../base/time'
import type { ChainReader } from '../../chain-reader'
import type { ConsensusParams } from '../../consensus/params'
import type { AccountsPort, RpcCaller } from '../../ports/accounts-port'
import type { NodeQueries } from '../../query/query-port'
import { RpcFault } from '../../rpc-fault'
import type { BlockSummary, ChainWork } from '../../worker/wire/shapes'
import type { HotReads } from '../answers/hot-reads'
import { type ParamList, readParams } from '../arguments/params'
import type { ChainFeed } from '../filters/chain-feed'
import type { FilterStore } from '../filters/filter-store'
import type { ChainWatch, LogSource } from '../filters/log-source'
import type { SubscriptionShares } from '../filters/subscription-shares'
import type { ReportedRates } from '../reported-rates'
import type { RpcServices } from '../rpc-services'
import type { KeyLocks } from '../sending/key-locks'

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
  /** Takes back and forgets the blocks above `number`. Null when done, else why it cannot be. */
  goBackTo(number: number): Promise<string | null>
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
  readonly subscriptions: SubscriptionShares
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

export type RpcTransport = 'http' | 'ws' | 'ipc'

/** A WebSocket or IPC connection: it can be told things, and has an end. */
export interface PushConnection {
  /** One message. A client that does not read is cut off when too much waits for it. */
  send(text: string): void
  /** The name under which it takes its share; null: its caller's, see `shareOf`. */
  readonly share: string | null
  /** By id; they end with the connection. */
  readonly subscriptions: Map<string, Disposable>
  /** Ends the connection and its subscriptions. */
  hangUp(reason: string): void
}

/** One call's own surroundings. */
export interface MethodContext {
  /** Aborted when the client goes away or the time limit passes; the reason is an RpcFault RPC_FAILED or RPC_CLIENT_GONE. */
  readonly signal: AbortSignal
  readonly transport: RpcTransport
  /** Null over HTTP, where nothing can be sent later. */
  readonly connection: PushConnection | null
  /** By which queries and filters are shared out; absent: the program itself. */
  readonly caller?: string
  /** Who asks, for those that show it to a person; not known where it is left out. */
  readonly who?: () => RpcCaller
  /** Runs `callback` once the answer is in the connection's queue: notices must not come before the id they belong to. */
  afterAnswer(callback: () => void): void
}

export interface RpcMethod {
  /** How many arguments it takes; those behind `required` may be left out. */
  readonly parameters: { readonly required: number; readonly total: number }
  /** ms; null = none (a person decides, or a stream of its own limit). */
  readonly timeLimitMs: number | null
  /** Why it isn't here: of those that only say so. */
  readonly refusal?: string
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
  const required = params.filter((param) => param.absent === null).length
  return {
    parameters: { required, total: params.length },
    timeLimitMs,
    call: (context, args, caller) => {
      const read = readParams(params, args)
      if (!read.ok) throw new RpcFault('RPC_INVALID_PARAMS', { reason: read.error })
      return handler(read.value, context, caller)
    },
  }
}
