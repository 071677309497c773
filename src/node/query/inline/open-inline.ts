// Opens the chain database for queries on the host thread.

import { setImmediate } from 'node:timers'
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import { secp256k1 } from '../../../native/secp256k1'
import { keccak256 } from '../../codec/keccak'
import { createOperations } from '../../execution/interpreter/operations'
import { ABORTED, failed, type Precompile } from '../../execution/precompiles/precompile'
import { createPrecompiles } from '../../execution/precompiles/precompiles'
import { loadEngineModuleAside } from '../../execution/wasm/module-file'
import type { QueryOpen } from '../query-wire'
import { exactGasCap, QuerySession, type QuerySessionOptions } from '../session'
import { openViews, type ViewSource } from '../snapshots'
import { type InlineAnswers, InlineQueries, READ_MS, ReadBudget } from './inline-queries'

/** SHA-256 and identity. The others may take milliseconds a piece. */
const QUICK: ReadonlySet<bigint> = new Set([2n, 4n])
/** Of a single call of a built-in contract: 32 kB of SHA-256. */
const MAX_GAS = 12_000
const MIB = 1024 * 1024
const CACHES = { held: 20_000, codeBytes: 4 * MIB, proofBytes: 4 * MIB, blockBytes: 4 * MIB, instanceBytes: 64 * MIB }

/** What an inline session runs on. */
interface InlineSessionDeps {
  /** Of the chain database. */
  readonly views: ViewSource
  /** The engine's; null: calls run on the interpreter. */
  readonly module: WasmModule | null
  /** Called with the reason when the module broke. */
  readonly warn: (reason: string) => void
}

/** Its calls are ended where they would keep the thread for longer than about a millisecond. */
export function inlineSession(options: QuerySessionOptions, { views, module, warn }: InlineSessionDeps): QuerySession {
  const precompiles = new Map([...createPrecompiles()].map(([address, run]) => [address, bounded(address, run)]))
  const parts = { operations: createOperations(), precompiles, keccak256, module, boundsCalls: true }
  return new QuerySession({ ...options, caches: CACHES }, { views, keccak256, warn }, parts)
}

/** Aborts the run where it would take long. */
function bounded(address: bigint, run: Precompile): Precompile {
  return (input, gas, isOver) => {
    const paid = Math.min(gas, MAX_GAS)
    const result = QUICK.has(address) ? run(input, paid, isOver) : null
    if (result !== null && (result.error === null || paid === gas))
      return { ...result, gasLeft: result.error === null ? result.gasLeft + gas - paid : 0 }
    isOver() // what ended the run
    return failed(ABORTED)
  }
}

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
  const { folder, chainId, gasCap, callTimeoutMs, epochBlocks, subsidies } = open
  const module = searchFrom === null ? null : await compiled(searchFrom)
  const reads = new ReadBudget(READ_MS, clock)
  const views = await openViews(folder, reads)
  const options = { chainId, callTimeoutMs, epochBlocks, subsidies, gasCap: exactGasCap(gasCap) }
  const warn = (reason: string): void => log.warn('the interpreter ran a small call', { reason })
  const session = inlineSession(options, { views, module, warn })
  // Without the addon, the sender of each transaction takes milliseconds to recover.
  const runsTraces = module !== null && secp256k1().kind === 'native'
  const nextTurn = (callback: () => void): void => void setImmediate(callback)
  return new InlineQueries({ session, reads, clock, runsTraces, nextTurn })
}

async function compiled(searchFrom: string): Promise<WasmModule | null> {
  const loaded = await loadEngineModuleAside(searchFrom)
  return 'absent' in loaded ? null : loaded.module
}
