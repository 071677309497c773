// Queries as the RPC methods see them: requested by value, answered with JSON text.
import type { Ending } from '../../base/ending'
import { ChainError } from '../errors'
import type { AskRequest, StreamRequest } from './query-wire'

export interface QueryCaller {
  /** Aborts the query, even while it runs. */
  readonly signal: AbortSignal
  /** The same, for callers that would have to create a signal. */
  readonly ending?: Ending
  /** Key for taking turns; absent: the program itself. */
  readonly caller?: string
}

export interface NodeQueries {
  /** JSON text, at once when cached for this head. @throws RPC_*, STORE_MISSING_NODE, HOST_WORKER_LOST, the signal's reason */
  ask(request: AskRequest, caller: QueryCaller): string | Promise<string>
  /** The answer's JSON text in chunks, bytes in UTF-8, generated on demand. Ends the query when the reader stops. */
  stream(request: StreamRequest, caller: QueryCaller): AsyncIterable<string | Uint8Array>
}

/** Limits of calls; defaults are prlx's. */
export interface QuerySettings {
  /** Maximum computing threads, at least 2; one more serves short reads. */
  readonly workers: number
  /** Maximum gas of a call; 0 = no cap. */
  readonly gasCap: bigint
  /** ms per call; 0 = no limit */
  readonly callTimeoutMs: number
}

export const DEFAULT_QUERY_SETTINGS: QuerySettings = { workers: 3, gasCap: 600_000_000n, callTimeoutMs: 5_000 }

/** Used while there is no query worker. */
export const closedQueries: NodeQueries = {
  ask: () => Promise.reject(new ChainError('CHAIN_NOT_OPEN', undefined)),
  stream: () => {
    throw new ChainError('CHAIN_NOT_OPEN', undefined)
  },
}
