// One sync with one peer: headers, verification, bodies and import run concurrently, with back-pressure between them.
import { equalBytes, joinBytes } from '../../../base/bytes'
import type { Disposable } from '../../../base/disposable'
import { hasCode, messageOf } from '../../../base/errors'
import { onAbort } from '../../../base/on-abort'
import { sleep } from '../../../base/time'
import { MAX_EXTRA_DATA_BYTES } from '../../consensus/header-rules'
import { P2pError } from '../../errors'
import { FULL_WINDOW } from '../../model/window-size'
import type { ImportReport } from '../../worker/wire/import-shapes'
import type { BlockSummary } from '../../worker/wire/shapes'
import type { P2pChain } from '../network-parts'
import { bad, type FetchedHeader, fetchHeaders } from '../peer/fetch'
import type { Peer, ProvenBlock } from '../peer/peer'
import { BodyFetcher } from './body-fetcher'
import type { SyncParts, SyncPhase } from './sync-parts'

/** The block that the following headers build on. */
interface Ancestor {
  readonly number: bigint
  /** 32 bytes */
  readonly hash: Uint8Array
}

/** A series of headers that can be verified on its own. */
interface RangeRequest {
  readonly after: Ancestor
  readonly count: bigint
  /** 32 bytes: hash of the last one; null = unknown */
  readonly end: Uint8Array | null
}

/** All of them: one at a time could keep us busy forever. @throws P2pError P2P_TIMEOUT, P2P_CLOSED, P2P_BAD_DATA */
async function fetchRange(peer: Peer, request: RangeRequest, timeoutMs: number): Promise<FetchedHeader[]> {
  const { after, count, end } = request
  const query = { origin: after.number + 1n, amount: count, skip: 0n, reverse: false }
  const headers = plain(await fetchHeaders(peer, query, timeoutMs))
  const last = headers.at(-1)
  if (last === undefined) throw bad('headers', `none after block ${after.number}`)
  const areLinked = headers.every(({ header }, index) => {
    const parent = headers[index - 1]?.hash ?? after.hash
    return header.number === after.number + BigInt(index + 1) && equalBytes(header.parentHash, parent)
  })
  if (!areLinked) throw bad('headers', `they do not follow block ${after.number}`)
  if (BigInt(headers.length) !== count)
    throw bad('headers', `${headers.length} of ${count} after block ${after.number}`)
  if (end !== null && !equalBytes(last.hash, end)) throw bad('headers', 'they do not lead to the skeleton')
  return headers
}

/** Headers that may be kept: none is inflated by its extra data. @throws P2pError P2P_BAD_DATA */
function plain(headers: FetchedHeader[]): FetchedHeader[] {
  const big = headers.find(({ header }) => header.extraData.length > MAX_EXTRA_DATA_BYTES)
  if (big === undefined) return headers
  throw bad('headers', `block ${big.header.number}: extra-data too long: ${big.header.extraData.length}`)
}

const MAX_FAILURES = 2

/** The owner of the skeleton, and its helpers. */
interface GapFillerDeps extends Pick<SyncParts, 'limits' | 'clock' | 'log' | 'meter' | 'onFault'> {
  /** When it can't fill a gap, the skeleton is worthless. */
  readonly master: Peer
  readonly helpers: () => readonly Peer[]
}

interface Gap {
  readonly request: RangeRequest
  readonly askedOf: Set<Peer>
  isOpen: boolean
  flights: number
  isLate: boolean
  readonly settle: (headers: readonly FetchedHeader[]) => void
  readonly fail: (error: unknown) => void
}

/** Every gap is verified at both ends, so a helper can delay but not deceive. */
class GapFiller {
  readonly #busy = new Set<Peer>()
  readonly #failures = new Map<Peer, number>()
  readonly #timers = new Set<Disposable>()
  #gaps: Gap[] = []

  constructor(private readonly deps: GapFillerDeps) {}

