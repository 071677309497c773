import { describe, expect, it } from 'vitest'
import { TestWallet } from '../testing/test-wallet'
import { newPendingParts } from './serve-chain'

const wallet = new TestWallet(1)

function entries(count: number, dataBytes = 0) {
  const tx = wallet.sign({ data: new Uint8Array(dataBytes) })
  return Array.from({ length: count }, (_, sequence) => {
    return { tx, sender: wallet.address, local: true, sequence, arrivedAt: 0 }
  })
}

describe('news of executable transactions', () => {
  it('cross in parts of at most 256', () => {
    expect(newPendingParts(entries(600)).map(({ hashes }) => hashes.length)).toEqual([256, 256, 88])
    expect(newPendingParts([])).toEqual([])
  })

  it('cross in parts of about a megabyte if they are large', () => {
    const parts = newPendingParts(entries(20, 120_000))
    expect(parts.map(({ transactions }) => transactions.length)).toEqual([8, 8, 4])
    expect(parts[0]?.transactions[0]).toMatchObject({ from: wallet.address, place: null })
  })
})
