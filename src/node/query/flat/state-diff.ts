// State changes by transaction: balances, nonces, code and slots, before and after each.
// Source: OpenEthereum's trace module (`=` unchanged, `*` changed, `+` new, `-` removed)
import { bigintFromBytes, equalBytes } from '../../../base/bytes'
import { toHex } from '../../../base/hex'
import { toQuantity } from '../../../base/quantity'
import { EMPTY_CODE_HASH } from '../../execution/account'
import type { World, WorldAccount } from '../../execution/world'
import { addressHex, wordHex } from '../encoding'

type Change = '=' | { '*': { from: string; to: string } } | { '+': string } | { '-': string }

interface AccountChange {
  balance: Change
  code: Change
  nonce: Change
  storage: Record<string, Change>
}

type AccountFields = Readonly<Pick<WorldAccount, 'balance' | 'nonce' | 'codeHash'>>

/** A transaction's effect on an account, recorded before the world discards it. */
interface Seen {
  readonly address: bigint
  readonly account: WorldAccount
  readonly before: AccountFields | null
  /** Of the current code. */
  readonly code: string
  readonly slots: readonly { readonly key: bigint; readonly before: bigint; readonly after: bigint }[]
}

/** Follows one world across transactions; report each one's end to it. */
export class StateDiffs {
  /** As left by the transactions so far; absent: as in the state below. */
  readonly #left = new Map<bigint, AccountFields | null>()

  /** @param world between two transactions */
  constructor(private readonly world: World) {
    for (const account of world.loaded()) this.#left.set(bigintFromBytes(account.address), fieldsOf(account))
  }

  /** Ends the running transaction. @param parties all that may have changed @returns changed accounts by address */
  finish(parties: Iterable<bigint>): Record<string, AccountChange> {
    const seen = [...parties].map((address) => this.#look(address))
    this.world.finish()
    const changes: Record<string, AccountChange> = {}
    for (const one of seen) {
      this.#left.set(one.address, fieldsOf(one.account))
      const change = changeOf(one)
      if (change !== null) changes[addressHex(one.address)] = change
    }
    return changes
  }

  #look(address: bigint): Seen {
    const account = this.world.account(address)
    const left = this.#left.get(address)
    const before = left === undefined ? account.stored : left
    return { address, account, before, code: toHex(account.code), slots: this.world.changedSlots(address) }
  }
}

function fieldsOf({ exists, balance, nonce, codeHash }: WorldAccount): AccountFields | null {
  return exists ? { balance, nonce, codeHash } : null
}

/** Null when unchanged. */
function changeOf({ account, before, code, slots }: Seen): AccountChange | null {
  const after = fieldsOf(account)
  if (before === null && after === null) return null
  if (after === null || before === null) {
    const [sign, fields] = before === null ? (['+', after] as const) : (['-', before] as const)
    if (fields === null) return null
    return {
      balance: oneSided(sign, toQuantity(fields.balance)),
      code: oneSided(sign, equalBytes(fields.codeHash, EMPTY_CODE_HASH) ? '0x' : code),
      nonce: oneSided(sign, toQuantity(fields.nonce)),
      storage: sign === '-' ? {} : slotChanges(slots, (slot) => oneSided('+', wordHex(slot.after))),
    }
  }
  const isSameCode = equalBytes(before.codeHash, after.codeHash)
  const isSame = isSameCode && before.balance === after.balance && before.nonce === after.nonce && slots.length === 0
  if (isSame) return null
  return {
    balance: changed(toQuantity(before.balance), toQuantity(after.balance)),
    // Within a transaction, code never replaces other code.
    code: isSameCode ? '=' : { '*': { from: '0x', to: code } },
    nonce: changed(toQuantity(before.nonce), toQuantity(after.nonce)),
    storage: slotChanges(slots, (slot) => changed(wordHex(slot.before), wordHex(slot.after))),
  }
}

function slotChanges(slots: Seen['slots'], changeOfSlot: (slot: Seen['slots'][number]) => Change) {
  return Object.fromEntries(slots.map((slot) => [wordHex(slot.key), changeOfSlot(slot)]))
}

function oneSided(sign: '+' | '-', value: string): Change {
  return sign === '+' ? { '+': value } : { '-': value }
}

function changed(from: string, to: string): Change {
  return from === to ? '=' : { '*': { from, to } }
}
