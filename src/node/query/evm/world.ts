// The state as one query sees and changes it: accounts and slots above a reader, with snapshots, access lists and refunds.
// Nothing of it is ever written; dropping it drops the changes.
import type { Keccak256 } from '../../codec/keccak'
import { EMPTY_CODE_HASH } from '../../execution/account'
import type { StateReader } from '../../execution/state-reader'
import { Code, type CodeCache } from './code'
import { addressBytes, bytesOfWord, wordOfBytes } from './word'

export const NO_CODE = new Code(new Uint8Array(0), EMPTY_CODE_HASH)

export interface WorldAccount {
  /** 20 bytes */
  readonly address: Uint8Array
  exists: boolean
  nonce: bigint
  balance: bigint
  code: Code
  readonly storage: Map<bigint, WorldSlot>
  /** What the reader holds under this account does not count any more. */
  wiped: boolean
  destructed: boolean
  touched: boolean
  /** The transaction in which it was made warm. */
  warmIn: number
}

interface WorldSlot {
  value: bigint
  /** Value before transaction `since`. */
  original: bigint
  since: number
  warmIn: number
}

export interface WorldDeps {
  readonly base: StateReader
  readonly codes: CodeCache
  readonly keccak256: Keccak256
}

export class World {
  refund = 0
  /** Accounts and slots read so far; they stay when changes are taken back. */
  held = 0
  readonly #deps: WorldDeps
  readonly #accounts = new Map<bigint, WorldAccount>()
  readonly #journal: (() => void)[] = []
  #transaction = 1

  constructor(deps: WorldDeps) {
    this.#deps = deps
  }

  account(address: bigint): WorldAccount {
    return this.#accounts.get(address) ?? this.#load(address)
  }

  /** Accounts that were looked at or changed. */
  loaded(): Iterable<WorldAccount> {
    return this.#accounts.values()
  }

  /** EIP-161: nothing there that counts. */
  isEmpty(address: bigint): boolean {
    const account = this.account(address)
    return !account.exists || (account.nonce === 0n && account.balance === 0n && account.code.bytes.length === 0)
  }

  setNonce(address: bigint, nonce: bigint): void {
    const account = this.#change(address)
    account.nonce = nonce
  }

  addBalance(address: bigint, wei: bigint): void {
    const account = this.#change(address)
    account.balance += wei
  }

  setBalance(address: bigint, wei: bigint): void {
    const account = this.#change(address)
    account.balance = wei
  }

  setCode(address: bigint, bytes: Uint8Array): void {
    const account = this.#change(address)
    account.code = this.program(bytes)
  }

  /** Code that is not an account's (yet). */
  program(bytes: Uint8Array): Code {
    return bytes.length === 0 ? NO_CODE : new Code(bytes, this.#deps.keccak256(bytes))
  }

  /** A new account in its place; the balance stays. */
  create(address: bigint): void {
    const account = this.#change(address)
    account.nonce = 0n
    account.code = NO_CODE
    this.wipeStorage(address)
  }

  /** The account ends with the transaction; its balance goes now. */
  destruct(address: bigint): void {
    const account = this.#change(address)
    account.destructed = true
    account.balance = 0n
  }

  wipeStorage(address: bigint): void {
    const account = this.account(address)
    const before = new Map([...account.storage].map(([key, slot]) => [key, slot.value]))
    const { wiped } = account
    this.#journal.push(() => {
      account.wiped = wiped
      for (const [key, slot] of account.storage) {
        const value = before.get(key)
        if (value === undefined) account.storage.delete(key)
        else slot.value = value
      }
    })
    account.wiped = true
    for (const slot of account.storage.values()) slot.value = 0n
  }

  slot(address: bigint, key: bigint): bigint {
    return this.#slot(this.account(address), key).value
  }

  /** Its value before the running transaction. */
  originalSlot(address: bigint, key: bigint): bigint {
    return this.#slot(this.account(address), key).original
  }

  setSlot(address: bigint, key: bigint, value: bigint): void {
    const slot = this.#slot(this.account(address), key)
    const before = slot.value
    if (before === value) return
    this.#journal.push(() => {
      slot.value = before
    })
    slot.value = value
  }

  /** As if the stored state had this value. */
  replaceSlot(address: bigint, key: bigint, value: bigint): void {
    const slot = this.#slot(this.account(address), key)
    const { value: before, original } = slot
    this.#journal.push(() => {
      slot.value = before
      slot.original = original
    })
    slot.value = value
    slot.original = value
  }

  addRefund(gas: number): void {
    const before = this.refund
    this.#journal.push(() => {
      this.refund = before
    })
    this.refund += gas
  }

  /** EIP-2929. @returns whether it was warm before */
  warmAddress(address: bigint): boolean {
    const account = this.account(address)
    if (account.warmIn === this.#transaction) return true
    this.#journal.push(() => {
      account.warmIn = 0
    })
    account.warmIn = this.#transaction
    return false
  }

  /** EIP-2929. @returns whether it was warm before */
  warmSlot(address: bigint, key: bigint): boolean {
    const slot = this.#slot(this.account(address), key)
    if (slot.warmIn === this.#transaction) return true
    this.#journal.push(() => {
      slot.warmIn = 0
    })
    slot.warmIn = this.#transaction
    return false
  }

  snapshot(): number {
    return this.#journal.length
  }

  revert(snapshot: number): void {
    while (this.#journal.length > snapshot) this.#journal.pop()?.()
  }

  /** The end of a transaction: what was destructed or is touched and empty goes; the next one starts cold. */
  finish(): void {
    for (const [address, account] of this.#accounts) {
      if (account.destructed || (account.touched && this.isEmpty(address))) erase(account)
      account.touched = false
      account.destructed = false
    }
    this.#journal.length = 0
    this.refund = 0
    this.#transaction++
  }

  #load(address: bigint): WorldAccount {
    const { base, codes } = this.#deps
    const bytes = addressBytes(address)
    const stored = base.account(bytes)
    const account: WorldAccount = {
      address: bytes,
      exists: stored !== null,
      nonce: stored?.nonce ?? 0n,
      balance: stored?.balance ?? 0n,
      code: stored === null ? NO_CODE : codes.get(stored.codeHash, base.code),
      storage: new Map(),
      ...{ wiped: false, destructed: false, touched: false, warmIn: 0 },
    }
    this.#accounts.set(address, account)
    this.held++
    return account
  }

  #slot(account: WorldAccount, key: bigint): WorldSlot {
    const known = account.storage.get(key)
    if (known !== undefined) {
      if (known.since !== this.#transaction) {
        known.original = known.value
        known.since = this.#transaction
      }
      return known
    }
    const isStored = account.exists && !account.wiped
    const value = isStored ? wordOfBytes(this.#deps.base.slot(account.address, bytesOfWord(key))) : 0n
    const slot = { value, original: value, since: this.#transaction, warmIn: 0 }
    account.storage.set(key, slot)
    this.held++
    return slot
  }

  /** The account, about to be changed: it exists and is touched from now on. */
  #change(address: bigint): WorldAccount {
    const account = this.account(address)
    const { exists, nonce, balance, code, destructed, touched } = account
    this.#journal.push(() => {
      Object.assign(account, { exists, nonce, balance, code, destructed, touched })
    })
    account.exists = true
    account.touched = true
    return account
  }
}

function erase(account: WorldAccount): void {
  account.exists = false
  account.nonce = 0n
  account.balance = 0n
  account.code = NO_CODE
  account.storage.clear()
  account.wiped = true
}
