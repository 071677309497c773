import { expect, it } from 'vitest'
import { openTestChain } from '../testing/test-chain'
import { BlockQueries } from './block-queries'
import type { ChainSession } from './chain-session'

const DATA_BYTES = 20_000

/** Three transactions with much data in one block. */
async function queries() {
  const test = await openTestChain()
  const to = new Uint8Array(20).fill(7)
  const data = new Uint8Array(DATA_BYTES).fill(1)
  const gasLimit = 21_000n + 16n * BigInt(DATA_BYTES)
  const sent = [0n, 1n, 2n].map((nonce) => test.rich.sign({ nonce, to, data, gasLimit, gasPrice: 9n - nonce }))
  const block = await test.nextBlock({ transactions: sent })
  expect(await test.chain.importBlock(block)).toMatchObject({ kind: 'head' })
  const { chain } = test
  const network = { xhash: { epochBlocks: 720 } }
  const reads = new BlockQueries({ chain, network } as unknown as ChainSession)
  return { reads, block, sent, gasLimit }
}

it("reads a part of a block's transactions and of their outcomes, and what all paid", async () => {
  const { reads, block, sent, gasLimit } = await queries()

  const [second, ...more] = reads.transactions(block.hash, 1, 1)
  expect(more).toEqual([])
  expect(second).toMatchObject({ hash: sent[1]?.hash, place: { index: 1 }, outcome: { succeeded: true } })
  expect(reads.transactions(1, 1, 10).map(({ place }) => place?.index)).toEqual([1, 2])
  expect(reads.transactions(1, 3, 10)).toEqual([])
  expect(reads.transactions(9, 0, 10)).toEqual([])
  expect(reads.outcomes(1, 1, 10)?.map(({ place }) => place.index)).toEqual([1, 2])
  expect(reads.outcomes(9, 0, 1)).toBeNull()
  expect(reads.fees(1)).toBe((9n + 8n + 7n) * gasLimit)
  expect(reads.fees(0)).toBe(0n)
  expect(reads.fees(9)).toBeNull()
})

it('sends no more of a block than was asked for: of a view, the wire sends all that it is a part of', async () => {
  const { reads, block } = await queries()
  const bytesOf = (values: readonly unknown[]): number =>
    Math.max(...values.map((value) => (value instanceof Uint8Array ? value.buffer.byteLength : 0)))

  const [tx] = reads.transactions(block.hash, 0, 1)
  expect(tx?.to?.buffer.byteLength).toBe(20)
  expect(bytesOf(Object.values(tx ?? {}))).toBe(DATA_BYTES)
  expect(bytesOf(Object.values(reads.outcomes(1, 0, 1)?.[0] ?? {}))).toBeLessThan(100)
  expect(bytesOf(Object.values(reads.summary(1) ?? {}))).toBeLessThan(2_000)
})
