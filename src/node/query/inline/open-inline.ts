// Opens the chain database for queries on the host thread.

import { setImmediate } from 'node:timers'
import type { Clock } from '../../../base/time'
import { secp256k1 } from '../../../native/secp256k1'
import { keccak256 } from '../../codec/keccak'
import { ExecutionError } from '../../errors'
import { loadEngineModuleAside } from '../../execution/wasm/module-file'
import type { QueryOpen } from '../query-wire'
import { exactGasCap, QuerySession, type QuerySessionOptions } from '../session'
import { openViews, type ViewSource } from '../snapshots'
import { type InlineAnswers, InlineQueries, READ_MS, ReadBudget } from './inline-queries'

const MIB = 1024 * 1024
const CACHES = { proofBytes: 4 * MIB, blockBytes: 4 * MIB, instanceBytes: 64 * MIB }

/** What an inline session runs on. */
interface InlineSessionDeps {
  /** Of the chain database. */
  readonly views: ViewSource
  /** The engine's. */
  readonly module: WasmModule
}

/** Its calls are ended where they would keep the thread for longer than about a millisecond. */
export function inlineSession(options: QuerySessionOptions, { views, module }: InlineSessionDeps): QuerySession {
  return new QuerySession({ ...options, caches: CACHES }, { views, keccak256 }, { module, boundsCalls: true })
}

/** What inline queries use of the program. */
export interface OpenInlineDeps {
  readonly clock: Clock
  /** Folder from which the engine's module is searched. */
  readonly searchFrom: string
}

/** The process must have the database open already. @throws StoreError STORE_UNREADABLE, ExecutionError ENGINE_MODULE */
export async function openInline(
  open: Omit<QueryOpen, 'flags'>,
  { clock, searchFrom }: OpenInlineDeps,
): Promise<InlineAnswers> {
  const { folder, chainId, gasCap, callTimeoutMs, epochBlocks, subsidies } = open
  const loaded = await loadEngineModuleAside(searchFrom)
  if ('absent' in loaded) throw new ExecutionError('ENGINE_MODULE', { reason: loaded.absent })
  const reads = new ReadBudget(READ_MS, clock)
  const views = await openViews(folder, reads)
  const options = { chainId, callTimeoutMs, epochBlocks, subsidies, gasCap: exactGasCap(gasCap) }
  const session = inlineSession(options, { views, module: loaded.module })
  // Without the addon, the sender of each transaction takes milliseconds to recover.
  const runsTraces = secp256k1().kind === 'native'
  const nextTurn = (callback: () => void): void => void setImmediate(callback)
  return new InlineQueries({ session, reads, clock, runsTraces, nextTurn })
}
