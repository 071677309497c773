import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TestWallet } from '../testing/test-wallet'
import type { PoolTransaction } from './pool-transaction'
import { PriceHeap } from './tx-pool'

const wallet = new TestWallet(1)
const base = wallet.sign()

function entryOf(price: number, nonce: number): PoolTransaction {
  const tx = { ...base, gasPrice: BigInt(price), nonce: BigInt(nonce) }
  return { tx, sender: wallet.address, local: false, sequence: 0, arrivedAt: 0 }
}

describe('the heap of prices', () => {
  it('gives the cheapest first, and the higher nonce at equal prices', () => {
    const heap = new PriceHeap(() => true)
    for (const [price, nonce] of [
      [5, 0],
      [3, 1],
      [3, 2],
      [9, 0],
    ] as const)
      heap.push(entryOf(price, nonce))
    const order = [1, 2, 3, 4].map(() => heap.pop()?.tx)
    expect(order.map((tx) => [tx?.gasPrice, tx?.nonce])).toEqual([
      [3n, 2n],
      [3n, 1n],
      [5n, 0n],
      [9n, 0n],
    ])
    expect(heap.pop()).toBeNull()
  })

  it('agrees with sorting, whatever comes and goes', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(20), fc.nat(5), fc.nat(3)), { maxLength: 300 }), (steps) => {
        const inside = new Set<PoolTransaction>()
        const heap = new PriceHeap((entry) => inside.has(entry))
        for (const [price, nonce, what] of steps) {
          const [oldest] = inside
          if (what === 0 && oldest !== undefined) {
            inside.delete(oldest)
            heap.leave()
          } else {
            const entry = entryOf(price, nonce)
            inside.add(entry)
            heap.push(entry)
          }
        }
        const prices: bigint[] = []
        for (let next = heap.pop(); next !== null; next = heap.pop()) prices.push(next.tx.gasPrice)
        const sorted = [...inside].map((entry) => entry.tx.gasPrice).sort((a, b) => Number(a - b))
        expect(prices).toEqual(sorted)
      }),
      { numRuns: 50 },
    )
  })
})
