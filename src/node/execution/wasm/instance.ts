// One live instance of the engine's module: its memory, its typed exports, and its imports.
import { hash } from 'node:crypto'
import { bigintFromBytes, bytesFromBigint, EMPTY_BYTES } from '../../../base/bytes'
import { messageOf } from '../../../base/errors'
import {
  type KeccakRanges,
  nativeBlake2Rounds,
  nativeKeccakRanges,
  nativePower,
  type PowerFunction,
} from '../../../native/loader'
import { secp256k1 } from '../../../native/secp256k1'
import { ExecutionError } from '../../errors'

/** Units of work (about a nanosecond each) between two checks of the deadline. */
const WORK_PER_LOOK = 2_000_000
/** Fixed cost of one multiplication, on top of the part that grows with its length. */
const WORK_PER_STEP = 60
/** Longest modulus for the addon, whose work grows with the square of the length; bigint's grows more slowly. */
const MAX_NATIVE_BYTES = 8192
/** Longest base for the addon: reducing it can't be interrupted. */
const MAX_NATIVE_BASE_BYTES = 1024 * 1024
/** Exponent bytes per call, which recomputes small powers; long moduli take tens of ms for a few bytes. */
const MIN_PART_BYTES = 32
const MIN_PART_BYTES_LONG = 8
const LONG_MODULUS_WORDS = 256
const EXPONENT_ONE = Uint8Array.of(1)

/** Big-endian integers of any length. */
interface ModularPower {
  readonly base: Uint8Array
  readonly exponent: Uint8Array
  readonly modulus: Uint8Array
}

/** As long as the modulus; null when aborted. */
export function modularPower(task: ModularPower, isOver: () => boolean): Uint8Array | null {
  const { base, exponent, modulus } = task
  const isShort = modulus.length <= MAX_NATIVE_BYTES && base.length <= MAX_NATIVE_BASE_BYTES
  const native = isShort ? nativePower() : null
  if (native !== null) return powerInParts(native, task, isOver)
  const by = bigintFromBytes(modulus)
  if (by === 0n) return new Uint8Array(modulus.length)
  const words = Math.ceil(modulus.length / 8)
  const result = power({ base: bigintFromBytes(base) % by, exponent, modulus: by, words }, isOver)
  return result === null ? null : bytesFromBigint(result, modulus.length)
}

/** Processes the exponent in parts of some milliseconds each. Null when aborted. */
function powerInParts(
  native: PowerFunction,
  { base, exponent, modulus }: ModularPower,
  isOver: () => boolean,
): Uint8Array | null {
  const words = Math.ceil(modulus.length / 8)
  const fewest = words > LONG_MODULUS_WORDS ? MIN_PART_BYTES_LONG : MIN_PART_BYTES
  const partBytes = Math.max(fewest, Math.floor(WORK_PER_LOOK / workPerByte(words)))
  const parts = Math.max(1, Math.ceil(exponent.length / partBytes))
  const isReduced = parts === 1 || base.length <= modulus.length
  const factor = isReduced ? base : new Uint8Array(native(base, EXPONENT_ONE, modulus, EMPTY_BYTES))
  let result = EMPTY_BYTES
  for (let part = 0; part < parts; part++) {
    if (part > 0 && isOver()) return null
    const bytes = exponent.subarray(part * partBytes, (part + 1) * partBytes)
    result = new Uint8Array(native(factor, bytes, modulus, result))
  }
  return result
}

/** Units of work per eight exponent bits. @param words 64-bit words of the modulus */
function workPerByte(words: number): number {
  return 10 * (WORK_PER_STEP + 2 * words * words)
}

interface PowerTask {
  /** Below the modulus. */
  readonly base: bigint
  /** Big-endian. */
  readonly exponent: Uint8Array
  readonly modulus: bigint
  /** 64-bit words of the modulus. */
  readonly words: number
}

/** Consumes four exponent bits at a time. Null when aborted. */
function power({ base, exponent, modulus, words }: PowerTask, isOver: () => boolean): bigint | null {
  const powers = [1n % modulus, base]
  const workOfByte = workPerByte(words)
  let work = 0
  let result = 1n % modulus
  let hasBegun = false
  for (const byte of exponent) {
    if (!hasBegun && byte === 0) continue
    work += workOfByte
    if (work >= WORK_PER_LOOK) {
      work = 0
      if (isOver()) return null
    }
    for (const digit of [byte >> 4, byte & 15]) {
      if (hasBegun) {
        result = (result * result) % modulus
        result = (result * result) % modulus
        result = (result * result) % modulus
        result = (result * result) % modulus
      }
      if (digit === 0) continue
      const factor = powerOf(powers, digit, modulus)
      result = hasBegun ? (result * factor) % modulus : factor
      hasBegun = true
    }
  }
  return result
}

