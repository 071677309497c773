// Checks every canonical block of a database, from the head down to genesis, against the hashes that commit to it and
// its parts.
import { setImmediate } from 'node:timers/promises'
import { bigintFromBytes, EMPTY_BYTES, equalBytes } from '../../../base/bytes'
import { toHex } from '../../../base/hex'
import { keccak256 } from '../../codec/keccak'
import { encodeRlp } from '../../codec/rlp'
import { type SealEngine, sealFault } from '../../consensus/header-rules'
import { StoreError } from '../../errors'
import { decodeAccount, EMPTY_CODE_HASH } from '../../execution/account'
import { incarnationOf } from '../../execution/state-reader'
import { isIndexed } from '../../log-index/log-index'
import { decodeTransactions, transactionRoot } from '../../model/block'
import { type BlockHeader, decodeHeader } from '../../model/header'
import { decodeStoredReceipts, encodeReceipt } from '../../model/receipt'
import type { AnyTransaction } from '../../model/transaction'
import { portions } from '../../store/inspect'
import { chainKeys, metaKeys, stateKeys } from '../../store/keys'
import type { Store } from '../../store/store'
import { StoredTrie } from '../../trie/stored-trie'
import { orderedRoot } from '../../trie/trie'
import { ChainReads } from '../chain-store'
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

/** Checked before other work on this thread gets a turn. */
const BLOCKS_A_TURN = 16

interface VerifyBlocksOptions extends CareOptions {
  /** Null: proofs of work aren't checked. */
  readonly seals: SealEngine | null
}

/** Reads everything; adds what is wrong to `damage`. @throws StoreError on a failed read */
export async function verifyBlocks(
  store: Store,
  damage: DamageList,
  options: VerifyBlocksOptions,
): Promise<{ readonly head: BlockHeader | null; readonly blocks: number; readonly transactions: number }> {
  const check = new BlockCheck(store, damage)
  const top = store.get(metaKeys.head)
  const head = top === undefined ? null : check.header(top, 'the head')
  if (top === undefined) damage.add('head', 'the head', 'its entry is missing')
  if (top === undefined || head === null) return { head: null, blocks: 0, transactions: 0 }
  if (store.get(chainKeys.canonical(head.number + 1n)) !== undefined)
    damage.add('index', `block ${head.number + 1n}`, 'is in the index, above the head')
  let blocks = 0
  let transactions = 0
  let at: { readonly header: BlockHeader; readonly hash: Uint8Array } | null = { header: head, hash: top }
  while (at !== null && !options.signal.aborted) {
    transactions += check.parts(at.header, at.hash)
    if (options.seals !== null && at.header.number > 0n) {
      const fault = await sealFault(at.header, options.seals)
      if (fault !== null) damage.add('seal', `block ${at.header.number}`, fault)
    }
    blocks++
    if (blocks % BLOCKS_A_TURN === 0) await setImmediate()
    const { number, parentHash }: BlockHeader = at.header
    options.onProgress({ fraction: blocks / (Number(head.number) + 1), block: Number(number), blocks })
    at = number === 0n ? null : check.below(number, parentHash)
  }
  return { head, blocks, transactions }
}

/** Checks one block after another, each entry of it. */
class BlockCheck {
  readonly #reads: ChainReads

  constructor(
    private readonly store: Store,
    private readonly damage: DamageList,
  ) {
    this.#reads = new ChainReads(store)
  }

  /** Null when it is missing, or doesn't have that hash. */
  header(hash: Uint8Array, where: string): BlockHeader | null {
    const bytes = this.store.get(chainKeys.header(hash))
    if (bytes === undefined) return this.#missing(where, 'its header is missing')
    if (!equalBytes(keccak256(bytes), hash)) return this.#missing(where, 'its header is damaged')
    const header = decodeHeader(bytes)
    return header.ok ? header.value : this.#missing(where, `its header is damaged: ${header.error}`)
  }

