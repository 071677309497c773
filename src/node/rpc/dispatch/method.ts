// What an RPC method is: its parameters and its handler. A namespace is a record of methods.
import type { IncomingMessage } from 'node:http'
import type { Disposable } from '../../../base/disposable'
import { type Ending, EndSource, signalOf } from '../../../base/ending'
import { isLoopback, plainAddress } from '../../../base/ip-address'
import type { Clock } from '../../../base/time'
import { jsonText, StreamedResult } from '../../../net/json-rpc/json-rpc'
import type { BesideState } from '../../beside-node'
import type { ChainReader } from '../../chain-reader'
import type { ConsensusParams } from '../../consensus/params'
import type { NodeIdentity } from '../../identity/enr'
import type { AccountsPort, RpcCaller } from '../../ports/accounts-port'
import type { CompilerPort } from '../../ports/compiler-port'
import type { PeersPort } from '../../ports/peers-port'
import type { AskRequest, NodeQueries, StreamRequest } from '../../query/query-wire'
import { RpcFault, rpcFailed } from '../../rpc-fault'
import type { MiningChange } from '../../worker/wire/pool-wire'
import type { BlockSummary, ChainWork, SealOutcome } from '../../worker/wire/shapes'
import type { HotReads } from '../answers/hot-reads'
import { type Param, type ParamList, readParams } from '../arguments/params'
import type { ChainFeed } from '../filters/chain-feed'
import type { FilterStore } from '../filters/filter-store'
import type { ChainWatch, LogSource } from '../filters/live-logs'
import type { SubscriptionShares } from '../filters/subscription-shares'
import type { ReportedRates } from '../reported-rates'
import type { KeyLocks } from '../sending/key-locks'
import type { SendRules } from '../sending/send-rules'

/** Characters of a caller's self-reported name. */
const MAX_AGENT = 200

/** The key of a caller's turns and share: local programs share an address, their own names tell them apart. */
function shareOf({ transport, remote, userAgent, origin }: RpcCaller): string {
  const address = remote.replace(/:\d+$/, '')
  const isHere = address === 'NA' || isLoopback(plainAddress(address.replace(/^\[|\]$/g, '')))
  return isHere ? `${transport} ${origin} ${userAgent.slice(0, MAX_AGENT)}` : address
}

/** The caller of a request, for display. */
export function callerOf(transport: 'http' | 'ws', { socket, headers }: IncomingMessage): RpcCaller {
  const { remoteAddress = 'NA', remotePort = 0 } = socket
  const host = remoteAddress.includes(':') ? `[${remoteAddress}]` : remoteAddress
  return {
    transport,
    remote: remoteAddress === 'NA' ? remoteAddress : `${host}:${remotePort}`,
    local: headers.host ?? '',
    userAgent: headers['user-agent'] ?? '',
    origin: headers.origin ?? '',
  }
}

/** Created for each request; ends with it. */
export class CallScope implements MethodContext {
  #signal: AbortSignal | null = null
  #caller: string | null = null
  #afterAnswer: (() => void)[] = []
  readonly #end = new EndSource()

  constructor(
    readonly transport: RpcCaller['transport'],
    readonly connection: PushConnection | null,
    readonly who: () => RpcCaller,
  ) {}

  get caller(): string {
    this.#caller ??= this.connection?.share ?? shareOf(this.who())
    return this.#caller
  }

  get signal(): AbortSignal {
    this.#signal ??= signalOf(this.#end)
    return this.#signal
  }

  /** The client disconnected, or time ran out. */
  get ending(): Ending {
    return this.#end
  }

  afterAnswer(callback: () => void): void {
    this.#afterAnswer.push(callback)
  }

  /** The answer has been queued. */
  answered(): void {
    const callbacks = this.#afterAnswer
    this.#afterAnswer = []
    for (const callback of callbacks) callback()
  }

  /** The first reason stays. */
  abort(reason: Error): void {
    this.#end.end(reason)
  }

  clientGone(): void {
    this.abort(new RpcFault('RPC_CLIENT_GONE', undefined))
  }
}

/** One method per name, all failing with `reason`. */
export function refusedMethods(reason: string, names: readonly string[]): RpcNamespace {
  const answer: RpcMethod = {
    parameters: [],
    timeLimitMs: null,
    refusal: reason,
    call: () => {
      throw rpcFailed(reason)
    },
  }
  return Object.fromEntries(names.map((name) => [name, answer]))
}

/** A solution of a work item; hashes of 32 bytes. */
export interface WorkSeal {
  readonly nonce: bigint
  readonly sealHash: Uint8Array
  readonly mixDigest: Uint8Array
}

export interface RpcNode {
  readonly reader: ChainReader
  /** Calls, estimates, proofs, traces. */
  readonly queries: NodeQueries
  readonly logs: LogSource
  readonly watch: ChainWatch
  head(): BlockSummary | null
  currentWork(): ChainWork | null
  coinbase(): Uint8Array | null
  submitWork(work: WorkSeal): Promise<SealOutcome>
  /** Removes the blocks above `number`. Null when done, else why it can't be. */
  goBackTo(number: number): Promise<string | null>
  /** @throws TXPOOL_REFUSED */
  addTransaction(raw: Uint8Array): Promise<Uint8Array>
}

export interface RpcNetwork {
  readonly chainId: number
  readonly networkId: number
  readonly clientName: string
  readonly rules: ReportedRules & Pick<ConsensusParams, 'initialSubsidy' | 'subsidyHalvingBlocks'>
}
type ReportedRules = Pick<
  ConsensusParams,
  'coinbaseMaturityBlocks' | 'retargetIntervalBlocks' | 'asertActivationHeight'
