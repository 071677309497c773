// The chain worker's answers to peers' requests and announcements. Source of the limits and of the rules: prlx
// prl/protocols/prl/handlers.go

import { compareBytes, EMPTY_BYTES, equalBytes, joinBytes } from '../../base/bytes'
import { toBareHex } from '../../base/hex'
import { Mutex } from '../../base/mutex'
import { HeaderLine } from '../chain/import-blocks'
import { decodeRlp, encodedList, encodeRlp } from '../codec/rlp'
import { StoreError } from '../errors'
import { EMPTY_CODE_HASH } from '../execution/account'
import { type BlockHeader, blockHash } from '../model/header'
import { decodeTransaction, rawToBodyBytes } from '../model/transaction'
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
import { chainKeys, stateKeys } from '../store/keys'
import type { StoreReader } from '../store/store'
import { unpackNibbles } from '../trie/node'
import { StoredTrie } from '../trie/stored-trie'
import { EMPTY_TRIE_ROOT } from '../trie/trie'
import type { ChainSession } from './chain-session'
import type { Arrivals } from './import-bytes'
import type { HeadersParams, HeadersVerdict, HeaderVerdict } from './wire/read-wire'

// The chain worker's answers to nodes that download a whole state: ranges of accounts and slots with proofs, code, trie
// nodes. Any available state is served through its nodes; for others the answer is empty. Source of the rules: the snap
// protocol of devp2p, and where that is silent prlx prl/protocols/snap/handler.go

/** So many reads take 20 ms, and a block never waits long; what was found until then is a verifiable answer. */
const MAX_READS = 2048
/** Storage may exceed the requested size by this factor if that completes it: otherwise a proof would be needed. */
const SLACK = 1.1
const FIRST_KEY = new Uint8Array(32)
const LAST_KEY = new Uint8Array(32).fill(0xff)

