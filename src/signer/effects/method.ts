// What is known about a method: its signature, and how to read its arguments.
import { bigintFromBytes } from '../../base/bytes'
import { type LowerAddress, toHex } from '../../base/hex'
import { parseSignature } from '../abi/signature'
import type { Effect } from './effect'

/** A call while it is being read. */
export interface CallReading {
  readonly args: Words
  /** The called contract; null in data that doesn't say. */
  readonly contract: LowerAddress | null
  /** The caller of this call; null = the signing account. */
  readonly sender: LowerAddress | null
  /** Call it once per element of a list: it counts the work. False once the limit is reached: loops end. */
  readonly hasRoom: () => boolean
  /** Defaults: this contract, this sender, no expiry. */
  readonly add: (effect: Pick<Effect, 'kind'> & Partial<Effect>) => void
  /** Its yield stays in this contract: whoever comes next may take it, unless a later call of the request does. */
  readonly keep: (token: LowerAddress | null) => void
  /** What this contract keeps of a token goes on. @param token null = one that isn't known */
  readonly take: (token: LowerAddress | null) => void
  /** Part of the call isn't understood. @param reason completes "Not understood: ..." */
  readonly note: (reason: string) => void
  /** A nested call; with value, also what it pays. @param contract null = unknown */
  readonly inner: (data: Uint8Array, contract: LowerAddress | null, sender: LowerAddress | null, wei?: bigint) => void
}

export interface MethodMeaning {
  /** Canonical; identifies the method by its selector. */
  readonly signature: string
  readonly read: (call: CallReading) => void
}

export function method(signature: string, read: MethodMeaning['read']): MethodMeaning {
  return { signature, read }
}

/** Methods by their selectors. These are hashed when the first call is read, so that no start waits for them. */
export class MethodTable {
  #known: ReadonlyMap<number, MethodMeaning> | null = null
  /** By the first two bytes of selectors. */
  #begins: Uint8Array | null = null

  constructor(private readonly methods: readonly MethodMeaning[]) {}

  /** @param selector a big-endian number */
  get(selector: number): MethodMeaning | undefined {
    return this.#table().get(selector)
  }

  /** One for each first two bytes of a selector, else 0: rules out most offsets of long data quickly. */
  get begins(): Uint8Array {
    this.#begins ??= marked([...this.#table().keys()])
    return this.#begins
  }

  #table(): ReadonlyMap<number, MethodMeaning> {
    this.#known ??= new Map(
      this.methods.map((each) => [selectorNumber(parseSignature(each.signature).selector, 0), each]),
    )
    return this.#known
  }
}

function marked(selectors: readonly number[]): Uint8Array {
  const begins = new Uint8Array(0x1_0000)
  for (const selector of selectors) begins[selector >>> 16] = 1
  return begins
}

/** Four bytes as a number; bytes past the end count as zeros. */
export function selectorNumber(data: Uint8Array, at: number): number {
  return (
    (((data[at] ?? 0) << 24) | ((data[at + 1] ?? 0) << 16) | ((data[at + 2] ?? 0) << 8) | (data[at + 3] ?? 0)) >>> 0
  )
}

const WORD = 32
const ADDRESS = 20

/**
 * ABI-encoded words from hostile bytes, read like the most lenient contract would: missing bytes are zeros, dirty upper
 * bits are masked, trailing bytes are ignored. Never throws.
 */
export class Words {
  readonly #data: Uint8Array
  readonly #base: number

  /** @param data bounds of offsets @param base origin of heads and offsets */
  constructor(data: Uint8Array, base = 0) {
    this.#data = data
    this.#base = base
  }

  number(index: number): bigint {
    return bigintFromBytes(this.#word(index))
  }

  address(index: number): LowerAddress {
    return toHex(this.#word(index).subarray(WORD - ADDRESS))
  }

  /** Any bit set counts. */
  isSet(index: number): boolean {
    return this.number(index) !== 0n
  }

  /** Behind the offset at `index`: `bytes`, or a string. Truncated at the end of the data. */
  bytes(index: number): Uint8Array {
    const at = this.#target(index)
    if (at === null) return new Uint8Array(0)
    const length = new Words(this.#data, at).#length(0)
    return this.#data.subarray(at + WORD, at + WORD + length)
  }

  /** The bytes behind the offset at `index`, as words. */
  wordsOf(index: number): Words {
    return new Words(this.bytes(index))
  }

  /** A dynamic tuple, behind the offset at `index`. */
  tuple(index: number): Words {
    return new Words(this.#data, this.#target(index) ?? this.#data.length)
  }

  /** A static tuple at `index` itself. */
  from(index: number): Words {
    return new Words(this.#data, this.#base + index * WORD)
  }

  /** An array behind the offset at `index`: where its heads are, and their number, as far as the data can hold it. */
  list(index: number): { readonly count: number; readonly items: Words } {
    const at = this.#target(index)
    if (at === null) return { count: 0, items: new Words(this.#data, this.#data.length) }
    const room = Math.ceil(Math.max(0, this.#data.length - at - WORD) / WORD)
    const count = Math.min(new Words(this.#data, at).#length(0), room)
    return { count, items: new Words(this.#data, at + WORD) }
  }

  /** Target of the offset at `index`; null past the data. */
  #target(index: number): number | null {
    // An offset wraps around in contracts of older compilers, so it can point backwards.
    const at = BigInt.asUintN(256, BigInt(this.#base) + this.number(index))
    return at < BigInt(this.#data.length) ? Number(at) : null
  }

  /** Capped by the available bytes. */
  #length(index: number): number {
    const length = this.number(index)
    return length > BigInt(this.#data.length) ? this.#data.length : Number(length)
  }

  #word(index: number): Uint8Array {
    const start = this.#base + index * WORD
    const found = this.#data.subarray(Math.min(start, this.#data.length), start + WORD)
    if (found.length === WORD) return found
    const padded = new Uint8Array(WORD)
    padded.set(found)
    return padded
  }
}
