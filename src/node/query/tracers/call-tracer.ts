// The call tree. Source: go-ethereum 1.10 prl/tracers/native/call.go (which members appear when)
import { toHex } from '../../../base/hex'
import { toQuantity } from '../../../base/quantity'
import type { MessageResult } from '../../execution/message'
import type { CallEnd, CallStart, Step } from '../../execution/tracer'
import { addressBytes, bytesOfWord } from '../../execution/word'
import { type JsonTracer, MAX_HELD_BYTES } from './json-tracer'

interface CallView {
  type: string
  from: string
  to?: string
  value?: string
  gas: string
  gasUsed: string
  input: string
  output?: string
  error?: string
  calls?: CallView[]
  logs?: LogView[]
}

interface LogView {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  /** Calls made before it by the same one. */
  readonly position: string
}

/** What the tracer records beyond, and what not. */
interface CallTracerOptions {
  /** Not the calls that the top call makes. */
  readonly onlyTopCall: boolean
}

const CREATIONS: ReadonlySet<string> = new Set(['CREATE', 'CREATE2'])

/** Overhead of a call beyond its bytes. */
const ENTRY_BYTES = 600

/** The reference's `callTracer`: one object per call, nested in `calls`. */
export class CallTracer implements JsonTracer {
  protected readonly open: CallView[] = []
  #top: CallView = { type: '', from: '', gas: '', gasUsed: '', input: '' }
  protected held = 0

  constructor(private readonly options: CallTracerOptions = { onlyTopCall: false }) {}

  get isFull(): boolean {
    return this.held > MAX_HELD_BYTES
  }

  begin(call: CallStart): void {
    this.#top = this.#viewOf(call)
    this.open.push(this.#top)
  }

  end({ output, gasUsed, error }: CallEnd): void {
    const top = this.#top
    top.gasUsed = toQuantity(gasUsed)
    if (error !== null) top.error = error
    if (error === null || (error === 'execution reverted' && output.length > 0)) top.output = toHex(output)
  }

  enter(call: CallStart): void {
    if (!this.isFull && !this.options.onlyTopCall) this.open.push(this.#viewOf(call))
  }

  exit({ output, gasUsed, error }: CallEnd): void {
    if (this.options.onlyTopCall || this.isFull) return // when full, the trace fails: nesting no longer matters
    const call = this.open.pop()
    const parent = this.open[this.open.length - 1]
    if (call === undefined || parent === undefined) return
    call.gasUsed = toQuantity(gasUsed)
    if (error === null) {
      this.held += output.length
      call.output = toHex(output)
    } else {
      call.error = error
      if (CREATIONS.has(call.type)) delete call.to
    }
    parent.calls ??= []
    parent.calls.push(call)
  }

  finish(_result: MessageResult, write: (text: string) => void): void {
    dropFailedLogs(this.#top, false)
    write(JSON.stringify(this.#top))
  }

  #viewOf(call: CallStart): CallView {
    this.held += ENTRY_BYTES + call.input.length
    return viewOf(call)
  }
}

/** Records logs, too: it looks at each step. Source: go-ethereum eth/tracers/native/call.go (withLog) */
export class LoggingCallTracer extends CallTracer {
  readonly isSparse = true
  readonly #onlyTopCall: boolean

  constructor(options: CallTracerOptions) {
    super(options)
    this.#onlyTopCall = options.onlyTopCall
  }

  step({ frame, name, error }: Step): void {
    const count = LOGS.indexOf(name)
    if (count < 0 || error !== null || this.isFull || frame.height < 2 + count) return
    if (this.#onlyTopCall && frame.depth > 1) return
    const call = this.open[this.open.length - 1]
    if (call === undefined) return
    const bytes = new Uint8Array(Number(frame.peek(1)))
    bytes.set(frame.memory(Number(frame.peek(0)), bytes.length)) // memory isn't expanded yet
    const topics = Array.from({ length: count }, (_, i) => toHex(bytesOfWord(frame.peek(2 + i))))
    this.held += ENTRY_BYTES + bytes.length
    call.logs ??= []
    const position = toQuantity(call.calls?.length ?? 0)
    call.logs.push({ address: toHex(addressBytes(frame.address)), topics, data: toHex(bytes), position })
  }
}

const LOGS: readonly string[] = ['LOG0', 'LOG1', 'LOG2', 'LOG3', 'LOG4']

/** A failed call, and all that it called, logged nothing. */
function dropFailedLogs(call: CallView, isLost: boolean): void {
  const isFailed = isLost || call.error !== undefined
  if (isFailed) delete call.logs
  for (const inner of call.calls ?? []) dropFailedLogs(inner, isFailed)
}

function viewOf({ kind, from, to, input, gas, value }: CallStart): CallView {
  return {
    type: kind,
    from: toHex(addressBytes(from)),
    to: toHex(addressBytes(to)),
    ...(value === null ? {} : { value: toQuantity(value) }),
    gas: toQuantity(gas),
    gasUsed: '0x0',
    input: toHex(input),
  }
}
