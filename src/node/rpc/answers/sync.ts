// A running sync as a JSON-RPC object.
import { toQuantity } from '../../../base/quantity'
import type { SyncHeights } from '../../ports/peers-port'

/** What `eth_syncing` returns while a sync runs. */
export function encodeSync({ from, current, target }: SyncHeights) {
  const [startingBlock, currentBlock, highestBlock] = [from, current, target].map(toQuantity)
  return { startingBlock, currentBlock, highestBlock }
}
