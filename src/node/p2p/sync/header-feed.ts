// Headers on their way to the body fetcher: every rule and every seal is checked first, and a branch that takes blocks from us
// is held back until it is heavier than what we have.
import { equalBytes } from '../../../base/bytes'
import type { Clock } from '../../../base/time'
import { sleep } from '../../../base/time'
import type { P2pChain } from '../p2p-chain'
import { bad, type FetchedHeader } from '../peer/fetch'
import type { BodyFetcher } from './body-fetcher'
import type { SyncLimits } from './sync-limits'

export interface HeaderFeedInput {
  readonly chain: P2pChain
  readonly fetcher: BodyFetcher
  readonly limits: SyncLimits
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Of the block that the first header stands on. */
  readonly fromTotal: bigint
  /** Of our head; the branch must have more. */
  readonly ownTotal: bigint
  /** Whether blocks of ours would be taken back. */
  readonly isBranch: boolean
  readonly onChecked: (count: number) => void
}

export type FeedEnd =
  /** All headers are with the fetcher. `last`: hash of the last one. */
  | { readonly kind: 'complete'; readonly total: bigint; readonly last: Uint8Array }
  /** A branch with less total difficulty than ours: nothing was fetched. */
  | { readonly kind: 'light'; readonly total: bigint; readonly last: Uint8Array }
  /** What follows is from the future: nobody's fault. */
  | { readonly kind: 'future' }
  | { readonly kind: 'invalid'; readonly reason: string }

const ROOM_MS = 20

/** @throws P2pError of the stream; the signal's reason */
export async function feedHeaders(
  stream: AsyncGenerator<readonly FetchedHeader[]>,
  input: HeaderFeedInput,
): Promise<FeedEnd> {
  const { chain, fetcher, clock, signal, ownTotal, onChecked } = input
  let total = input.fromTotal
  let last: Uint8Array = new Uint8Array(0)
  let held: FetchedHeader[] | null = input.isBranch ? [] : null
  for await (const headers of stream) {
    signal.throwIfAborted()
    const { good, fault } = await chain.checkHeaders(headers.map(({ rlp }) => rlp))
    signal.throwIfAborted()
    const checked = headers.slice(0, good)
    for (const { header } of checked) total += header.difficulty
    last = checked[checked.length - 1]?.hash ?? last
    onChecked(good)
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
    while (isFull(fetcher, input.limits)) await sleep(clock, ROOM_MS, signal)
  }
  return { kind: held === null ? 'complete' : 'light', total, last }
}

function isFull({ waiting }: BodyFetcher, { aheadHeaders, aheadHeaderBytes }: SyncLimits): boolean {
  return waiting.headers > aheadHeaders || waiting.bytes > aheadHeaderBytes
}

/** Whether the headers led to the head that was announced. */
export function leadsTo({ last }: { readonly last: Uint8Array }, head: Uint8Array): boolean {
  return equalBytes(last, head)
}
