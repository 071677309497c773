// Checks the state of the head: every trie node against its hash, every contract's code, and the flat values that
// blocks are executed on. Tries and flat values are compared as sets, by a sum over all entries, so that any size fits
// in memory.
import { setImmediate } from 'node:timers/promises'
import { EMPTY_BYTES, equalBytes } from '../../../base/bytes'
import { toHex } from '../../../base/hex'
import { keccak256 } from '../../codec/keccak'
import { encodeRlp } from '../../codec/rlp'
import { StoreError } from '../../errors'
import { decodeAccount, EMPTY_CODE_HASH } from '../../execution/account'
import { incarnationOf } from '../../execution/state-reader'
import type { BlockHeader } from '../../model/header'
import { portions } from '../../store/inspect'
import { stateKeys } from '../../store/keys'
import type { Store } from '../../store/store'
import { StoredTrie } from '../../trie/stored-trie'
import { isMarked } from '../rebuild-state'
import type { CareOptions, DamageList } from './damage'

const UNFINISHED = 'its trie nodes were being rebuilt when the program ended; the next start does that again'

/** Leaves read before other work on this thread gets a turn. */
const LEAVES_A_TURN = 500

/** Adds what is wrong to `damage`. @throws StoreError on a failed read */
export async function verifyState(
  store: Store,
  head: BlockHeader,
  damage: DamageList,
  options: CareOptions,
): Promise<{ readonly accounts: number; readonly slots: number; readonly nodes: number }> {
  const tries = new TrieWalk(store, damage)
  const block = Number(head.number)
  const onAccounts = (accounts: number): void => options.onProgress({ fraction: 0.5, block, blocks: accounts })
  const where = `state of block ${head.number}`
  try {
    await tries.walk(head.stateRoot, onAccounts, options.signal)
  } catch (error: unknown) {
    if (!isBroken(error)) throw error
    damage.add('nodes', where, isMarked(store) ? UNFINISHED : error.message)
    return tries.report
  }
  const flat = await flatDigest(store, options.signal)
  options.onProgress({ fraction: 1, block, blocks: tries.report.accounts })
  if (!options.signal.aborted && !equalBytes(flat, tries.digest))
    damage.add('state', where, 'accounts or storage differ from what its root says')
  return tries.report
}

/** True for a missing or malformed node. */
function isBroken(error: unknown): error is Error {
  return error instanceof RangeError || (error instanceof StoreError && error.code === 'STORE_MISSING_NODE')
}

class TrieWalk {
  readonly digest = new Uint8Array(32)
  readonly report = { accounts: 0, slots: 0, nodes: 0 }

  constructor(
    private readonly store: Store,
    private readonly damage: DamageList,
  ) {}

  /** @throws RangeError, STORE_MISSING_NODE */
  async walk(root: Uint8Array, onAccounts: (accounts: number) => void, signal: AbortSignal): Promise<void> {
    const { report } = this
    for (const { key, value } of new StoredTrie(root, this.#node).entriesFrom(EMPTY_BYTES)) {
      if (signal.aborted) return
      report.accounts++
      addTo(this.digest, [key, value])
      const { storageRoot, codeHash } = decodeAccount(value)
      this.#code(key, codeHash)
      for (const slot of new StoredTrie(storageRoot, this.#node).entriesFrom(EMPTY_BYTES)) {
        report.slots++
        addTo(this.digest, [key, slot.key, slot.value])
        if (report.slots % LEAVES_A_TURN === 0) await setImmediate()
      }
      if (report.accounts % LEAVES_A_TURN !== 0) continue
      onAccounts(report.accounts)
      await setImmediate()
    }
  }

  readonly #node = (hash: Uint8Array): Uint8Array | undefined => {
    const bytes = this.store.get(stateKeys.node(hash))
    if (bytes !== undefined && !equalBytes(keccak256(bytes), hash))
      throw new RangeError(`trie node ${toHex(hash)} is damaged`)
    this.report.nodes++
    return bytes
  }

  #code(account: Uint8Array, codeHash: Uint8Array): void {
    if (equalBytes(codeHash, EMPTY_CODE_HASH)) return
    const code = this.store.get(stateKeys.code(codeHash))
    if (code !== undefined && equalBytes(keccak256(code), codeHash)) return
    const reason = `code of the account with hash ${toHex(account)} is ${code === undefined ? 'missing' : 'damaged'}`
    this.damage.add('code', 'state of the head', reason)
  }
}

async function flatDigest(store: Store, signal: AbortSignal): Promise<Uint8Array> {
  const digest = new Uint8Array(32)
  for await (const keys of portions(store, stateKeys.account(new Uint8Array(0)), signal))
    for (const key of keys) addTo(digest, [keccak256(key.subarray(1)), store.get(key) ?? new Uint8Array(0)])
  for (const prefix of stateKeys.slotPrefixes)
    for await (const keys of portions(store, prefix, signal)) for (const key of keys) addSlot(digest, store, key)
  return digest
}

/** Slots of deleted storages aren't part of the state. */
function addSlot(digest: Uint8Array, store: Store, key: Uint8Array): void {
  const at = stateKeys.slotOfKey(key)
  if (at === null || at.incarnation !== incarnationOf(store, at.address)) return
  const value = encodeRlp(store.get(key) ?? new Uint8Array(0))
  addTo(digest, [keccak256(at.address), keccak256(at.slot), value])
}

/** Adds an entry to the sum; order doesn't matter, and each entry occurs once. */
function addTo(digest: Uint8Array, parts: readonly Uint8Array[]): void {
  const hash = keccak256(encodeRlp([...parts]))
  for (let i = 0; i < digest.length; i++) digest[i] = (digest[i] ?? 0) ^ (hash[i] ?? 0)
}
