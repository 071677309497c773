// Runs one function of a rule script in QuickJS: a WebAssembly interpreter with its own memory, which can access only
// the question, the script's storage and two console functions. Every question gets a fresh instance.
import type { QuickJSContext, QuickJSHandle, QuickJSWASMModule } from 'quickjs-emscripten-core'
import { messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import { loadInterpreter, thrownText } from '../../base/scripts/script-interpreter'
import type { Clock, ThreadTime } from '../../base/time'
import type { Transport } from '../../base/wire/define'
import { serveWire, trustedPeer, type WireServer } from '../../base/wire/server'
import { BIGNUMBER_SOURCE } from './bignumber-source'
import { MAX_STORAGE_LENGTH, type RuleOutcome, type RulesWire, type RuleTask, rulesWire } from './rules-wire'

/** Jumps and calls per question, some hundred ms. Steps, not time: a busy computer decides like an idle one. */
const MAX_STEPS = 2_000_000
/**
 * Ends a script with extremely expensive steps, for example one that fills the memory: CPU time of the thread, a
 * hundred times what an honest one takes. Wall time only when the system doesn't report CPU time, and more of it.
 */
const MAX_CPU_MS = 2_000
const MAX_MS = 5_000
const STEPS_A_LOOK = 10_000
/** Steps charged for a call of `storage` or `console`: leaving the interpreter is expensive. */
const STEPS_A_HOST_CALL = 2_000

interface Steps {
  taken: number
}
const MEMORY_BYTES = 16 * 1024 * 1024
/** Stack space of the interpreter on this thread; more would overflow the thread's own stack. */
const STACK_BYTES = 96 * 1024
const MAX_LINES = 100
const MAX_LINE = 1_000

/** `Date` returns the time of the question, constantly. */
const FIXED_DATE = `(function (scope, now) {
  var Real = scope.Date
  function Fixed(a, b, c, d, e, f, g) {
    if (!(this instanceof Fixed)) return new Real(now).toString()
    var n = arguments.length
    return n === 0 ? new Real(now) : n === 1 ? new Real(a)
      : new Real(a, b, c === undefined ? 1 : c, d || 0, e || 0, f || 0, g || 0)
  }
  Fixed.prototype = Real.prototype
  Real.prototype.constructor = Fixed
  Fixed.now = function () { return now }
  Fixed.UTC = Real.UTC
  Fixed.parse = Real.parse
  scope.Date = Fixed
})`

export class ScriptEngine {
  #module: QuickJSWASMModule | null = null

  /** @param cpuMs CPU time of this thread; null = unknown */
  constructor(
    private readonly clock: Clock,
    private readonly cpuMs: ThreadTime,
  ) {}

  async load(): Promise<QuickJSWASMModule> {
    this.#module ??= await loadInterpreter()
    return this.#module
  }

  /** Never rejects because of what a script does. */
  async evaluate(task: RuleTask): Promise<RuleOutcome> {
    const module = await this.load()
    const writes: [string, string][] = []
    const lines: string[] = []
    // What was stored before the failure stays, as in clef.
    const failed = (failure: string): RuleOutcome => ({ answer: null, failure, writes, lines })
    try {
      const result = this.#run(module, task, { writes, lines })
      return { ...result, writes, lines }
    } catch (error) {
      // Overflowing the thread's own stack leaves the interpreter's memory in an undefined state.
      this.#module = null
      return failed(messageOf(error))
    }
  }

  #limit(): () => boolean {
    const cpuAtStart = this.cpuMs()
    const startedAt = this.clock.monotonic()
    return () => {
      const cpu = cpuAtStart === null ? null : this.cpuMs()
      if (cpu === null || cpuAtStart === null) return this.clock.monotonic() - startedAt > MAX_MS
      return cpu - cpuAtStart > MAX_CPU_MS
    }
  }

  #run(
    module: QuickJSWASMModule,
    task: RuleTask,
    out: { readonly writes: [string, string][]; readonly lines: string[] },
  ): Pick<RuleOutcome, 'answer' | 'failure'> {
    const runtime = module.newRuntime()
    runtime.setMemoryLimit(MEMORY_BYTES)
    runtime.setMaxStackSize(STACK_BYTES)
    const steps: Steps = { taken: 0 }
    const isLate = this.#limit()
    runtime.setInterruptHandler(() => {
      steps.taken += STEPS_A_LOOK
      return steps.taken > MAX_STEPS || isLate()
    })
    const context = runtime.newContext()
    try {
      installStorage(context, task.storage, { writes: out.writes, steps })
      installConsole(context, out.lines, steps)
      const question = readQuestion(context, task.argument)
      if (typeof question === 'string') return { answer: null, failure: question }
      try {
        for (const [name, source] of programOf(task)) {
          const failure = discard(context, context.evalCode(source, name))
          if (failure !== '') return { answer: null, failure }
        }
        return answerOf(context, task, question)
      } finally {
        question.dispose()
      }
    } finally {
      context.dispose()
      runtime.dispose()
    }
  }
}

