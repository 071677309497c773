// The state as seen and changed by one query: accounts and slots on top of a reader, with snapshots. Messages run on it
// in the engine. Never written; dropping it discards the changes.
import { bigintFromBytes, EMPTY_BYTES, equalBytes, minimalBytes } from '../../base/bytes'
import { toBareHex } from '../../base/hex'
import type { Keccak256 } from '../codec/keccak'
import { stateKeys } from '../store/keys'
import { EMPTY_TRIE_ROOT } from '../trie/trie'
import { type AccountState, EMPTY_CODE_HASH, encodeAccount } from './account'
import type { StateReader } from './state-reader'
import type { AccountView, StateView } from './tracer'
import type { ChangedSlot, MessageChanges } from './wasm/message-run'
import { addressBytes, bytesOfWord } from './word'

interface WorldDeps {
  readonly base: StateReader
  /** Trie nodes and whatever else is read by key. */
  readonly read: (key: Uint8Array) => Uint8Array | undefined
  /** 32 bytes: the root of the state below. */
  readonly root: Uint8Array
  readonly keccak256: Keccak256
  /** 32 bytes that no other content has, for the caches of the engine that runs its messages. */
  readonly nextName: () => Uint8Array
}

/** What is changed and restored together. */
interface AccountFields {
  readonly exists: boolean
  readonly nonce: bigint
  readonly balance: bigint
  readonly codeHash: Uint8Array
  readonly destructed: boolean
  readonly wiped: boolean
  /** The code, if it was read. */
  readonly known: Uint8Array | null
}

export class WorldAccount implements AccountView {
  exists: boolean
  nonce: bigint
  balance: bigint
  /** 32 bytes; of no code EMPTY_CODE_HASH itself. */
  codeHash: Uint8Array
  destructed = false
  /** The stored slots no longer apply. */
  wiped = false
  /** Values in place of the stored ones. */
  slots = new Map<bigint, bigint>()
  #code: Uint8Array | null = null

