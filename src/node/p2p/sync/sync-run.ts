// One sync with one peer: headers, verification, bodies and import run concurrently, with back-pressure between them.
import { equalBytes } from '../../../base/bytes'
import { hasCode } from '../../../base/errors'
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import type { BlockSummary } from '../../worker/wire/shapes'
import type { P2pChain } from '../p2p-chain'
import { bad, fetchHeaders } from '../peer/fetch'
import type { Peer } from '../peer/peer'
import { type BlockImporterDeps, importAll, type Refusal } from './block-importer'
import { BodyFetcher } from './body-fetcher'
import { findAncestor } from './find-ancestor'
import { type CheckedLast, type FeedEnd, feedHeaders, leadsTo } from './header-feed'
import { type Ancestor, plain } from './header-range'
import { headerStream, oneAhead } from './header-stream'
import type { ProgressMeter } from './progress-meter'
import type { SyncLimits } from './sync-limits'
import type { WorkWatch } from './work-watch'

/** The master peer and its helpers. */
interface SyncRunInput {
  readonly master: Peer
  /** All peers, including the master. */
  readonly peers: () => readonly Peer[]
  readonly chain: P2pChain
  readonly limits: SyncLimits
  readonly clock: Clock
  readonly log: Logger
  readonly meter: ProgressMeter
  readonly watch: WorkWatch
  /** The proof of work up to here was verified: the peer has that much. */
  readonly onVerified: (last: CheckedLast) => void
  /** A peer to be dropped. */
  readonly onFault: (peer: Peer, reason: string) => void
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

/** What a peer had announced when the run began. */
interface Promised {
  /** 32 bytes */
  readonly head: Uint8Array
  /** Null when it only announced a hash. */
  readonly total: bigint | null
}

/** @throws P2pError when the master doesn't deliver; the signal's reason */
export async function syncWith(input: SyncRunInput): Promise<SyncOutcome> {
  const { master, chain, limits, clock } = input
  const promised: Promised = { head: master.head, total: master.isTotalTold ? master.totalDifficulty : null }
  const peerNumber = await heightOf(master, promised, limits.headersMs)
  if (peerNumber === null) return { kind: 'moved' }
  const own = await chain.head()
  const ownNumber = BigInt(own.number)
  const from = await findAncestor({ peer: master, chain, ownNumber, peerNumber, limits, clock })
  if (from === null) return { kind: 'too deep', partsAt: null }
  const fromTotal = await chain.totalDifficulty(from.hash)
  if (fromTotal === null) return { kind: 'moved' } // our own chain changed meanwhile
  if (from.number >= peerNumber) return judgeLight({ total: fromTotal, last: from.hash }, promised)
  if (from.number < ownNumber && from.number < BigInt((await chain.reach()).undoFrom))
    return { kind: 'too deep', partsAt: Number(from.number) }
  const run = await transfer(input, { from, fromTotal, own, target: peerNumber })
  return judge(run, promised)
}

/**
 * Null when the peer lacks a head that it didn't promise to have: it may have sent us that block before importing it.
 * @throws P2pError P2P_BAD_DATA when it lacks the head it announced
 */
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

/** How the run ended on both sides. */
interface TransferEnd {
  readonly fed: FeedEnd | null
  readonly refusal: Refusal | null
}

async function transfer(input: SyncRunInput, part: Transfer): Promise<TransferEnd> {
  const { from, fromTotal, own, target } = part
  const { master, peers, chain, limits, clock, log, meter, watch, onFault } = input
  const onUsed = (peer: Peer): void => meter.use(peer)
  const fetcher = new BodyFetcher({
    peers,
    limits,
    clock,
    log,
    onUsed,
    onFault,
    onBodies: (count) => meter.bodies(count),
  })
  const over = new AbortController()
  const stop = (): void => {
    over.abort(input.signal.reason)
    fetcher.stop()
  }
  input.signal.addEventListener('abort', stop, { once: true })
  const helpers = (): readonly Peer[] =>
    peers().filter((peer) => peer !== master && peer.totalDifficulty >= own.totalDifficulty)
  const shared = { master, from, target, helpers, limits, clock, log, signal: over.signal }
  const stream = oneAhead(headerStream({ ...shared, onUsed, onStalled: onFault }))
  fetcher.start()
  const feeding = feedHeaders(stream, {
    chain,
    fetcher,
    limits,
    clock,
    watch,
    signal: over.signal,
    fromTotal,
    ownTotal: own.totalDifficulty,
    isBranch: from.number < BigInt(own.number),
    onChecked: (count, last) => tellChecked(input, part, { count, last }),
  })
  const importing = importAll(importerOf(input, fetcher))
  try {
    input.signal.throwIfAborted()
    return await both(feeding, importing, fetcher)
  } finally {
    input.signal.removeEventListener('abort', stop)
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
  { count, last }: { readonly count: number; readonly last: CheckedLast | null },
): void {
  if (last !== null) onVerified(last)
  if (!watch.hasWorked) return
  const isFirst = meter.progress().phase === 'finding-ancestor'
  if (isFirst) meter.heights({ from: Number(from.number), own: own.number, target: Number(target) })
  meter.headers(count)
  if (isFirst) meter.enter('bodies')
}

function importerOf({ chain, meter, watch }: SyncRunInput, fetcher: BodyFetcher): BlockImporterDeps {
  return {
    chain,
    fetcher,
    watch,
    onWaiting: () => {
      if (watch.hasWorked) meter.enter('bodies')
    },
    onImporting: () => {
      if (watch.hasWorked) meter.enter('importing')
    },
    onImported: (height) => {
      if (watch.hasWorked) meter.imported(height)
    },
  }
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
  if (fed.kind !== 'complete') return fed
  if (!leadsTo(fed, promised.head)) return { kind: 'moved' }
  return lieOf(fed.total, promised) ?? { kind: 'done' }
}

function judgeLight(fed: { readonly total: bigint; readonly last: Uint8Array }, promised: Promised): SyncOutcome {
  if (!leadsTo(fed, promised.head)) return { kind: 'moved' }
  return lieOf(fed.total, promised) ?? { kind: 'light', total: fed.total }
}

function lieOf(total: bigint, { total: said }: Promised): SyncOutcome | null {
  if (said === null || total >= said) return null
  return { kind: 'invalid', reason: `total difficulty ${total}, promised ${said}` }
}
