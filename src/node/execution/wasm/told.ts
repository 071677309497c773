// What the module tells a tracer while it runs a message. The other side is native/engine/src/trace/told.rs.
import { bigintFromBytes, EMPTY_BYTES } from '../../../base/bytes'
import {
  type AccountView,
  CALL_KINDS,
  type CallStart,
  type Frame,
  OPERATION_NAMES,
  type StateView,
  type Step,
  type Tracer,
} from '../tracer'
import { addressBytes, bytesOfWord, wordOfLittleEndian } from '../word'
import { Reader } from './wire'

/** As in told.rs. */
const [ALL_STEPS, RARE_STEPS, CALLS, FAULTS, LOGS, GAS] = [1, 2, 4, 8, 16, 32]
const [STEP, FAULT, START, END] = [0, 1, 2, 3]

/** The module while it waits for the tracer. */
interface LiveModule {
  /** The module's memory; valid until the module runs again. */
  at(pointer: number, length: number): Uint8Array
  /** In the middle of the transaction. @param bytes the address of 20 bytes, replaced by the account */
  look(what: 'account' | 'slot', bytes: Uint8Array): Uint8Array
  code(address: Uint8Array): Uint8Array
}

/** Which news a tracer needs. @param seesGas whether the code's knowledge of its gas is asked for, too */
export function wantsOf(tracer: Tracer | null, seesGas: boolean): number {
  let wants = seesGas ? GAS : 0
  if (tracer === null) return wants
  const { step, fault, begin, end, enter, exit, log, isSparse } = tracer
  if (step !== undefined) wants |= isSparse === true ? RARE_STEPS : ALL_STEPS
  if (fault !== undefined) wants |= FAULTS
  const calls = [begin, end, enter, exit]
  // A step's frame shows the call's input.
  if (calls.some((call) => call !== undefined) || fault !== undefined) wants |= CALLS
  if (log !== undefined) wants |= LOGS
  return wants
}

/** Passes one message's news to a tracer. */
export class TracerNews {
  readonly #inputs: Uint8Array[] = []
  readonly #state: StateView

  constructor(
    private readonly tracer: Tracer,
    private readonly module: LiveModule,
  ) {
    this.#state = new RunningState(module)
  }

  take(kind: number, pointer: number, length: number): void {
    const bytes = this.module.at(pointer, length)
    if (kind === STEP) this.tracer.step?.(this.#step(bytes, pointer), this.#state)
    else if (kind === FAULT) {
      const step = this.#step(bytes, pointer)
      this.tracer.fault?.(step, step.error ?? '', this.#state)
    } else if (kind === START) this.#start(bytes.slice())
    else if (kind === END) this.#end(bytes.slice())
    else this.#log(bytes.slice())
  }

  #step(record: Uint8Array, pointer: number): Step {
    const view = new DataView(record.buffer, record.byteOffset, record.byteLength)
    const word = (index: number): number => view.getUint32(4 * index, true)
    const long = (index: number): number => word(index) + 2 ** 32 * word(index + 1)
    const op = word(0)
    const cost = long(12)
    const isLarge = word(14) !== 0 || word(15) !== 0 || cost > Number.MAX_SAFE_INTEGER
    return {
      frame: new ToldFrame(view, { module: this.module, pointer }, this.#inputs.at(-1) ?? EMPTY_BYTES),
      op,
      name: OPERATION_NAMES[op] ?? '',
      gas: long(10),
      cost: isLarge ? view.getBigUint64(48, true) + (view.getBigUint64(56, true) << 64n) : cost,
      refund: word(16) + 2 ** 32 * view.getInt32(68, true),
      error: word(9) === 0 ? null : new TextDecoder().decode(this.module.at(word(7), word(8))),
    }
  }

  #start(bytes: Uint8Array): void {
    const from = new Reader(bytes)
    const kind = CALL_KINDS[from.byte()] ?? 'CALL'
    const [isTop, hasMoved] = [from.byte() === 1, from.byte() === 1]
    const [caller, to] = [bigintFromBytes(from.bytes(20)), bigintFromBytes(from.bytes(20))]
    const hasValue = from.byte() === 1
    const value = from.word()
    const gas = from.whole()
    const input = from.blob()
    const call: CallStart = { kind, from: caller, to, input, gas, value: hasValue ? value : null, hasMoved }
    this.#inputs.push(kind === 'CREATE' || kind === 'CREATE2' ? EMPTY_BYTES : input)
    if (isTop) this.tracer.begin?.(call, this.#state)
    else this.tracer.enter?.(call)
  }

  #end(bytes: Uint8Array): void {
    const from = new Reader(bytes)
    const isTop = from.byte() === 1
    const gasUsed = from.whole()
    const isFailed = from.byte() === 1
    const text = new TextDecoder().decode(from.blob())
    const result = { output: from.blob(), gasUsed, error: isFailed ? text : null }
    this.#inputs.pop()
    if (isTop) this.tracer.end?.(result)
    else this.tracer.exit?.(result)
  }

  #log(bytes: Uint8Array): void {
    const from = new Reader(bytes)
    const address = bigintFromBytes(from.bytes(20))
    const topics = Array.from({ length: from.byte() }, () => from.word())
    this.tracer.log?.({ address, topics, data: from.blob() })
  }
}

