// The call tree. Source: go-ethereum 1.10 prl/tracers/native/call.go (which members appear when)
import { toHex } from '../../../base/hex'
import { toQuantity } from '../../../base/quantity'
import type { CallEnd, CallStart } from '../evm/tracer'
import type { MessageResult } from '../evm/transition'
import { addressBytes } from '../evm/word'
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
}

const CREATIONS: ReadonlySet<string> = new Set(['CREATE', 'CREATE2'])

/** Overhead of a call beyond its bytes. */
const ENTRY_BYTES = 600

/** The reference's `callTracer`: one object per call, nested in `calls`. */
export class CallTracer implements JsonTracer {
  readonly #open: CallView[] = []
  #top: CallView = { type: '', from: '', gas: '', gasUsed: '', input: '' }
  #held = 0

  get isFull(): boolean {
    return this.#held > MAX_HELD_BYTES
  }

  begin(call: CallStart): void {
    this.#top = this.#viewOf(call)
    this.#open.push(this.#top)
  }

  end({ output, gasUsed, error }: CallEnd): void {
    const top = this.#top
    top.gasUsed = toQuantity(gasUsed)
    if (error !== null) top.error = error
    if (error === null || (error === 'execution reverted' && output.length > 0)) top.output = toHex(output)
  }

  enter(call: CallStart): void {
    if (!this.isFull) this.#open.push(this.#viewOf(call))
  }

  exit({ output, gasUsed, error }: CallEnd): void {
    if (this.isFull) return // the trace fails: nesting no longer matters
    const call = this.#open.pop()
    const parent = this.#open[this.#open.length - 1]
    if (call === undefined || parent === undefined) return
    call.gasUsed = toQuantity(gasUsed)
    if (error === null) {
      this.#held += output.length
      call.output = toHex(output)
    } else {
      call.error = error
      if (CREATIONS.has(call.type)) delete call.to
    }
    parent.calls ??= []
    parent.calls.push(call)
  }

  finish(_result: MessageResult, write: (text: string) => void): void {
    write(JSON.stringify(this.#top))
  }

  #viewOf(call: CallStart): CallView {
    this.#held += ENTRY_BYTES + call.input.length
    return viewOf(call)
  }
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
