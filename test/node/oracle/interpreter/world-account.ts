// An account as held by a world, with the slots accessed so far. Its code is loaded on first use.
import { equalBytes } from '../../../../src/base/bytes'
import { type AccountState, EMPTY_CODE_HASH } from '../../../../src/node/execution/account'
import { type Code, NO_CODE } from './code'
import { WordMap } from './word-map'

/** A slot with the values that gas and refunds depend on. */
export interface WorldSlot {
  value: bigint
  /** Value in the state below the world. */
  readonly stored: bigint
  /** Value before transaction `since`. */
  original: bigint
  since: number
  warmIn: number
  /** Journal entry that restores its value; -1: none. */
  entry: number
}

/** Fields that are changed and reverted together. */
interface Fields {
  readonly exists: boolean
  readonly nonce: bigint
  readonly balance: bigint
  readonly codeHash: Uint8Array
  readonly program: Code | null
  readonly destructed: boolean
  readonly touched: boolean
  readonly entry: number
}

/** Mutable; the world's journal records how to revert changes. */
export class WorldAccount {
  exists: boolean
  nonce: bigint
  balance: bigint
  /** 32 bytes */
  codeHash: Uint8Array
  readonly storage = new WordMap<WorldSlot>()
  /** The stored slots of this account no longer apply. */
  wiped = false
  destructed = false
  touched = false
  /** The transaction in which it became warm. */
  warmIn = 0
  /** Journal entry that restores its fields; -1: none. */
  entry = -1
  #program: Code | null = null

  /**
   * @param address 20 bytes
   * @param stored null when the state has no such account
   */
  constructor(
    readonly address: Uint8Array,
    readonly stored: AccountState | null,
    private readonly readCode: (hash: Uint8Array) => Code,
  ) {
    this.exists = stored !== null
    this.nonce = stored?.nonce ?? 0n
    this.balance = stored?.balance ?? 0n
    const hash = stored?.codeHash ?? EMPTY_CODE_HASH
    this.codeHash = equalBytes(hash, EMPTY_CODE_HASH) ? EMPTY_CODE_HASH : hash
  }

  get hasCode(): boolean {
    return this.codeHash !== EMPTY_CODE_HASH
  }

  get code(): Code {
    this.#program ??= this.hasCode ? this.readCode(this.codeHash) : NO_CODE
    return this.#program
  }

  /** Its code differs from the stored one. */
  get hasNewCode(): boolean {
    return this.hasCode && (this.stored === null || !equalBytes(this.codeHash, this.stored.codeHash))
  }

  /** @param hash 32 bytes; for empty code it must be EMPTY_CODE_HASH itself */
  setCode(code: Code, hash: Uint8Array): void {
    this.#program = code
    this.codeHash = hash
  }

  /** EIP-161: nonce, balance and code are all empty. */
  get isEmpty(): boolean {
    return !this.exists || (this.nonce === 0n && this.balance === 0n && !this.hasCode)
  }

  fields(): Fields {
    const { exists, nonce, balance, codeHash, destructed, touched, entry } = this
    return { exists, nonce, balance, codeHash, program: this.#program, destructed, touched, entry }
  }

  restore(fields: Fields): void {
    this.exists = fields.exists
    this.nonce = fields.nonce
    this.balance = fields.balance
    this.codeHash = fields.codeHash
    this.#program = fields.program
    this.destructed = fields.destructed
    this.touched = fields.touched
    this.entry = fields.entry
  }

  /** With slots of its own. */
  copy(): WorldAccount {
    const copy = new WorldAccount(this.address, this.stored, this.readCode)
    copy.restore(this.fields())
    copy.wiped = this.wiped
    copy.warmIn = this.warmIn
    for (const [key, slot] of this.storage.entries()) copy.storage.set(key, { ...slot })
    return copy
  }

  /** As if it had never existed. */
  erase(): void {
    this.exists = false
    this.nonce = 0n
    this.balance = 0n
    this.setCode(NO_CODE, EMPTY_CODE_HASH)
    this.storage.clear()
    this.wiped = true
  }
}
