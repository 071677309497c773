// What is known about a method: its signature, and how to read its arguments.
import { parseSignature } from '../abi/signature'
import type { LowerAddress } from '../address'
import type { Effect } from './effect'
import type { Words } from './words'

/** A call while it is being read. */
export interface CallReading {
  /** After the selector. */
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
