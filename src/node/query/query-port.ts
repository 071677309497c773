// Queries as the RPC methods see them: asked by value, answered with JSON text.
import { ChainError } from '../errors'
import type { AskRequest, StreamRequest } from './query-wire'

/** Who asks. */
export interface QueryCaller {
  /** Ends the query, also in the middle of its work. */
  readonly signal: AbortSignal
  /** Callers take turns by this name; absent: the program itself. */
  readonly caller?: string
}

/** Everything that reads or runs on a state, behind one interface. */
export interface NodeQueries {
  /**
   * JSON text of the answer, at once when it is known at this head.
   * @throws RPC_FAILED, RPC_REVERTED with the reference's text; STORE_MISSING_NODE; HOST_WORKER_LOST; the signal's reason
   */
  ask(request: AskRequest, caller: QueryCaller): string | Promise<string>
  /** The JSON text of the answer in pieces; made as they are taken. Ends the query when the reader stops. */
  stream(request: StreamRequest, caller: QueryCaller): AsyncIterable<string>
}

/** Limits of calls; the reference's by default. */
export interface QuerySettings {
  /** Most threads that compute, at least 2; one more answers short reads. */
  readonly workers: number
  /** Most gas of a call; 0 = no cap. */
  readonly gasCap: bigint
  /** ms a call may take; 0 = no limit */
  readonly callTimeoutMs: number
}

export const DEFAULT_QUERY_SETTINGS: QuerySettings = { workers: 3, gasCap: 600_000_000n, callTimeoutMs: 5_000 }

/** While there is no query worker. */
export const closedQueries: NodeQueries = {
  ask: () => Promise.reject(new ChainError('CHAIN_NOT_OPEN', undefined)),
  stream: () => {
    throw new ChainError('CHAIN_NOT_OPEN', undefined)
  },
}
