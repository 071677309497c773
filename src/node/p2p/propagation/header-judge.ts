// Judges the headers of blocks that peers send: seals take milliseconds, so a peer gets one checked at a time and none after a bad one.
import type { Logger } from '../../../base/logger'
import { Mutex } from '../../../base/mutex'
import { type BlockHeader, encodeHeader } from '../../model/header'
import type { P2pChain } from '../p2p-chain'
import type { AddressRatings } from '../peer/address-ratings'
import type { Bans } from '../peer/bans'
import type { Peer } from '../peer/peer'
import { DISCONNECT } from '../wire/base-messages'

/** The chain that checks, and who is punished for what fails. */
export interface HeaderJudgeDeps {
  readonly chain: P2pChain
  readonly bans: Bans
  readonly ratings: AddressRatings
  readonly log: Logger
}

/** What a header is worth before its body is looked at. */
export type Judgement =
  /** Its proof of work is good. `total`: total difficulty with its own. */
  | { readonly kind: 'good'; readonly total: bigint }
  /** Nothing can be said before its parent is here. */
  | { readonly kind: 'unknown parent' }
  /** Known, from the future or bad. */
  | { readonly kind: 'unusable' }

const BAD_HEADER_BAN_MS = 60 * 60_000
const LACKING_BAN_MS = 60_000
/** Parents of its blocks that a peer may fail to deliver: one may be gone after a reorganisation, many were never there. */
const MAX_LACKING = 8

/** One seal at a time for each peer, in the order of arrival. */
export class HeaderJudge {
  readonly #turns = new WeakMap<Peer, Mutex>()
  readonly #punished = new WeakSet<Peer>()
  readonly #lacking = new WeakMap<Peer, number>()

  constructor(private readonly deps: HeaderJudgeDeps) {}

  /** Drops the peer when the header breaks a rule. @param hash of the header, 32 bytes */
  judge(peer: Peer, header: BlockHeader, hash: Uint8Array): Promise<Judgement> {
    const turns = this.#turns.get(peer) ?? new Mutex()
    this.#turns.set(peer, turns)
    return turns.run(async () => (this.#punished.has(peer) ? { kind: 'unusable' } : this.#judgeNow(peer, header, hash)))
  }

  /** The peer did not deliver the parent of a block that it sent. */
  lacksParent(peer: Peer): void {
    const count = (this.#lacking.get(peer) ?? 0) + 1
    this.#lacking.set(peer, count)
    if (count >= MAX_LACKING) this.#drop(peer, 'it does not have the parents of its blocks', LACKING_BAN_MS)
  }

  async #judgeNow(peer: Peer, header: BlockHeader, hash: Uint8Array): Promise<Judgement> {
    const { kind, reason, parentTotal } = await this.deps.chain.judgeHeader(encodeHeader(header))
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
    log.info('peer dropped: its blocks are bad', { peer: peer.name.slice(0, 16), reason })
    bans.add(peer.name, reason, banMs)
    ratings.wasted(peer.info.host, 1)
    peer.disconnect(DISCONNECT.uselessPeer)
  }
}
