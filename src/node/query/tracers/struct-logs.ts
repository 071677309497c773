// The default trace: one entry per instruction, written while the transaction runs.
import { toBareHex } from '../../../base/hex'
import type { Frame } from '../../execution/interpreter/frame'
import type { Step } from '../../execution/interpreter/tracer'
import type { MessageResult } from '../../execution/interpreter/transition'
import type { World } from '../../execution/interpreter/world'
import type { TraceOptions } from '../query-wire'
import type { JsonTracer } from './json-tracer'

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
  /** Texts of each depth's stack, which mostly stay the same from step to step. */
  readonly #stacks: StackTexts[] = []
  #entries = 0

  constructor(options: StructOptions, write: (text: string) => void) {
    this.#options = options
    this.#write = write
    write('{"structLogs":[')
  }

  step({ frame, op, name, gas, cost, error }: Step, world: World): void {
    const { limit, stack, memory, storage } = this.#options
    if (limit !== 0 && this.#entries >= limit) return
    let text = this.#entries++ === 0 ? '{"pc":' : ',{"pc":'
    text += `${frame.pc},"op":"${name}","gas":${gas},"gasCost":${cost},"depth":${frame.depth},"error":`
    text += error === null ? 'null' : JSON.stringify(error)
    if (stack) text += `,"stack":[${this.#stackText(frame)}]`
    if (memory) text += `,"memory":[${memoryText(frame)}]`
    if (storage && (op === SLOAD || op === SSTORE)) text += this.#storageText(frame, op, world)
    if (world.refund !== 0) text += `,"refund":${world.refund}`
    this.#write(`${text}}`)
  }

  finish({ gasUsed, error, isRevert, output }: MessageResult, write: (text: string) => void): void {
    const value = error === null || isRevert ? toBareHex(output) : ''
    write(`],"gas":${gasUsed},"failed":${error !== null},"returnValue":"${value}"}`)
  }

  #stackText(frame: Frame): string {
    const known = this.#stacks[frame.depth]
    const texts = known?.frame === frame ? known : { frame, values: [], items: [] }
    this.#stacks[frame.depth] = texts
    const { values, items } = texts
    const { stack } = frame
    for (let i = 0; i < stack.length; i++) {
      const value = stack[i] ?? 0n
      if (values[i] === value) continue
      values[i] = value
      items[i] = `"${word(value)}"`
    }
    values.length = stack.length
    items.length = stack.length
    return items.join(',')
  }

  #storageText(frame: Frame, op: number, world: World): string {
    const depth = frame.stack.length
    if (depth < (op === SLOAD ? 1 : 2)) return ''
    const slots = this.#storage.get(frame.address) ?? new Map<bigint, bigint>()
    this.#storage.set(frame.address, slots)
    const key = frame.peek(0)
    slots.set(key, op === SLOAD ? world.slot(frame.address, key) : frame.peek(1))
    const items = [...slots].map(([slot, value]) => `"${word(slot)}":"${word(value)}"`)
    return `,"storage":{${items.join(',')}}`
  }
}

interface StackTexts {
  readonly frame: Frame
  readonly values: bigint[]
  readonly items: string[]
}

function word(value: bigint): string {
  return value.toString(16).padStart(2 * WORD, '0')
}

function memoryText({ memory }: Frame): string {
  if (memory.size === 0) return ''
  const bytes = memory.view(0, memory.size)
  const digits = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
  const items: string[] = []
  for (let at = 0; at < digits.length; at += 2 * WORD) items.push(`"${digits.slice(at, at + 2 * WORD)}"`)
  return items.join(',')
}
