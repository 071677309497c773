// Collects the accounts and slots that a call accesses. Source: EIP-2930
import { bigintFromBytes } from '../../../base/bytes'
import type { Step, Tracer } from '../../execution/tracer'
import { ADDRESS_MASK, addressBytes, bytesOfWord } from '../../execution/word'
import type { AccessListEntry } from '../../model/transaction'

/** Operations that access another account: on top of the stack, or second on it. */
const ACCOUNT_OPS: ReadonlySet<string> = new Set([
  'EXTCODECOPY',
  'EXTCODEHASH',
  'EXTCODESIZE',
  'BALANCE',
  'SELFDESTRUCT',
])
const CALL_OPS: ReadonlySet<string> = new Set(['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'])

/** The slot of its own account that an instruction accesses; null for most. */
export function slotOf({ frame, name }: Step): bigint | null {
  return (name === 'SLOAD' || name === 'SSTORE') && frame.height >= 1 ? frame.peek(0) : null
}

/** The account that an instruction names, by 160 bits; null for most. */
export function accountOf({ frame, name }: Step): bigint | null {
  if (ACCOUNT_OPS.has(name)) return frame.height >= 1 ? frame.peek(0) & ADDRESS_MASK : null
  return CALL_OPS.has(name) && frame.height >= 5 ? frame.peek(1) & ADDRESS_MASK : null
}

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

  step(step: Step): void {
    const slot = slotOf(step)
    const account = accountOf(step)
    if (slot !== null) this.#slotsOf(step.frame.address).add(slot)
    if (account !== null) this.#addAddress(account)
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
