// Several tracers over one run. Source: go-ethereum eth/tracers/native/mux.go (the result's form)
import type { CallEnd, CallStart, Step } from '../../execution/interpreter/tracer'
import type { MessageResult } from '../../execution/interpreter/transition'
import type { World } from '../../execution/interpreter/world'
import type { JsonTracer } from './json-tracer'

/** go-ethereum's `muxTracer`: one object with the result of each tracer under its name. */
export class MuxTracer implements JsonTracer {
  readonly step?: NonNullable<JsonTracer['step']>
  readonly fault?: NonNullable<JsonTracer['fault']>
  readonly #tracers: readonly JsonTracer[]

  /** @param parts by name; tracers that write before the end can't be among them */
  constructor(private readonly parts: readonly { readonly name: string; readonly tracer: JsonTracer }[]) {
    this.#tracers = parts.map(({ tracer }) => tracer)
    // The machine is slower for a tracer with `step`, so it has one only if a part does.
    const stepping = this.#tracers.filter((tracer) => tracer.step !== undefined)
    if (stepping.length === 0) return
    this.step = (step: Step, world: World) => {
      for (const tracer of stepping) tracer.step?.(step, world)
    }
    this.fault = (step: Step, error: string, world: World) => {
      for (const tracer of stepping) tracer.fault?.(step, error, world)
    }
  }

  get isFull(): boolean {
    return this.#tracers.some((tracer) => tracer.isFull === true)
  }

  /** The first part's that fails. */
  get failure(): string | null {
    return this.#tracers.map((tracer) => tracer.failure ?? null).find((failure) => failure !== null) ?? null
  }

  begin(call: CallStart, world: World): void {
    for (const tracer of this.#tracers) tracer.begin?.(call, world)
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

  finish(result: MessageResult, write: (text: string) => void): void {
    for (const [index, { name, tracer }] of this.parts.entries()) {
      write(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`)
      tracer.finish(result, write)
    }
    write(this.parts.length === 0 ? '{}' : '}')
  }

  close(): void {
    for (const tracer of this.#tracers) tracer.close?.()
  }
}
