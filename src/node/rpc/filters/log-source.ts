// The front's source of logs and chain events. Implemented by the node service.
import type { Disposable } from '../../../base/disposable'
import type { LiveLine } from '../../logs/live-logs'
import type { LogFilter } from '../../logs/log-filter'
import type { LogPage, LogRange } from '../../logs/search'
import type { QueryCaller } from '../../query/query-port'
import type { HeadChange } from '../../worker/wire/shapes'

/** Reads logs. */
export interface LogSource {
  /** One page of the matching logs, in chain order. @throws RpcFault RPC_FAILED for an unknown block */
  search(filter: LogFilter, range: LogRange, caller: QueryCaller): Promise<LogPage>
  /** The logs of a block that joined or left the canonical chain, in order, some at a time: see logs/live-logs.ts. */
  ofNewBlock(block: NewBlock, caller: QueryCaller): AsyncIterable<readonly LiveLine[]>
}

/** A block and who waits for its logs. */
export interface NewBlock {
  readonly hash: Uint8Array
  readonly isRemoved: boolean
  /** Lines name them by their place here. */
  readonly filters: readonly LogFilter[]
}

/** Chain events. */
export interface ChainWatch {
  headChanged(listener: (change: HeadChange) => void): Disposable
  /** Hashes of transactions that became executable, 32 bytes each. */
  newPending(listener: (hashes: readonly Uint8Array[]) => void): Disposable
}
