// Verifies headers of blocks sent by peers: seals take milliseconds, so each peer has one verified at a time, and none
// after an invalid one.
import type { Logger } from '../../../base/logger'
import { Mutex } from '../../../base/mutex'
import type { BlockHeader } from '../../model/header'
import { DISCONNECT } from '../../protocol/base-messages'
import type { P2pChain } from '../p2p-chain'
import type { AddressRatings } from '../peer/address-ratings'
import type { Bans } from '../peer/bans'
import type { Peer } from '../peer/peer'

/** The chain that verifies, and how failures are punished. */
interface HeaderJudgeDeps {
  readonly chain: P2pChain
  readonly bans: Bans
  readonly ratings: AddressRatings
  readonly log: Logger
}

/** The verdict on a header, before its body is read. */
type Judgement =
  /** Valid proof of work. `total`: total difficulty including its own. */
  | { readonly kind: 'good'; readonly total: bigint }
  /** Can't be judged before its parent arrives. */
  | { readonly kind: 'unknown parent' }
  /** Known, from the future or invalid. */
  | { readonly kind: 'unusable' }

const BAD_HEADER_BAN_MS = 60 * 60_000
const LACKING_BAN_MS = 60_000
/** Parents that a peer may fail to deliver: one may be gone after a reorganisation, many were invented. */
const MAX_LACKING = 8

/** One seal at a time per peer, in order of arrival. */
export class HeaderJudge {
  readonly #turns = new WeakMap<Peer, Mutex>()
  readonly #punished = new WeakSet<Peer>()
  readonly #lacking = new WeakMap<Peer, number>()

  constructor(private readonly deps: HeaderJudgeDeps) {}

  /** Drops the peer when the header violates a rule. @param hash of the header, 32 bytes */
  judge(peer: Peer, header: BlockHeader, hash: Uint8Array): Promise<Judgement> {
    const turns = this.#turns.get(peer) ?? new Mutex()
    this.#turns.set(peer, turns)
    return turns.run(async () => (this.#punished.has(peer) ? { kind: 'unusable' } : this.#judgeNow(peer, header, hash)))
  }

  /** The peer didn't deliver the parent of a block it sent. */
  lacksParent(peer: Peer): void {
    const count = (this.#lacking.get(peer) ?? 0) + 1
    this.#lacking.set(peer, count)
    if (count >= MAX_LACKING) this.#drop(peer, 'it does not have the parents of its blocks', LACKING_BAN_MS)
  }

  async #judgeNow(peer: Peer, header: BlockHeader, hash: Uint8Array): Promise<Judgement> {
    const { kind, reason, parentTotal } = await this.deps.chain.judgeHeader(header)
    const total = parentTotal + header.difficulty
    if (kind === 'good' || kind === 'known') peer.proved({ number: header.number, hash, total })
    if (kind === 'good') {
      peer.sawHead(header.parentHash, parentTotal)
      return { kind, total }
    }
    if (kind === 'fault') {
      this.#punished.add(peer)
      this.#drop(peer, `bad header: ${reason}`, BAD_HEADER_BAN_MS)
    }
    return kind === 'unknown parent' ? { kind } : { kind: 'unusable' }
  }

  #drop(peer: Peer, reason: string, banMs: number): void {
    const { bans, ratings, log } = this.deps
    log.info('peer dropped: invalid blocks', { peer: peer.name.slice(0, 16), reason })
    bans.add(peer.name, reason, banMs)
    ratings.wasted(peer.info.host, 1)
    peer.disconnect(DISCONNECT.uselessPeer)
  }
}
