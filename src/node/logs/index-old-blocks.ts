// Brings the blocks of a database from before the log index into it, from the head downwards, while the node runs.
import { bytesFromBigint } from '../../base/bytes'
import { messageOf } from '../../base/errors'
import type { Disposables } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { Chain } from '../chain/chain'
import { indexLogs } from '../log-index/log-index'
import { metaKeys } from '../store/keys'
import { StoreLayer } from '../store/store'
import { logsIndexedFrom } from './search'

const BLOCKS_A_BATCH = 32

/**
 * Marks from where on blocks are indexed as they come: call it before the first block is taken in, and never later.
 * @returns the number of blocks that `indexOldBlocks` has to do
 */
export async function markIndexStart(chain: Chain): Promise<number> {
  if (chain.store.get(metaKeys.logsFrom) === undefined) {
    const from = chain.head.header.number === 0n ? 0n : chain.head.header.number + 1n
    await chain.store.write([[metaKeys.logsFrom, bytesFromBigint(from, 8)]])
  }
  return Math.min(logsIndexedFrom(chain.store), Number(chain.head.header.number) + 1)
}

/**
 * Call it before the first block is taken in. What an older version left without an index is brought into it by and by,
 * until `held` is disposed.
 */
export async function keepLogIndex(chain: Chain, log: Logger, held: Disposables): Promise<void> {
  const left = await markIndexStart(chain)
  if (left === 0) return
  log.info('indexing the logs of old blocks', { blocks: left })
  const stopping = new AbortController()
  held.defer(() => stopping.abort())
  indexOldBlocks(chain, stopping.signal).catch((error: unknown) => {
    if (!stopping.signal.aborted) log.error('old logs are not indexed', { error: messageOf(error) })
  })
}

/** Works in small batches between block imports until it is done or `signal` aborts. An ended run is continued by the next. */
export async function indexOldBlocks(chain: Chain, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && logsIndexedFrom(chain.store) > 0) await chain.exclusive(() => indexBatch(chain))
}

async function indexBatch(chain: Chain): Promise<void> {
  const layer = new StoreLayer(chain.store)
  let from = logsIndexedFrom(chain.store)
  for (let count = 0; count < BLOCKS_A_BATCH && from > 0; count++) {
    from -= 1
    const hash = chain.reads.canonicalHash(BigInt(from))
    const receipts = hash === null ? null : chain.reads.receipts(hash)
    indexLogs(layer, BigInt(from), receipts ?? [])
  }
  layer.put(metaKeys.logsFrom, bytesFromBigint(BigInt(from), 8))
  await chain.store.write(layer.changes())
}
