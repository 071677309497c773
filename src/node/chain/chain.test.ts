import { describe, expect, it } from 'vitest'
import { toHex } from '../../base/hex'
import { nextDifficulty } from '../consensus/difficulty'
import { StoreError } from '../errors'
import { headState } from '../execution/state-reader'
import { type Block, createBlock } from '../model/block'
import type { BlockHeader } from '../model/header'
import { changed, numberOf, openTestChain } from '../testing/test-chain'
import type { HeadChanged, ImportOutcome } from './chain'
import { sideBlocks } from './chain-store'

describe('chain', () => {
  it('makes a valid block the head and reports it once', async () => {
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

  it("removes a side branch that can't be executed and keeps its head", async () => {
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

  it("removes a bad side block's descendants too, in all branches", async () => {
    const { chain, store, clock, nextBlock } = await openTestChain()
    const genesis = chain.head.header
    const [first, bad, sibling] = [
      await nextBlock({ tag: 1 }),
      await nextBlock({ tag: 2 }),
      await nextBlock({ tag: 3 }),
    ]
    const worst = changed(bad, { stateRoot: new Uint8Array(32).fill(9) })
    await chain.importBlock(first)
    clock.advance(5000)
    const second = await nextBlock()
    clock.advance(5000)
    await chain.importBlock(second)
    const third = await nextBlock()
    await chain.importBlock(third)
    expect(await chain.importBlock(worst)).toEqual({ kind: 'side' })
    const made = new Map([[toHex(worst.hash), worst.header]])
    const child = (parent: Block, tag: number): Block => {
      const header = parent.header
      const ancestor = (_from: BlockHeader, number: bigint) => {
        let at: BlockHeader = header
        while (at.number > number) at = made.get(toHex(at.parentHash)) ?? genesis
        return at
      }
      const fields = { parentHash: parent.hash, number: header.number + 1n, timestamp: header.timestamp + 5n }
      const difficulty = nextDifficulty(chain.params, header, ancestor) ?? 0n
      const block = changed(sibling, { ...fields, difficulty, extraData: Uint8Array.of(tag) })
      made.set(toHex(block.hash), block.header)
      return block
    }
    const children = [child(worst, 1), child(worst, 2)]
    for (const block of children) expect(await chain.importBlock(block)).toEqual({ kind: 'side' })
    let newest = children[0] ?? worst
    let last: ImportOutcome = { kind: 'side' }
    while (last.kind === 'side') {
      newest = child(newest, 1)
      last = await chain.importBlock(newest)
    }

    expect(last).toMatchObject({ kind: 'refused', reason: expect.stringMatching(/^invalid merkle root/) })
    expect(toHex(chain.head.hash)).toBe(toHex(third.hash))
    expect(await sideBlocks(store, chain.reads)).toEqual([])
    // The other branch went too: what stands on it has no ancestor, and the bad ones are known by their reason.
    const parentless = child(children[1] ?? worst, 7)
    expect(await chain.importBlock(parentless)).toEqual({ kind: 'refused', reason: 'unknown ancestor' })
    expect(await chain.importBlock(children[1] ?? worst)).toEqual({
      kind: 'refused',
      reason: 'reason' in last ? last.reason : '',
    })
    expect(chain.bad.list().map(({ block }) => toHex(block.hash))).toEqual([toHex(worst.hash)])
  })

  it("doesn't blame a header for the wrong body that came with it", async () => {
    const { chain, nextBlock, rich } = await openTestChain()
    const block = await nextBlock({ transactions: [rich.sign()] })
    const wrong = createBlock(block.header, [])
    expect(await chain.importBlock(wrong)).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/^transaction root hash/),
    })
    expect(await chain.importBlock(block)).toEqual({ kind: 'head' })
  })

  it('imports many blocks with one change of the head, up to the first bad one', async () => {
    const source = await openTestChain()
    const blocks: Block[] = []
    for (let i = 0; i < 5; i++) {
      blocks.push(await source.nextBlock({ transactions: [source.rich.sign({ nonce: BigInt(i) })] }))
      await source.chain.importBlock(blocks[i] ?? blocks[0] ?? (await source.nextBlock()))
      source.clock.advance(5000)
    }
    const { chain, clock } = await openTestChain()
    clock.advance(60_000)
    const changes: HeadChanged[] = []
    chain.events.on('headChanged', (change) => changes.push(change))
    const [first, second, third, fourth, fifth] = blocks
    if (first === undefined || second === undefined || third === undefined) throw new Error('too few blocks')
    if (fourth === undefined || fifth === undefined) throw new Error('too few blocks')
    await chain.importBlock(first)

    const bad = changed(fifth, { gasUsed: 1n })
    const report = await chain.importBlocks([first, second, third, fourth, bad])

    expect(report).toMatchObject({ known: 1, added: 3, side: 0, transactions: 3, gas: 63_000n })
    expect(report.refused).toMatchObject({ index: 4, outcome: { reason: 'invalid gas used (remote: 1 local: 21000)' } })
    expect(changes.map(({ added, removed }) => [removed.length, added.length])).toEqual([
      [0, 1],
      [0, 3],
    ])
    expect(toHex(chain.head.hash)).toBe(toHex(fourth.hash))
    expect((await chain.importBlocks([fifth])).refused).toBeNull()
    expect((await chain.importBlocks([changed(fifth, { parentHash: new Uint8Array(32) })])).refused).toMatchObject({
      outcome: { reason: 'unknown ancestor' },
    })
  })

  it("keeps its head if a block can't be written, and continues later", async () => {
    const { chain, store, nextBlock } = await openTestChain()
    const block = await nextBlock()
    const write = store.write.bind(store)
    store.write = async () => {
      throw new StoreError('STORE_DISK_LOW', { folder: '/data', freeBytes: 0, neededBytes: 1 })
    }
    await expect(chain.importBlocks([block])).rejects.toMatchObject({ code: 'STORE_DISK_LOW' })
    expect(numberOf(chain.head)).toBe(0)
    store.write = write
    expect((await chain.importBlocks([block])).added).toBe(1)
  })

  it('tells its exclusive holder when someone waits', async () => {
    const { chain, nextBlock } = await openTestChain()
    const block = await nextBlock()
    let importing: Promise<unknown> = Promise.resolve()
    const seen = await chain.exclusive(async (awaited) => {
      const before = awaited()
      importing = chain.importBlock(block)
      return [before, awaited()]
    })
    await importing
    expect(seen).toEqual([false, true])
  })

  it('ends a long import between two batches when it is closed, and accepts nothing more', async () => {
    const builder = await openTestChain()
    const blocks: Block[] = []
    for (let i = 0; i < 130; i++) {
      builder.clock.advance(5000)
      const block = await builder.nextBlock()
      await builder.chain.importBlock(block)
      blocks.push(block)
    }
    const { chain, clock, nextBlock } = await openTestChain()
    clock.advance(builder.clock.monotonic())
    const next = await nextBlock()
    const changes: number[] = []
    let closed: Promise<void> | null = null
    chain.events.on('headChanged', ({ added }) => {
      changes.push(added.length)
      closed = chain.close()
    })

    const running = chain.importBlocks(blocks)

    const code = 'CHAIN_NOT_OPEN'
    await expect(running).rejects.toMatchObject({ code })
    await closed
    expect(changes).toEqual([128])
    expect(numberOf(chain.head)).toBe(128)
    await expect(chain.importBlock(next)).rejects.toMatchObject({ code })
    await expect(chain.exclusive(async () => 1)).rejects.toMatchObject({ code })
  })

  it('reads no more of a side branch for its last block than for its second', async () => {
    const { chain, clock, store, nextBlock } = await openTestChain()
    const side = await openTestChain()
    const branch: Block[] = []
    for (let i = 0; i < 60; i++) {
      for (const each of [clock, side.clock]) each.advance(5000)
      await chain.importBlock(await nextBlock({ tag: 1 }))
      if (i >= 50) continue
      const block = await side.nextBlock({ tag: 2 })
      await side.chain.importBlock(block)
      branch.push(block)
    }
    const get = store.get.bind(store)
    let count = 0
    store.get = (key) => {
      count++
      return get(key)
    }
    const reads: number[] = []
    for (const block of branch) {
      const before = count
      expect(await chain.importBlock(block)).toEqual({ kind: 'side' })
      reads.push(count - before)
    }

    expect(Math.max(...reads.slice(20)) - Math.max(...reads.slice(12, 20))).toBeLessThan(4)
  })

  it('changes nothing for a rejected block', async () => {
    const { chain, store, nextBlock } = await openTestChain()
    const block = await nextBlock()
    const before = await store.keysWithPrefix(new Uint8Array(0))

    const outcome = await chain.importBlock(changed(block, { stateRoot: new Uint8Array(32) }))

    expect(outcome.kind).toBe('refused')
    expect(await store.keysWithPrefix(new Uint8Array(0))).toEqual(before)
    expect(numberOf(chain.head)).toBe(0)
  })

  it('imports concurrent blocks one after another', async () => {
    const { chain, nextBlock } = await openTestChain()
    const blocks = await Promise.all([1, 2, 3].map((tag) => nextBlock({ tag })))

    const outcomes = await Promise.all(blocks.map((block) => chain.importBlock(block)))

    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['head', 'side', 'side'])
  })
})
