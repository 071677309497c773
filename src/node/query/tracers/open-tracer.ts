// The tracer that a request names, with its options; several over one run as go-ethereum's eth/tracers/native/mux.go does.
import type { MessageResult } from '../../execution/message'
import type { CallEnd, CallStart, StateView, Step } from '../../execution/tracer'
import type { World } from '../../execution/world'
import { failed } from '../block-state'
import type { TraceOptions, TracerChoice } from '../query-wire'
import { CallTracer, FlatCallJsonTracer, FourByteTracer, LoggingCallTracer } from './call-tracer'
import type { JsonTracer, ScriptRunner, ScriptSubject } from './json-tracer'
import { PrestateTracer } from './prestate'

interface TracerDeps {
  /** `coinbase`: 20 bytes. */
  readonly subject: ScriptSubject & { readonly coinbase: Uint8Array }
  /** Null: no script can run. */
  readonly scripts: ScriptRunner | null
  readonly isLate: () => boolean
}

const NOOP: JsonTracer = { finish: (_result, write) => write('{}') }
const NO_FLAT_OPTIONS = { convertParityErrors: false, includePrecompiles: false }

/** It must be closed. @throws RpcFault RPC_FAILED for a script that is invalid or unknown */
export function openTracer(deps: TracerDeps, options: TraceOptions): JsonTracer {
  const { tracer, parts = [] } = options
  if (tracer === 'structs') throw new RangeError("struct logs are the module's")
  if (tracer !== 'muxTracer') return openPart(deps, { ...options, name: tracer, tracer })
  const opened: { readonly name: string; readonly tracer: JsonTracer }[] = []
  try {
    for (const part of parts) opened.push({ name: part.name, tracer: openPart(deps, part) })
  } catch (error: unknown) {
    for (const { tracer: one } of opened) one.close?.()
    throw error
  }
  return new MuxTracer(opened)
}

function openPart({ subject, scripts, isLate }: TracerDeps, choice: TracerChoice): JsonTracer {
  switch (choice.tracer) {
    case 'callTracer':
      return choice.call?.withLog === true ? new LoggingCallTracer(choice.call) : new CallTracer(choice.call)
    case 'prestateTracer':
      return new PrestateTracer(subject, choice.prestate)
    case 'flatCallTracer':
      return new FlatCallJsonTracer(choice.flat ?? NO_FLAT_OPTIONS, subject)
    case '4byteTracer':
      return new FourByteTracer(subject.isPrecompile)
    case 'noopTracer':
      return NOOP
    case 'script':
      if (choice.script === null || scripts === null) throw failed('tracer not found')
      return scripts(choice.script, subject, isLate)
  }
}

/** go-ethereum's `muxTracer`: one object with the result of each tracer under its name. */
class MuxTracer implements JsonTracer {
  readonly step?: NonNullable<JsonTracer['step']>
  readonly fault?: NonNullable<JsonTracer['fault']>
  readonly isSparse: boolean
  readonly #tracers: readonly JsonTracer[]

  /** @param parts by name; tracers that write before the end can't be among them */
  constructor(private readonly parts: readonly { readonly name: string; readonly tracer: JsonTracer }[]) {
    this.#tracers = parts.map(({ tracer }) => tracer)
    // The engine is slower for a tracer with `step`, so it has one only if a part does.
    const stepping = this.#tracers.filter((tracer) => tracer.step !== undefined)
    this.isSparse = stepping.every(({ isSparse }) => isSparse === true)
    if (stepping.length === 0) return
    this.step = (step: Step, state: StateView) => {
      for (const tracer of stepping) tracer.step?.(step, state)
    }
    this.fault = (step: Step, error: string, state: StateView) => {
      for (const tracer of stepping) tracer.fault?.(step, error, state)
    }
  }

  get isFull(): boolean {
    return this.#tracers.some((tracer) => tracer.isFull === true)
  }

  /** The first part's that fails. */
  get failure(): string | null {
    return this.#tracers.map((tracer) => tracer.failure ?? null).find((failure) => failure !== null) ?? null
  }

  begin(call: CallStart, state: StateView): void {
    for (const tracer of this.#tracers) tracer.begin?.(call, state)
  }

  end(result: CallEnd): void {
    for (const tracer of this.#tracers) tracer.end?.(result)
  }

  enter(call: CallStart): void {
    for (const tracer of this.#tracers) tracer.enter?.(call)
  }

  exit(result: CallEnd): void {
    for (const tracer of this.#tracers) tracer.exit?.(result)
  }

  finish(result: MessageResult, write: (text: string) => void, world: World): void {
    for (const [index, { name, tracer }] of this.parts.entries()) {
      write(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`)
      tracer.finish(result, write, world)
    }
    write(this.parts.length === 0 ? '{}' : '}')
  }

  close(): void {
    for (const tracer of this.#tracers) tracer.close?.()
  }
}
