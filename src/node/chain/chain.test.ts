import { describe, expect, it } from 'vitest'
import { toHex } from '../../base/hex'
import { nextDifficulty } from '../consensus/difficulty'
import { headState } from '../execution/state-reader'
import type { HeadChanged } from './chain'
import type { BlockHeader } from './header'
import { changed, numberOf, openTestChain } from './test-chain'

describe('chain', () => {
  it('makes a good block the head and tells once', async () => {
    const { chain, nextBlock } = await openTestChain()
    const changes: HeadChanged[] = []
    chain.events.on('headChanged', (change) => changes.push(change))
    const block = await nextBlock()

    expect(await chain.importBlock(block)).toEqual({ kind: 'head' })
    expect(await chain.importBlock(block)).toEqual({ kind: 'known' })

    expect(changes.map(({ removed, added }) => [removed.length, added.map((one) => toHex(one.hash))])).toEqual([
      [0, [toHex(block.hash)]],
    ])
    expect(toHex(chain.head.hash)).toBe(toHex(block.hash))
  })

  it('keeps the first of two blocks of equal difficulty and follows the longer branch', async () => {
    const { chain, clock, nextBlock, rich } = await openTestChain()
    const payment = rich.sign({ value: 5n })
    const first = await nextBlock({ transactions: [payment], tag: 1 })
    const sibling = await nextBlock({ tag: 2 })
    await chain.importBlock(first)
    expect(await chain.importBlock(sibling)).toEqual({ kind: 'side' })
    expect(toHex(chain.head.hash)).toBe(toHex(first.hash))

    // A second chain whose head is the sibling builds the block that makes that branch longer.
    const other = await openTestChain()
    other.clock.advance(clock.monotonic())
    await other.chain.importBlock(sibling)
    other.clock.advance(5000)
    clock.advance(5000)
    const longer = await other.nextBlock()
    const changes: HeadChanged[] = []
    chain.events.on('headChanged', (change) => changes.push(change))

    expect(await chain.importBlock(longer)).toEqual({ kind: 'head' })

    const change = changes[0]
    expect(change?.removed.map((block) => toHex(block.hash))).toEqual([toHex(first.hash)])
    expect(change?.added.map((block) => toHex(block.hash))).toEqual([sibling, longer].map((block) => toHex(block.hash)))
    expect(headState(chain.store).account(payment.to ?? new Uint8Array(20))).toBeNull()
    expect(chain.reads.transactionPlace(payment.hash)).toBeNull()
    expect(toHex(chain.reads.canonicalHash(1n) ?? new Uint8Array(0))).toBe(toHex(sibling.hash))
  })

  it('forgets a side branch that cannot be executed and stays where it was', async () => {
    const { chain, clock, nextBlock } = await openTestChain()
    const first = await nextBlock({ tag: 1 })
    const bad = changed(await nextBlock({ tag: 2 }), { stateRoot: new Uint8Array(32).fill(9) })
    const second = await nextBlock({ tag: 3 })
    await chain.importBlock(first)
    expect(await chain.importBlock(bad)).toEqual({ kind: 'side' })
    clock.advance(5000)
    const onBad = changed(second, { parentHash: bad.hash, number: 2n, timestamp: bad.header.timestamp + 5n })

    const genesis = chain.reads.header(bad.header.parentHash)
    const ancestor = (_from: BlockHeader, number: bigint) => (number === 1n ? bad.header : genesis)
    const difficulty = nextDifficulty(chain.params, bad.header, ancestor) ?? 0n
    const outcome = await chain.importBlock(changed(onBad, { difficulty }))

    expect(outcome).toMatchObject({ kind: 'refused', reason: expect.stringMatching(/^invalid merkle root/) })
    expect(toHex(chain.head.hash)).toBe(toHex(first.hash))
    expect(chain.reads.header(bad.hash)).toBeNull()
  })

  it('changes nothing for a refused block', async () => {
    const { chain, store, nextBlock } = await openTestChain()
    const block = await nextBlock()
    const before = await store.keysWithPrefix(new Uint8Array(0))

    const outcome = await chain.importBlock(changed(block, { stateRoot: new Uint8Array(32) }))

    expect(outcome.kind).toBe('refused')
    expect(await store.keysWithPrefix(new Uint8Array(0))).toEqual(before)
    expect(numberOf(chain.head)).toBe(0)
  })

  it('takes blocks that arrive at once one after another', async () => {
    const { chain, nextBlock } = await openTestChain()
    const blocks = await Promise.all([1, 2, 3].map((tag) => nextBlock({ tag })))

    const outcomes = await Promise.all(blocks.map((block) => chain.importBlock(block)))

    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['head', 'side', 'side'])
  })
})
