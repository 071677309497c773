// The highest block that we and a peer both have: few questions near the head, then halving.
import { equalBytes } from '../../../base/bytes'
import type { P2pChain } from '../p2p-chain'
import { bad, type FetchedHeader, fetchHeaders } from '../peer/fetch'
import type { Peer } from '../peer/peer'

/** Two chains that part further below our head are not joined; the reference's bound. */
const DEEPEST = 4032n

export interface Ancestor {
  readonly number: bigint
  /** 32 bytes */
  readonly hash: Uint8Array
}

export interface AncestorInput {
  readonly peer: Peer
  readonly chain: P2pChain
  readonly ownNumber: bigint
  readonly peerNumber: bigint
  readonly timeoutMs: number
}

/** @throws P2pError P2P_BAD_DATA when the chains part too deep, or an answer is wrong */
export async function findAncestor(input: AncestorInput): Promise<Ancestor> {
  const { ownNumber, peerNumber } = input
  const top = ownNumber < peerNumber ? ownNumber : peerNumber
  const floor = ownNumber > DEEPEST ? ownNumber - DEEPEST : 0n
  if (top < floor) throw bad('common ancestor', `the peer ends at ${peerNumber}, far below ${ownNumber}`)
  const shared = (await sharedAt(input, top)) ?? null
  if (shared !== null) return shared
  let low: Ancestor | null = floor === 0n ? await ownAt(input, 0n) : await sharedAt(input, floor)
  if (low === null) throw bad('common ancestor', `none above ${floor}`)
  let high = top
  while (high - low.number > 1n) {
    const middle: bigint = (low.number + high) / 2n
    const found: Ancestor | null = await sharedAt(input, middle)
    if (found === null) high = middle
    else low = found
  }
  return low
}

async function ownAt({ chain }: AncestorInput, number: bigint): Promise<Ancestor | null> {
  const [hash] = await chain.canonical([number])
  return hash === null || hash === undefined ? null : { number, hash }
}

/** The block at `number` when both have the same one. */
async function sharedAt(input: AncestorInput, number: bigint): Promise<Ancestor | null> {
  const own = await ownAt(input, number)
  const query = { origin: number, amount: 1n, skip: 0n, reverse: false }
  const [theirs]: FetchedHeader[] = await fetchHeaders(input.peer, query, input.timeoutMs)
  if (theirs === undefined || theirs.header.number !== number) throw bad('headers', `no header at ${number}`)
  return own !== null && equalBytes(own.hash, theirs.hash) ? own : null
}