  /** One promise per gap, in order; all reject when the master fails. Each must be awaited. */
  fill(requests: readonly RangeRequest[]): readonly Promise<readonly FetchedHeader[]>[] {
    const filled = requests.map(
      (request) =>
        new Promise<readonly FetchedHeader[]>((settle, fail) => {
          this.#gaps.push({ request, isOpen: true, flights: 0, isLate: false, askedOf: new Set(), settle, fail })
        }),
    )
    this.#pump()
    return filled
  }

  /** Stops requesting; open gaps reject. */
  stop(): void {
    for (const timer of this.#timers) timer.dispose()
    this.#timers.clear()
    this.#failAll(new P2pError('P2P_CLOSED', { reason: 'the sync ended' }))
  }

  #pump(): void {
    this.#gaps = this.#gaps.filter(({ isOpen }) => isOpen)
    for (const peer of this.#idle()) {
      const gap = this.#gaps.find((open) => this.#isFor(open, peer))
      if (gap === undefined) continue
      this.#ask(peer, gap).catch((error: unknown) => this.#failAll(error))
    }
    // Without the master the helpers do what they can.
    const hasNobody = this.#gaps.some(
      (gap) => gap.flights === 0 && !this.#able().some((peer) => this.#isFor(gap, peer)),
    )
    if (hasNobody) this.#failAll(new P2pError('P2P_CLOSED', { reason: 'no peer is left to ask for headers' }))
  }

  #able(): readonly Peer[] {
    const { master, helpers } = this.deps
    return [master, ...helpers()].filter((peer) => !peer.isClosed && (this.#failures.get(peer) ?? 0) < MAX_FAILURES)
  }

  /** Fastest first. */
  #idle(): readonly Peer[] {
    const idle = this.#able().filter((peer) => !this.#busy.has(peer))
    return idle.sort((a, b) => b.headers.perSecond - a.headers.perSecond)
  }

  #isFor(gap: Gap, peer: Peer): boolean {
    return gap.isOpen && !gap.askedOf.has(peer) && (gap.flights === 0 || (gap.isLate && gap.flights === 1))
  }

  async #ask(peer: Peer, gap: Gap): Promise<void> {
    const { limits, clock, log, meter } = this.deps
    const startedAt = clock.monotonic()
    this.#busy.add(peer)
    gap.askedOf.add(peer)
    if (gap.flights++ === 0) gap.isLate = false
    meter.use(peer)
    const late = clock.setTimeout(() => {
      gap.isLate = true
      this.#pump()
    }, limits.lateMs)
    this.#timers.add(late)
    try {
      const headers = await fetchRange(peer, gap.request, limits.headersMs)
      peer.headers.delivered(headers.length, clock.monotonic() - startedAt)
      gap.isOpen = false
      gap.settle(headers)
    } catch (error: unknown) {
      log.debug('gap not filled', { peer: peer.name.slice(0, 16), error: messageOf(error) })
      this.#blame(peer, gap, error)
    } finally {
      late.dispose()
      this.#timers.delete(late)
      gap.flights--
      this.#busy.delete(peer)
      this.#pump()
    }
  }

  /** A helper may be on another branch and isn't asked anymore; the master may not. */
  #blame(peer: Peer, gap: Gap, error: unknown): void {
    const failures = (this.#failures.get(peer) ?? 0) + 1
    this.#failures.set(peer, failures)
    peer.headers.failed()
    if (peer !== this.deps.master) {
      if (hasCode(error, 'P2P_TIMEOUT') && failures >= MAX_FAILURES) this.deps.onFault(peer, messageOf(error))
    } else if (gap.isOpen) this.#failAll(error)
  }

  #failAll(error: unknown): void {
    const open = this.#gaps.filter(({ isOpen }) => isOpen)
    this.#gaps = []
    for (const gap of open) {
      gap.isOpen = false
      gap.fail(error instanceof P2pError ? error : bad('headers', messageOf(error)))
    }
  }
}

/** Size of one batch: small, so that progress is reported often. */
const IMPORT = { blocks: 128, bytes: 4 * 1024 * 1024 }
/** Batches that wait in the chain behind the one that executes: another thread prepares them meanwhile. */
const AHEAD = 1

