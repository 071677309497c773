// Contract code, analyzed once: valid jump targets and PUSH constants. Cached by code hash.
import { toBareHex } from '../../../../src/base/hex'
import { readWord } from './word'

const JUMPDEST = 0x5b
const PUSH1 = 0x60
const PUSH32 = 0x7f
const WORD_BYTES = 32
/** Constants are stored in pages of this many positions. */
const PAGE_BITS = 8
const PAGE = 2 ** PAGE_BITS

/** Code, analyzed when it is first run. Bytes past its end read as STOP. */
export class Code {
  /** By position; an array rather than a map, since contracts choose the positions. */
  readonly #pushes: (bigint | undefined)[][] = []
  #view: DataView | null = null
  #jumps: Uint8Array | null = null

  constructor(readonly bytes: Uint8Array) {}

  /** True for a JUMPDEST that isn't PUSH data. */
  mayJumpTo(at: bigint): boolean {
    if (at >= BigInt(this.bytes.length)) return false
    this.#jumps ??= jumpMap(this.bytes)
    return this.#jumps[Number(at)] === 1
  }

  /** The constant of the `length`-byte PUSH at `pc`; past the end of the code it is zero-filled. */
  push(pc: number, length: number): bigint {
    const known = this.#pushes[pc >> PAGE_BITS]?.[pc % PAGE]
    if (known !== undefined) return known
    const value = this.#constant(pc + 1, length)
    const page = this.#pushes[pc >> PAGE_BITS] ?? new Array<bigint | undefined>(PAGE)
    page[pc % PAGE] = value
    this.#pushes[pc >> PAGE_BITS] = page
    return value
  }

  #constant(at: number, length: number): bigint {
    const { bytes } = this
    const isInside = at + WORD_BYTES <= bytes.length
    this.#view ??= new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const word = isInside ? readWord(this.#view, at) : readWord(paddedView(bytes.subarray(at)), 0)
    return word >> BigInt(8 * (WORD_BYTES - length))
  }
}

export const NO_CODE = new Code(new Uint8Array(0))

function paddedView(bytes: Uint8Array): DataView {
  const padded = new Uint8Array(WORD_BYTES)
  padded.set(bytes)
  return new DataView(padded.buffer)
}

function jumpMap(code: Uint8Array): Uint8Array {
  const map = new Uint8Array(code.length)
  for (let pc = 0; pc < code.length; pc++) {
    const op = code[pc] ?? 0
    if (op === JUMPDEST) map[pc] = 1
    else if (op >= PUSH1 && op <= PUSH32) pc += op - PUSH1 + 1
  }
  return map
}

/** Overhead of an entry beyond its bytes. */
const ENTRY_BYTES = 1_000

/** The most recently used code, up to a number of bytes. */
export class CodeCache {
  readonly #codes = new Map<string, Code>()
  #bytes = 0

  constructor(private readonly maxBytes = 16 * 1024 * 1024) {}

  /** @param read called when the code isn't cached */
  get(hash: Uint8Array, read: (hash: Uint8Array) => Uint8Array): Code {
    const name = toBareHex(hash)
    const known = this.#codes.get(name)
    if (known !== undefined) return known
    const code = new Code(read(hash))
    const bytes = code.bytes.length + ENTRY_BYTES
    if (this.#bytes + bytes > this.maxBytes) {
      this.#codes.clear()
      this.#bytes = 0
    }
    this.#codes.set(name, code)
    this.#bytes += bytes
    return code
  }
}
