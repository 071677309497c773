// Several tracers over one run. Source: go-ethereum eth/tracers/native/mux.go (the result's form)

import type { MessageResult } from '../../execution/message'
import type { CallEnd, CallStart, StateView, Step } from '../../execution/tracer'
import type { World } from '../../execution/world'
import type { JsonTracer } from './json-tracer'

/** go-ethereum's `muxTracer`: one object with the result of each tracer under its name. */
export class MuxTracer implements JsonTracer {
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
