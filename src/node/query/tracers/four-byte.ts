// Counts called selectors, with the length of the data that follows.
import { toHex } from '../../../base/hex'
import type { MessageResult } from '../../execution/message'
import type { CallStart } from '../../execution/tracer'
import { type JsonTracer, MAX_HELD_BYTES } from './json-tracer'

const CALLS: ReadonlySet<string> = new Set(['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'])
const SELECTOR = 4
/** Memory of a selector and its count. */
const ENTRY_BYTES = 100

/** The reference's `4byteTracer`: `0x<selector>-<length>` to a count. */
export class FourByteTracer implements JsonTracer {
  readonly #counts = new Map<string, number>()

  /** @param maxHeldBytes memory limit after which it stops counting */
  constructor(
    private readonly isPrecompile: (address: bigint) => boolean,
    private readonly maxHeldBytes = MAX_HELD_BYTES,
  ) {}

  get isFull(): boolean {
    return this.#counts.size * ENTRY_BYTES > this.maxHeldBytes
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
    if (input.length < SELECTOR || this.isFull) return
    const name = `${toHex(input.subarray(0, SELECTOR))}-${input.length - SELECTOR}`
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
  }
}
