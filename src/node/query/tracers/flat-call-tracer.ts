// The calls of a transaction as one list. Source: go-ethereum eth/tracers/native/call_flat.go (members and errors)
import { toHex } from '../../../base/hex'
import type { Message, MessageResult } from '../../execution/message'
import type { CallEnd, CallStart } from '../../execution/tracer'
import { type FlatCall, FlatCallTracer } from '../flat/flat-calls'
import { flatView } from '../flat/flat-text'
import type { ScriptSubject } from '../scripts/script-runner'
import type { JsonTracer } from './json-tracer'

/** What the list contains, and how errors read. */
interface FlatCallOptions {
  /** Errors in the words of OpenEthereum. */
  readonly convertParityErrors: boolean
  /** Calls of precompiles, too. */
  readonly includePrecompiles: boolean
}

/** go-ethereum's `flatCallTracer`. */
export class FlatCallJsonTracer implements JsonTracer {
  readonly #calls: FlatCallTracer

  constructor(
    private readonly options: FlatCallOptions,
    private readonly subject: Pick<ScriptSubject, 'place' | 'blockNumber' | 'isPrecompile'> & {
      readonly message: Message
    },
  ) {
    const isOmitted = ({ kind, to }: CallStart): boolean =>
      !options.includePrecompiles && (kind === 'CALL' || kind === 'STATICCALL') && subject.isPrecompile(to)
    this.#calls = new FlatCallTracer(isOmitted)
  }

  get isFull(): boolean {
    return this.#calls.isFull
  }

  begin(call: CallStart): void {
    this.#calls.begin(call)
  }

  end(end: CallEnd): void {
    this.#calls.end(end)
  }

  enter(call: CallStart): void {
    this.#calls.enter(call)
  }

  exit(end: CallEnd): void {
    this.#calls.exit(end)
  }

  finish(result: MessageResult, write: (text: string) => void): void {
    this.#calls.settle(this.subject.message, result)
    let before = '['
    for (const call of this.#calls.calls) {
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
