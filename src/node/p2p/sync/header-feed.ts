// Headers on their way to the body fetcher: every rule and every seal is verified first, and a branch that would
// replace our blocks is held back until it is heavier than ours.
import { equalBytes } from '../../../base/bytes'
import type { Clock } from '../../../base/time'
import { sleep } from '../../../base/time'
import type { P2pChain } from '../p2p-chain'
import { bad, type FetchedHeader } from '../peer/fetch'
import type { BodyFetcher } from './body-fetcher'
import type { SyncLimits } from './sync-limits'
import type { WorkWatch } from './work-watch'

/** The feed's inputs; `signal` aborts it. */
interface HeaderFeedInput {
  readonly chain: P2pChain
  readonly fetcher: BodyFetcher
  readonly limits: SyncLimits
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Total difficulty of the first header's parent. */
  readonly fromTotal: bigint
  /** Of our head; the branch must exceed it. */
  readonly ownTotal: bigint
  /** Whether blocks of ours would be removed. */
  readonly isBranch: boolean
  readonly watch: WorkWatch
  /** @param count of newly verified headers @param last of them, with the total difficulty up to it */
  readonly onChecked: (count: number, last: CheckedLast | null) => void
}

/** A header whose proof of work, and that of all below it, was verified. */
export interface CheckedLast {
  readonly number: bigint
  /** 32 bytes */
  readonly hash: Uint8Array
  readonly total: bigint
}

/** How a feed ended without a violation (those throw P2P_BAD_DATA). */
export type FeedEnd =
  /** The fetcher has all headers. `last`: hash of the last one. */
  | { readonly kind: 'complete'; readonly total: bigint; readonly last: Uint8Array }
  /** A branch with less total difficulty than ours: no bodies were fetched. */
  | { readonly kind: 'light'; readonly total: bigint; readonly last: Uint8Array }
  /** The next header is from the future: the peer isn't to blame. */
  | { readonly kind: 'future' }
  /** It has a block that it denied during the ancestor search, or our own chain changed meanwhile. */
  | { readonly kind: 'moved' }
  | { readonly kind: 'invalid'; readonly reason: string }

const ROOM_MS = 20

/** @throws P2pError of the stream; the signal's reason */
export async function feedHeaders(
  stream: AsyncGenerator<readonly FetchedHeader[]>,
  input: HeaderFeedInput,
): Promise<FeedEnd> {
  const { chain, fetcher, clock, signal, ownTotal, watch, onChecked } = input
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
    const top = checked[checked.length - 1]
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
      if (held.length > input.limits.heldHeaders)
        throw bad('headers', `${held.length} of a branch that is not heavier than ours`)
    }
    if (fault !== null) return { kind: 'future' }
    while (isFull(fetcher, input.limits)) await watch.ours(sleep(clock, ROOM_MS, signal))
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

function isFull({ waiting }: BodyFetcher, { aheadHeaders, aheadHeaderBytes }: SyncLimits): boolean {
  return waiting.headers > aheadHeaders || waiting.bytes > aheadHeaderBytes
}

/** Whether the headers led to the announced head. */
export function leadsTo({ last }: { readonly last: Uint8Array }, head: Uint8Array): boolean {
  return equalBytes(last, head)
}