>

/** Import and export of block files (concatenated RLP, also `.gz`). All throw RpcFault RPC_FAILED. */
export interface ChainFiles {
  importChain(path: string, signal: AbortSignal): Promise<void>
  /** Blocks `first` to `last` (null: from genesis, to the head); the file must not exist. */
  exportChain(path: string, range: { readonly first: number | null; readonly last: number | null }): Promise<void>
}

export interface RpcServices {
  /** Null = no network layer. */
  readonly peers: PeersPort | null
  /** Null = none. */
  readonly compiler: CompilerPort | null
  readonly sending: SendRules
  readonly files: ChainFiles
  /** Our current identity: address and record may change while running. */
  readonly identity: () => NodeIdentity
  /** absolute path */
  readonly dataDir: string
  /** The comparison with another node; null = none. */
  readonly beside: () => BesideState | null
  configureMining(change: MiningChange): Promise<unknown>
}

export interface RpcContext {
  readonly node: RpcNode
  readonly network: RpcNetwork
  /** Null = no accounts. */
  readonly accounts: AccountsPort | null
  readonly services: RpcServices
  /** Sends of one account are serialized. */
  readonly locks: KeyLocks
  readonly clock: Clock
  readonly rates: ReportedRates
  readonly feed: ChainFeed
  readonly filters: FilterStore
  readonly subscriptions: SubscriptionShares
  readonly hot: HotReads
  readonly randomBytes: (length: number) => Uint8Array
  /** `eth_getWork` appends the block number. */
  readonly getworkHeight: boolean
  /** Enabled namespaces, for `rpc_modules`. */
  readonly modules: readonly string[]
}

/** An RPC result: plain JSON values (no bigint; encoding.ts encodes), `JsonText` or `StreamedResult`. */
export type RpcResult = unknown

/** A WebSocket or IPC connection: it can be sent notices, and it can end. */
export interface PushConnection {
  /** Sends one message. A client that doesn't read is disconnected when too much is unsent. */
  send(text: string): void
  /** The key of its share; null: its caller's, see `shareOf`. */
  readonly share: string | null
  /** By id; they end with the connection. */
  readonly subscriptions: Map<string, Disposable>
  /** Ends the connection and its subscriptions. */
  hangUp(reason: string): void
}

export interface MethodContext {
  /** Aborted when the client disconnects or the time limit passes, with an RpcFault. */
  readonly signal: AbortSignal
  /** The same end, at less cost than a signal. */
  readonly ending?: Ending
  readonly transport: RpcCaller['transport']
  /** Null over HTTP, where nothing can be sent later. */
  readonly connection: PushConnection | null
  /** Key for sharing queries and filters; absent: the program itself. */
  readonly caller?: string
  /** The caller, for methods that show it to the user; absent when unknown. */
  readonly who?: () => RpcCaller
  /** Runs `callback` once the answer is in the connection's queue: notices must not precede the id they belong to. */
  afterAnswer(callback: () => void): void
}

export interface RpcMethod {
  /** For the reference; `call` reads its arguments itself. */
  readonly parameters: readonly Param<unknown>[]
  /** ms; null = none (a person decides, or a stream has its own limit). */
  readonly timeLimitMs: number | null
  /** A call on a connection must have a list of params, even an empty one. */
  readonly wantsList?: true
  /** Why it isn't available: for methods that only say so. */
  readonly refusal?: string
  /** @throws RpcFault RPC_INVALID_PARAMS, and the method's own errors */
  readonly call: (
    context: RpcContext,
    args: readonly unknown[],
    caller: MethodContext,
  ) => RpcResult | Promise<RpcResult>
}

export type RpcNamespace = Readonly<Record<string, RpcMethod>>

interface MethodDefinition<T extends readonly unknown[]> {
  readonly params: ParamList<T>
  /** Answers synchronously when possible: a promise costs a turn of the event loop. */
  readonly handler: (args: T, context: RpcContext, caller: MethodContext) => RpcResult | Promise<RpcResult>
  /** Default 30 s; null = none. Stops when the result (for a stream: its first chunk) is there. */
  readonly timeLimitMs?: number | null
}

const TIME_LIMIT_MS = 30_000

/** Declares a method with its arguments. */
export function method<const T extends readonly unknown[]>(definition: MethodDefinition<T>): RpcMethod {
  const { params, handler, timeLimitMs = TIME_LIMIT_MS } = definition
  return {
    parameters: params,
    timeLimitMs,
    call: (context, args, caller) => {
      const read = readParams(params, args)
      if (!read.ok) throw new RpcFault('RPC_INVALID_PARAMS', { reason: read.error })
      return handler(read.value, context, caller)
    },
  }
}

/** A method without a time limit: a person decides, or it is known to take long. */
export function untimed<const T extends readonly unknown[]>(
  params: ParamList<T>,
  handler: MethodDefinition<T>['handler'],
): RpcMethod {
  return method({ params, handler, timeLimitMs: null })
}

/** A method that is one question to the query workers. */
export function asked<const T extends readonly unknown[]>(
  params: ParamList<T>,
  question: (...args: T) => AskRequest,
): RpcMethod {
  return method({
    params,
    handler: (args, { node }, caller) => jsonText(node.queries.ask(question(...args), caller)),
  })
}

/** The same with a long answer, which the worker limits. */
export function streamed<const T extends readonly unknown[]>(
  params: ParamList<T>,
  question: (...args: T) => StreamRequest,
): RpcMethod {
  return untimed(params, (args, { node }, caller) => new StreamedResult(node.queries.stream(question(...args), caller)))
}
