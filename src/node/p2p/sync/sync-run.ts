// One sync with one peer: headers, bodies and import run at the same time, each waiting for the next when it is ahead.
import { joinBytes } from '../../../base/bytes'
import type { Logger } from '../../../base/logger'
import { type Clock, sleep } from '../../../base/time'
import type { ImportReport } from '../../worker/import-shapes'
import type { P2pChain } from '../p2p-chain'
import { bad, fetchHeaders } from '../peer/fetch'
import type { Peer } from '../peer/peer'
import { BodyFetcher } from './body-fetcher'
import { findAncestor } from './find-ancestor'
import { headerStream } from './header-stream'

export interface SyncRunInput {
  readonly master: Peer
  /** All, the master too. */
  readonly peers: () => readonly Peer[]
  readonly chain: P2pChain
  readonly clock: Clock
  readonly log: Logger
  readonly onPhase: (phase: SyncPhase) => void
  readonly onTarget: (from: number, target: number) => void
  readonly signal: AbortSignal
}

export type SyncPhase = 'idle' | 'ancestor' | 'blocks'

export type SyncOutcome =
  | { readonly kind: 'done' }
  /** A block is from the future: try again later. */
  | { readonly kind: 'wait' }
  /** The peer gave a chain with a bad block. */
  | { readonly kind: 'invalid'; readonly reason: string }

const HEADERS_MS = 10_000
const BODIES_MS = 15_000
/** Headers whose blocks are not imported yet. */
const MOST_AHEAD = 4096
const ROOM_MS = 20
const IMPORT = { blocks: 512, bytes: 4 * 1024 * 1024 }

/** @throws P2pError when the master does not deliver; the signal's reason */
export async function syncWith(input: SyncRunInput): Promise<SyncOutcome> {
  const { master, chain, clock, log, onPhase, onTarget, signal, peers } = input
  onPhase('ancestor')
  const query = { origin: master.head, amount: 1n, skip: 0n, reverse: false }
  const [remote] = await fetchHeaders(master, query, HEADERS_MS)
  if (remote === undefined) throw bad('headers', 'the peer does not have its own head')
  const own = await chain.head()
  const target = remote.header.number
  const common = { peer: master, chain, ownNumber: BigInt(own.number), peerNumber: target, timeoutMs: HEADERS_MS }
  const from = await findAncestor(common)
  const reach = BigInt(await chain.statesFrom())
  if (from.number < reach && from.number < BigInt(own.number))
    throw bad('common ancestor', `the chains part at ${from.number}, blocks can be taken back to ${reach}`)
  if (from.number >= target) return { kind: 'done' }
  onTarget(Number(from.number), Number(target))
  onPhase('blocks')
  const fetcher = new BodyFetcher({ peers, timeoutMs: BODIES_MS, clock, log })
  const helpers = (): readonly Peer[] =>
    peers().filter((peer) => peer !== master && peer.totalDifficulty >= own.totalDifficulty)
  fetcher.start()
  try {
    const feed = feedHeaders(
      input,
      fetcher,
      headerStream({ master, from, target, helpers, timeoutMs: HEADERS_MS, log }),
    )
    feed.catch(() => undefined) // told by the race below
    const imported = importAll(input, fetcher, target)
    imported.catch(() => undefined)
    // Headers that fail end the run; headers that end well leave it to the import.
    const outcome = await Promise.race([imported, feed.then(() => imported)])
    signal.throwIfAborted()
    return outcome
  } finally {
    fetcher.stop()
  }
}

async function feedHeaders(
  { clock, signal }: SyncRunInput,
  fetcher: BodyFetcher,
  stream: ReturnType<typeof headerStream>,
): Promise<void> {
  for await (const headers of stream) {
    fetcher.add(headers)
    while (fetcher.waiting > MOST_AHEAD) await sleep(clock, ROOM_MS, signal)
    signal.throwIfAborted()
  }
}

/** The next blocks are gathered and sent while the ones before are being executed. */
async function importAll({ chain, signal }: SyncRunInput, fetcher: BodyFetcher, target: bigint): Promise<SyncOutcome> {
  let before: Promise<ImportReport> | null = null
  for (;;) {
    const blocks = await fetcher.take(IMPORT)
    signal.throwIfAborted()
    const judged: SyncOutcome | null = before === null ? null : verdictOf(await before)
    if (judged !== null) return judged
    before = chain.importBlocks(joinBytes(blocks.map(({ rlp }) => rlp)))
    before.catch(() => undefined) // awaited in the next round
    const last = blocks[blocks.length - 1]
    if (last !== undefined && last.entry.header.number >= target) return verdictOf(await before) ?? { kind: 'done' }
  }
}

/** Null when all blocks were taken. */
function verdictOf({ refused }: ImportReport): SyncOutcome | null {
  if (refused === null) return null
  return refused.future ? { kind: 'wait' } : { kind: 'invalid', reason: refused.reason }
}