/** The base to a power of 0 to 15; `powers` caches earlier results. */
function powerOf(powers: bigint[], digit: number, modulus: bigint): bigint {
  const base = powers[1] ?? 0n
  for (let known = powers.length; known <= digit; known++) powers.push(((powers[known - 1] ?? 0n) * base) % modulus)
  return powers[digit] ?? 0n
}

/** One per worker. */
export class KeptInstance {
  #instance: EngineInstance | null = null

  /** @param maxBytes of its memory, which never shrinks: above this it is replaced before the next query */
  constructor(
    private readonly module: WasmModule,
    private readonly maxBytes: number,
  ) {}

  /** The same one as before, unless it had to be replaced. @throws ExecutionError ENGINE_MODULE */
  living(): EngineInstance {
    const kept = this.#instance
    if (kept !== null && !kept.isDead && kept.memoryBytes <= this.maxBytes) return kept
    this.#instance = new EngineInstance(this.module)
    return this.#instance
  }
}

const DIGEST_BYTES = 32
const SIGNATURE_BYTES = 64
const HASH_BYTES = 32
/** Three pairs of pointer and length. */
const NUMBERS_BYTES = 24
/** 16 words of 8 bytes: BLAKE2b's state, and the message's 16. */
const ROUND_WORDS_BYTES = 256
/** Free memory after growing, at least. */
const GROWTH_BYTES = 16 * 1024 * 1024
/** Room for what the host asks about the running state. */
const LOOK_BYTES = 80
const READ_ABSENT = -1
const READ_FAILED = -2

/** The module's functions; every argument and result is a 32-bit integer or a double. */
interface Exports {
  readonly memory: WasmMemory
  readonly start: () => void
  readonly reserve: (length: number) => number
  readonly release: (pointer: number, length: number) => void
  readonly result_pointer: () => number
  readonly result_length: () => number
  readonly run_precompile: (address: number, pointer: number, length: number, gas: number) => number
  readonly open_block: (pointer: number, length: number) => void
  readonly apply_transactions: (pointer: number, length: number) => number
  readonly finish_block: () => number
  readonly run_call: (pointer: number, length: number) => number
  readonly run_message: (pointer: number, length: number) => number
  readonly look_account: (pointer: number) => number
  readonly look_slot: (pointer: number) => number
  readonly look_code: (pointer: number) => number
  readonly open_stage: (pointer: number, length: number) => void
  readonly advance: (pointer: number, length: number) => number
  readonly trace_transaction: (pointer: number, length: number) => number
  readonly keep_stage: () => void
  /** Keccak-256 of bytes in the module's memory. */
  readonly hash: (bytes: number, length: number, out: number) => undefined
  readonly last_words_pointer: () => number
  readonly last_words_length: () => number
}

const FUNCTIONS = [
  ...(['start', 'reserve', 'release', 'result_pointer', 'result_length', 'run_precompile'] as const),
  ...(['open_block', 'apply_transactions', 'finish_block', 'run_call', 'hash'] as const),
  ...(['run_message', 'open_stage', 'advance', 'trace_transaction', 'keep_stage'] as const),
  ...(['look_account', 'look_slot', 'look_code'] as const),
  ...(['last_words_pointer', 'last_words_length'] as const),
]

/** What a block reads while it is executed. What these throw ends the block, and is thrown by `run`. */
export interface EngineHost {
  /** Undefined only when the key is absent. */
  readonly read: (key: Uint8Array) => Uint8Array | undefined
  /** 32 bytes; null when that ancestor isn't known */
  readonly ancestorHash: (number: bigint) => Uint8Array | null
  readonly isStopped: () => boolean
  /** Takes a part of a trace, ASCII; false ends the run. Absent: nothing is traced. */
  readonly write?: (text: Uint8Array) => boolean
  /** Takes news of a traced message, see told.ts. Absent: nobody wants them. */
  readonly tell?: (kind: number, pointer: number, length: number) => void
}

/** For functions that read no block. */
export const NOTHING_TO_READ: EngineHost = {
  read: () => undefined,
  ancestorHash: () => null,
  isStopped: () => false,
}

