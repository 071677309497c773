import { expect, it } from 'vitest'
import { ChainReads } from '../chain/chain-store'
import { type BlockHeader, blockHash, encodeHeader } from '../model/header'
import { chainKeys } from '../store/keys'
import { MemoryStore } from '../store/store'
import { plainHeader } from '../testing/test-header'
import type { ChainSession } from './chain-session'
import { p2pHandlers } from './p2p-handlers'

/** A branch none of which is canonical. */
async function branchOf(count: number) {
  const store = new MemoryStore()
  let header: BlockHeader = plainHeader({ number: 0n })
  for (let number = 1n; number <= BigInt(count); number++) {
    header = plainHeader({ number, parentHash: blockHash(header) })
    await store.write([[chainKeys.header(blockHash(header)), encodeHeader(header)]])
  }
  const session: Pick<ChainSession, 'store'> & { readonly chain: Pick<ChainSession['chain'], 'reads'> } = {
    store,
    chain: { reads: new ChainReads(store) },
  }
  return { head: blockHash(header), handlers: p2pHandlers(() => session as ChainSession) }
}

it('walks over at most a hundred side blocks per request', async () => {
  const { head, handlers } = await branchOf(600)
  const query = { origin: head, amount: 1024n, reverse: true } as const
  const without = handlers['chain.p2pHeaders']({ ...query, skip: 0n })
  const gaps = handlers['chain.p2pHeaders']({ ...query, skip: 9n })
  const wide = handlers['chain.p2pHeaders']({ ...query, skip: 2n ** 64n - 1n })

  expect([without.length, gaps.length, wide.length]).toEqual([600, 12, 1])
})
