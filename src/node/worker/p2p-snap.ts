// The chain worker's answers to nodes that download a whole state: ranges of accounts and slots with proofs, code, trie
// nodes. Any available state is served through its nodes; for others the answer is empty. Source of the rules: the snap
// protocol of devp2p, and where that is silent prlx prl/protocols/snap/handler.go
import { compareBytes, EMPTY_BYTES, equalBytes, joinBytes } from '../../base/bytes'
import { toBareHex } from '../../base/hex'
import { decodeRlp, encodeRlp } from '../codec/rlp'
import { StoreError } from '../errors'
import { EMPTY_CODE_HASH } from '../execution/account'
import {
  type AccountRangeQuery,
  type ByteCodesQuery,
  decodeSnapQuery,
  encodeAccountRange,
  encodeBlobs,
  encodeStorageRanges,
  type RangeItem,
  type SnapQuery,
  type StorageRangesQuery,
  type TrieNodesQuery,
} from '../protocol/snap-messages'
import { stateKeys } from '../store/keys'
import type { StoreReader } from '../store/store'
import { unpackNibbles } from '../trie/node'
import { StoredTrie } from '../trie/stored-trie'
import { EMPTY_TRIE_ROOT } from '../trie/trie'

/** So many reads take 20 ms, and a block never waits long; what was found until then is a verifiable answer. */
const MAX_READS = 2048
/** Storage may exceed the requested size by this factor if that completes it: otherwise a proof would be needed. */
const SLACK = 1.1
const FIRST_KEY = new Uint8Array(32)
const LAST_KEY = new Uint8Array(32).fill(0xff)

interface SnapAnswer {
  /** RLP of the answer */
  readonly payload: Uint8Array
  /** Database entries read for it. */
  readonly reads: number
}

/** Null for a malformed request. @param code see `SNAP_CODES` */
export function answerSnap(store: StoreReader, code: number, request: Uint8Array): SnapAnswer | null {
  const query = decodeSnapQuery(code, request)
  if (!query.ok) return null
  const reads = new ReadCount(store)
  try {
    return { payload: answerOf(reads, query.value), reads: reads.count }
  } catch (error: unknown) {
    const isGone = error instanceof StoreError && error.code === 'STORE_MISSING_NODE'
    if (!isGone) throw error
    return { payload: emptyAnswer(query.value), reads: reads.count }
  }
}

class ReadCount {
  count = 0

  constructor(private readonly store: StoreReader) {}

  get isOver(): boolean {
    return this.count >= MAX_READS
  }

  readonly node = (hash: Uint8Array): Uint8Array | undefined => {
    this.count++
    return this.store.get(stateKeys.node(hash))
  }

  code(hash: Uint8Array): Uint8Array | undefined {
    this.count++
    return this.store.get(stateKeys.code(hash))
  }
}

function answerOf(reads: ReadCount, query: SnapQuery): Uint8Array {
  switch (query.kind) {
    case 'accounts':
      return accountRange(reads, query)
    case 'storage':
      return storageRanges(reads, query)
    case 'codes':
      return encodeBlobs(query.id, byteCodes(reads, query))
    case 'nodes':
      return encodeBlobs(query.id, trieNodes(reads, query))
  }
}

function emptyAnswer(query: SnapQuery): Uint8Array {
  if (query.kind === 'accounts') return encodeAccountRange(query.id, [], [])
  return query.kind === 'storage' ? encodeStorageRanges(query.id, [], []) : encodeBlobs(query.id, [])
}

function accountRange(reads: ReadCount, { id, root, origin, limit, bytes }: AccountRangeQuery): Uint8Array {
  const trie = new StoredTrie(root, reads.node)
  const accounts: RangeItem[] = []
  let size = 0
  for (const { key, value } of trie.entriesFrom(origin)) {
    const body = slimAccount(value)
    if (body === null) return encodeAccountRange(id, [], []) // the root of something else
    accounts.push({ hash: key, body })
    size += key.length + body.length
    if (compareBytes(key, limit) >= 0 || size > bytes || reads.isOver) break
  }
  return encodeAccountRange(id, accounts, endProofs(trie, origin, accounts.at(-1)?.hash))
}

