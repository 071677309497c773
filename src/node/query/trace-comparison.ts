// A trace on both engines: their texts must be equal.
import { createHash } from 'node:crypto'
import { hasCode } from '../../base/errors'
import { ExecutionError } from '../errors'
import { failed } from './block-state'
import type { TraceOutcome, TraceRun } from './trace-engine'

/** Takes a part of a text. */
export type Write = (text: string) => void

/** Why a trace has no result, in the words of the answer. */
export const TIMEOUT = 'execution timeout'
export const TOO_MUCH = 'the transaction does more than this tracer may hold'

/** Null when there is a result, or the interpreter must decide. */
export function faultOf(outcome: TraceOutcome): string | null {
  if (outcome.kind === 'stopped') return TIMEOUT
  if (outcome.kind === 'full') return TOO_MUCH
  return outcome.kind === 'refused' ? `tracing failed: ${outcome.reason}` : null
}

/**
 * The answer is the interpreter's. @param by what the interpreter needs; `isLate` ends the module's run
 * @throws ExecutionError ENGINES_DIFFER_ON_TRACE; what `by.interpret` throws
 */
export function compareTraces(
  number: bigint,
  byModule: (run: TraceRun) => TraceOutcome,
  by: { readonly isLate: () => boolean; readonly interpret: (write: Write) => void; readonly write: Write },
): void {
  const wasm = new Digest()
  const outcome = byModule({
    isOver: by.isLate,
    write: (text) => {
      wasm.add(text)
      return !by.isLate()
    },
  })
  if (outcome.kind === 'done') wasm.add(outcome.rest)
  const typescript = new Digest()
  let fault: string | null = null
  try {
    by.interpret((text) => {
      typescript.add(text)
      by.write(text)
    })
  } catch (error: unknown) {
    if (!hasCode(error, 'RPC_FAILED')) throw error
    fault = error.message
  }
  mustAgree(number, endOf(outcome, faultOf(outcome), wasm), fault ?? typescript.text())
  if (fault !== null) throw failed(fault)
}

/** Null when the module left it to the interpreter. */
function endOf(outcome: TraceOutcome, fault: string | null, digest: Digest): string | null {
  return outcome.kind === 'undecided' ? null : (fault ?? digest.text())
}

/** What time ended can't be compared. */
function mustAgree(number: bigint, wasm: string | null, typescript: string): void {
  if (wasm === null || wasm === typescript || wasm === TIMEOUT || typescript === TIMEOUT) return
  throw new ExecutionError('ENGINES_DIFFER_ON_TRACE', { number: String(number), wasm, typescript })
}

/** Stands for a text of any length. */
class Digest {
  readonly #hash = createHash('sha256')
  #length = 0

  add(text: string | Uint8Array): void {
    this.#hash.update(text)
    this.#length += text.length
  }

  text(): string {
    return `${this.#length} bytes, sha256 ${this.#hash.digest('hex')}`
  }
}
