// The chain worker's answers to peers' requests and announcements. Source of the limits and of the rules: prlx
// prl/protocols/prl/handlers.go

import { Mutex } from '../../base/mutex'
import { HeaderLine } from '../chain/import-blocks'
import { encodedList } from '../codec/rlp'
import { type BlockHeader, blockHash } from '../model/header'
import { decodeTransaction, rawToBodyBytes } from '../model/transaction'
import { chainKeys, stateKeys } from '../store/keys'
import type { ChainSession } from './chain-session'
import type { Arrivals } from './import-bytes'
import { answerSnap } from './p2p-snap'
import type { HeadersParams, HeadersVerdict, HeaderVerdict } from './wire/p2p-wire'

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
