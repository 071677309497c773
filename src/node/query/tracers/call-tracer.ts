// Tracers of calls: as a tree, as a list, counted by selector. Source: go-ethereum 1.10 eth/tracers/native/call.go (which
// members appear when), call_flat.go (members and errors)
import { toHex } from '../../../base/hex'
import { toQuantity } from '../../../base/quantity'
import type { Keccak256 } from '../../codec/keccak'
import type { Message, MessageResult } from '../../execution/message'
import type { CallEnd, CallStart, Step, Tracer } from '../../execution/tracer'
import type { World } from '../../execution/world'
import { addressHex, wordHex } from '../encoding'
import { type FlatCall, FlatCallTracer, flatView } from '../flat/flat-calls'
import type { TracerChoice } from '../query-wire'

/** Memory for calls, accounts or counts of one transaction. */
export const MAX_HELD_BYTES = 64 * 1024 * 1024

/** The tracers that debug_trace* offers by name. */
export interface JsonTracer extends Tracer {
  /** Its memory limit was reached: later data is missing. Absent: it holds little. */
  readonly isFull?: boolean
  /** Why there will be no result. Null or absent: no failure. */
  readonly failure?: string | null
  /** Call it after the run. @param write receives the rest of the text, in order @param world as the message left it */
  finish(result: MessageResult, write: (text: string) => void, world: World): void
  /** Releases what it holds outside its own memory. */
  close?(): void
}

/** What a script learns about the transaction, and what it may query besides its state. */
export interface ScriptSubject {
  readonly message: Message
  readonly blockNumber: number
  /** Null for a call outside a block. 32 bytes each. */
  readonly place: { readonly blockHash: Uint8Array; readonly index: number; readonly hash: Uint8Array } | null
  readonly keccak256: Keccak256
  readonly isPrecompile: (address: bigint) => boolean
  /** Names of the 256 opcodes. */
  readonly operations: readonly string[]
}

export interface TracerScript {
  /** An expression that evaluates to the tracer. */
  readonly source: string
  /** JSON, passed to `setup`. */
  readonly config: string
}

/** Opens a tracer, to be closed. @param isOver polled; true ends the script @throws RpcFault RPC_FAILED if it is invalid */
export type ScriptRunner = (script: TracerScript, subject: ScriptSubject, isOver: () => boolean) => JsonTracer

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

/** Whether it leaves out the calls that the top call makes. */
type CallTracerOptions = Pick<NonNullable<TracerChoice['call']>, 'onlyTopCall'>

const CREATIONS: ReadonlySet<string> = new Set(['CREATE', 'CREATE2'])

/** Overhead of a call beyond its bytes. */
const ENTRY_BYTES = 600

/** prlx's `callTracer`: one object per call, nested in `calls`. */
export class CallTracer implements JsonTracer {
  protected readonly open: CallView[] = []
  #top: CallView = { type: '', from: '', gas: '', gasUsed: '', input: '' }
  protected held = 0

  constructor(protected readonly options: CallTracerOptions = { onlyTopCall: false }) {}

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

  #viewOf({ kind, from, to, input, gas, value }: CallStart): CallView {
    this.held += ENTRY_BYTES + input.length
    return {
      type: kind,
      from: addressHex(from),
      to: addressHex(to),
      ...(value === null ? {} : { value: toQuantity(value) }),
      gas: toQuantity(gas),
      gasUsed: '0x0',
      input: toHex(input),
    }
  }
}

/** Records logs, too (`withLog`): it looks at each step. */
export class LoggingCallTracer extends CallTracer {
  readonly isSparse = true

  step({ frame, name, error }: Step): void {
    const count = LOGS.indexOf(name)
    if (count < 0 || error !== null || this.isFull || frame.height < 2 + count) return
    if (this.options.onlyTopCall && frame.depth > 1) return
    const call = this.open[this.open.length - 1]
    if (call === undefined) return
    const bytes = new Uint8Array(Number(frame.peek(1)))
    bytes.set(frame.memory(Number(frame.peek(0)), bytes.length)) // memory isn't expanded yet
    const topics = Array.from({ length: count }, (_, i) => wordHex(frame.peek(2 + i)))
    this.held += ENTRY_BYTES + bytes.length
    call.logs ??= []
    const position = toQuantity(call.calls?.length ?? 0)
    call.logs.push({ address: addressHex(frame.address), topics, data: toHex(bytes), position })
  }
}

