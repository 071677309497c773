// Rewinding the chain to an older block, as debug_setHead does.
import { describe, expect, it } from 'vitest'
import { toHex } from '../../base/hex'
import type { Block } from '../model/block'
import type { Store } from '../store/store'
import { numberOf, openTestChain, type TestChain } from '../testing/test-chain'
import type { HeadChanged } from './chain'

const TIME = 5_000

/** Everything that is stored. */
async function contentOf(store: Store): Promise<readonly string[]> {
  const keys = await store.keysWithPrefix(new Uint8Array(0))
  return keys.map((key) => `${toHex(key)} ${toHex(store.get(key) ?? new Uint8Array(0))}`).sort()
}

/** A block on the head with one payment, imported. */
async function grow({ chain, clock, nextBlock, rich }: TestChain, nonce: bigint): Promise<Block> {
  clock.advance(TIME)
  const block = await nextBlock({ transactions: [rich.sign({ nonce, value: 1n + nonce })] })
  expect(await chain.importBlock(block)).toEqual({ kind: 'head' })
  return block
}

describe('rewinding', () => {
  it('leaves the same content as a chain that never went further, and accepts the same blocks again', async () => {
    const test = await openTestChain()
    const { chain, clock, store, nextBlock } = test
    const blocks = [await grow(test, 0n), await grow(test, 1n)]
    const before = await contentOf(store)
    clock.advance(TIME)
    const beside = await nextBlock({ tag: 9 })
    blocks.push(await grow(test, 2n), await grow(test, 3n))
    expect(await chain.importBlock(beside)).toEqual({ kind: 'side' })
    const after = await contentOf(store)
    const changes: HeadChanged[] = []
    chain.events.on('headChanged', (change) => changes.push(change))

    expect(await chain.goBackTo(2n)).toBeNull()

    expect(numberOf(chain.head)).toBe(2)
    expect(await contentOf(store)).toEqual(before)
    const [, , third, fourth] = blocks
    expect(changes.map(({ removed, added }) => [removed.map(({ hash }) => toHex(hash)), added])).toEqual([
      [[third, fourth].map((block) => toHex(block?.hash ?? new Uint8Array(0))), []],
    ])
    for (const block of blocks.slice(2)) expect(await chain.importBlock(block)).toEqual({ kind: 'head' })
    await chain.importBlock(beside)
    expect(await contentOf(store)).toEqual(after)
  })

  it('returns the transactions to the pool', async () => {
    const test = await openTestChain()
    await grow(test, 0n)

    await test.chain.goBackTo(0n)

    expect(test.pool.counts()).toEqual({ pending: 1, queued: 0 })
  })

  it('changes nothing at the head and above it', async () => {
    const test = await openTestChain()
    await grow(test, 0n)
    const before = await contentOf(test.store)

    expect([await test.chain.goBackTo(1n), await test.chain.goBackTo(99n)]).toEqual([null, null])

    expect(await contentOf(test.store)).toEqual(before)
  })

  it('rewinds a long way in several writes, and says how far it can go if older states were pruned', async () => {
    const archive = await openTestChain({}, { gcMode: 'archive' })
    const full = await openTestChain({}, { window: { states: 4n, reorg: 8n, history: 1n, recordBytes: 4096 } })
    const empty = await contentOf(archive.store)
    for (let nonce = 0n; nonce < 140n; nonce++) {
      const block = await grow(archive, nonce)
      full.clock.advance(TIME)
      await full.chain.importBlock(block)
    }
    const removed: number[] = []
    archive.chain.events.on('headChanged', (change) => removed.push(change.removed.length))

    expect(await full.chain.goBackTo(0n)).toBe('blocks can be taken back down to block 132, not to block 0')
    expect(numberOf(full.chain.head)).toBe(140)
    expect(await archive.chain.goBackTo(0n)).toBeNull()

    expect(removed).toEqual([128, 12])
    expect(await contentOf(archive.store)).toEqual(empty)
  })
})
