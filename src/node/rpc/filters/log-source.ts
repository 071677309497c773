// The front's source of logs and chain events. Implemented by the node service.
import type { Disposable } from '../../../base/disposable'
import type { LogText } from '../../logs/block-logs'
import type { LogFilter } from '../../logs/log-filter'
import type { LogPage, LogRange } from '../../logs/search'
import type { QueryCaller } from '../../query/query-port'
import type { HeadChange } from '../../worker/wire/shapes'

/** Reads logs. */
export interface LogSource {
  /** Of any executed block, even one that is no longer canonical; null when unknown. */
  ofBlock(hash: Uint8Array, caller: QueryCaller): Promise<readonly LogText[] | null>
  /** One page of the matching logs in canonical blocks, in chain order. */
  search(filter: LogFilter, range: LogRange, caller: QueryCaller): Promise<LogPage>
}

/** Chain events. */
export interface ChainWatch {
  headChanged(listener: (change: HeadChange) => void): Disposable
  /** Hashes of transactions that became executable, 32 bytes each. */
  newPending(listener: (hashes: readonly Uint8Array[]) => void): Disposable
}
