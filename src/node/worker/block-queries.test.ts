import { expect, it } from 'vitest'
import { toHex } from '../../base/hex'
import { openTestChain } from '../testing/test-chain'
import { TestWallet } from '../testing/test-wallet'
import { BlockQueries, readHandlers } from './block-queries'
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

it("reads a part of a block's transactions, and what all paid", async () => {
  const { reads, block, sent, gasLimit } = await queries()

  const [second, ...more] = reads.transactions(block.hash, 1, 1)
  expect(more).toEqual([])
  expect(second).toMatchObject({ hash: sent[1]?.hash, place: { index: 1 }, outcome: { succeeded: true } })
  expect(reads.transactions(1, 1, 10).map(({ place }) => place?.index)).toEqual([1, 2])
  expect(reads.transactions(1, 3, 10)).toEqual([])
  expect(reads.transactions(9, 0, 10)).toEqual([])
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
  expect(bytesOf(Object.values(reads.summary(1) ?? {}))).toBeLessThan(2_000)
})

it('reads what waits in the pool by sender and nonce, and of some accounts', () => {
  const wallets = [new TestWallet(1), new TestWallet(2)] as const
  const entryOf = (wallet: TestWallet, nonce: bigint) => ({ tx: wallet.sign({ nonce }), sender: wallet.address })
  const waiting = wallets.map((wallet) => [entryOf(wallet, 0n), entryOf(wallet, 1n)])
  const content = (address: Uint8Array | null) =>
    wallets.flatMap((wallet, at) =>
      address === null || toHex(address) === toHex(wallet.address)
        ? [{ sender: wallet.address, pending: waiting[at] ?? [], queued: [] }]
        : [],
    )
  const pool = { content }
  const read = readHandlers(() => ({ pool }) as unknown as ChainSession)
  const never = new AbortController().signal

  const [first, second] = wallets
  expect(read['chain.waiting']({ address: second.address, nonce: 1n }, never)).toMatchObject({
    hash: waiting[1]?.[1]?.tx.hash,
    from: second.address,
  })
  expect(read['chain.waiting']({ address: second.address, nonce: 2n }, never)).toBeNull()
  expect(read['chain.poolBytes']({ addresses: [first.address] }, never)).toMatchObject([{ address: first.address }])
  expect(read['chain.poolBytes']({ addresses: [] }, never)).toEqual([])
  expect(read['chain.poolBytes']({ addresses: null }, never)).toHaveLength(2)
})
