// The interpreter for tracer scripts, one per worker, replaced once a script has broken it.
import type { QuickJSWASMModule } from 'quickjs-emscripten-core'
import { loadInterpreter } from '../../../base/scripts/script-interpreter'
import { failed } from '../block-state'
import { NAMED_SCRIPTS } from './named-scripts'
import type { ScriptRunner } from './script-runner'
import { ScriptTracer } from './script-tracer'

const MAX_SOURCE = 1024 * 1024

/** What a worker keeps between queries that run scripts. */
export class Scripts {
  #interpreter: Promise<QuickJSWASMModule> | null = null

  /** Runs scripts, and the reference's tracers by name; for one query. */
  async open(): Promise<ScriptRunner> {
    this.#interpreter ??= loadInterpreter()
    const interpreter = await this.#interpreter
    let isBroken = false
    return ({ source, config }, subject, isOver) => {
      const named = NAMED_SCRIPTS.get(source)
      if (named === undefined && /^[\w$]*$/.test(source)) throw failed('tracer not found')
      if (source.length > MAX_SOURCE) throw failed(`tracer has ${source.length} characters, want at most ${MAX_SOURCE}`)
      const broke = (): void => {
        isBroken = true
        this.#interpreter = null
      }
      const run = { isOver, broke, isBroken: () => isBroken }
      return new ScriptTracer(interpreter, { source: named ?? source, config }, subject, run)
    }
  }
}
