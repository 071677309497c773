// Indexes the blocks of a database older than the log index, from the head downwards, while the node runs.
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

/** Records from which height on blocks are indexed, before the first import. @returns blocks left for `indexOldBlocks` */
export async function markIndexStart(chain: Chain): Promise<number> {
  if (chain.store.get(metaKeys.logsFrom) === undefined) {
    const from = chain.head.header.number === 0n ? 0n : chain.head.header.number + 1n
    await chain.store.write([[metaKeys.logsFrom, bytesFromBigint(from, 8)]])
  }
  return Math.min(logsIndexedFrom(chain.store), Number(chain.head.header.number) + 1)
}

/** Call it before the first import. Blocks that an older version left unindexed are added until `held` is disposed. */
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

/** Works in small batches between block imports until done or `signal` aborts. The next run continues an aborted one. */
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
    if (receipts === null) throw new RangeError(`receipts of block ${from} are missing`)
    indexLogs(layer, BigInt(from), receipts)
  }
  layer.put(metaKeys.logsFrom, bytesFromBigint(BigInt(from), 8))
  await chain.store.write(layer.changes())
}
