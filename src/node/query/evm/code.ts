// Programs, looked through once: where jumps may land, and the constants that they push. Kept by code hash.
import { toBareHex } from '../../../base/hex'
import { wordOfBytes } from './word'

const JUMPDEST = 0x5b
const PUSH1 = 0x60
const PUSH32 = 0x7f

export class Code {
  readonly #pushes = new Map<number, bigint>()
  #jumps: Uint8Array | null = null

  /** @param hash 32 bytes */
  constructor(
    readonly bytes: Uint8Array,
    readonly hash: Uint8Array,
  ) {}

  /** True where a JUMPDEST stands that is no data of a PUSH. */
  mayJumpTo(at: bigint): boolean {
    if (at >= BigInt(this.bytes.length)) return false
    this.#jumps ??= jumpMap(this.bytes)
    return this.#jumps[Number(at)] === 1
  }

  /** The constant of the PUSH at `pc` with `length` bytes; behind the end of the code stand zeros. */
  push(pc: number, length: number): bigint {
    const known = this.#pushes.get(pc)
    if (known !== undefined) return known
    const part = this.bytes.subarray(pc + 1, pc + 1 + length)
    const value = wordOfBytes(part) << BigInt(8 * (length - part.length))
    this.#pushes.set(pc, value)
    return value
  }
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

/** The last used programs, at most so many bytes of code. */
export class CodeCache {
  readonly #codes = new Map<string, Code>()
  #bytes = 0

  constructor(private readonly mostBytes = 16 * 1024 * 1024) {}

  /** @param read asked when the code is not here */
  get(hash: Uint8Array, read: (hash: Uint8Array) => Uint8Array): Code {
    const name = toBareHex(hash)
    const known = this.#codes.get(name)
    if (known !== undefined) return known
    const code = new Code(read(hash), hash)
    if (this.#bytes + code.bytes.length > this.mostBytes) {
      this.#codes.clear()
      this.#bytes = 0
    }
    this.#codes.set(name, code)
    this.#bytes += code.bytes.length
    return code
  }
}