function programOf(task: RuleTask): readonly (readonly [string, string])[] {
  return [
    ['date.js', `${FIXED_DATE}(globalThis, ${task.now})`],
    ['bignumber.js', BIGNUMBER_SOURCE],
    ['rules.js', task.source],
  ]
}

/** The question as a value, or why it can't be parsed. Done before the script runs, which may replace the parser. */
function readQuestion(context: QuickJSContext, argument: string): QuickJSHandle | string {
  const text = context.newString(argument)
  const json = context.getProp(context.global, 'JSON')
  const parse = context.getProp(json, 'parse')
  try {
    const read = context.callFunction(parse, json, text)
    return read.error === undefined ? read.value : thrownText(context, read.error, MAX_LINE)
  } finally {
    for (const handle of [text, json, parse]) handle.dispose()
  }
}

function answerOf(
  context: QuickJSContext,
  { run }: RuleTask,
  question: QuickJSHandle,
): Pick<RuleOutcome, 'answer' | 'failure'> {
  const found = context.evalCode(run, 'question.js')
  if (found.error !== undefined) return { answer: null, failure: thrownText(context, found.error, MAX_LINE) }
  const call = context.callFunction(found.value, context.undefined, question)
  found.value.dispose()
  if (call.error !== undefined) return { answer: null, failure: thrownText(context, call.error, MAX_LINE) }
  const answer = context.typeof(call.value) === 'string' ? context.getString(call.value) : null
  call.value.dispose()
  return { answer, failure: '' }
}

function discard(context: QuickJSContext, result: ReturnType<QuickJSContext['evalCode']>): string {
  if (result.error !== undefined) return thrownText(context, result.error, MAX_LINE)
  result.value.dispose()
  return ''
}

function installStorage(
  context: QuickJSContext,
  stored: RuleTask['storage'],
  { writes, steps }: { readonly writes: [string, string][]; readonly steps: Steps },
): void {
  const values = new Map(stored)
  let length = stored.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  const put = context.newFunction('put', (nameHandle, valueHandle) => {
    steps.taken += STEPS_A_HOST_CALL
    const name = textOf(context, nameHandle)
    const value = textOf(context, valueHandle)
    length += name.length + value.length
    if (length > MAX_STORAGE_LENGTH) return { error: context.newError('storage is full') }
    if (name === '') return undefined
    values.set(name, value)
    writes.push([name, value])
    return undefined
  })
  const get = context.newFunction('get', (nameHandle) => {
    steps.taken += STEPS_A_HOST_CALL
    return context.newString(values.get(textOf(context, nameHandle)) ?? '')
  })
  installObject(context, 'storage', { put, get })
}

function installConsole(context: QuickJSContext, lines: string[], steps: Steps): void {
  const print = (...handles: QuickJSHandle[]): undefined => {
    steps.taken += STEPS_A_HOST_CALL
    if (lines.length < MAX_LINES) {
      lines.push(
        handles
          .map((handle) => textOf(context, handle))
          .join(' ')
          .slice(0, MAX_LINE),
      )
    }
    return undefined
  }
  installObject(context, 'console', {
    log: context.newFunction('log', print),
    error: context.newFunction('error', print),
  })
}

function installObject(context: QuickJSContext, name: string, members: Readonly<Record<string, QuickJSHandle>>): void {
  const object = context.newObject()
  for (const [member, handle] of Object.entries(members)) {
    context.setProp(object, member, handle)
    handle.dispose()
  }
  context.setProp(context.global, name, object)
  object.dispose()
}

function textOf(context: QuickJSContext, handle: QuickJSHandle | undefined): string {
  if (handle === undefined) return ''
  const type = context.typeof(handle)
  if (type === 'string') return context.getString(handle)
  const value: unknown = context.dump(handle)
  return typeof value === 'object' ? (JSON.stringify(value) ?? '') : String(value)
}

/** Answers `rulesWire` on `transport`. @param deps.cpuMs CPU time of this thread; null = unknown */
export function serveRules(
  transport: Transport,
  deps: { readonly log: Logger; readonly clock: Clock; readonly cpuMs: ThreadTime },
): WireServer<RulesWire> {
  const engine = new ScriptEngine(deps.clock, deps.cpuMs)
  return serveWire(
    rulesWire,
    transport,
    {
      ready: async () => void (await engine.load()),
      evaluate: (task) => engine.evaluate(task),
    },
    { log: deps.log, deny: trustedPeer },
  )
}
