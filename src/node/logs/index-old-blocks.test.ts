import { expect, it } from 'vitest'
import { Disposables } from '../../base/lifecycle'
import { silentLogger } from '../../base/logger'
import { anyLogItem, blocksOf, offsetsOf } from '../log-index/log-index'
import { chainKeys, metaKeys } from '../store/keys'
import { openTestChain } from '../testing/test-chain'
import { indexOldBlocks, keepLogIndex, markIndexStart } from '../worker/chain-session'
import { logsIndexedFrom } from './search'

/** Init code: PUSH1 0, PUSH1 0, LOG0. */
const INIT = Uint8Array.from([0x60, 0x00, 0x60, 0x00, 0xa0])
const never = new AbortController().signal

/** A chain whose every block logs once, from before there was an index. */
async function oldChain(blocks: number) {
  const test = await openTestChain()
  for (let nonce = 0; nonce < blocks; nonce++) {
    const tx = test.rich.sign({ nonce: BigInt(nonce), to: null, data: INIT, gasLimit: 100_000n, value: 0n })
    await test.chain.importBlock(await test.nextBlock({ transactions: [tx] }))
  }
  const entries = await test.store.keysWithPrefix(Uint8Array.of('l'.charCodeAt(0)))
  await test.store.write([...entries.map((key) => [key, null] as const), [metaKeys.logsFrom, null]])
  return test
}

const indexed = (store: Parameters<typeof blocksOf>[0]) => offsetsOf(blocksOf(store, anyLogItem, 0))

it("indexes an older database's blocks, from the head down", async () => {
  const { chain, store } = await oldChain(40)

  expect(await markIndexStart(chain)).toBe(41)
  expect(logsIndexedFrom(store)).toBe(41)
  await indexOldBlocks(chain, never)

  expect(logsIndexedFrom(store)).toBe(0)
  expect(indexed(store)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1))
  expect(await markIndexStart(chain)).toBe(0)
})

it('continues where an ended run stopped, and indexes new blocks as well', async () => {
  const { chain, store, rich, nextBlock } = await oldChain(40)
  await markIndexStart(chain)
  const stopping = new AbortController()
  const first = indexOldBlocks(chain, stopping.signal)
  stopping.abort()
  await first
  const tx = rich.sign({ nonce: 40n, to: null, data: INIT, gasLimit: 100_000n, value: 0n })
  await chain.importBlock(await nextBlock({ transactions: [tx] }))

  expect(logsIndexedFrom(store)).toBe(9)
  expect(indexed(store)).toEqual(Array.from({ length: 33 }, (_, i) => i + 9))
  await indexOldBlocks(chain, never)
  expect(indexed(store)).toEqual(Array.from({ length: 41 }, (_, i) => i + 1))
})

it('takes no block without receipts for one without logs', async () => {
  const { chain, store } = await oldChain(3)
  await markIndexStart(chain)
  const hash = chain.reads.canonicalHash(2n) ?? new Uint8Array(0)
  await store.write([[chainKeys.receipts(hash), null]])
  await expect(indexOldBlocks(chain, never)).rejects.toThrow('receipts of block 2 are missing')
  expect(logsIndexedFrom(store)).toBe(4)
})

it('has nothing to do for a new chain, and ends with the session', async () => {
  const fresh = await openTestChain()
  await fresh.store.write([[metaKeys.logsFrom, null]])
  expect(await markIndexStart(fresh.chain)).toBe(0)

  const old = await oldChain(3)
  const held = new Disposables()
  await keepLogIndex(old.chain, silentLogger, held)
  held.dispose()
  await old.chain.exclusive(async () => undefined)

  expect(logsIndexedFrom(old.store)).toBe(0)
})