/** Where the address, the caller and the value lie in a record. */
const [ADDRESS_AT, CALLER_AT, VALUE_AT, RECORD_END] = [72, 92, 112, 144]

/** A frame in the module's memory, read while the module waits: what a tracer doesn't ask for costs nothing. */
class ToldFrame implements Frame {
  readonly pc: number
  readonly depth: number
  readonly height: number
  readonly memorySize: number
  readonly #stack: number
  readonly #memory: number

  constructor(
    view: DataView,
    private readonly place: { readonly module: LiveModule; readonly pointer: number },
    readonly input: Uint8Array,
  ) {
    const word = (index: number): number => view.getUint32(4 * index, true)
    this.pc = word(1)
    this.depth = word(2)
    this.height = word(3)
    this.#stack = word(4)
    this.#memory = word(5)
    this.memorySize = word(6)
  }

  get address(): bigint {
    return this.#recorded(ADDRESS_AT, CALLER_AT)
  }

  get caller(): bigint {
    return this.#recorded(CALLER_AT, VALUE_AT)
  }

  get value(): bigint {
    return this.#recorded(VALUE_AT, RECORD_END)
  }

  peek(depth: number): bigint {
    if (depth >= this.height) return 0n
    return wordOfLittleEndian(this.place.module.at(this.#stack + 32 * (this.height - 1 - depth), 32))
  }

  #recorded(from: number, to: number): bigint {
    const { module, pointer } = this.place
    return bigintFromBytes(module.at(pointer + from, to - from))
  }

  memory(at: number, length: number): Uint8Array {
    const start = Math.min(at, this.memorySize)
    return this.place.module.at(this.#memory + start, Math.min(length, this.memorySize - start)).slice()
  }
}

/** The state in the middle of a message. */
class RunningState implements StateView {
  constructor(private readonly module: LiveModule) {}

  account(address: bigint): AccountView {
    const { module } = this
    const key = addressBytes(address)
    const from = new Reader(module.look('account', key))
    const [nonce, balance] = [from.long(), from.word()]
    from.skip(32)
    const [exists, destructed] = [from.byte() === 1, from.byte() === 1]
    return {
      nonce,
      balance,
      exists,
      destructed,
      get code() {
        return module.code(key)
      },
    }
  }

  slot(address: bigint, key: bigint): bigint {
    const place = new Uint8Array(52)
    place.set(addressBytes(address))
    place.set(bytesOfWord(key), 20)
    return new Reader(this.module.look('slot', place)).word()
  }
}
