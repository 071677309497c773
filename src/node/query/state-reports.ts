// Looks into whole states, for those who compare nodes: which accounts a block changed, roots between its transactions, slots in
// the order of the trie. Source: rpc.md 11
import { toHex } from '../../base/hex'
import { decodeRlp } from '../codec/rlp'
import { StoreError } from '../errors'
import { changedAccounts } from '../execution/state-changes'
import { slotWord } from '../execution/state-reader'
import { stateKeys } from '../store/keys'
import { nibblesOf } from '../trie/nibbles'
import { decodeNode, type TrieNode } from '../trie/node'
import { EMPTY_TRIE_ROOT, type NodeReader } from '../trie/trie'
import { rerun, stageOf } from './block-stage'
import { failed } from './block-state'
import { wordOfBytes } from './evm/word'
import type { AskRequest } from './query-wire'
import type { QueryLimits, QuerySession } from './session'
import { WorldTries } from './world-tries'

type Question<K extends AskRequest['kind']> = Extract<AskRequest, { kind: K }>

/** JSON number: the first block from `from` towards `to` whose state is there. */
export function accessibleState(session: QuerySession, { from, to }: Question<'accessibleState'>): string {
  const blocks = session.blocks()
  const first = Number(blocks.find(from).header.number)
  const last = Number(blocks.find(to).header.number)
  if (first === last) throw failed('from and to needs to be different')
  const { store } = session.view()
  const step = first < last ? 1 : -1
  for (let number = first; number !== last; number += step) {
    const root = blocks.header(number)?.header.stateRoot
    const isThere = root !== undefined && (isEmptyRoot(root) || store.get(stateKeys.node(root)) !== undefined)
    if (isThere) return String(number)
  }
  throw failed('no state found')
}

/** JSON list of the accounts that are there after `last` and were not so before `first`; `last` null = `first`. */
export function modifiedAccounts(session: QuerySession, { first, last }: Question<'modifiedAccounts'>): string {
  if (last !== null && first >= last)
    throw failed(`start block height (${first}) must be less than end block height (${last})`)
  const blocks = session.blocks()
  const [oldest, newest] = last === null ? [first - 1, first] : [first, last]
  const states = [oldest, newest].map((number) => {
    const found = number < 0 ? null : blocks.header(number)
    if (found === null) throw failed(`block ${number < 0 ? first : number} not found`)
    return blocks.at(found)
  })
  const candidates = new Map<string, Uint8Array>()
  for (let number = oldest + 1; number <= newest; number++) {
    const block = blocks.header(number)
    if (block === null) continue
    const { hash, header } = block
    for (const address of changedAccounts(session.view().store, { number: header.number, hash }))
      candidates.set(toHex(address), address)
  }
  const texts = (address: Uint8Array) => states.map(({ state }) => JSON.stringify(state.account(address), replacer))
  const modified = [...candidates].filter(([, address]) => {
    const [before, after] = texts(address)
    return after !== 'null' && before !== after
  })
  return JSON.stringify(modified.map(([name]) => name))
}

const replacer = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value)

/** JSON list of the state roots after each transaction of a block. */
export function intermediateRoots(
  session: QuerySession,
  { hash }: Question<'intermediateRoots'>,
  limits: QueryLimits,
): string {
  const { reads, store } = session.view()
  const block = reads.block(hash)
  if (block === null) throw failed(`block ${toHex(hash)} not found`)
  const stage = stageOf(session, block)
  const tries = new WorldTries(store, session.keccak256)
  const roots = block.transactions.map((tx) => {
    rerun(session, stage, [tx], limits)
    return toHex(tries.stateRoot(stage.world, stage.base.header.stateRoot))
  })
  return JSON.stringify(roots)
}

/** JSON `{storage, nextKey}`: slots of a contract before transaction `index` of a block, by the hash of their key. */
export function storageRange(session: QuerySession, question: Question<'storageRange'>, limits: QueryLimits): string {
  const { hash, index, address, start, most } = question
  const { reads, store } = session.view()
  const block = reads.block(hash)
  if (block === null) throw failed(`block ${toHex(hash)} not found`)
  if (index >= Math.max(1, block.transactions.length))
    throw failed(`transaction index ${index} out of range for block ${toHex(hash)}`)
  const stage = stageOf(session, block)
  rerun(session, stage, block.transactions.slice(0, index), limits)
  const account = stage.world.account(wordOfBytes(address))
  if (!account.exists) throw failed(`account ${toHex(address)} doesn't exist`)
  const tries = new WorldTries(store, session.keccak256)
  const root = tries.storageRoot(account, stage.base.header.stateRoot)
  const storage: Record<string, { key: null; value: string }> = {}
  let nextKey: string | null = null
  for (const { key, value } of leaves(root, nibblesOf(start), tries.read)) {
    if (Object.keys(storage).length === most) {
      nextKey = toHex(key)
      break
    }
    const decoded = decodeRlp(value)
    const word = decoded.ok && decoded.value instanceof Uint8Array ? slotWord(decoded.value) : value
    storage[toHex(key)] = { key: null, value: toHex(word) }
  }
  return JSON.stringify({ storage, nextKey })
}

interface Leaf {
  /** hashed */
  readonly key: Uint8Array
  readonly value: Uint8Array
}

/** In order of their keys, from `start` (nibbles, may be short) on. */
function* leaves(root: Uint8Array, start: Uint8Array, read: NodeReader): Generator<Leaf> {
  if (!isEmptyRoot(root)) yield* leavesUnder({ kind: 'hash', hash: root }, [], { start, read })
}

function* leavesUnder(
  node: TrieNode,
  path: readonly number[],
  walk: { readonly start: Uint8Array; readonly read: NodeReader },
): Generator<Leaf> {
  if (node.kind === 'hash') {
    const bytes = walk.read(node.hash)
    if (bytes === undefined) throw new StoreError('STORE_MISSING_NODE', { hash: toHex(node.hash) })
    yield* leavesUnder(decodeNode(bytes), path, walk)
    return
  }
  const here = node.kind === 'branch' ? path : [...path, ...node.path]
  if (isBefore(here, walk.start)) return
  if (node.kind === 'leaf') yield { key: packed(here), value: node.value }
  else if (node.kind === 'extension') yield* leavesUnder(node.child, here, walk)
  else
    for (const [nibble, child] of node.children.entries())
      if (child !== null) yield* leavesUnder(child, [...here, nibble], walk)
}

/** Whether everything under `path` comes before `start`. */
function isBefore(path: readonly number[], start: Uint8Array): boolean {
  for (const [i, nibble] of path.entries()) {
    const wanted = start[i]
    if (wanted === undefined || nibble > wanted) return false
    if (nibble < wanted) return true
  }
  return false
}

function packed(path: readonly number[]): Uint8Array {
  return Uint8Array.from({ length: path.length / 2 }, (_, i) => (path[2 * i] ?? 0) * 16 + (path[2 * i + 1] ?? 0))
}

function isEmptyRoot(root: Uint8Array): boolean {
  return toHex(root) === toHex(EMPTY_TRIE_ROOT)
}
