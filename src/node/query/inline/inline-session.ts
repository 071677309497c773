// A query session for the host thread: the engine's module where it is at hand, else the interpreter, both without
// built-in contracts that may take long; and small caches.
import { keccak256 } from '../../codec/keccak'
import { createOperations } from '../../execution/interpreter/operations'
import { ABORTED, failed, type Precompile } from '../../execution/precompiles/precompile'
import { createPrecompiles } from '../../execution/precompiles/precompiles'
import { QuerySession, type QuerySessionOptions } from '../session'
import type { ViewSource } from '../snapshots'

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
export function inlineSession(
  options: Omit<QuerySessionOptions, 'engine'>,
  { views, module, warn }: InlineSessionDeps,
): QuerySession {
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