type Refusal = { readonly kind: 'future' } | { readonly kind: 'invalid'; readonly reason: string }

/** Null when all blocks of the fetcher were imported; nothing is being imported anymore then. @throws what both throw */
async function importAll({ chain, watch, meter }: SyncParts, fetcher: BodyFetcher): Promise<Refusal | null> {
  const running: Promise<void>[] = []
  let refusal: Refusal | null = null
  const enter = (phase: SyncPhase): void => {
    if (watch.hasWorked) meter.enter(phase)
  }
  const execute = async (blocks: Awaited<ReturnType<BodyFetcher['take']>>): Promise<void> => {
    const bytes = joinBytes(blocks.map(({ rlp }) => rlp))
    const report = await watch.ours(chain.importBlocks(bytes, fetcher.waiting.headers))
    if (report.added + report.side > 0) watch.worked()
    refusal ??= refusalOf(report)
    const last = blocks.at(-1)
    if (refusal === null && last !== undefined && watch.hasWorked) meter.imported(Number(last.entry.header.number))
    if (running.length <= 1 && !fetcher.isReady) enter('bodies')
  }
  try {
    for (;;) {
      if (running.length === 0 && !fetcher.isReady) enter('bodies')
      const blocks = await fetcher.take(IMPORT)
      while (refusal === null && running.length > (blocks.length === 0 ? 0 : AHEAD)) {
        await running[0]
        void running.shift()
      }
      if (refusal !== null || blocks.length === 0) return refusal
      enter('importing')
      const next = execute(blocks)
      next.catch(() => undefined) // awaited in a later round
      running.push(next)
    }
  } finally {
    await Promise.allSettled(running)
  }
}

function refusalOf({ refused }: ImportReport): Refusal | null {
  if (refused === null) return null
  return refused.future ? { kind: 'future' } : { kind: 'invalid', reason: refused.reason }
}

/** Chains that fork deeper below our head can't be joined: no more blocks can be reorganized. prlx's: 4032. */
const MAX_DEPTH = FULL_WINDOW.reorg
/** The first request: this many headers, at this spacing. */
const PROBES = 12n
const STEP = 16n

/** Null when the chains fork too deep. @throws P2pError P2P_BAD_DATA for a wrong answer; P2P_TIMEOUT, P2P_CLOSED */
async function findAncestor(input: SyncRunInput, ownNumber: bigint, peerNumber: bigint): Promise<Ancestor | null> {
  const { chain, clock, limits } = input
  const top = ownNumber < peerNumber ? ownNumber : peerNumber
  const floor = ownNumber > MAX_DEPTH ? ownNumber - MAX_DEPTH : 0n
  if (top < floor) throw bad('common ancestor', `the peer ends at ${peerNumber}, far below ${ownNumber}`)
  const search = { ...input, endsAt: clock.monotonic() + limits.ancestorMs }
  const near = await probe(search, top, floor)
  if (near.shared?.number === top) return near.shared
  let high = near.parted
  let low: Ancestor | null = near.shared ?? (floor === 0n ? await ownAt(chain, 0n) : await sharedAt(search, floor))
  if (low === null) return null
  while (high - low.number > 1n) {
    const middle: bigint = (low.number + high) / 2n
    const found: Ancestor | null = await sharedAt(search, middle)
    if (found === null) high = middle
    else low = found
  }
  return low
}

interface Search extends SyncRunInput {
  /** on the monotonic clock, ms */
  readonly endsAt: number
}

interface Near {
  /** The highest common block found so far; null = none. */
  readonly shared: Ancestor | null
  /** The lowest height at which they are known to differ. */
  readonly parted: bigint
}

/** Compares `top` and heights below it, equally spaced, in one request. */
async function probe(search: Search, top: bigint, floor: bigint): Promise<Near> {
  const room = (top - floor) / STEP + 1n
  const amount = room < PROBES ? room : PROBES
  const theirs = await ask(search, { origin: top - (amount - 1n) * STEP, amount, skip: STEP - 1n })
  const own = await search.chain.canonical(theirs.map(({ header }) => header.number))
  let near: Near = { shared: null, parted: top + 1n }
  for (const [index, { header, hash }] of [...theirs.entries()].reverse()) {
    const ours = own[index] ?? null
    if (ours !== null && equalBytes(ours, hash)) return { ...near, shared: { number: header.number, hash } }
    near = { ...near, parted: header.number }
  }
  return near
}

