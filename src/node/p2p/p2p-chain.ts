// The chain as the network layer sees it: the chain worker's calls as methods.
import type { WireClient } from '../../base/wire/client'
import { type Forwarded, forward } from '../../base/wire/forward'
import type { ChainWire } from '../worker/wire/chain-wire'
import type { ImportReport } from '../worker/wire/import-shapes'
import { p2pCalls } from '../worker/wire/p2p-wire'
import { readCalls } from '../worker/wire/read-wire'

type Reads = Pick<Forwarded<typeof readCalls, 'chain.'>, 'head' | 'blockBytes' | 'totalDifficulty' | 'reach'>

/** A method for each call of `p2pCalls`, and some reads. Bytes are RLP unless stated otherwise, hashes 32 bytes. */
export interface P2pChain extends Forwarded<typeof p2pCalls, 'chain.p2p'>, Reads {
  /** Concatenated blocks. @param following number of blocks known to come after them */
  importBlocks(blocks: Uint8Array, following?: number): Promise<ImportReport>
}

/** @param client looked up at each call; throws CHAIN_NOT_OPEN when there is none */
export function workerChain(client: () => WireClient<ChainWire>): P2pChain {
  const { head, blockBytes, totalDifficulty, reach } = forward(client, readCalls, 'chain.')
  return {
    ...forward(client, p2pCalls, 'chain.p2p'),
    head,
    blockBytes,
    totalDifficulty,
    reach,
    importBlocks: async (blocks, following = 0) => client().call('chain.import', { blocks, following }),
  }
}
