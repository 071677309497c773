// What the engine knows of a method: its signature, and how its arguments are read.
import { parseSignature } from '../abi/signature'
import type { LowerAddress } from '../address'
import type { Effect } from './effect'
import type { Words } from './words'

/** A call as it is being read. */
export interface CallReading {
  /** Behind the selector. */
  readonly args: Words
  /** The contract that is called; null inside data that does not tell. */
  readonly contract: LowerAddress | null
  /** Who makes this call; null = the account that signs. */
  readonly sender: LowerAddress | null
  /** False once no more is kept: loops end. */
  readonly hasRoom: () => boolean
  /** Members that are left out: this contract, this sender, no end. */
  readonly add: (effect: Pick<Effect, 'kind'> & Partial<Effect>) => void
  /** A call that this one makes. @param contract null = not told */
  readonly inner: (data: Uint8Array, contract: LowerAddress | null, sender: LowerAddress | null) => void
}

export interface MethodMeaning {
  /** Canonical; its selector is what it is found by. */
  readonly signature: string
  readonly read: (call: CallReading) => void
}

export function method(signature: string, read: MethodMeaning['read']): MethodMeaning {
  return { signature, read }
}

/** By the selector as a number, big-endian. */
export function bySelector(methods: readonly MethodMeaning[]): ReadonlyMap<number, MethodMeaning> {
  return new Map(methods.map((each) => [selectorNumber(parseSignature(each.signature).selector, 0), each]))
}

/** Four bytes as a number; bytes behind the end count as zeros. */
export function selectorNumber(data: Uint8Array, at: number): number {
  return (
    (((data[at] ?? 0) << 24) | ((data[at + 1] ?? 0) << 16) | ((data[at + 2] ?? 0) << 8) | (data[at + 3] ?? 0)) >>> 0
  )
}
