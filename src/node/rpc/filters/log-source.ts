// Where the front gets logs and news of the chain from. Met by the node service.
import type { Disposable } from '../../../base/disposable'
import type { LogText } from '../../logs/block-logs'
import type { LogFilter } from '../../logs/log-filter'
import type { LogPage, LogRange } from '../../logs/search'
import type { QueryCaller } from '../../query/query-port'
import type { HeadChange } from '../../worker/wire/shapes'

export interface LogSource {
  /** Of any block that was executed, also one that is no longer canonical; null when it is unknown. */
  ofBlock(hash: Uint8Array, caller: QueryCaller): Promise<readonly LogText[] | null>
  /** One page of the matching logs of canonical blocks, in chain order. */
  search(filter: LogFilter, range: LogRange, caller: QueryCaller): Promise<LogPage>
}

export interface ChainWatch {
  headChanged(listener: (change: HeadChange) => void): Disposable
  /** Hashes of transactions that have become executable, 32 bytes each. */
  newPending(listener: (hashes: readonly Uint8Array[]) => void): Disposable
}
