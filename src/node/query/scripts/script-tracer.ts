// A JavaScript tracer, run in its own interpreter beside the machine. It sees the transaction through the prelude's
// objects; its time, memory and answer length are limited.
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime, QuickJSWASMModule } from 'quickjs-emscripten-core'
import { EMPTY_BYTES } from '../../../base/bytes'
import { messageOf } from '../../../base/errors'
import { toHex } from '../../../base/hex'
import { loadInterpreter, thrownText } from '../../../base/scripts/script-interpreter'
import { createdAddress, createdWithSalt, type MessageResult } from '../../execution/message'
import type { CallEnd, CallStart, Frame, StateView, Step } from '../../execution/tracer'
import { failed } from '../block-state'
import { addressHex, wordHex } from '../encoding'
import type { JsonTracer, ScriptRunner, ScriptSubject, TracerScript } from '../tracers/call-tracer'
import { NAMED_SCRIPTS } from './named-scripts'
import { BIG_INT_SOURCE, PRELUDE_SOURCE } from './prelude'

const MAX_SOURCE = 1024 * 1024
/** Per script, including its answer. */
const MEMORY_BYTES = 64 * 1024 * 1024
/** Stack space of the interpreter on this thread. */
const STACK_BYTES = 96 * 1024
const MAX_FAULT = 1_000
const STEPS = 1
const FRAMES = 2
const ERROR_FLAG = 2 ** 8
const DEPTH_UNIT = 2 ** 9
const HEIGHT_UNIT = 2 ** 20
const PC_UNIT = 2 ** 26

/** The interpreter for scripts, one per worker, replaced once a script has broken it. */
export class Scripts {
  #interpreter: Promise<QuickJSWASMModule> | null = null

  /** Runs scripts, and prlx's tracers by name; for one query. */
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

/** One run of one script; it must be closed. */
class ScriptTracer implements JsonTracer {
  readonly #runtime: QuickJSRuntime
  readonly #context: QuickJSContext
  readonly #handles: QuickJSHandle[] = []
  readonly #functions = new Map<string, QuickJSHandle>()
  #has = 0
  /** Why the trace has no result; null on success. */
  failure: string | null = null
  /** The interpreter's own stack or memory is exhausted: it must not be touched again. */
  #isBroken = false
  #state: StateView | null = null
  #call: CallStart | null = null
  #end: CallEnd = { output: EMPTY_BYTES, gasUsed: 0, error: null }
  #frame: Frame | null = null
  #stepError: string | null = null
  /** The nested call that begins or has ended. */
  #inner: CallStart | CallEnd | null = null

  /** @param run.isOver polled; true ends the script @param run.broke the interpreter is lost @throws RpcFault RPC_FAILED */
  constructor(
    module: QuickJSWASMModule,
    { source, config }: TracerScript,
    private readonly subject: ScriptSubject,
    private readonly run: {
      readonly isOver: () => boolean
      readonly broke: () => void
      /** Another script of the same query broke it. */
      readonly isBroken: () => boolean
    },
  ) {
    this.#runtime = module.newRuntime({ memoryLimitBytes: MEMORY_BYTES, maxStackSizeBytes: STACK_BYTES })
    this.#runtime.setInterruptHandler(run.isOver)
    this.#context = this.#runtime.newContext()
    try {
      this.#install(source, config)
    } catch (error) {
      this.close()
      throw error
    }
  }

  begin(call: CallStart, state: StateView): void {
    this.#call = call
    this.#state = state
  }

  end(result: CallEnd): void {
    this.#end = result
  }

