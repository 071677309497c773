// The tracer that a request names, with its options.
import type { MessageResult } from '../../execution/message'
import { OPERATION_NAMES } from '../../execution/operation-names'
import type { BuiltIns } from '../../execution/wasm/message-run'
import { failed } from '../block-state'
import type { TraceOptions, TracerChoice } from '../query-wire'
import type { ScriptRunner, ScriptSubject } from '../scripts/script-runner'
import type { QuerySession } from '../session'
import { CallTracer, LoggingCallTracer } from './call-tracer'
import { FlatCallJsonTracer } from './flat-call-tracer'
import { FourByteTracer } from './four-byte'
import type { JsonTracer } from './json-tracer'
import { MuxTracer } from './mux-tracer'
import { PrestateTracer } from './prestate'

/** What a tracer learns about its transaction. */
interface TracedSubject extends Pick<ScriptSubject, 'message' | 'blockNumber' | 'place'> {
  /** 20 bytes */
  readonly coinbase: Uint8Array
  readonly builtIns: BuiltIns
}

/** What it runs with. */
interface TracerDeps {
  readonly subject: TracedSubject
  /** Null: no script can run. */
  readonly scripts: ScriptRunner | null
  readonly isLate: () => boolean
}

const NOOP: JsonTracer = {
  finish: (_result: MessageResult, write: (text: string) => void) => write('{}'),
}

/** It must be closed. @throws RpcFault RPC_FAILED for a script that is invalid or unknown */
export function openTracer(session: QuerySession, deps: TracerDeps, options: TraceOptions): JsonTracer {
  const { tracer, parts = [] } = options
  if (tracer === 'structs') throw new RangeError("struct logs are the module's")
  if (tracer !== 'muxTracer') return openPart(session, deps, { ...options, name: tracer, tracer })
  const opened: { readonly name: string; readonly tracer: JsonTracer }[] = []
  try {
    for (const part of parts) opened.push({ name: part.name, tracer: openPart(session, deps, part) })
  } catch (error: unknown) {
    for (const { tracer: one } of opened) one.close?.()
    throw error
  }
  return new MuxTracer(opened)
}

function openPart(session: QuerySession, deps: TracerDeps, choice: TracerChoice): JsonTracer {
  const { subject, scripts, isLate } = deps
  const { message, coinbase, builtIns } = subject
  const { keccak256 } = session
  const isPrecompile = (address: bigint): boolean => builtIns.has(address)
  switch (choice.tracer) {
    case 'callTracer':
      return choice.call?.withLog === true ? new LoggingCallTracer(choice.call) : new CallTracer(choice.call)
    case 'prestateTracer':
      return new PrestateTracer({ message, keccak256, coinbase }, choice.prestate)
    case 'flatCallTracer':
      return new FlatCallJsonTracer(choice.flat ?? NO_FLAT_OPTIONS, { ...subject, isPrecompile })
    case '4byteTracer':
      return new FourByteTracer(isPrecompile)
    case 'noopTracer':
      return NOOP
    case 'script': {
      const { script } = choice
      if (script === null || scripts === null) throw failed('tracer not found')
      const { blockNumber, place } = subject
      const asked = { message, blockNumber, place, keccak256, isPrecompile, operations: OPERATION_NAMES }
      return scripts(script, asked, isLate)
    }
  }
}

const NO_FLAT_OPTIONS = { convertParityErrors: false, includePrecompiles: false }
