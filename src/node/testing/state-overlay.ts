// A block's changes on top of the stored state: accounts, slots and code, turned into one set of changes at the end.
// Independent of any EVM; dropping it discards the changes.
import { bytesName, compareBytes, equalBytes } from '../../base/bytes'
import type { Keccak256 } from '../codec/keccak'
import { encodeRlp } from '../codec/rlp'
import { type AccountState, EMPTY_ACCOUNT, encodeAccount } from '../execution/account'
import type { FlatChange, StateChanges } from '../execution/state-changes'
import { headState, incarnationOf, type StateReader } from '../execution/state-reader'
import { incarnationBytes, stateKeys } from '../store/keys'
import { packNodes } from '../store/node-list'
import type { StoreReader } from '../store/store'
import type { NodeCache } from '../trie/node'
import { EMPTY_TRIE_ROOT, Trie, type TrieDeps } from '../trie/trie'

interface StorageOverlay {
  readonly address: Uint8Array
  /** True after the account was deleted or recreated: the stored slots no longer count. */
  readonly wiped: boolean
  readonly slots: Map<string, readonly [slot: Uint8Array, value: Uint8Array]>
}

/** Writes stay in memory until `finish`, which returns the new root and every change. */
export class StateOverlay {
  readonly #store: StoreReader
  readonly #below: StateReader
  readonly #keccak: Keccak256
  readonly #tries: TrieDeps
  readonly #stored = new Map<string, AccountState | null>()
  readonly #accounts = new Map<string, { readonly address: Uint8Array; readonly state: AccountState | null }>()
  readonly #storage = new Map<string, StorageOverlay>()
  readonly #codes = new Map<string, readonly [Uint8Array, Uint8Array]>()

  /** @param store the parent block's state under the flat keys */
  constructor(store: StoreReader, deps: { readonly keccak256: Keccak256; readonly nodes?: NodeCache }) {
    this.#store = store
    this.#below = headState(store)
    this.#keccak = deps.keccak256
    const read = (hash: Uint8Array) => store.get(stateKeys.node(hash))
    this.#tries = { read, keccak256: deps.keccak256, ...(deps.nodes === undefined ? {} : { cache: deps.nodes }) }
  }

  account(address: Uint8Array): AccountState | null {
    const name = bytesName(address)
    const overlay = this.#accounts.get(name)
    return overlay === undefined ? this.#storedAccount(name, address) : overlay.state
  }

  /** Null deletes the account and its storage. */
  setAccount(address: Uint8Array, state: AccountState | null): void {
    const name = bytesName(address)
    this.#accounts.set(name, { address, state })
    if (state === null) this.clearStorage(address)
  }

  addBalance(address: Uint8Array, wei: bigint): void {
    const account = this.account(address) ?? EMPTY_ACCOUNT
    this.setAccount(address, { ...account, balance: account.balance + wei })
  }

  /** Big-endian without leading zeros; empty = 0. */
  slot(address: Uint8Array, slot: Uint8Array): Uint8Array {
    const overlay = this.#storage.get(bytesName(address))
    const entry = overlay?.slots.get(bytesName(slot))
    if (entry !== undefined) return entry[1]
    return overlay?.wiped === true ? new Uint8Array(0) : this.#below.slot(address, slot)
  }