function storageRanges(reads: ReadCount, query: StorageRangesQuery): Uint8Array {
  const { id, root, bytes } = query
  const state = new StoredTrie(root, reads.node)
  const hardLimit = Math.floor(bytes * SLACK)
  const slots: (readonly RangeItem[])[] = []
  let size = 0
  for (const [index, account] of query.accounts.entries()) {
    if (size >= bytes || reads.isOver) break
    const origin = (index === 0 ? query.origin : null) ?? FIRST_KEY
    const limit = (index === 0 ? query.limit : null) ?? LAST_KEY
    const storage = storageOf(state, account, reads)
    const list: RangeItem[] = []
    let isCut = false
    for (const { key, value } of storage?.entriesFrom(origin) ?? []) {
      if (size >= hardLimit || (reads.isOver && list.length > 0)) {
        isCut = true
        break
      }
      list.push({ hash: key, body: value })
      size += key.length + value.length
      if (compareBytes(key, limit) >= 0) break
    }
    if (list.length > 0) slots.push(list)
    const hasProof = compareBytes(origin, FIRST_KEY) > 0 || (isCut && list.length > 0)
    if (!hasProof) continue
    if (storage === null) return encodeStorageRanges(id, [], [])
    return encodeStorageRanges(id, slots, endProofs(storage, origin, list.at(-1)?.hash))
  }
  return encodeStorageRanges(id, slots, [])
}

function byteCodes(reads: ReadCount, { hashes, bytes }: ByteCodesQuery): readonly Uint8Array[] {
  const codes: Uint8Array[] = []
  let size = 0
  for (const hash of hashes) {
    const code = equalBytes(hash, EMPTY_CODE_HASH) ? EMPTY_BYTES : reads.code(hash)
    if (code !== undefined) codes.push(code)
    size += code?.length ?? 0
    if (size > bytes) break
  }
  return codes
}

function trieNodes(reads: ReadCount, { root, paths, bytes }: TrieNodesQuery): readonly Uint8Array[] {
  const state = new StoredTrie(root, reads.node)
  const nodes: Uint8Array[] = []
  let size = 0
  state.nodeAt(EMPTY_BYTES) // throws if the state isn't available
  for (const [first = EMPTY_BYTES, ...inStorage] of paths) {
    if (reads.isOver) break
    const trie = inStorage.length === 0 ? state : storageOf(state, hashOf(first), reads)
    for (const path of trie === null ? [] : inStorage.length === 0 ? [first] : inStorage) {
      const node = trie?.nodeAt(nodePath(path)) ?? EMPTY_BYTES
      nodes.push(node)
      size += node.length
      if (size > bytes || reads.isOver) return nodes
    }
  }
  return nodes
}

/** Null when the account doesn't exist. */
function storageOf(state: StoredTrie, account: Uint8Array, reads: ReadCount): StoredTrie | null {
  const fields = accountFields(state.get(account))
  return fields === null ? null : new StoredTrie(fields.storageRoot, reads.node)
}

/** Proofs of the first and last key of a range, each node once. */
function endProofs(trie: StoredTrie, origin: Uint8Array, last: Uint8Array | undefined): readonly Uint8Array[] {
  const nodes = [...trie.proof(origin), ...(last === undefined ? [] : trie.proof(last))]
  return [...new Map(nodes.map((node) => [toBareHex(node), node])).values()]
}

interface AccountFields {
  readonly nonce: Uint8Array
  readonly balance: Uint8Array
  readonly storageRoot: Uint8Array
  readonly codeHash: Uint8Array
}

/** Null when it isn't an account but a value of another trie. */
function accountFields(value: Uint8Array | null): AccountFields | null {
  const decoded = value === null ? null : decodeRlp(value)
  if (decoded?.ok !== true || decoded.value instanceof Uint8Array) return null
  const [nonce, balance, storageRoot, codeHash] = decoded.value
  if (!(nonce instanceof Uint8Array && balance instanceof Uint8Array)) return null
  if (!(storageRoot instanceof Uint8Array && codeHash instanceof Uint8Array)) return null
  return storageRoot.length === 32 && codeHash.length === 32 ? { nonce, balance, storageRoot, codeHash } : null
}

/** The slim form for the wire: empty root and code hash are omitted. */
function slimAccount(value: Uint8Array): Uint8Array | null {
  const fields = accountFields(value)
  if (fields === null) return null
  const { nonce, balance, storageRoot, codeHash } = fields
  const root = equalBytes(storageRoot, EMPTY_TRIE_ROOT) ? EMPTY_BYTES : storageRoot
  return encodeRlp([nonce, balance, root, equalBytes(codeHash, EMPTY_CODE_HASH) ? EMPTY_BYTES : codeHash])
}

/** The last 32 bytes, left-padded with zeros. */
function hashOf(bytes: Uint8Array): Uint8Array {
  return joinBytes([new Uint8Array(Math.max(0, 32 - bytes.length)), bytes.subarray(Math.max(0, bytes.length - 32))])
}

/** Nibbles of a compact path, which refers to a node and so is never a leaf's. */
function nodePath(compact: Uint8Array): Uint8Array {
  return compact.length === 0 ? EMPTY_BYTES : unpackNibbles(compact).path
}
