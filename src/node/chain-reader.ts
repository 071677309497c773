// Asynchronous chain reads, answered by the chain worker: for RPC and the host's views.
import type { WireClient } from '../base/wire/client'
import { type Forwarded, forward } from '../base/wire/forward'
import type { ChainWire } from './worker/wire/chain-wire'
import type { PendingBlockInfo } from './worker/wire/pending-shapes'
import { MAX_TRANSACTIONS, readCalls } from './worker/wire/read-wire'
import type { BlockSummary, TransactionInfo } from './worker/wire/shapes'

/** One method for each call of `readCalls`, documented there. All reject with CHAIN_NOT_OPEN while no node runs. */
export interface ChainReader extends Forwarded<typeof readCalls, 'chain.'> {
  /** The head plus the executable pool transactions, with their changes to the head's state. */
  pendingBlock(): Promise<PendingBlockInfo>
}

/** All of a block's transactions, a part at a time. @param hash 32 bytes */
export async function transactionsOf(
  reader: Pick<ChainReader, 'transactions'>,
  { hash, transactionCount }: Pick<BlockSummary, 'hash' | 'transactionCount'>,
): Promise<readonly TransactionInfo[]> {
  const found: TransactionInfo[] = []
  for (let from = 0; from < transactionCount; from += MAX_TRANSACTIONS)
    found.push(...(await reader.transactions(hash, from, MAX_TRANSACTIONS)))
  return found
}

/** Requests the pending block and caches the last answer, so that an unchanged one isn't transferred again. */
function pendingBlockOf(client: () => WireClient<ChainWire>): () => Promise<PendingBlockInfo> {
  let kept: { readonly from: WireClient<ChainWire>; id: number; block: PendingBlockInfo } | null = null
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

/** @param client looked up at each call, since a worker restarts; throws CHAIN_NOT_OPEN when there is none */
export function createChainReader(client: () => WireClient<ChainWire>): ChainReader {
  return { ...forward(client, readCalls, 'chain.'), pendingBlock: pendingBlockOf(client) }
}