  /** @param value up to 32 bytes big-endian; leading zeros are dropped, an empty rest deletes the slot */
  setSlot(address: Uint8Array, slot: Uint8Array, value: Uint8Array): void {
    const name = bytesName(address)
    const overlay = this.#storage.get(name) ?? { address, wiped: false, slots: new Map() }
    if (!this.#storage.has(name)) this.#storage.set(name, overlay)
    overlay.slots.set(bytesName(slot), [slot, trimmed(value)])
  }

  clearStorage(address: Uint8Array): void {
    this.#storage.set(bytesName(address), { address, wiped: true, slots: new Map() })
  }

  code(codeHash: Uint8Array): Uint8Array {
    return this.#codes.get(bytesName(codeHash))?.[1] ?? this.#below.code(codeHash)
  }

  /** Sets the account's code; creates the account if missing. */
  setCode(address: Uint8Array, code: Uint8Array): void {
    const codeHash = this.#keccak(code)
    if (code.length > 0) this.#codes.set(bytesName(codeHash), [codeHash, code])
    this.setAccount(address, { ...(this.account(address) ?? EMPTY_ACCOUNT), codeHash })
  }

  /** The changes since the stored state (`parentRoot`) in one order, so that every engine writes the same bytes. */
  finish(parentRoot: Uint8Array): StateChanges {
    const flat: FlatChange[] = []
    const nodes: (readonly [Uint8Array, Uint8Array])[] = []
    const dead: Uint8Array[] = []
    const codes = new Map<string, readonly [Uint8Array, Uint8Array]>()
    const accounts = new Trie(parentRoot, this.#tries)
    for (const name of [...new Set([...this.#accounts.keys(), ...this.#storage.keys()])].sort()) {
      const address = this.#accounts.get(name)?.address ?? this.#storage.get(name)?.address
      if (address === undefined) continue
      const stored = this.#storedAccount(name, address)
      const storage = this.#finishStorage(name, stored?.storageRoot ?? EMPTY_TRIE_ROOT)
      // One at a time: a contract may have more slots than a call can take arguments.
      for (const change of storage.flat) flat.push(change)
      for (const node of storage.nodes) nodes.push(node)
      for (const hash of storage.dead) dead.push(hash)
      const now = this.account(address)
      const before = stored === null ? null : encodeAccount(stored)
      const after = now === null ? null : encodeAccount({ ...now, storageRoot: storage.root })
      if (sameBytes(before, after)) continue
      flat.push({ key: stateKeys.account(address), before, after })
      const code = now === null ? undefined : this.#codes.get(bytesName(now.codeHash))
      if (now !== null && code !== undefined) codes.set(bytesName(now.codeHash), code)
      if (after === null) accounts.delete(this.#keccak(address))
      else accounts.put(this.#keccak(address), after)
    }
    const committed = accounts.commit()
    for (const node of committed.nodes) nodes.push(node)
    for (const hash of committed.dead) dead.push(hash)
    flat.sort((one, other) => compareBytes(one.key, other.key))
    return { stateRoot: committed.root, flat, ...packNodes(nodes, dead), codes: [...codes.values()] }
  }

  #storedAccount(name: string, address: Uint8Array): AccountState | null {
    const known = this.#stored.get(name)
    if (known !== undefined) return known
    const read = this.#below.account(address)
    this.#stored.set(name, read)
    return read
  }

  /** A deleted storage stays as it is, slots and nodes: what follows is in the next incarnation (decisions/0013). */
  #finishStorage(name: string, storedRoot: Uint8Array) {
    const overlay = this.#storage.get(name)
    if (overlay === undefined) return { root: storedRoot, flat: [], nodes: [], dead: [] }
    const { address, wiped, slots } = overlay
    const flat: FlatChange[] = []
    const stored = incarnationOf(this.#store, address)
    const isNext = wiped && !equalBytes(storedRoot, EMPTY_TRIE_ROOT)
    const incarnation = isNext ? stored + 1 : stored
    if (isNext)
      flat.push({
        key: stateKeys.incarnation(address),
        before: stored === 0 ? null : incarnationBytes(stored),
        after: incarnationBytes(incarnation),
      })
    const trie = new Trie(wiped ? EMPTY_TRIE_ROOT : storedRoot, this.#tries)
    for (const [slot, value] of [...slots.values()].sort(([one], [other]) => compareBytes(one, other))) {
      const before = wiped ? new Uint8Array(0) : this.#below.slot(address, slot)
      if (value.length > 0) trie.put(this.#keccak(slot), encodeRlp(value))
      else if (before.length > 0) trie.delete(this.#keccak(slot))
      if (sameBytes(before, value)) continue
      flat.push({ key: stateKeys.slot(address, slot, incarnation), before: orNull(before), after: orNull(value) })
    }
    const { root, nodes, dead } = trie.commit()
    return { root, flat, nodes, dead }
  }
}

function trimmed(value: Uint8Array): Uint8Array {
  let start = 0
  while (start < value.length && value[start] === 0) start++
  return value.slice(start)
}

function orNull(value: Uint8Array): Uint8Array | null {
  return value.length === 0 ? null : value
}

function sameBytes(a: Uint8Array | null, b: Uint8Array | null): boolean {
  if (a === null || b === null) return a === b
  return equalBytes(a, b)
}
