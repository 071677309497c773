// The headers from a common ancestor up to a peer's head: a skeleton of every 192nd from that peer, the gaps from all
// peers.
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import { bad, type FetchedHeader, fetchHeaders } from '../peer/fetch'
import type { Peer } from '../peer/peer'
import { GapFiller } from './gap-filler'
import { type Ancestor, fetchRange, plain } from './header-range'
import type { SyncLimits } from './sync-limits'

/** Headers between two skeleton headers, and per request. */
const GAP = 192n
const MAX_SKELETON = 16n

/** Start, end and sources of the stream. */
interface HeaderStreamInput {
  readonly master: Peer
  readonly from: Ancestor
  /** Height of the peer's head. */
  readonly target: bigint
  /** Other peers that may fill gaps. */
  readonly helpers: () => readonly Peer[]
  readonly limits: SyncLimits
  readonly clock: Clock
  readonly log: Logger
  readonly onUsed: (peer: Peer) => void
  readonly onStalled: (peer: Peer, reason: string) => void
  /** No further requests once it is aborted. */
  readonly signal: AbortSignal
}

/**
 * Headers in order, some hundreds at a time, linked and leading to the master's announced head. @throws P2pError about
 * the master
 */
export async function* headerStream(input: HeaderStreamInput): AsyncGenerator<readonly FetchedHeader[]> {
  const { master, helpers, limits, clock, target, signal } = input
  const filler = new GapFiller(input)
  const stop = (): void => filler.stop()
  signal.addEventListener('abort', stop, { once: true })
  let after: Ancestor = input.from
  try {
    while (after.number < target && !signal.aborted) {
      const missing = target - after.number
      const gaps = missing / GAP
      if (gaps >= 2n && helpers().length > 0) {
        const skeleton = await skeletonOf(input, after, gaps < MAX_SKELETON ? gaps : MAX_SKELETON)
        yield* inOrder(filler.fill(gapsOf(after, skeleton)))
        after = placeOf(skeleton[skeleton.length - 1]) ?? after
        continue
      }
      const count = missing < GAP ? missing : GAP
      const headers = await fetchRange(master, { after, count, end: null }, { timeoutMs: limits.headersMs, clock })
      after = placeOf(headers[headers.length - 1]) ?? after
      yield headers
    }
  } finally {
    signal.removeEventListener('abort', stop)
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
  return skeleton.map((entry, index) => {
    const after = placeOf(skeleton[index - 1]) ?? from
    return { after, count: GAP, end: entry.hash }
  })
}

function placeOf(entry: FetchedHeader | undefined): Ancestor | null {
  return entry === undefined ? null : { number: entry.header.number, hash: entry.hash }
}

async function* inOrder<T>(parts: readonly Promise<T>[]): AsyncGenerator<T> {
  for (const part of parts) part.catch(() => undefined) // the first failure ends the run; ignore later ones
  for (const part of parts) yield await part
}

/** The same stream, with the next part requested while one is being processed. */
export async function* oneAhead<T>(stream: AsyncGenerator<T>): AsyncGenerator<T> {
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
