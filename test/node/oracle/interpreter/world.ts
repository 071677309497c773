// The state as seen and changed by one query or one block: accounts and slots on top of a reader, with snapshots,
// access lists, logs and refunds. Never written; dropping it discards the changes.
import type { Keccak256 } from '../../../../src/node/codec/keccak'
import { EMPTY_CODE_HASH } from '../../../../src/node/execution/account'
import type { StateReader } from '../../../../src/node/execution/state-reader'
import { Code, type CodeCache, NO_CODE } from './code'
import { addressBytes, bytesOfWord, wordOfBytes } from './word'
import { WordMap } from './word-map'
import { WorldAccount, type WorldSlot } from './world-account'

/**
 * Touching it while empty isn't reverted with the failed call, as in prlx since Ethereum's block 2,675,119.
 */
const RIPEMD = 3n
const NO_ENTRY = -1

/** A log as the interpreter holds it; topics are 256-bit words. */
export interface WorldLog {
  /** 160 bits */
  readonly address: bigint
  readonly topics: readonly bigint[]
  readonly data: Uint8Array
}

/** The state below, and what loading code needs. */
interface WorldDeps {
  readonly base: StateReader
  readonly codes: CodeCache
  readonly keccak256: Keccak256
  /** Absent: logs are only charged for, as queries want it. */
  readonly keepsLogs?: boolean
}

/** Snapshots nest; reverting to one reverts everything after it. */
export class World {
  refund = 0
  /** Accounts and slots read so far; they stay when changes are reverted. */
  held = 0
  readonly #deps: WorldDeps
  readonly #accounts = new WordMap<WorldAccount>()
  /** What the running transaction touched; some touches may have been reverted. */
  readonly #touched = new Set<WorldAccount>()
  readonly #journal: (() => void)[] = []
  readonly #logs: WorldLog[] = []
  /** Journal length at the last active snapshot: one entry after it covers any number of later changes. */
  #lastSnapshot = 0
  #touchedRipemd: WorldAccount | null = null
  #transaction = 1

  constructor(deps: WorldDeps) {
    this.#deps = deps
  }

  /** A world with the same content that changes by itself. Only between two transactions: @throws RangeError */
  copy(): World {
    if (this.#journal.length > 0 || this.#touched.size > 0) throw new RangeError('copied within a transaction')
    const copy = new World(this.#deps)
    for (const [address, account] of this.#accounts.entries()) copy.#accounts.set(address, account.copy())
    copy.held = this.held
    copy.#transaction = this.#transaction
    return copy
  }

  account(address: bigint): WorldAccount {
    return this.#accounts.get(address) ?? this.#load(address)
  }

  /** Accounts that were read or changed. */
  *loaded(): Generator<WorldAccount> {
    for (const [, account] of this.#accounts.entries()) yield account
  }

  /** EIP-161: nonce, balance and code are all empty. */
  isEmpty(address: bigint): boolean {
    return this.account(address).isEmpty
  }

  setNonce(address: bigint, nonce: bigint): void {
    this.#change(this.account(address)).nonce = nonce
  }

  addBalance(address: bigint, wei: bigint): void {
    const account = this.account(address)
    if (wei !== 0n) this.#change(account).balance += wei
    else if (account.isEmpty) {
      if (address === RIPEMD) this.#touchedRipemd = this.#change(account)
      else if (!account.touched) this.#change(account)
    }
  }

  setBalance(address: bigint, wei: bigint): void {
    this.#change(this.account(address)).balance = wei
  }

  setCode(address: bigint, bytes: Uint8Array): void {
    const hash = bytes.length === 0 ? EMPTY_CODE_HASH : this.#deps.keccak256(bytes)
    this.#change(this.account(address)).setCode(this.program(bytes), hash)
  }

  /** Code that doesn't belong to an account (yet). */
  program(bytes: Uint8Array): Code {
    return bytes.length === 0 ? NO_CODE : new Code(bytes)
  }

  /** Replaces it with a new account; the balance stays. */
  create(address: bigint): void {
    const account = this.#change(this.account(address))
    account.nonce = 0n
    account.setCode(NO_CODE, EMPTY_CODE_HASH)
    this.wipeStorage(address)
  }

  /** The account is deleted at the end of the transaction; its balance is cleared now. */
  destruct(address: bigint): void {
    const account = this.#change(this.account(address))
    account.destructed = true
    account.balance = 0n
  }

  wipeStorage(address: bigint): void {
    const account = this.account(address)
    const before = [...account.storage.entries()].map(([key, slot]) => ({ key, slot, ...slot }))
    const { wiped } = account
    this.#journal.push(() => {
      account.wiped = wiped
      account.storage.clear()
      for (const { key, slot, value, original, entry } of before) {
        Object.assign(slot, { value, original, entry })
        account.storage.set(key, slot)
      }
    })
    account.wiped = true
    for (const { slot } of before) Object.assign(slot, { value: 0n, original: 0n, entry: NO_ENTRY })
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
    const { value: before, entry } = slot
    if (before === value) return
    if (entry < this.#lastSnapshot) {
      slot.entry = this.#journal.length
      this.#journal.push(() => {
        slot.value = before
        slot.entry = entry
      })
    }
    slot.value = value
  }