async function ownAt(chain: P2pChain, number: bigint): Promise<Ancestor | null> {
  const [hash] = await chain.canonical([number])
  return hash === null || hash === undefined ? null : { number, hash }
}

/** The block at `number` if both have the same one. */
async function sharedAt(search: Search, number: bigint): Promise<Ancestor | null> {
  const own = await ownAt(search.chain, number)
  const [theirs] = await ask(search, { origin: number, amount: 1n, skip: 0n })
  return own !== null && theirs !== undefined && equalBytes(own.hash, theirs.hash) ? own : null
}

async function ask(
  { master, limits, clock, endsAt }: Search,
  query: { readonly origin: bigint; readonly amount: bigint; readonly skip: bigint },
): Promise<FetchedHeader[]> {
  const timeoutMs = Math.min(limits.headersMs, endsAt - clock.monotonic())
  if (timeoutMs <= 0) throw new P2pError('P2P_TIMEOUT', { what: 'common ancestor', timeoutMs: limits.ancestorMs })
  const headers = plain(await fetchHeaders(master, { ...query, reverse: false }, timeoutMs))
  const { origin, amount, skip } = query
  if (BigInt(headers.length) !== amount) throw bad('headers', `${headers.length} of ${amount} from ${origin}`)
  const wrong = headers.find(({ header }, index) => header.number !== origin + BigInt(index) * (skip + 1n))
  if (wrong !== undefined) throw bad('headers', `block ${wrong.header.number} was not asked for`)
  return headers
}

interface HeaderFeedInput extends Pick<SyncRunInput, 'chain' | 'limits' | 'clock' | 'watch' | 'signal'> {
  readonly fetcher: BodyFetcher
  /** Total difficulty of the first header's parent. */
  readonly fromTotal: bigint
  /** Of our head; the branch must exceed it. */
  readonly ownTotal: bigint
  /** Whether blocks of ours would be removed. */
  readonly isBranch: boolean
  /** @param count of newly verified headers @param last of them, with the total difficulty up to it */
  readonly onChecked: (count: number, last: ProvenBlock | null) => void
}

/** How a feed ended without a violation (those throw P2P_BAD_DATA). */
type FeedEnd =
  /** The fetcher has all headers; or this is a branch with less total difficulty than ours: no bodies were fetched. */
  | ({ readonly kind: 'complete' } & Led)
  | ({ readonly kind: 'light' } & Led)
  /** The next header is from the future: the peer isn't to blame. */
  | { readonly kind: 'future' }
  /** It has a block that it denied during the ancestor search, or our own chain changed meanwhile. */
  | { readonly kind: 'moved' }
  | { readonly kind: 'invalid'; readonly reason: string }

const ROOM_MS = 20

/** @throws P2pError of the stream; the signal's reason */
async function feedHeaders(stream: AsyncGenerator<readonly FetchedHeader[]>, input: HeaderFeedInput): Promise<FeedEnd> {
  const { chain, fetcher, clock, signal, ownTotal, watch, onChecked, limits } = input
  let total = input.fromTotal
  let last: Uint8Array = new Uint8Array(0)
  let held: FetchedHeader[] | null = input.isBranch ? [] : null
  for await (const headers of stream) {
    signal.throwIfAborted()
    if (input.isBranch && (await isOurs(chain, headers[0]))) return { kind: 'moved' }
    const { good, fault } = await watch.ours(chain.checkHeaders(headers.map(({ header }) => header)))
    signal.throwIfAborted()
    const checked = headers.slice(0, good)
    for (const { header } of checked) total += header.difficulty
    const top = checked.at(-1)
    last = top?.hash ?? last
    if (top !== undefined && !(await isStored(chain, top))) watch.worked()
    onChecked(good, top === undefined ? null : { number: top.header.number, hash: top.hash, total })
    if (fault !== null && fault.kind !== 'future')
      return { kind: 'invalid', reason: `header ${headers[good]?.header.number ?? ''}: ${fault.reason}` }
    if (held === null) fetcher.add(checked)
    else if (total > ownTotal) {
      fetcher.add([...held, ...checked])
      held = null
    } else {
      held.push(...checked)
      if (held.length > limits.heldHeaders)
        throw bad('headers', `${held.length} of a branch that is not heavier than ours`)
    }
    if (fault !== null) return { kind: 'future' }
    while (fetcher.waiting.headers > limits.aheadHeaders || fetcher.waiting.bytes > limits.aheadHeaderBytes)
      await watch.ours(sleep(clock, ROOM_MS, signal))
  }
  return { kind: held === null ? 'complete' : 'light', total, last }
}

