// Collects the accounts and slots that a call accesses. Source: EIP-2930

import { bigintFromBytes } from '../../../base/bytes'
import type { Step, Tracer } from '../../execution/tracer'
import { ADDRESS_MASK, addressBytes, bytesOfWord } from '../../execution/word'
import type { AccessListEntry } from '../../model/transaction'
import { ACCOUNT_OPS, CALL_OPS } from './touching-operations'

const STORAGE_OPS: ReadonlySet<string> = new Set(['SLOAD', 'SSTORE'])

/** For eth_createAccessList: accounts and slots in order of first access. */
export class AccessListTracer implements Tracer {
  readonly isSparse = true
  readonly #slots = new Map<bigint, Set<bigint>>()

  /** @param isLeftOut accounts that are always warm; their slots still count */
  constructor(
    known: readonly AccessListEntry[],
    private readonly isLeftOut: (address: bigint) => boolean,
  ) {
    for (const { address, storageKeys } of known) {
      const owner = bigintFromBytes(address)
      this.#addAddress(owner)
      for (const key of storageKeys) this.#slotsOf(owner).add(bigintFromBytes(key))
    }
  }

  step({ frame, name }: Step): void {
    const depth = frame.height
    if (STORAGE_OPS.has(name) && depth >= 1) this.#slotsOf(frame.address).add(frame.peek(0))
    else if (ACCOUNT_OPS.has(name) && depth >= 1) this.#addAddress(frame.peek(0) & ADDRESS_MASK)
    else if (CALL_OPS.has(name) && depth >= 5) this.#addAddress(frame.peek(1) & ADDRESS_MASK)
  }

  list(): { address: Uint8Array; storageKeys: Uint8Array[] }[] {
    return [...this.#slots].map(([address, keys]) => ({
      address: addressBytes(address),
      storageKeys: [...keys].map((key) => bytesOfWord(key)),
    }))
  }

  equals(other: AccessListTracer): boolean {
    if (this.#slots.size !== other.#slots.size) return false
    for (const [address, keys] of this.#slots) {
      const theirs = other.#slots.get(address)
      if (theirs?.size !== keys.size || ![...keys].every((key) => theirs.has(key))) return false
    }
    return true
  }

  #addAddress(address: bigint): void {
    if (!this.isLeftOut(address)) this.#slotsOf(address)
  }

  #slotsOf(address: bigint): Set<bigint> {
    const slots = this.#slots.get(address) ?? new Set()
    this.#slots.set(address, slots)
    return slots
  }
}