const LOGS: readonly string[] = ['LOG0', 'LOG1', 'LOG2', 'LOG3', 'LOG4']

/** A failed call, and all that it called, logged nothing. */
function dropFailedLogs(call: CallView, isLost: boolean): void {
  const isFailed = isLost || call.error !== undefined
  if (isFailed) delete call.logs
  for (const inner of call.calls ?? []) dropFailedLogs(inner, isFailed)
}

/** Errors in the words of OpenEthereum, and calls of precompiles, too. */
type FlatCallOptions = NonNullable<TracerChoice['flat']>

/** go-ethereum's `flatCallTracer`. */
export class FlatCallJsonTracer extends FlatCallTracer implements JsonTracer {
  constructor(
    private readonly options: FlatCallOptions,
    private readonly subject: Pick<ScriptSubject, 'message' | 'place' | 'blockNumber' | 'isPrecompile'>,
  ) {
    const isCall = (kind: string): boolean => kind === 'CALL' || kind === 'STATICCALL'
    super(({ kind, to }) => !options.includePrecompiles && isCall(kind) && subject.isPrecompile(to))
  }

  finish(result: MessageResult, write: (text: string) => void): void {
    this.settle(this.subject.message, result)
    let before = '['
    for (const call of this.calls) {
      write(before + JSON.stringify(this.#viewOf(call)))
      before = ','
    }
    write(before === '[' ? '[]' : ']')
  }

  #viewOf(call: FlatCall) {
    const { place, blockNumber } = this.subject
    const { result, ...view } = flatView(call)
    const { error } = call.end
    const named = error === null || !this.options.convertParityErrors ? error : parityError(error)
    return {
      ...view,
      ...(error === null ? {} : { error: named }),
      ...(result === null ? {} : { result: error === null ? result : withoutAddress(result) }),
      blockHash: place === null ? null : toHex(place.blockHash),
      blockNumber,
      transactionHash: place === null ? null : toHex(place.hash),
      transactionPosition: place?.index ?? 0,
    }
  }
}

/** A contract that wasn't created has none. */
function withoutAddress(result: object): object {
  return Object.fromEntries(Object.entries(result).filter(([name]) => name !== 'address'))
}

const PARITY_ERRORS: ReadonlyMap<string, string> = new Map([
  ['out of gas', 'Out of gas'],
  ['contract creation code storage out of gas', 'Out of gas'],
  ['gas uint64 overflow', 'Out of gas'],
  ['max code size exceeded', 'Out of gas'],
  ['invalid jump destination', 'Bad jump destination'],
  ['execution reverted', 'Reverted'],
  ['return data out of bounds', 'Out of bounds'],
  ['precompiled failed', 'Built-in failed'],
  ['invalid input length', 'Built-in failed'],
])
const PARITY_BEGINNINGS = [
  ['invalid opcode:', 'Bad instruction'],
  ['stack underflow', 'Stack underflow'],
  ['stack limit reached', 'Out of stack'],
] as const

function parityError(error: string): string {
  return PARITY_ERRORS.get(error) ?? PARITY_BEGINNINGS.find(([begin]) => error.startsWith(begin))?.[1] ?? error
}

const CALLS: ReadonlySet<string> = new Set(['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'])
const SELECTOR_BYTES = 4
/** Memory of a selector and its count. */
const SELECTOR_ENTRY_BYTES = 100

/** prlx's `4byteTracer`: `0x<selector>-<length>` to a count. */
export class FourByteTracer implements JsonTracer {
  readonly #counts = new Map<string, number>()

  /** @param maxHeldBytes memory limit after which it stops counting */
  constructor(
    private readonly isPrecompile: (address: bigint) => boolean,
    private readonly maxHeldBytes = MAX_HELD_BYTES,
  ) {}

  get isFull(): boolean {
    return this.#counts.size * SELECTOR_ENTRY_BYTES > this.maxHeldBytes
  }

  begin({ input }: CallStart): void {
    this.#count(input)
  }

  enter({ kind, to, input }: CallStart): void {
    if (CALLS.has(kind) && !this.isPrecompile(to)) this.#count(input)
  }

  finish(_result: MessageResult, write: (text: string) => void): void {
    write(JSON.stringify(Object.fromEntries(this.#counts)))
  }

  #count(input: Uint8Array): void {
    if (input.length < SELECTOR_BYTES || this.isFull) return
    const name = `${toHex(input.subarray(0, SELECTOR_BYTES))}-${input.length - SELECTOR_BYTES}`
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
  }
}