/** After a trap an instance is dead: its state is undefined, and its owner creates another. */
export class EngineInstance {
  readonly #exports: Exports
  #host: EngineHost = NOTHING_TO_READ
  /** What the host threw during a call from the module. */
  #thrown: { readonly error: unknown } | null = null
  #isDead = false
  /** Memory size when it was last grown. */
  #roomyBytes = 0
  /** Where the host asks about the running state; 0: it has not asked yet. */
  #scratch = 0

  /** @param keccakRanges null: the module hashes everything itself */
  constructor(
    module: WasmModule,
    private readonly keccakRanges: KeccakRanges | null = nativeKeccakRanges(),
  ) {
    if (typeof WebAssembly === 'undefined')
      throw new ExecutionError('ENGINE_MODULE', { reason: 'WebAssembly is switched off' })
    const host = {
      recover: (pointer: number) => this.#recover(pointer),
      read: (key: number, keyLength: number, out: number, room: number) =>
        this.#asked(READ_FAILED, () => this.#read(this.at(key, keyLength).slice(), this.at(out, room))),
      ancestor: (number: number, out: number) => this.#asked(0, () => this.#ancestor(number, out)),
      write: (text: number, length: number) =>
        this.#asked(0, () => (this.#host.write?.(this.at(text, length).slice()) === true ? 1 : 0)),
      tell: (kind: number, pointer: number, length: number) =>
        this.#asked(0, () => {
          this.#host.tell?.(kind, pointer, length)
          return 1
        }),
      stopped: () => this.#asked(1, () => (this.#host.isStopped() ? 1 : 0)),
      power: (numbers: number, out: number, room: number) =>
        this.#asked(0, () => this.#power(this.at(numbers, NUMBERS_BYTES).slice(), this.at(out, room))),
      rounds: (words: number, tens: number) =>
        this.#asked(0, () => blake2Rounds(this.at(words, ROUND_WORDS_BYTES), tens)),
      sha256: (message: number, length: number, out: number) =>
        this.#asked(0, () => this.#sha256(this.at(message, length), this.at(out, HASH_BYTES))),
      hashes: (messages: number, count: number, out: number) =>
        this.#asked(0, () => this.#hashes(messages, count, out)),
    }
    // The crates import their hash function under this name; the module's own is the fastest.
    const vm_hooks = {
      native_keccak256: (bytes: number, length: number, out: number) => this.#exports.hash(bytes, length, out),
    }
    const { exports } = new WebAssembly.Instance(module, { host, vm_hooks })
    if (!isEngine(exports)) throw new ExecutionError('ENGINE_MODULE', { reason: 'it does not export what is called' })
    this.#exports = exports
    this.#exports.start()
  }

  get isDead(): boolean {
    return this.#isDead
  }

  /** Bytes of the instance's memory, which never shrinks. */
  get memoryBytes(): number {
    return this.#exports.memory.buffer.byteLength
  }

  attach(host: EngineHost | null): void {
    this.#host = host ?? NOTHING_TO_READ
  }

  /** @throws what the host threw; ExecutionError ENGINE_TRAPPED when the module broke, which kills the instance */
  run<T>(body: (engine: Exports) => T): T {
    if (this.#isDead) throw new ExecutionError('ENGINE_TRAPPED', { reason: 'it was used after its end' })
    this.#thrown = null
    const result = this.#guarded(() => body(this.#exports))
    this.#throwKept()
    return result
  }

  /** Grows the memory ahead if it grew since the last call: V8 collects garbage each time, a sixth of an import. */
  makeRoom(): void {
    if (this.memoryBytes === this.#roomyBytes) return
    this.run(({ reserve, release }) => release(reserve(GROWTH_BYTES), GROWTH_BYTES))
    this.#roomyBytes = this.memoryBytes
  }

  /** Copies `bytes` into the module's memory, for a function that takes ownership. */
  put(bytes: Uint8Array): number {
    const pointer = this.#exports.reserve(bytes.length)
    this.at(pointer, bytes.length).set(bytes)
    return pointer
  }

  /** A copy of the last result. */
  result(): Uint8Array {
    return this.at(this.#exports.result_pointer(), this.#exports.result_length()).slice()
  }

  /** What the running message's state has at this moment, see native/engine/src/trace/view.rs. */
  look(what: 'account' | 'slot', bytes: Uint8Array): Uint8Array {
    const { look_account, look_slot } = this.#exports
    return this.#looked(what === 'account' ? look_account : look_slot, bytes).slice()
  }

  /** An account's code at this moment. @param address 20 bytes */
  code(address: Uint8Array): Uint8Array {
    this.#looked(this.#exports.look_code, address)
    return this.result()
  }

  /** @throws what the host threw meanwhile */
  #looked(look: (pointer: number) => number, bytes: Uint8Array): Uint8Array {
    this.#scratch ||= this.#exports.reserve(LOOK_BYTES)
    this.at(this.#scratch, bytes.length).set(bytes)
    const isDone = this.#guarded(() => look(this.#scratch)) === 1
    this.#throwKept()
    if (!isDone) throw new ExecutionError('ENGINE_FAULT', { reason: 'the running state could not be read' })
    return this.at(this.#scratch, LOOK_BYTES)
  }

  #throwKept(): void {
    if (this.#thrown !== null) throw this.#thrown.error
  }

  /** The module's panic message; its memory can still be read. */
  #lastWords(): string | null {
    const { last_words_pointer, last_words_length } = this.#exports
    const length = last_words_length()
    return length === 0 ? null : new TextDecoder().decode(this.at(last_words_pointer(), length))
  }

  #guarded<T>(body: () => T): T {
    try {
      return body()
    } catch (error: unknown) {
      this.#isDead = true
      throw new ExecutionError('ENGINE_TRAPPED', { reason: this.#lastWords() ?? messageOf(error) }, { cause: error })
    }
  }

  /** Valid until the module runs again. A pointer above 2 GiB comes as a negative number. */
  at(pointer: number, length: number): Uint8Array {
    return new Uint8Array(this.#exports.memory.buffer, pointer >>> 0, length >>> 0)
  }

  /** No exception may unwind through the module: it is kept, and thrown once the module, told to stop, has returned. */
  #asked(failed: number, answer: () => number): number {
    if (this.#thrown !== null) return failed
    try {
      return answer()
    } catch (error: unknown) {
      this.#thrown = { error }
      return failed
    }
  }

  #read(key: Uint8Array, out: Uint8Array): number {
    const value = this.#host.read(key)
    if (value === undefined) return READ_ABSENT
    if (value.length <= out.length) out.set(value)
    return value.length
  }

  #ancestor(number: number, out: number): number {
    const hash = this.#host.ancestorHash(BigInt(number))
    if (hash === null) throw new RangeError(`ancestor ${number} is not known`)
    this.at(out, HASH_BYTES).set(hash)
    return 1
  }

  /** The pointers and lengths of base, exponent and modulus are at `numbers`. Returns 0 when stopped. */
  #power(numbers: Uint8Array, out: Uint8Array): number {
    const words = new DataView(numbers.buffer)
    const bytes = (index: number): Uint8Array =>
      this.at(words.getUint32(8 * index, true), words.getUint32(8 * index + 4, true))
    const power = { base: bytes(0), exponent: bytes(1), modulus: bytes(2) }
    const result = modularPower(power, () => this.#host.isStopped())
    if (result === null) return 0
    out.set(result, out.length - result.length)
    return 1
  }

  /** In the module's memory, into it. Returns 0 without the addon's function: the module then hashes itself. */
  #hashes(messages: number, count: number, out: number): number {
    if (this.keccakRanges === null) return 0
    const memory = new Uint8Array(this.#exports.memory.buffer)
    this.keccakRanges(memory, messages >>> 0, count >>> 0, out >>> 0)
    return 1
  }

  /** Node's own, which uses the processor's instructions for it. */
  #sha256(message: Uint8Array, out: Uint8Array): number {
    // A text of one byte a character takes a third of the time of a buffer.
    Buffer.from(out.buffer, out.byteOffset, out.length).write(hash('sha256', message, 'binary'), 'latin1')
    return 1
  }

  /** Digest, signature and parity are at `pointer`; the signer's key overwrites them. Returns 0 when no key matches. */
  #recover(pointer: number): number {
    const bytes = this.at(pointer, DIGEST_BYTES + SIGNATURE_BYTES + 1)
    const signature = bytes.slice(DIGEST_BYTES, DIGEST_BYTES + SIGNATURE_BYTES)
    const parity = bytes[DIGEST_BYTES + SIGNATURE_BYTES] ?? 0
    const key = secp256k1().recoverKey(bytes.slice(0, DIGEST_BYTES), signature, parity)
    if (key === null) return 0
    bytes.set(key)
    return 1
  }
}

/** Returns 0 when the addon has no such function: the module then computes the rounds itself. */
function blake2Rounds(words: Uint8Array, tens: number): number {
  const rounds = nativeBlake2Rounds()
  if (rounds === null) return 0
  rounds(words, tens)
  return 1
}

function isEngine(exports: object): exports is Exports {
  return 'memory' in exports && FUNCTIONS.every((name) => typeof Reflect.get(exports, name) === 'function')
}