  step(step: Step, state: StateView): void {
    this.#state = state
    this.#frame = step.frame
    this.#stepError = step.error
    if ((this.#has & STEPS) !== 0) this.#tell('step', this.#numbersOf(step))
  }

  fault(step: Step, error: string, state: StateView): void {
    this.#state = state
    this.#frame = step.frame
    this.#stepError = error
    this.#tell('fault', this.#numbersOf(step))
  }

  enter(call: CallStart): void {
    if ((this.#has & FRAMES) === 0) return
    this.#inner = { ...call, input: call.input.slice() }
    this.#tell('enter', [])
  }

  exit(result: CallEnd): void {
    if ((this.#has & FRAMES) === 0) return
    this.#inner = result
    this.#tell('exit', [])
  }

  /** @throws RpcFault RPC_FAILED when the script fails */
  finish(_result: MessageResult, write: (text: string) => void, world: StateView): void {
    this.#state = world
    const answer = this.#run('result', [])
    if (typeof answer === 'string') throw failed(answer)
    const text = this.#context.getString(answer)
    answer.dispose()
    write(text)
  }

  close(): void {
    if (this.#isBroken || this.run.isBroken()) return // the whole interpreter is discarded
    for (const handle of [...this.#functions.values(), ...this.#handles]) handle.dispose()
    this.#context.dispose()
    this.#runtime.dispose()
  }

  #install(source: string, config: string): void {
    const context = this.#context
    const host = context.newFunction('host', (question) => this.#answer(question))
    this.#handles.push(host)
    const prelude = this.#valueOf(context.evalCode(PRELUDE_SOURCE, 'prelude.js'))
    const api = this.#valueOf(context.callFunction(prelude, context.undefined, host))
    for (const name of ['take', 'step', 'fault', 'enter', 'exit', 'result'])
      this.#functions.set(name, context.getProp(api, name))
    const tracer = this.#valueOf(context.evalCode(`(${source}\n)`, 'tracer.js'))
    const given = context.newString(config)
    this.#handles.push(given)
    const taken = this.#run('take', [tracer, given])
    if (typeof taken === 'string') throw failed(taken.replace(/ {4}in server-side tracer function 'take'$/, ''))
    this.#has = context.getNumber(taken)
    taken.dispose()
  }

  /** A handle that lives as long as the tracer. @throws RpcFault RPC_FAILED */
  #valueOf(result: ReturnType<QuickJSContext['evalCode']>): QuickJSHandle {
    if (result.error !== undefined) throw failed(this.#faultOf(result.error))
    this.#handles.push(result.value)
    return result.value
  }

  #tell(name: 'step' | 'fault' | 'enter' | 'exit', numbers: readonly number[]): void {
    if (this.failure !== null || this.run.isBroken()) return
    const handles = numbers.map((number) => this.#context.newNumber(number))
    const answer = this.#run(name, handles)
    if (!this.#isBroken && !this.run.isBroken()) for (const handle of handles) handle.dispose()
    if (typeof answer === 'string') this.failure = answer
    else answer.dispose()
  }

  /** The function's result, or why it failed, with prlx's text around the script's own. */
  #run(name: string, given: QuickJSHandle[]): QuickJSHandle | string {
    const handle = this.#functions.get(name)
    if (handle === undefined) throw new RangeError(`no function ${name}`)
    const where = `    in server-side tracer function '${name}'`
    if (this.run.isBroken()) return `another script ended the interpreter${where}`
    try {
      const result = this.#context.callFunction(handle, this.#context.undefined, ...given)
      return result.error === undefined ? result.value : `${this.#faultOf(result.error)}${where}`
    } catch (error) {
      this.#isBroken = true
      this.run.broke()
      return `${messageOf(error)}${where}`
    }
  }

  #faultOf(error: QuickJSHandle): string {
    if (this.run.isOver()) {
      error.dispose()
      return 'execution timeout'
    }
    if (this.#context.typeof(error) !== 'string') return thrownText(this.#context, error, MAX_FAULT)
    const text = this.#context.getString(error)
    error.dispose()
    return text.slice(0, MAX_FAULT)
  }

  #numbersOf({ frame, op, gas, cost, refund }: Step): readonly number[] {
    const height = HEIGHT_UNIT * frame.height
    const place = op + (this.#stepError === null ? 0 : ERROR_FLAG) + DEPTH_UNIT * frame.depth + height
    return [place, frame.memorySize / 32 + PC_UNIT * frame.pc, gas, Number(cost), refund]
  }

  #answer(question: QuickJSHandle): ReturnType<QuickJSContext['evalCode']> | QuickJSHandle {
    const context = this.#context
    const [asked = '', ...texts] = context.getString(question).split(' ')
    if (asked === 'bigInt') return context.evalCode(BIG_INT_SOURCE, 'bigint.js')
    const answer = this.#answerTo(asked, texts)
    if (typeof answer === 'string') return context.newString(answer)
    if (typeof answer === 'number') return context.newNumber(answer)
    if (typeof answer === 'boolean') return answer ? context.true : context.false
    return context.newArrayBuffer(answer.slice().buffer)
  }

  #answerTo(question: string, texts: readonly string[]): string | number | boolean | Uint8Array {
    const [first = '', second = '', third = '', fourth = ''] = texts
    switch (question) {
      case 'operations':
        return JSON.stringify(this.subject.operations)
      case 'error':
        return this.#stepError ?? ''
      case 'frame':
        return frameText(this.#inner)
      case 'frameInput':
        return this.#inner !== null && 'input' in this.#inner ? this.#inner.input : EMPTY_BYTES
      case 'frameOutput':
        return this.#inner !== null && 'output' in this.#inner ? this.#inner.output : EMPTY_BYTES
      case 'context':
        return this.#contextText()
      case 'contextBytes':
        return first === 'input' ? (this.#call?.input ?? EMPTY_BYTES) : this.#end.output
      case 'isPrecompiled':
        return this.subject.isPrecompile(BigInt(first))
      case 'keccak':
        return this.#created(first === 'create2', BigInt(second), [third, fourth])
      case 'balance':
      case 'nonce':
      case 'code':
      case 'state':
      case 'exists':
        return this.#stateOf(question, BigInt(first), second)
      default:
        return this.#ofFrame(question, Number(first), Number(second))
    }
  }

  #ofFrame(question: string, first: number, second: number): string | Uint8Array {
    const answer = OF_FRAME.get(question)
    if (this.#frame === null) throw new RangeError('no step has been taken')
    if (answer === undefined) throw new RangeError('no such question')
    return answer(this.#frame, first, second)
  }

  #stateOf(question: string, address: bigint, key: string): string | number | boolean | Uint8Array {
    const state = this.#state
    if (state === null) throw new RangeError('nothing has been run')
    if (question === 'state') return wordHex(state.slot(address, BigInt(key)))
    const account = state.account(address)
    if (question === 'balance') return hexOf(account.balance)
    if (question === 'nonce') return Number(account.nonce)
    return question === 'code' ? account.code : account.exists
  }

  #created(isSecond: boolean, creator: bigint, [third, fourth]: readonly [string, string]): string {
    const { keccak256 } = this.subject
    if (!isSecond) return addressHex(createdAddress(keccak256, creator, BigInt.asUintN(64, BigInt(third))))
    const code = Uint8Array.from(Buffer.from(fourth.slice(2), 'hex'))
    return addressHex(createdWithSalt(keccak256, { creator, salt: BigInt(third), code }))
  }

  #contextText(): string {
    const { message, blockNumber, place } = this.subject
    const { kind = 'CALL', from = message.from, to = 0n, gas = 0, value = 0n } = this.#call ?? {}
    return JSON.stringify({
      type: kind,
      from: addressHex(from),
      to: addressHex(to),
      gas,
      gasPrice: hexOf(message.gasPrice),
      gasUsed: this.#end.gasUsed,
      intrinsicGas: message.gas - gas,
      value: hexOf(value ?? 0n),
      block: blockNumber,
      time: '0s',
      ...(this.#end.error === null ? {} : { error: this.#end.error }),
      ...(place === null ? {} : { blockHash: toHex(place.blockHash), txHash: toHex(place.hash), txIndex: place.index }),
    })
  }
}

const hexOf = (value: bigint): string => `0x${value.toString(16)}`

/** What a script asks of the call in progress. */
const OF_FRAME = new Map<string, (frame: Frame, first: number, second: number) => string | Uint8Array>([
  ['peek', (frame, depth) => hexOf(frame.peek(depth))],
  ['memory', (frame, from, to) => frame.memory(from, to - from)],
  ['caller', ({ caller }) => addressHex(caller)],
  ['address', ({ address }) => addressHex(address)],
  ['value', ({ value }) => hexOf(value)],
  ['input', ({ input }) => input],
])

function frameText(inner: CallStart | CallEnd | null): string {
  if (inner === null) return '{}'
  if (!('input' in inner)) return JSON.stringify({ gasUsed: inner.gasUsed, error: inner.error })
  const { kind, from, to, gas, value } = inner
  const parties = { from: addressHex(from), to: addressHex(to) }
  return JSON.stringify({ type: kind, ...parties, gas, value: value === null ? null : hexOf(value) })
}
