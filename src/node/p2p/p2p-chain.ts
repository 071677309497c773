// The chain as the network layer sees it: calls of the chain worker as methods.
import type { WireClient } from '../../base/wire/client'
import { type Forwarded, forward } from '../../base/wire/forward'
import type { ChainWire } from '../worker/wire/chain-wire'
import type { ImportReport } from '../worker/wire/import-shapes'
import { p2pCalls } from '../worker/wire/p2p-wire'
import { readCalls } from '../worker/wire/read-wire'

type Reads = Pick<Forwarded<typeof readCalls, 'chain.'>, 'head' | 'blockBytes' | 'totalDifficulty' | 'reach'>

/** One method for each call of `p2pCalls`, and some reads of every asker. Bytes are RLP where nothing else is said, hashes 32 bytes. */
export interface P2pChain extends Forwarded<typeof p2pCalls, 'chain.p2p'>, Reads {
  /** Blocks one after another. */
  importBlocks(blocks: Uint8Array): Promise<ImportReport>
}

/** @param client asked at each call; throws CHAIN_NOT_OPEN when there is none */
export function workerChain(client: () => WireClient<ChainWire>): P2pChain {
  const { head, blockBytes, totalDifficulty, reach } = forward(client, readCalls, 'chain.')
  return {
    ...forward(client, p2pCalls, 'chain.p2p'),
    head,
    blockBytes,
    totalDifficulty,
    reach,
    importBlocks: async (blocks) => client().call('chain.import', { blocks }),
  }
}