  /** Slots changed by the running transaction, relative to its start. */
  *changedSlots(account: WorldAccount): Generator<{ key: bigint; before: bigint; after: bigint }> {
    for (const [key, { value, original, since }] of account.storage.entries())
      if (since === this.#transaction && value !== original) yield { key, before: original, after: value }
  }

  /** As if this value were stored. */
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

  get keepsLogs(): boolean {
    return this.#deps.keepsLogs === true
  }

  addLog(log: WorldLog): void {
    this.#journal.push(() => void this.#logs.pop())
    this.#logs.push(log)
  }

  get logCount(): number {
    return this.#logs.length
  }

  /** Of the running transaction. */
  logs(): readonly WorldLog[] {
    return [...this.#logs]
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
    this.#lastSnapshot = this.#journal.length
    return this.#lastSnapshot
  }

  revert(snapshot: number): void {
    while (this.#journal.length > snapshot) this.#journal.pop()?.()
    this.#lastSnapshot = this.#journal.length
  }

  /** Reverts the whole running transaction. */
  undo(): void {
    this.revert(0)
    this.#touchedRipemd = null
    this.finish()
  }

  /** Ends a transaction: deletes destructed and empty touched accounts; the next one starts cold. */
  finish(): void {
    for (const account of this.#touched) {
      if (account.destructed || (account.touched && account.isEmpty)) account.erase()
      account.touched = false
      account.destructed = false
      account.entry = NO_ENTRY
    }
    if (this.#touchedRipemd?.isEmpty === true) this.#touchedRipemd.erase()
    this.#touchedRipemd = null
    this.#touched.clear()
    this.#journal.length = 0
    this.#lastSnapshot = 0
    this.#logs.length = 0
    this.refund = 0
    this.#transaction++
  }

  #load(address: bigint): WorldAccount {
    const { base, codes } = this.#deps
    const bytes = addressBytes(address)
    const account = new WorldAccount(bytes, base.account(bytes), (hash) => codes.get(hash, base.code))
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
        known.entry = NO_ENTRY
      }
      return known
    }
    const isStored = account.exists && !account.wiped
    const stored = isStored ? wordOfBytes(this.#deps.base.slot(account.address, bytesOfWord(key))) : 0n
    const slot = { value: stored, stored, original: stored, since: this.#transaction, warmIn: 0, entry: NO_ENTRY }
    account.storage.set(key, slot)
    this.held++
    return slot
  }

  /** The account before a change: creates it if missing and marks it touched. */
  #change(account: WorldAccount): WorldAccount {
    if (account.entry < this.#lastSnapshot) {
      const fields = account.fields()
      account.entry = this.#journal.length
      this.#journal.push(() => account.restore(fields))
    }
    account.exists = true
    account.touched = true
    this.#touched.add(account)
    return account
  }
}
