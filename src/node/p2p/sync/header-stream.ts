// The headers from a common ancestor up to a peer's head: a skeleton of every 192nd from that peer, the gaps from all peers.
import { equalBytes } from '../../../base/bytes'
import { messageOf } from '../../../base/errors'
import type { Logger } from '../../../base/logger'
import { areLinked, bad, type FetchedHeader, fetchHeaders } from '../peer/fetch'
import type { Peer } from '../peer/peer'
import type { Ancestor } from './find-ancestor'

/** Headers from one skeleton header to the next. */
const GAP = 192n
const MOST_SKELETON = 16n
/** Of one request to the peer that we sync with. */
const PLAIN = 384n

export interface HeaderStreamInput {
  readonly master: Peer
  readonly from: Ancestor
  /** Height of the peer's head. */
  readonly target: bigint
  /** Others that may fill gaps. */
  readonly helpers: () => readonly Peer[]
  readonly timeoutMs: number
  readonly log: Logger
}

/** Headers in order, some hundreds at a time, linked and leading to what the master said. @throws P2pError about the master */
export async function* headerStream(input: HeaderStreamInput): AsyncGenerator<readonly FetchedHeader[]> {
  let at: Ancestor = input.from
  while (at.number < input.target) {
    const gaps = (input.target - at.number) / GAP
    const parts =
      gaps >= 2n && input.helpers().length > 0
        ? skeletonParts(input, at, gaps < MOST_SKELETON ? gaps : MOST_SKELETON)
        : plainPart(input, at)
    for await (const headers of parts) {
      const last = headers[headers.length - 1]
      if (last === undefined) throw bad('headers', `none after ${at.number}`)
      at = { number: last.header.number, hash: last.hash }
      yield headers
    }
  }
}

async function* plainPart(input: HeaderStreamInput, at: Ancestor): AsyncGenerator<readonly FetchedHeader[]> {
  const missing = input.target - at.number
  const amount = missing < PLAIN ? missing : PLAIN
  const headers = await askRange(input.master, at, amount, input.timeoutMs)
  yield headers
}

async function* skeletonParts(
  input: HeaderStreamInput,
  at: Ancestor,
  count: bigint,
): AsyncGenerator<readonly FetchedHeader[]> {
  const { master, timeoutMs } = input
  const query = { origin: at.number + GAP, amount: count, skip: GAP - 1n, reverse: false }
  const skeleton = await fetchHeaders(master, query, timeoutMs)
  skeleton.forEach(({ header }, index) => {
    if (header.number !== at.number + GAP * BigInt(index + 1)) throw bad('skeleton', `a header at ${header.number}`)
  })
  if (skeleton.length === 0) throw bad('skeleton', `no header at ${at.number + GAP}`)
  const ends: Ancestor[] = [at, ...skeleton.map(({ header, hash }) => ({ number: header.number, hash }))]
  const workers = [master, ...input.helpers()]
  const filled = skeleton.map((end, index) => {
    const from = ends[index] ?? at
    return fillGap(input, { from, end: end.hash, worker: workers[index % workers.length] ?? master })
  })
  for (const gap of filled) gap.catch(() => undefined) // the first failure ends the run; later ones are not news
  for (const gap of filled) yield await gap
}

interface Gap {
  readonly from: Ancestor
  /** Hash of the last header, 32 bytes. */
  readonly end: Uint8Array
  readonly worker: Peer
}

/** From a helper if it delivers what fits, else from the master. */
async function fillGap(input: HeaderStreamInput, { from, end, worker }: Gap): Promise<readonly FetchedHeader[]> {
  const ask = async (peer: Peer): Promise<readonly FetchedHeader[]> => {
    const headers = await askRange(peer, from, GAP, input.timeoutMs)
    const last = headers[headers.length - 1]
    if (last === undefined || !equalBytes(last.hash, end)) throw bad('headers', 'they do not lead to the skeleton')
    return headers
  }
  if (worker === input.master) return ask(worker)
  try {
    return await ask(worker)
  } catch (error: unknown) {
    input.log.debug('gap not filled by a helper', { peer: worker.name.slice(0, 16), error: messageOf(error) })
    return ask(input.master)
  }
}

/** Up to `amount` headers that follow `at`. */
async function askRange(peer: Peer, at: Ancestor, amount: bigint, timeoutMs: number): Promise<FetchedHeader[]> {
  const query = { origin: at.number + 1n, amount, skip: 0n, reverse: false }
  const headers = await fetchHeaders(peer, query, timeoutMs)
  const [first] = headers
  if (first === undefined) throw bad('headers', `none after ${at.number}`)
  const fits = first.header.number === at.number + 1n && equalBytes(first.header.parentHash, at.hash)
  if (!fits || !areLinked(headers)) throw bad('headers', `they do not follow block ${at.number}`)
  return headers
}