/** A header of our own chain above the ancestor: it costs the peer no work and brings nothing new. */
async function isOurs(chain: P2pChain, first: FetchedHeader | undefined): Promise<boolean> {
  if (first === undefined) return false
  const [own = null] = await chain.canonical([first.header.number])
  return own !== null && equalBytes(own, first.hash)
}

async function isStored(chain: P2pChain, { hash }: FetchedHeader): Promise<boolean> {
  const [isKnown = false] = await chain.knownBlocks([hash])
  return isKnown
}

/** Headers between two skeleton headers, and per request. */
const GAP = 192n
const MAX_SKELETON = 16n

interface HeaderStreamInput extends GapFillerDeps {
  readonly from: Ancestor
  /** Height of the peer's head. */
  readonly target: bigint
  /** No further requests once it is aborted. */
  readonly signal: AbortSignal
}

/** Headers in order, some hundreds at a time, linked, up to the master's announced head. @throws P2pError about it */
async function* headerStream(input: HeaderStreamInput): AsyncGenerator<readonly FetchedHeader[]> {
  const { master, helpers, limits, target, signal } = input
  const filler = new GapFiller(input)
  const held = onAbort(signal, () => filler.stop())
  let after: Ancestor = input.from
  try {
    while (after.number < target && !signal.aborted) {
      const missing = target - after.number
      const gaps = missing / GAP
      if (gaps >= 2n && helpers().length > 0) {
        const skeleton = await skeletonOf(input, after, gaps < MAX_SKELETON ? gaps : MAX_SKELETON)
        yield* inOrder(filler.fill(gapsOf(after, skeleton)))
        after = placeOf(skeleton.at(-1)) ?? after
        continue
      }
      const count = missing < GAP ? missing : GAP
      const headers = await fetchRange(master, { after, count, end: null }, limits.headersMs)
      after = placeOf(headers.at(-1)) ?? after
      yield headers
    }
  } finally {
    held.dispose()
    filler.stop()
  }
}

async function skeletonOf(
  { master, limits }: HeaderStreamInput,
  after: Ancestor,
  count: bigint,
): Promise<readonly FetchedHeader[]> {
  const query = { origin: after.number + GAP, amount: count, skip: GAP - 1n, reverse: false }
  const skeleton = plain(await fetchHeaders(master, query, limits.headersMs))
  if (BigInt(skeleton.length) !== count) throw bad('skeleton', `${skeleton.length} of ${count} after ${after.number}`)
  skeleton.forEach(({ header }, index) => {
    if (header.number !== after.number + GAP * BigInt(index + 1)) throw bad('skeleton', `a header at ${header.number}`)
  })
  return skeleton
}

function gapsOf(from: Ancestor, skeleton: readonly FetchedHeader[]) {
  return skeleton.map(({ hash }, index) => ({ after: placeOf(skeleton[index - 1]) ?? from, count: GAP, end: hash }))
}

function placeOf(entry: FetchedHeader | undefined): Ancestor | null {
  return entry === undefined ? null : { number: entry.header.number, hash: entry.hash }
}

