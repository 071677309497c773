// Sends new blocks on: whole to a square root of the peers once their seal is known to be good, by hash to the rest once
// they are in the chain. Source: p2p.md 7
import type { Peer } from '../peer/peer'
import type { PeerSet } from '../peer/peer-set'
import { RecentSet } from '../peer/recent-set'
import { CODES, encodeNewBlock, encodeNewBlockHashes } from '../wire/messages'

export interface NewBlockFacts {
  /** 32 bytes */
  readonly hash: Uint8Array
  readonly number: bigint
}

const MOST_REMEMBERED = 256

export class BlockSpread {
  /** Blocks that were sent whole already. */
  readonly #sent = new RecentSet(MOST_REMEMBERED)

  constructor(private readonly peers: PeerSet) {}

  wasSent(hash: Uint8Array): boolean {
    return this.#sent.has(hash)
  }

  /** @param block RLP @param totalDifficulty with the block's own */
  sendWhole({ hash }: NewBlockFacts, block: Uint8Array, totalDifficulty: bigint): void {
    this.#sent.add(hash)
    const ignorant = this.#ignorant(hash)
    const payload = encodeNewBlock({ block, totalDifficulty })
    for (const peer of ignorant.slice(0, Math.floor(Math.sqrt(ignorant.length)))) {
      peer.knownBlocks.add(hash)
      peer.send(CODES.newBlock, payload)
    }
  }

  announce(facts: NewBlockFacts): void {
    const payload = encodeNewBlockHashes([facts])
    for (const peer of this.#ignorant(facts.hash)) {
      peer.knownBlocks.add(facts.hash)
      peer.send(CODES.newBlockHashes, payload)
    }
  }

  #ignorant(hash: Uint8Array): readonly Peer[] {
    return this.peers.list().filter((peer) => !peer.knownBlocks.has(hash))
  }
}
