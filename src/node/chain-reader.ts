// Asynchronous reads of the chain, answered by the chain worker: what RPC and the host's views use.
import type { WireClient } from '../base/wire/client'
import { type Forwarded, forward } from '../base/wire/forward'
import type { ChainWire } from './worker/wire/chain-wire'
import type { PendingBlockInfo } from './worker/wire/pending-shapes'
import { readCalls } from './worker/wire/read-wire'

/** One method for each call of `readCalls`, which says what it answers. All reject with CHAIN_NOT_OPEN while the node is not running. */
export interface ChainReader extends Forwarded<typeof readCalls, 'chain.'> {
  /** The head and the executable pool transactions, with what they change in the head's state. */
  pendingBlock(): Promise<PendingBlockInfo>
}

/** Asks for the pending block and keeps the last answer, so that an unchanged one does not cross again. */
function pendingBlockOf(client: () => WireClient<ChainWire>): () => Promise<PendingBlockInfo> {
  let kept: { readonly from: WireClient<ChainWire>; readonly id: number; readonly block: PendingBlockInfo } | null =
    null
  return async () => {
    const from = client()
    const before = kept?.from === from ? kept : null
    const { id, block } = await from.call('chain.pendingBlock', { known: before?.id ?? null })
    const found = block ?? before?.block
    if (found === undefined) throw new RangeError(`pending block ${id} was not sent`)
    if (kept?.from !== from || kept.id < id) kept = { from, id, block: found }
    return found
  }
}

/** @param client asked at each call, so that a restarted worker is found; throws CHAIN_NOT_OPEN when there is none */
export function createChainReader(client: () => WireClient<ChainWire>): ChainReader {
  return { ...forward(client, readCalls, 'chain.'), pendingBlock: pendingBlockOf(client) }
}