async function* inOrder<T>(parts: readonly Promise<T>[]): AsyncGenerator<T> {
  for (const part of parts) part.catch(() => undefined) // the first failure ends the run; ignore later ones
  for (const part of parts) yield await part
}

/** The same stream, with the next part requested while one is being processed. */
async function* oneAhead<T>(stream: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = stream.next()
  next.catch(() => undefined) // awaited below
  try {
    for (;;) {
      const { done, value } = await next
      if (done === true) return
      next = stream.next()
      next.catch(() => undefined) // awaited in the next round
      yield value
    }
  } finally {
    // A pending request may run until its timeout; nobody waits for it.
    stream.return(undefined).catch(() => undefined)
  }
}

interface SyncRunInput extends SyncParts {
  readonly master: Peer
  /** The proof of work up to here was verified: the peer has that much. */
  readonly onVerified: (last: ProvenBlock) => void
  readonly signal: AbortSignal
}

/** How a run ended without a fault of the peer; a fault throws P2P_BAD_DATA or P2P_TIMEOUT. */
export type SyncOutcome =
  | { readonly kind: 'done' }
  /** The peer's head isn't heavier than ours, and the peer hadn't claimed so. `total`: its total difficulty. */
  | { readonly kind: 'light'; readonly total: bigint }
  /** A block is from the future: try again later. */
  | { readonly kind: 'future' }
  /** The peer has since switched to another chain than the one it announced, or isn't there yet. */
  | { readonly kind: 'moved' }
  /** The chains fork deeper below our head than we can reorganize. `partsAt`: the ancestor's height, if known. */
  | { readonly kind: 'too deep'; readonly partsAt: number | null }
  /** A header, a block or the announced total difficulty is false. */
  | { readonly kind: 'invalid'; readonly reason: string }

interface Promised {
  /** 32 bytes */
  readonly head: Uint8Array
  /** Null when it only announced a hash. */
  readonly total: bigint | null
}

/** @throws P2pError when the master doesn't deliver; the signal's reason */
export async function syncWith(input: SyncRunInput): Promise<SyncOutcome> {
  const { master, chain, limits } = input
  const promised: Promised = { head: master.head, total: master.isTotalTold ? master.totalDifficulty : null }
  const peerNumber = await heightOf(master, promised, limits.headersMs)
  if (peerNumber === null) return { kind: 'moved' }
  const own = await chain.head()
  const ownNumber = BigInt(own.number)
  const from = await findAncestor(input, ownNumber, peerNumber)
  if (from === null) return { kind: 'too deep', partsAt: null }
  const fromTotal = await chain.totalDifficulty(from.hash)
  if (fromTotal === null) return { kind: 'moved' } // our own chain changed meanwhile
  if (from.number >= peerNumber) return judgeLight({ total: fromTotal, last: from.hash }, promised)
  if (from.number < ownNumber && from.number < BigInt((await chain.reach()).undoFrom))
    return { kind: 'too deep', partsAt: Number(from.number) }
  return judge(await transfer(input, { from, fromTotal, own, target: peerNumber }), promised)
}

/** Null when it lacks a head that it sent us, maybe before importing it. @throws P2pError P2P_BAD_DATA if promised */
async function heightOf(peer: Peer, { head, total }: Promised, timeoutMs: number): Promise<bigint | null> {
  const query = { origin: head, amount: 1n, skip: 0n, reverse: false }
  const [entry] = plain(await fetchHeaders(peer, query, timeoutMs))
  if (entry === undefined && total === null) return null
  if (entry === undefined || !equalBytes(entry.hash, head)) throw bad('headers', 'the peer does not have its own head')
  const { number } = entry.header
  if (number > BigInt(Number.MAX_SAFE_INTEGER)) throw bad('headers', `a head at ${number}`)
  return number
}

interface Transfer {
  readonly from: Ancestor
  readonly fromTotal: bigint
  readonly own: BlockSummary
  readonly target: bigint
}

interface TransferEnd {
  readonly fed: FeedEnd | null
  readonly refusal: Refusal | null
}

