// Opens the chain database for queries on the host thread.
import { setImmediate } from 'node:timers'
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import { secp256k1 } from '../../../native/secp256k1'
import { loadEngineModuleAside } from '../../execution/wasm/module-file'
import type { QueryOpen } from '../query-wire'
import { exactGasCap } from '../session'
import { openViews } from '../snapshots'
import { type InlineAnswers, InlineQueries, READ_MS } from './inline-queries'
import { inlineSession } from './inline-session'
import { ReadTime } from './read-time'

/** What inline queries use of the program. */
export interface OpenInlineDeps {
  readonly clock: Clock
  readonly log: Logger
  /** Folder from which the engine's module is searched; null: calls run on the interpreter. */
  readonly searchFrom: string | null
}

/** The process must have the database open already. @throws StoreError STORE_UNREADABLE */
export async function openInline(
  open: Omit<QueryOpen, 'flags'>,
  { clock, log, searchFrom }: OpenInlineDeps,
): Promise<InlineAnswers> {
  const { folder, chainId, gasCap, callTimeoutMs, epochBlocks, subsidies, engine } = open
  const module = searchFrom === null || engine === 'typescript' ? null : await compiled(searchFrom)
  const reads = new ReadTime(READ_MS, clock)
  const views = await openViews(folder, reads)
  const options = { chainId, callTimeoutMs, epochBlocks, subsidies, gasCap: exactGasCap(gasCap) }
  const warn = (reason: string): void => log.warn('the interpreter ran a small call', { reason })
  const session = inlineSession(options, { views, module, warn })
  // A worker compares the engines.
  const runsCalls = engine !== 'both' && (engine !== 'wasm' || module !== null)
  // Without the addon, the sender of each transaction takes milliseconds to recover.
  const runsTraces = runsCalls && module !== null && secp256k1().kind === 'native'
  const nextTurn = (callback: () => void): void => void setImmediate(callback)
  return new InlineQueries({ session, reads, clock, runsCalls, runsTraces, nextTurn })
}

async function compiled(searchFrom: string): Promise<WasmModule | null> {
  const loaded = await loadEngineModuleAside(searchFrom)
  return 'absent' in loaded ? null : loaded.module
}
