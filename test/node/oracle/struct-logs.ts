// The default trace: one entry per instruction, written while the transaction runs.
import { toBareHex } from '../../../src/base/hex'
import type { MessageResult } from '../../../src/node/execution/message'
import type { Frame, StateView, Step } from '../../../src/node/execution/tracer'
import type { TraceOptions } from '../../../src/node/query/query-wire'
import type { JsonTracer } from '../../../src/node/query/tracers/call-tracer'

const SLOAD = 0x54
const SSTORE = 0x55
const WORD = 32

/** Columns of an entry, and the maximum number of entries. */
type StructOptions = Pick<TraceOptions, 'memory' | 'stack' | 'storage' | 'limit'>

/** Writes each entry immediately, so memory doesn't grow with the length of the trace. */
export class StructLogTracer implements JsonTracer {
  readonly #options: StructOptions
  readonly #write: (text: string) => void
  /** Slots accessed so far, by contract. */
  readonly #storage = new Map<bigint, Map<bigint, bigint>>()
  #entries = 0

  constructor(options: StructOptions, write: (text: string) => void) {
    this.#options = options
    this.#write = write
    write('{"structLogs":[')
  }

  step({ frame, op, name, gas, cost, refund, error }: Step, state: StateView): void {
    const { limit, stack, memory, storage } = this.#options
    if (limit !== 0 && this.#entries >= limit) return
    let text = this.#entries++ === 0 ? '{"pc":' : ',{"pc":'
    text += `${frame.pc},"op":"${name}","gas":${gas},"gasCost":${cost},"depth":${frame.depth},"error":`
    text += error === null ? 'null' : JSON.stringify(error)
    if (stack) text += `,"stack":[${stackText(frame)}]`
    if (memory) text += `,"memory":[${memoryText(frame)}]`
    if (storage && (op === SLOAD || op === SSTORE)) text += this.#storageText(frame, op, state)
    if (refund !== 0) text += `,"refund":${refund}`
    this.#write(`${text}}`)
  }

  finish({ gasUsed, error, isRevert, output }: MessageResult, write: (text: string) => void): void {
    const value = error === null || isRevert ? toBareHex(output) : ''
    write(`],"gas":${gasUsed},"failed":${error !== null},"returnValue":"${value}"}`)
  }

  #storageText(frame: Frame, op: number, state: StateView): string {
    const depth = frame.height
    if (depth < (op === SLOAD ? 1 : 2)) return ''
    const slots = this.#storage.get(frame.address) ?? new Map<bigint, bigint>()
    this.#storage.set(frame.address, slots)
    const key = frame.peek(0)
    slots.set(key, op === SLOAD ? state.slot(frame.address, key) : frame.peek(1))
    const items = [...slots].map(([slot, value]) => `"${word(slot)}":"${word(value)}"`)
    return `,"storage":{${items.join(',')}}`
  }
}

function stackText(frame: Frame): string {
  const words = Array.from({ length: frame.height }, (_, depth) => `"${word(frame.peek(depth))}"`)
  return words.reverse().join(',')
}

function word(value: bigint): string {
  return value.toString(16).padStart(2 * WORD, '0')
}

function memoryText(frame: Frame): string {
  if (frame.memorySize === 0) return ''
  const bytes = frame.memory(0, frame.memorySize)
  const digits = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
  const items: string[] = []
  for (let at = 0; at < digits.length; at += 2 * WORD) items.push(`"${digits.slice(at, at + 2 * WORD)}"`)
  return items.join(',')
}
