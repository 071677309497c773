// The interpreter for tracer scripts, one per worker, replaced once a script has broken it.
import type { QuickJSWASMModule } from 'quickjs-emscripten-core'
import { loadInterpreter } from '../../../base/scripts/script-interpreter'
import { failed } from '../block-state'
import type { ScriptRunner } from './script-runner'
import { ScriptTracer } from './script-tracer'

// The reference's named JavaScript tracers, in our own implementation.

const EMPTY_FAULT = 'fault: function () {}'

/**
 * Counts sequences of instructions at one depth. `startsOver`: a change of depth begins a new sequence and counts
 * nothing.
 */
const runs = (length: number): string => `(function () {
  var counts = {}
  var last = new Array(${length - 1}).fill('')
  var depth = 0
  return {
    step: function (log) {
      var name = log.op.toString()
      var isSame = log.getDepth() === depth
      depth = log.getDepth()
      if (${length} === 3 && !isSame) { last.fill(''); return }
      if (${length} === 1 || isSame) {
        var row = last.concat(name).join('-')
        counts[row] = (counts[row] || 0) + 1
      }
      if (${length} > 1) { last.shift(); last.push(name) }
    },
    ${EMPTY_FAULT},
    result: function () { return counts },
  }
})()`

/** By name; each is an expression, like a caller's own script. */
export const NAMED_SCRIPTS: ReadonlyMap<string, string> = new Map([
  ['unigramTracer', runs(1)],
  ['bigramTracer', runs(2)],
  ['trigramTracer', runs(3)],
  [
    'opcountTracer',
    `(function () { var n = 0; return { step: function () { n++ }, ${EMPTY_FAULT}, result: function () { return n } } })()`,
  ],
])

const MAX_SOURCE = 1024 * 1024

/** What a worker keeps between queries that run scripts. */
export class Scripts {
  #interpreter: Promise<QuickJSWASMModule> | null = null

  /** Runs scripts, and the reference's tracers by name; for one query. */
  async open(): Promise<ScriptRunner> {
    this.#interpreter ??= loadInterpreter()
    const interpreter = await this.#interpreter
    return ({ source, config }, subject, isOver) => {
      const named = NAMED_SCRIPTS.get(source)
      if (named === undefined && /^[\w$]*$/.test(source)) throw failed('tracer not found')
      if (source.length > MAX_SOURCE) throw failed(`tracer has ${source.length} characters, want at most ${MAX_SOURCE}`)
      const broke = (): void => {
        this.#interpreter = null
      }
      return new ScriptTracer(interpreter, { source: named ?? source, config }, subject, { isOver, broke })
    }
  }
}