  /** @param address 20 bytes @param stored null when the state has no such account */
  constructor(
    readonly address: Uint8Array,
    readonly stored: AccountState | null,
    private readonly readCode: (hash: Uint8Array) => Uint8Array,
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

  get code(): Uint8Array {
    this.#code ??= this.hasCode ? this.readCode(this.codeHash) : EMPTY_BYTES
    return this.#code
  }

  /** EIP-161: nonce, balance and code are all empty. */
  get isEmpty(): boolean {
    return !this.exists || (this.nonce === 0n && this.balance === 0n && !this.hasCode)
  }

  /** @param hash 32 bytes */
  setCode(code: Uint8Array, hash: Uint8Array): void {
    this.#code = code
    this.codeHash = code.length === 0 ? EMPTY_CODE_HASH : hash
  }

  /** As if it had never existed. */
  erase(): void {
    this.exists = false
    this.nonce = 0n
    this.balance = 0n
    this.setCode(EMPTY_BYTES, EMPTY_CODE_HASH)
    this.slots = new Map()
    this.wiped = true
    this.destructed = false
  }

  /** With slots of its own. */
  copy(): WorldAccount {
    const copy = new WorldAccount(this.address, this.stored, this.readCode)
    copy.restore(this.fields())
    copy.slots = new Map(this.slots)
    return copy
  }

  /** Everything but the slots. */
  fields(): AccountFields {
    const { exists, nonce, balance, codeHash, destructed, wiped } = this
    return { exists, nonce, balance, codeHash, destructed, wiped, known: this.#code }
  }

  restore({ known, ...fields }: AccountFields): void {
    Object.assign(this, fields)
    this.#code = known
  }
}

/** Where a world can be taken back to. */
interface Snapshot {
  readonly length: number
  readonly name: Uint8Array | null
}

/** Snapshots nest; reverting to one reverts everything after it. */
export class World implements StateView {
  readonly #accounts = new Map<bigint, WorldAccount>()
  readonly #codes = new Map<string, Uint8Array>()
  /** By account, the slots that the running transaction changed, with their values before it. */
  #originals = new Map<bigint, Map<bigint, bigint>>()
  readonly #touched = new Set<bigint>()
  readonly #journal: (() => void)[] = []
  /** Stands for the content; null: it has changed since it had one. */
  #name: Uint8Array | null

  constructor(private readonly deps: WorldDeps) {
    this.#name = deps.root
  }

  /** A world with the same content that changes by itself. Only between two transactions: @throws RangeError */
  copy(): World {
    if (this.#journal.length > 0 || this.#touched.size > 0) throw new RangeError('copied within a transaction')
    const copy = new World(this.deps)
    for (const [address, account] of this.#accounts) copy.#accounts.set(address, account.copy())
    for (const [hash, code] of this.#codes) copy.#codes.set(hash, code)
    copy.#name = this.#name
    return copy
  }

  /** Accounts and slots that it holds. */
  get held(): number {
    let count = this.#accounts.size
    for (const { slots } of this.#accounts.values()) count += slots.size
    return count
  }

  account(address: bigint): WorldAccount {
    return this.#accounts.get(address) ?? this.#load(address)
  }

  /** Accounts that were looked at or changed. */
  loaded(): Iterable<WorldAccount> {
    return this.#accounts.values()
  }

  slot(address: bigint, key: bigint): bigint {
    const account = this.account(address)
    return account.slots.get(key) ?? this.#storedSlot(account, key)
  }

  setNonce(address: bigint, nonce: bigint): void {
    this.#change(address).nonce = nonce
  }

  setBalance(address: bigint, wei: bigint): void {
    this.#change(address).balance = wei
  }

  setCode(address: bigint, bytes: Uint8Array): void {
    this.#putCode(this.#change(address), bytes, this.deps.keccak256(bytes))
  }

  wipeStorage(address: bigint): void {
    this.#wipe(this.#change(address))
  }

  /** As the running transaction changes it: its value before stays. */
  setSlot(address: bigint, key: bigint, value: bigint): void {
    const before = this.slot(address, key)
    if (before === value) return
    const account = this.#change(address)
    const originals = this.#originalsOf(address)
    if (!originals.has(key)) {
      originals.set(key, before)
      this.#journal.push(() => void originals.delete(key))
    }
    this.#putSlot(account, key, value)
  }

  /** As if this value were stored. */
  replaceSlot(address: bigint, key: bigint, value: bigint): void {
    this.#putSlot(this.#change(address), key, value)
  }

  /** Slots changed by the running transaction, relative to its start. */
  changedSlots(address: bigint): readonly { readonly key: bigint; readonly before: bigint; readonly after: bigint }[] {
    const list = [...(this.#originals.get(address) ?? [])].map(([key, before]) => ({
      key,
      before,
      after: this.slot(address, key),
    }))
    return list.filter(({ before, after }) => before !== after)
  }

  snapshot(): Snapshot {
    return { length: this.#journal.length, name: this.#name }
  }

  revert({ length, name }: Snapshot): void {
    while (this.#journal.length > length) this.#journal.pop()?.()
    this.#name = name
  }

  /** Ends a transaction: deletes destructed and empty touched accounts. */
  finish(): void {
    if (this.#touched.size > 0 || this.#originals.size > 0) this.#name = null
    for (const address of this.#touched) {
      const account = this.account(address)
      if (account.destructed || account.isEmpty) account.erase()
    }
    this.#touched.clear()
    this.#originals = new Map()
    this.#journal.length = 0
  }

  /** Takes back the whole running transaction. */
  undo(): void {
    this.revert({ length: 0, name: null })
    this.finish()
  }

  /** 32 bytes that stand for what `read` returns. */
  name(): Uint8Array {
    this.#name ??= this.deps.nextName()
    return this.#name
  }

  /** Slots that count as changed by the message to come. */
  changed(): readonly ChangedSlot[] {
    return [...this.#originals.keys()].flatMap((address) =>
      this.changedSlots(address).map(({ key, after }) => ({ address: addressBytes(address), key, value: after })),
    )
  }

  /** What the engine reads, by the keys of the head's state: the transaction's own changes of slots aren't in it. */
  read(key: Uint8Array): Uint8Array | undefined {
    if (stateKeys.isAccount(key)) return this.#readAccount(bigintFromBytes(key.subarray(1)))
    if (stateKeys.isIncarnation(key)) return undefined
    if (stateKeys.isCode(key)) return this.#codes.get(toBareHex(key.subarray(1))) ?? this.deps.read(key)
    const place = stateKeys.slotOfKey(key)
    if (place === null) return this.deps.read(key)
    const [address, slot] = [bigintFromBytes(place.address), bigintFromBytes(place.slot)]
    const value = this.#originals.get(address)?.get(slot) ?? this.#peekSlot(address, slot)
    return value === 0n ? undefined : minimalBytes(value)
  }

  /** Takes what a message did; `finish` ends it. */
  apply(changes: MessageChanges): void {
    for (const { address, nonce, balance, codeHash, isDestructed, isCreated, code, slots } of changes) {
      const place = bigintFromBytes(address)
      const account = this.#change(place)
      account.nonce = nonce
      account.balance = balance
      account.destructed = isDestructed
      if (isCreated) this.#wipe(account)
      if (code !== null) this.#putCode(account, code, codeHash)
      else if (isCreated) account.setCode(EMPTY_BYTES, EMPTY_CODE_HASH)
      const originals = this.#originalsOf(place)
      for (const { key, before, after } of slots) {
        this.#putSlot(account, key, after)
        if (originals.has(key)) continue
        originals.set(key, before)
        this.#journal.push(() => void originals.delete(key))
      }
    }
  }

  #readAccount(address: bigint): Uint8Array | undefined {
    const known = this.#accounts.get(address)
    const account = known === undefined ? this.deps.base.account(addressBytes(address)) : known.exists ? known : null
    if (account === null) return undefined
    const { nonce, balance, codeHash } = account
    return encodeAccount({ nonce, balance, codeHash, storageRoot: EMPTY_TRIE_ROOT })
  }

  #peekSlot(address: bigint, key: bigint): bigint {
    const account = this.#accounts.get(address)
    if (account === undefined) return bigintFromBytes(this.deps.base.slot(addressBytes(address), bytesOfWord(key)))
    return account.slots.get(key) ?? this.#storedSlot(account, key)
  }

  #storedSlot({ address, stored, wiped }: WorldAccount, key: bigint): bigint {
    return wiped || stored === null ? 0n : bigintFromBytes(this.deps.base.slot(address, bytesOfWord(key)))
  }

  #load(address: bigint): WorldAccount {
    const { base } = this.deps
    const bytes = addressBytes(address)
    const readCode = (hash: Uint8Array): Uint8Array => this.#codes.get(toBareHex(hash)) ?? base.code(hash)
    const account = new WorldAccount(bytes, base.account(bytes), readCode)
    this.#accounts.set(address, account)
    return account
  }

  #putCode(account: WorldAccount, code: Uint8Array, hash: Uint8Array): void {
    this.#codes.set(toBareHex(hash), code)
    account.setCode(code, hash)
  }

  #wipe(account: WorldAccount): void {
    const { slots } = account
    this.#journal.push(() => {
      account.slots = slots
    })
    account.slots = new Map()
    account.wiped = true
  }

  #putSlot({ slots }: WorldAccount, key: bigint, value: bigint): void {
    const before = slots.get(key)
    this.#journal.push(() => void (before === undefined ? slots.delete(key) : slots.set(key, before)))
    slots.set(key, value)
  }

  #originalsOf(address: bigint): Map<bigint, bigint> {
    const known = this.#originals.get(address)
    if (known !== undefined) return known
    const made = new Map<bigint, bigint>()
    this.#originals.set(address, made)
    return made
  }

  #change(address: bigint): WorldAccount {
    const account = this.account(address)
    const fields = account.fields()
    const wasTouched = this.#touched.has(address)
    this.#journal.push(() => {
      account.restore(fields)
      if (!wasTouched) this.#touched.delete(address)
    })
    this.#name = null
    this.#touched.add(address)
    account.exists = true
    return account
  }
}