  /** The parent; when unreadable, the next lower block that the index names and that is readable. */
  below(number: bigint, parentHash: Uint8Array): { readonly header: BlockHeader; readonly hash: Uint8Array } | null {
    const parent = this.header(parentHash, `block ${number - 1n}`)
    if (parent !== null) return { header: parent, hash: parentHash }
    for (let next = number - 2n; next >= 0n; next--) {
      const hash = this.store.get(chainKeys.canonical(next))
      const header = hash === undefined ? this.#missing(`block ${next}`, 'unknown') : this.header(hash, `block ${next}`)
      if (hash !== undefined && header !== null) return { header, hash }
    }
    return null
  }

  /** Body, receipts, total difficulty and index entries. @returns its number of transactions */
  parts(header: BlockHeader, hash: Uint8Array): number {
    const where = `block ${header.number}`
    const indexed = this.store.get(chainKeys.canonical(header.number))
    if (indexed === undefined || !equalBytes(indexed, hash))
      this.damage.add('index', where, indexed === undefined ? 'is not in the index' : 'the index names another block')
    this.#difficulty(header, hash)
    this.#receipts(header, hash)
    const transactions = this.#body(header, hash)
    for (const [index, tx] of (transactions ?? []).entries()) {
      const place = this.#place(tx.hash)
      if (place === null || place.index !== index || !equalBytes(place.blockHash, hash))
        this.damage.add('transactions', where, `transaction ${toHex(tx.hash)} is not in the index`)
    }
    return transactions?.length ?? 0
  }

  #body(header: BlockHeader, hash: Uint8Array): readonly AnyTransaction[] | null {
    const where = `block ${header.number}`
    const bytes = this.store.get(chainKeys.body(hash))
    if (bytes === undefined) {
      this.damage.add('body', where, 'its transactions are missing')
      return null
    }
    const body = decodeTransactions(bytes)
    if (body.ok && equalBytes(transactionRoot(body.value), header.txRoot)) return body.value
    this.damage.add('body', where, 'its transactions are damaged')
    return null
  }

  #receipts(header: BlockHeader, hash: Uint8Array): void {
    const where = `block ${header.number}`
    const bytes = this.store.get(chainKeys.receipts(hash))
    const receipts = bytes === undefined ? null : decodeStoredReceipts(bytes)
    if (receipts === null) this.damage.add('receipts', where, 'its receipts are missing')
    else if (!receipts.ok || !equalBytes(rootOf(receipts.value.map((each) => encodeReceipt(each))), header.receiptRoot))
      this.damage.add('receipts', where, 'its receipts are damaged')
    else if (header.number >= this.#logsFrom() && !isIndexed(this.store, header.number, receipts.value))
      this.damage.add('logs', where, 'some of its logs are not in the index')
  }

  #difficulty(header: BlockHeader, hash: Uint8Array): void {
    const total = this.#reads.totalDifficulty(hash)
    const before = header.number === 0n ? 0n : this.#reads.totalDifficulty(header.parentHash)
    // When the parent's is missing, that is reported for the parent.
    if (total === null || (before !== null && total !== before + header.difficulty))
      this.damage.add(
        'difficulty',
        `block ${header.number}`,
        `its total difficulty is ${total === null ? 'missing' : 'wrong'}`,
      )
  }

  #place(transaction: Uint8Array) {
    try {
      return this.#reads.transactionPlace(transaction)
    } catch (error: unknown) {
      if (error instanceof RangeError) return null
      throw error
    }
  }

  /** Blocks below it are still being indexed by a running node. */
  #logsFrom(): bigint {
    const bytes = this.store.get(metaKeys.logsFrom)
    return bytes === undefined ? 2n ** 64n : bigintFromBytes(bytes)
  }

  #missing(where: string, reason: string): null {
    this.damage.add('header', where, reason)
    return null
  }
}

function rootOf(items: readonly Uint8Array[]): Uint8Array {
  return orderedRoot(items, keccak256)
}