/** Null for a malformed request. @param code see `SNAP_CODES` */
export function answerSnap(
  store: StoreReader,
  code: number,
  request: Uint8Array,
): { readonly payload: Uint8Array; readonly reads: number } | null {
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

/** Seals verified concurrently: an invalid one costs at most this many. */
const SLICE = 32

/** Header series followed concurrently: several syncs race, and one must not disrupt another. */
const MAX_LINES = 16

interface Ahead {
  /** Verified headers, some not stored yet, last used last; the next build on one of them or on a stored one. */
  readonly lines: HeaderLine[]
  readonly newLine: () => HeaderLine
  /** One call at a time: a late call of an aborted sync must not get between the headers of the next. */
  readonly turns: Mutex
}

const aheads = new WeakMap<ChainSession, Ahead>()

/** @param headers each on the one before; the first one's parent is stored or was just verified */
export function checkHeaders(session: ChainSession, headers: readonly BlockHeader[]): Promise<HeadersVerdict> {
  const ahead = aheads.get(session) ?? newAhead(session)
  const { arrivals } = session
  return ahead.turns.run(() => checkOn(lineFor(ahead, headers), headers, arrivals))
}

/** The series that the headers continue, or a new one that replaces the least recently used. */
function lineFor({ lines, newLine }: Ahead, [header]: readonly BlockHeader[]): HeaderLine {
  const at = header === undefined ? -1 : lines.findIndex((line) => line.continues({ header }))
  const [line = newLine()] = at < 0 ? [] : lines.splice(at, 1)
  lines.push(line)
  if (lines.length > MAX_LINES) lines.shift()
  return line
}

async function checkOn(line: HeaderLine, headers: readonly BlockHeader[], arrivals: Arrivals): Promise<HeadersVerdict> {
  line.dropStored()
  for (let start = 0; start < headers.length; start += SLICE) {
    const { ruled, broken } = checkRules(line, headers.slice(start, start + SLICE))
    const faults = await Promise.all(ruled.map(({ seal }) => seal))
    const bad = faults.findIndex((fault) => fault !== null)
    for (const { header, hash } of bad < 0 ? ruled : ruled.slice(0, bad)) arrivals.addHeader(header, hash)
    if (bad >= 0) {
      line.restart()
      return verdict(start + bad, faults[bad] ?? '')
    }
    if (broken !== null) return verdict(start + ruled.length, broken)
  }
  return { good: headers.length, fault: null }
}

/** The headers that satisfy the rules, with the check of their seals, and the fault of the next one. */
function checkRules(line: HeaderLine, headers: readonly BlockHeader[]) {
  const ruled: { header: BlockHeader; hash: Uint8Array; seal: Promise<string | null> }[] = []
  for (const header of headers) {
    const hash = blockHash(header)
    const { fault, seal } = line.check({ header, hash })
    if (fault !== null) return { ruled, broken: fault }
    ruled.push({ header, hash, seal })
  }
  return { ruled, broken: null }
}

function newAhead(session: ChainSession): Ahead {
  const { chain, seals } = session
  const { params, reads } = chain
  const newLine = (): HeaderLine => new HeaderLine({ params, reads, seals, nowSeconds: () => chain.nowSeconds() })
  const ahead = { lines: [], newLine, turns: new Mutex() }
  aheads.set(session, ahead)
  return ahead
}

function verdict(good: number, reason: string): HeadersVerdict {
  const kind = reason === 'block in the future' ? 'future' : reason === 'unknown ancestor' ? 'unknown parent' : 'fault'
  return { good, fault: { kind, reason } }
}

const MAX_ITEMS = 1024
const SOFT_BYTES = 2 * 1024 * 1024
const EMPTY_LIST = Uint8Array.of(0xc0)
/** Side blocks that one request may make us walk. Source: prlx prl/protocols/prl/handlers.go (maxNonCanonical) */
const MAX_STEPS_ASIDE = 100

interface Hashes {
  readonly hashes: readonly Uint8Array[]
}

/** @param session throws CHAIN_NOT_OPEN while there is none */
export function p2pHandlers(session: () => ChainSession) {
  return {
    'chain.p2pHeaders': (query: HeadersParams) => headersOf(session(), query),
    'chain.p2pBodies': ({ hashes }: Hashes) => {
      const { store } = session()
      return collect(hashes, (hash) => store.get(chainKeys.body(hash)))
    },
    'chain.p2pReceipts': ({ hashes }: Hashes) => {
      const opened = session()
      return collect(hashes, (hash) => receiptsOf(opened, hash))
    },
    'chain.p2pPooled': ({ hashes }: Hashes) => {
      const { pool } = session()
      return collect(hashes, (hash) => {
        const entry = pool.get(hash)
        return entry === null ? undefined : rawToBodyBytes(entry.tx.raw)
      })
    },
    'chain.p2pNodeData': ({ hashes }: Hashes) => {
      const { store } = session()
      return collect(hashes, (hash) => store.get(stateKeys.node(hash)) ?? store.get(stateKeys.code(hash)))
    },
    'chain.p2pSnap': ({ code, request }: { readonly code: number; readonly request: Uint8Array }) =>
      answerSnap(session().store, code, request),
    'chain.p2pKnownBlocks': ({ hashes }: Hashes) => {
      const { chain } = session()
      return hashes.map((hash) => chain.reads.header(hash) !== null)
    },
    'chain.p2pCanonical': ({ numbers }: { readonly numbers: readonly bigint[] }) => {
      const { chain } = session()
      return numbers.map((number) => chain.reads.canonicalHash(number))
    },
    'chain.p2pJudgeHeader': ({ header }: { readonly header: BlockHeader }) => judgeHeader(session(), header),
    'chain.p2pReadBlock': ({ block }: { readonly block: Uint8Array }) => session().arrivals.readBlock(block),
    'chain.p2pCheckHeaders': ({ headers }: { readonly headers: readonly BlockHeader[] }) =>
      checkHeaders(session(), headers),
    'chain.p2pUnknownTransactions': ({ hashes }: Hashes) => {
      const { pool, chain } = session()
      return hashes.filter((hash) => pool.get(hash) === null && chain.reads.transactionPlace(hash) === null)
    },
    'chain.p2pAddTransactions': ({ raws }: { readonly raws: readonly Uint8Array[] }) => {
      const opened = session()
      return raws.map((raw) => addRemote(opened, raw))
    },
    'chain.p2pPendingHashes': () =>
      session()
        .pool.executable()
        .map((entry) => entry.tx.hash),
  }
}

/** What is found, in order, up to the limits; unknown hashes are skipped. */
function collect(hashes: readonly Uint8Array[], find: (hash: Uint8Array) => Uint8Array | undefined): Uint8Array[] {
  const found: Uint8Array[] = []
  let bytes = 0
  for (const hash of hashes) {
    if (found.length === MAX_ITEMS || bytes >= SOFT_BYTES) break
    const item = find(hash)
    if (item === undefined) continue
    found.push(item)
    bytes += item.length
  }
  return found
}

/** By height: canonical; by hash upwards: from a canonical block only; by hash downwards: any branch. */
function headersOf(session: ChainSession, query: HeadersParams): Uint8Array[] {
  const { reads } = session.chain
  const { origin } = query
  if (!(origin instanceof Uint8Array)) return canonicalHeaders(session, query, origin)
  const header = reads.header(origin)
  if (header === null) return []
  if (reads.isCanonical(header.number, origin)) return canonicalHeaders(session, query, header.number)
  return branchHeaders(session, query, origin)
}

/** What syncs request: returned as stored, not decoded. */
function canonicalHeaders({ chain, store }: ChainSession, query: HeadersParams, start: bigint): Uint8Array[] {
  const { reads, head } = chain
  const step = query.reverse ? -(query.skip + 1n) : query.skip + 1n
  const most = maxOf(query)
  const found: Uint8Array[] = []
  let bytes = 0
  for (let number = start; number >= 0n && number <= head.header.number; number += step) {
    if (found.length >= most || bytes >= SOFT_BYTES) break
    const hash = reads.canonicalHash(number)
    const stored = hash === null ? undefined : store.get(chainKeys.header(hash))
    if (stored === undefined) break
    found.push(stored)
    bytes += stored.length
  }
  return found
}

/** From a side block: upwards only itself, downwards its ancestors; with gaps only within a limited number of steps. */
function branchHeaders({ chain, store }: ChainSession, query: HeadersParams, origin: Uint8Array): Uint8Array[] {
  const { reads } = chain
  const most = maxOf(query)
  const found: Uint8Array[] = []
  let bytes = 0
  const steps = { left: MAX_STEPS_ASIDE }
  let hash: Uint8Array | null = origin
  while (hash !== null && found.length < most && bytes < SOFT_BYTES) {
    const stored = store.get(chainKeys.header(hash))
    const header: BlockHeader | null = stored === undefined ? null : reads.header(hash)
    if (stored === undefined || header === null) break
    found.push(stored)
    bytes += stored.length
    const next: bigint = header.number - query.skip - 1n
    hash = query.reverse && next >= 0n ? below(chain, header, next, steps) : null
  }
  return found
}

function maxOf({ amount }: HeadersParams): number {
  return amount > BigInt(MAX_ITEMS) ? MAX_ITEMS : Number(amount)
}

type Chain = ChainSession['chain']

/** Hash of the block at `number` on the branch that ends in `header`; null when unknown or too many steps away. */
function below({ reads }: Chain, header: BlockHeader, number: bigint, steps: { left: number }): Uint8Array | null {
  for (let at = header; ; ) {
    if (at.number === number + 1n) return at.parentHash
    if (reads.isCanonical(at.number - 1n, at.parentHash)) return reads.canonicalHash(number)
    const next = steps.left-- > 0 ? reads.header(at.parentHash) : null
    if (next === null) return null
    at = next
  }
}

function receiptsOf({ chain, store }: ChainSession, hash: Uint8Array): Uint8Array | undefined {
  const stored = chain.reads.storedReceipts(hash)
  if (stored !== null)
    return encodedList(stored.outcomes.map((_outcome, index) => rawToBodyBytes(stored.encoded(index))))
  const body = store.get(chainKeys.body(hash))
  return body?.length === 1 ? EMPTY_LIST : undefined // no transactions, so no receipts, executed or not
}

async function judgeHeader({ chain, arrivals }: ChainSession, header: BlockHeader): Promise<HeaderVerdict> {
  const hash = blockHash(header)
  const parentTotal = chain.reads.totalDifficulty(header.parentHash)
  if (chain.reads.header(hash) !== null) return { kind: 'known', reason: '', parentTotal: parentTotal ?? 0n }
  if (parentTotal === null) return { kind: 'unknown parent', reason: 'unknown ancestor', parentTotal: 0n }
  const fault = await chain.headerFault(header)
  if (fault === null) {
    arrivals.addHeader(header, hash)
    return { kind: 'good', reason: '', parentTotal }
  }
  return { kind: fault === 'block in the future' ? 'future' : 'fault', reason: fault, parentTotal }
}

function addRemote({ pool }: ChainSession, raw: Uint8Array): string | null {
  const tx = decodeTransaction(raw)
  const added = tx.ok ? pool.add(tx.value, { local: false }) : tx
  return added.ok ? null : added.error
}
