// Relays new blocks: whole to the square root of the number of peers once the seal is verified, by hash to the rest
// once they are in the chain.
import { type BlockAnnouncement, CODES, encodeNewBlock, encodeNewBlockHashes } from '../../protocol/messages'
import { RecentSet } from '../bounded-map'
import { chosen } from '../chance'
import type { Peer } from '../peer/peer'
import type { PeerSet } from '../peer/peer-set'
import type { RandomBytes } from '../rlpx/handshake'

const MAX_REMEMBERED = 256

/** Whole at most once, by hash afterwards; peers known to have the block get nothing. */
export class BlockSpread {
  readonly #sent = new RecentSet(MAX_REMEMBERED)

  constructor(
    private readonly peers: PeerSet,
    private readonly randomBytes: RandomBytes,
  ) {}

  wasSent(hash: Uint8Array): boolean {
    return this.#sent.has(hash)
  }

  /** @param block RLP @param totalDifficulty including the block's own */
  sendWhole({ hash }: BlockAnnouncement, block: Uint8Array, totalDifficulty: bigint): void {
    this.#sent.add(hash)
    const ignorant = this.#ignorant(hash)
    const payload = encodeNewBlock({ block, totalDifficulty })
    for (const peer of chosen(ignorant, Math.floor(Math.sqrt(ignorant.length)), this.randomBytes))
      if (peer.offer(CODES.newBlock, payload)) peer.knownBlocks.add(hash)
  }

  announce(facts: BlockAnnouncement): void {
    const payload = encodeNewBlockHashes([facts])
    for (const peer of this.#ignorant(facts.hash))
      if (peer.offer(CODES.newBlockHashes, payload)) peer.knownBlocks.add(facts.hash)
  }

  #ignorant(hash: Uint8Array): Peer[] {
    return this.peers.list().filter((peer) => !peer.knownBlocks.has(hash))
  }
}
