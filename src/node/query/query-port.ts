// Queries as the RPC methods see them: asked by value, answered with JSON text.
import { ChainError } from '../errors'
import type { AskRequest, StreamRequest } from './query-wire'

export interface NodeQueries {
  /**
   * JSON text of the answer.
   * @throws RPC_FAILED, RPC_REVERTED with the reference's text; STORE_MISSING_NODE; HOST_WORKER_LOST; the signal's reason
   */
  ask(request: AskRequest, signal: AbortSignal): Promise<string>
  /** The JSON text of the answer in pieces; made as they are taken. Ends the query when the reader stops. */
  stream(request: StreamRequest, signal: AbortSignal): AsyncIterable<string>
}

/** Limits of calls; the reference's by default. */
export interface QuerySettings {
  /** 1 or 2 threads */
  readonly workers: number
  /** Most gas of a call; 0 = no cap. */
  readonly gasCap: bigint
  /** ms a call may take; 0 = no limit */
  readonly callTimeoutMs: number
}

export const DEFAULT_QUERY_SETTINGS: QuerySettings = { workers: 2, gasCap: 600_000_000n, callTimeoutMs: 5_000 }

/** While there is no query worker. */
export const closedQueries: NodeQueries = {
  ask: () => Promise.reject(new ChainError('CHAIN_NOT_OPEN', undefined)),
  stream: () => {
    throw new ChainError('CHAIN_NOT_OPEN', undefined)
  },
}
