// Whole accounts of a state, page by page in trie order. Tries only contain hashes: addresses and slots come from the
// head's flat state, so anything deleted since has no name.
import { EMPTY_BYTES } from '../../../base/bytes'
import { toBareHex, toHex } from '../../../base/hex'
import { decodeRlp } from '../../codec/rlp'
import { type AccountState, decodeAccount, EMPTY_CODE_HASH } from '../../execution/account'
import { incarnationOf } from '../../execution/state-reader'
import { heightName } from '../../model/block-argument'
import { stateKeys } from '../../store/keys'
import type { StoreReader } from '../../store/store'
import { StoredTrie, type TrieEntry } from '../../trie/stored-trie'
import { failed, type StateBlock } from '../block-state'
import type { Asked } from '../query-wire'
import { mustBeAwaited, type QueryLimits, type QuerySession } from '../session'

type Question = Asked<'dump'>

/** As many accounts as in one answer of prlx. */
const MAX_ACCOUNTS = 256
/** Slots of all accounts on a page: the text is built in memory. */
const MAX_SLOTS = 100_000
/** Flat keys read per step while resolving names. */
const PORTION = 1_000

interface Found {
  readonly leaf: TrieEntry
  readonly account: AccountState
  /** 20 bytes; null = unknown */
  readonly address: Uint8Array | null
}

/** JSON `{root, accounts, next}`; `next` (base64) only when more follow. Source: prlx core/state/dump.go */
export async function dumpState(session: QuerySession, question: Question, limits: QueryLimits): Promise<string> {
  const { base, store } = blockOf(session, question)
  const root = base.header.stateRoot
  const read = (hash: Uint8Array): Uint8Array | undefined => store.get(stateKeys.node(hash))
  const asked = question.most === 0 ? MAX_ACCOUNTS : Math.min(question.most, MAX_ACCOUNTS)
  const page: Found[] = []
  const rest = new StoredTrie(root, read).entriesFrom(question.start)
  let next: Uint8Array | null = null
  while (page.length < asked) {
    const leaves = take(rest, asked - page.length)
    page.push(...(await named(leaves, session, limits)).filter(({ address }) => address !== null || question.nameless))
    if (leaves.length === 0) break
  }
  if (page.length === asked) next = rest.next().value?.key ?? null
  const accounts: Record<string, unknown> = {}
  let slotCount = 0
  for (const found of page) {
    const slots = question.storage
      ? take(new StoredTrie(found.account.storageRoot, read).entriesFrom(EMPTY_BYTES), MAX_SLOTS + 1)
      : []
    slotCount += slots.length
    if (slotCount > MAX_SLOTS)
      throw failed(`more than ${MAX_SLOTS} slots in one answer: ask for fewer accounts, or use debug_storageRangeAt`)
    const storage = slots.length === 0 ? {} : await namedSlots(session, found, slots, limits)
    accounts[toHex(found.address ?? found.leaf.key)] = accountView(store, found, storage, question.code)
  }
  const after = next === null ? {} : { next: Buffer.from(next).toString('base64') }
  return JSON.stringify({ root: toBareHex(root), accounts, ...(question.paged ? after : {}) })
}

/** @throws RpcFault RPC_FAILED */
function blockOf(session: QuerySession, { at }: Question): StateBlock {
  if (at.kind === 'neither') throw failed('either block number or block hash must be specified')
  if (at.kind === 'tag' && at.tag === 'pending') throw failed('the pending state cannot be dumped, ask for latest')
  const blocks = session.blocks()
  if (at.kind === 'hash' && session.view().reads.header(at.hash) === null)
    throw failed(`block ${toHex(at.hash)} not found`)
  return blocks.find(at, at.kind === 'number' ? `block #${heightName(at.number)} not found` : undefined)
}

function take(leaves: Iterator<TrieEntry>, most: number): readonly TrieEntry[] {
  const taken: TrieEntry[] = []
  while (taken.length < most) {
    const { done, value } = leaves.next()
    if (done === true) break
    taken.push(value)
  }
  return taken
}

/** With their addresses, where the head knows them. */
async function named(
  leaves: readonly TrieEntry[],
  session: QuerySession,
  limits: QueryLimits,
): Promise<readonly Found[]> {
  const hashes = new Set(leaves.map(({ key }) => toBareHex(key)))
  const prefix = stateKeys.account(EMPTY_BYTES)
  const names = await namesOf(session, hashes, prefix, limits)
  return leaves.map((leaf) => {
    const address = names.get(toBareHex(leaf.key)) ?? null
    return { leaf, address, account: decodeAccount(leaf.value) }
  })
}

/** The part after `prefix` of the flat keys, by its hash, for the wanted hashes. */
async function namesOf(
  session: QuerySession,
  wanted: ReadonlySet<string>,
  prefix: Uint8Array,
  limits: QueryLimits,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const view = session.view()
  const names = new Map<string, Uint8Array>()
  let last: Uint8Array | null = null
  while (names.size < wanted.size) {
    mustBeAwaited(limits)
    const keys: readonly Uint8Array[] = await view.keysBehind(prefix, last, PORTION)
    for (const key of keys) {
      const name = key.slice(prefix.length)
      const hash = toBareHex(session.keccak256(name))
      if (wanted.has(hash)) names.set(hash, name)
    }
    last = keys.at(-1) ?? null
    if (last === null) break
  }
  return names
}

function accountView(store: StoreReader, { account, leaf }: Found, storage: object, withCode: boolean) {
  const { balance, nonce, storageRoot, codeHash } = account
  const hasCode = withCode && toHex(codeHash) !== toHex(EMPTY_CODE_HASH)
  return {
    balance: balance.toString(),
    nonce: Number(nonce),
    root: toHex(storageRoot),
    codeHash: toHex(codeHash),
    ...(hasCode ? { code: toHex(store.get(stateKeys.code(codeHash)) ?? EMPTY_BYTES) } : {}),
    ...(Object.keys(storage).length > 0 ? { storage } : {}),
    key: toHex(leaf.key),
  }
}

/** Slots by name; by the hash of it where the account or the slot has none. */
async function namedSlots(
  session: QuerySession,
  { address }: Found,
  slots: readonly TrieEntry[],
  limits: QueryLimits,
): Promise<Readonly<Record<string, string>>> {
  const hashes = new Set(address === null ? [] : slots.map(({ key }) => toBareHex(key)))
  const named = address ?? EMPTY_BYTES
  const prefix = stateKeys.slotsOf(named, incarnationOf(session.view().store, named))
  const names = await namesOf(session, hashes, prefix, limits)
  return Object.fromEntries(
    slots.map(({ key, value }) => {
      const content = decodeRlp(value)
      const bytes = content.ok && content.value instanceof Uint8Array ? content.value : value
      return [toHex(names.get(toBareHex(key)) ?? key), toBareHex(bytes)]
    }),
  )
}
