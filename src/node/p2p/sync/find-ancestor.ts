// The highest common block with a peer: one request spread near the top, then a binary search.
import { equalBytes } from '../../../base/bytes'
import type { Clock } from '../../../base/time'
import { P2pError } from '../../errors'
import { FULL_WINDOW } from '../../model/window-size'
import type { P2pChain } from '../p2p-chain'
import { bad, type FetchedHeader, fetchHeaders } from '../peer/fetch'
import type { Peer } from '../peer/peer'
import { type Ancestor, plain } from './header-range'
import type { SyncLimits } from './sync-limits'

/**
 * Chains that fork deeper below our head can't be joined: no more blocks can be reorganized. The reference goes 4032
 * deep.
 */
const MAX_DEPTH = FULL_WINDOW.reorg
/** The first request: this many headers, at this spacing. */
const PROBES = 12n
const STEP = 16n

/** Whose chain is compared with ours, and both heights. */
interface AncestorInput {
  readonly peer: Peer
  readonly chain: P2pChain
  readonly ownNumber: bigint
  readonly peerNumber: bigint
  readonly limits: SyncLimits
  readonly clock: Clock
}

/** Null when the chains fork too deep. @throws P2pError P2P_BAD_DATA for a wrong answer; P2P_TIMEOUT, P2P_CLOSED */
export async function findAncestor(input: AncestorInput): Promise<Ancestor | null> {
  const { ownNumber, peerNumber, clock, limits } = input
  const top = ownNumber < peerNumber ? ownNumber : peerNumber
  const floor = ownNumber > MAX_DEPTH ? ownNumber - MAX_DEPTH : 0n
  if (top < floor) throw bad('common ancestor', `the peer ends at ${peerNumber}, far below ${ownNumber}`)
  const search = { ...input, endsAt: clock.monotonic() + limits.ancestorMs }
  const near = await probe(search, top, floor)
  if (near.shared?.number === top) return near.shared
  let high = near.parted
  let low: Ancestor | null = near.shared ?? (floor === 0n ? await ownAt(input, 0n) : await sharedAt(search, floor))
  if (low === null) return null
  while (high - low.number > 1n) {
    const middle: bigint = (low.number + high) / 2n
    const found: Ancestor | null = await sharedAt(search, middle)
    if (found === null) high = middle
    else low = found
  }
  return low
}

interface Search extends AncestorInput {
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

async function ownAt({ chain }: AncestorInput, number: bigint): Promise<Ancestor | null> {
  const [hash] = await chain.canonical([number])
  return hash === null || hash === undefined ? null : { number, hash }
}

/** The block at `number` if both have the same one. */
async function sharedAt(search: Search, number: bigint): Promise<Ancestor | null> {
  const own = await ownAt(search, number)
  const [theirs] = await ask(search, { origin: number, amount: 1n, skip: 0n })
  return own !== null && theirs !== undefined && equalBytes(own.hash, theirs.hash) ? own : null
}

/** All requested headers, at their heights. */
async function ask(
  { peer, limits, clock, endsAt }: Search,
  query: { readonly origin: bigint; readonly amount: bigint; readonly skip: bigint },
): Promise<FetchedHeader[]> {
  const timeoutMs = Math.min(limits.headersMs, endsAt - clock.monotonic())
  if (timeoutMs <= 0) throw new P2pError('P2P_TIMEOUT', { what: 'common ancestor', timeoutMs: limits.ancestorMs })
  const headers = plain(await fetchHeaders(peer, { ...query, reverse: false }, timeoutMs))
  const { origin, amount, skip } = query
  if (BigInt(headers.length) !== amount) throw bad('headers', `${headers.length} of ${amount} from ${origin}`)
  const wrong = headers.find(({ header }, index) => header.number !== origin + BigInt(index) * (skip + 1n))
  if (wrong !== undefined) throw bad('headers', `block ${wrong.header.number} was not asked for`)
  return headers
}
