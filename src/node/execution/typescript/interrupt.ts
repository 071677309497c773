// Reaches into a transaction while it runs: gives the thread's other messages a turn, and ends the transaction when asked to. The EVM
// library has no way of its own. Every loop of a program jumps, so the jump instructions look around now and then.
import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import type { EVM } from '@ethereumjs/evm'

const JUMP_OPCODES = [0x56, 0x57] as const
/** Jumps between two looks: under 2 ms of any program. */
const JUMPS_PER_LOOK = 1024
const TURN_MS = 20

/** Thrown out of the EVM; what the transaction did must be taken back. */
export class Interrupted extends Error {
  constructor() {
    super('transaction was interrupted')
  }
}

type Handler = (...given: readonly unknown[]) => unknown

/** An instruction as the library's table holds it; it waits for a handler only where `isAsync` says so. */
interface Entry {
  readonly opcodeInfo: { isAsync: boolean }
  readonly opHandler: Handler
}

export class Interrupt {
  readonly #infos: { isAsync: boolean }[] = []
  #stopped: (() => boolean) | null = null
  #jumps = 0
  #turnAt = 0

  /** Runs `body`; transactions in it throw Interrupted once `stopped` says so. */
  async during<T>(stopped: (() => boolean) | undefined, body: () => Promise<T>): Promise<T> {
    this.#stopped = stopped ?? null
    try {
      return await body()
    } finally {
      this.#stopped = null
    }
  }

  /** Makes the jumps of `evm` look around. @throws RangeError when the library has changed its table of instructions */
  watch(evm: EVM): void {
    const table: unknown = Reflect.get(evm, '_opcodeMap')
    if (!Array.isArray(table)) throw new RangeError('the EVM has no table of instructions')
    for (const opcode of JUMP_OPCODES) {
      const entry: unknown = table[opcode]
      if (!isEntry(entry)) throw new RangeError(`the EVM has no instruction ${opcode}`)
      const opcodeInfo = Object.assign(Object.create(Object.getPrototypeOf(entry.opcodeInfo)), entry.opcodeInfo)
      this.#infos.push(opcodeInfo)
      table[opcode] = { ...entry, opcodeInfo, opHandler: this.#looking(opcodeInfo, entry.opHandler) }
    }
  }

  #looking(info: { readonly isAsync: boolean }, handler: Handler): Handler {
    return (...given) => {
      if (info.isAsync) return this.#turn(handler, given)
      this.#jumps = (this.#jumps + 1) % JUMPS_PER_LOOK
      if (this.#jumps === 0) this.#look()
      return Reflect.apply(handler, null, given)
    }
  }

  #look(): void {
    if (this.#stopped?.() === true) throw new Interrupted()
    if (performance.now() - this.#turnAt > TURN_MS) this.#nextJumpWaits(true)
  }

  async #turn(handler: Handler, given: readonly unknown[]): Promise<unknown> {
    this.#nextJumpWaits(false)
    await setImmediate()
    this.#turnAt = performance.now()
    if (this.#stopped?.() === true) throw new Interrupted()
    return Reflect.apply(handler, null, given)
  }

  #nextJumpWaits(waits: boolean): void {
    for (const info of this.#infos) info.isAsync = waits
  }
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false
  const info: unknown = Reflect.get(value, 'opcodeInfo')
  return typeof info === 'object' && info !== null && typeof Reflect.get(value, 'opHandler') === 'function'
}