async function transfer(input: SyncRunInput, part: Transfer): Promise<TransferEnd> {
  const { from, fromTotal, own, target } = part
  const fetcher = new BodyFetcher(input)
  const over = new AbortController()
  const { signal } = over
  const held = onAbort(input.signal, () => {
    over.abort(input.signal.reason)
    fetcher.stop()
  })
  const helpers = (): readonly Peer[] =>
    input.peers().filter((peer) => peer !== input.master && peer.totalDifficulty >= own.totalDifficulty)
  const stream = oneAhead(headerStream({ ...input, from, target, helpers, signal }))
  fetcher.start()
  const feeding = feedHeaders(stream, {
    ...input,
    fetcher,
    signal,
    fromTotal,
    ownTotal: own.totalDifficulty,
    isBranch: from.number < BigInt(own.number),
    onChecked: (count, last) => tellChecked(input, part, { count, last }),
  })
  const importing = importAll(input, fetcher)
  try {
    input.signal.throwIfAborted()
    return await both(feeding, importing, fetcher)
  } finally {
    held.dispose()
    over.abort(new Error('the sync ended'))
    fetcher.stop()
    stream.return(undefined).catch(() => undefined) // a pending request may run until its timeout
    feeding.catch(() => undefined)
    importing.catch(() => undefined)
    // The next run begins where this one ends: none of its work may still be running. A node that stops needn't wait.
    if (!input.signal.aborted) await importing.catch(() => undefined)
  }
}

/** A sync is reported only once verified work is behind it: mere claims aren't shown. */
function tellChecked(
  { meter, watch, onVerified }: SyncRunInput,
  { from, own, target }: Transfer,
  { count, last }: { readonly count: number; readonly last: ProvenBlock | null },
): void {
  if (last !== null) onVerified(last)
  if (!watch.hasWorked) return
  const isFirst = meter.progress().phase === 'finding-ancestor'
  if (isFirst) meter.heights({ from: Number(from.number), own: own.number, target: Number(target) })
  meter.headers(count)
  if (isFirst) meter.enter('bodies')
}

/** When the master is lost, what it led us to is still fetched from the others. */
async function both(
  feeding: Promise<FeedEnd>,
  importing: Promise<Refusal | null>,
  fetcher: BodyFetcher,
): Promise<TransferEnd> {
  let lost: unknown = null
  const fed = feeding.then(
    (end) => {
      fetcher.complete()
      return end
    },
    (error: unknown) => {
      if (!hasCode(error, 'P2P_CLOSED') && !hasCode(error, 'P2P_TIMEOUT')) throw error
      lost = error
      fetcher.complete()
      return null
    },
  )
  const refused = importing.catch((error: unknown) => {
    throw lost ?? error
  })
  const first = await Promise.race([
    fed.then((end) => (end?.kind === 'invalid' ? { fed: end, refusal: null } : null)),
    refused.then((refusal) => (refusal === null ? null : { fed: null, refusal })),
  ])
  if (first !== null) return first
  const refusal = await refused
  if (refusal !== null) return { fed: null, refusal }
  const end = await fed
  if (lost !== null) throw lost
  return { fed: end, refusal: null }
}

function judge({ fed, refusal }: TransferEnd, promised: Promised): SyncOutcome {
  if (refusal !== null) return refusal
  if (fed === null) return { kind: 'moved' }
  if (fed.kind === 'light') return judgeLight(fed, promised)
  return fed.kind === 'complete' ? (faultOf(fed, promised) ?? { kind: 'done' }) : fed
}

function judgeLight(fed: Led, promised: Promised): SyncOutcome {
  return faultOf(fed, promised) ?? { kind: 'light', total: fed.total }
}

/** Total difficulty and hash of the last header. */
interface Led {
  readonly total: bigint
  readonly last: Uint8Array
}

/** Null when the headers led to the announced head, with the announced difficulty. */
function faultOf({ total, last }: Led, { head, total: said }: Promised): SyncOutcome | null {
  if (!equalBytes(last, head)) return { kind: 'moved' }
  if (said === null || total >= said) return null
  return { kind: 'invalid', reason: `total difficulty ${total}, promised ${said}` }
}
