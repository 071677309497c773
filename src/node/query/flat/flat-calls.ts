// Every call of a transaction as a list in the order in which they began, each with its place in the tree.
// Source: OpenEthereum's trace module as Erigon documents it (which calls count)
import type { CallEnd, CallStart, Tracer } from '../evm/tracer'
import type { Message, MessageResult } from '../evm/transition'

/** One call, creation or destruction. Addresses are 160-bit bigints. */
export interface FlatCall {
  readonly kind: CallStart['kind']
  readonly from: bigint
  readonly to: bigint
  readonly input: Uint8Array
  readonly gas: number
  /** Of a DELEGATECALL that of the call around it. */
  readonly value: bigint
  /** Indexes from the transaction's own call, which has none, down to this one. */
  readonly path: readonly number[]
  readonly parent: FlatCall | null
  /** Calls directly within it. */
  subtraces: number
  end: CallEnd
}

/** It failed, or a call around it did. */
export function isUndone(call: FlatCall): boolean {
  for (let one: FlatCall | null = call; one !== null; one = one.parent) if (one.end.error !== null) return true
  return false
}

const UNFINISHED: CallEnd = { output: new Uint8Array(0), gasUsed: 0, error: null }
/** Held for one transaction, in bytes. */
const MAX_HELD = 64 * 1024 * 1024
/** What an entry takes beside its bytes. */
const ENTRY = 400
const PATH_ITEM = 8

/** Leaves out calls of built-in contracts that move nothing. Holds no more than `MAX_HELD`. */
export class FlatCallTracer implements Tracer {
  readonly calls: FlatCall[] = []
  /** Who may have changed: both ends of every call. */
  readonly parties = new Set<bigint>()
  /** Calls under way; null = one that is left out. */
  readonly #open: (FlatCall | null)[] = []
  #held = 0

  constructor(private readonly isPrecompile: (address: bigint) => boolean) {}

  /** It holds as much as it may: what came later is missing. */
  get isFull(): boolean {
    return this.#held > MAX_HELD
  }

  begin(call: CallStart): void {
    this.#start(call, null, call.value ?? 0n)
  }

  end(end: CallEnd): void {
    this.#finish(end)
  }

  enter(call: CallStart): void {
    const parent = this.#open.at(-1) ?? null
    const value = call.value ?? (call.kind === 'DELEGATECALL' ? (parent?.value ?? 0n) : 0n)
    const isSilent = this.isPrecompile(call.to) && (call.value ?? 0n) === 0n && call.kind !== 'SELFDESTRUCT'
    this.#start(call, isSilent ? undefined : parent, value)
  }

  exit(end: CallEnd): void {
    this.#finish(end)
  }

  /** A transaction that failed before its own call began has that call all the same. */
  settle({ from, to, data, value }: Message, { error, output }: MessageResult): void {
    if (this.calls.length > 0 || this.isFull) return
    const kind = to === null ? 'CREATE' : 'CALL'
    this.#start({ kind, from, to: to ?? 0n, input: data, gas: 0, value }, null, value)
    this.#finish({ error, output, gasUsed: 0 })
  }

  /** @param parent undefined: it is left out */
  #start(call: CallStart, parent: FlatCall | null | undefined, value: bigint): void {
    const { kind, from, to, input, gas } = call
    this.parties.add(from).add(to)
    if (parent === undefined || this.isFull) return void this.#open.push(null)
    const path = parent === null ? [] : [...parent.path, parent.subtraces]
    this.#held += ENTRY + input.length + PATH_ITEM * path.length
    const own = input.slice() // its memory goes on changing
    const flat = { kind, from, to, input: own, gas, value, path, parent, subtraces: 0, end: UNFINISHED }
    if (parent !== null) parent.subtraces++
    this.calls.push(flat)
    this.#open.push(flat)
  }

  #finish({ output, gasUsed, error }: CallEnd): void {
    const call = this.#open.pop() ?? null
    if (call === null) return
    this.#held += output.length
    call.end = { output: this.isFull ? UNFINISHED.output : output, gasUsed, error }
  }
}
