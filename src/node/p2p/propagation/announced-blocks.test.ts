import { describe, expect, it } from 'vitest'
import { AnnouncedBlocks } from './block-follower'

const first = () => 0
const hash = (number: number): Uint8Array => {
  const bytes = new Uint8Array(32)
  new DataView(bytes.buffer).setUint32(0, number)
  return bytes
}

describe('announced blocks', () => {
  it('keeps 256 of a peer, and frees the places when they arrive', () => {
    const [peer, blocks] = [{ isClosed: false }, new AnnouncedBlocks(first)]
    for (let number = 0; number < 1_000; number++) blocks.add(peer, { hash: hash(number), number: 1n }, 0)
    const kept = blocks.size
    for (const { name } of blocks.due(0).slice(0, 10)) blocks.forget(name)
    for (let number = 2_000; number < 3_000; number++) blocks.add(peer, { hash: hash(number), number: 1n }, 0)

    expect([kept, blocks.size]).toEqual([256, 256])
  })

  it('counts an announcement for every announcer, and not twice for one', () => {
    const [one, other, blocks] = [{ isClosed: false }, { isClosed: false }, new AnnouncedBlocks(first)]
    for (let number = 0; number < 300; number++) {
      blocks.add(one, { hash: hash(number), number: 1n }, 0)
      blocks.add(one, { hash: hash(number), number: 1n }, 0)
    }
    for (let number = 100; number < 500; number++) blocks.add(other, { hash: hash(number), number: 1n }, 0)

    expect(blocks.size).toBe(356)
  })

  it('is due once it had time to arrive unasked, and while no peer is being asked', () => {
    const [peer, blocks] = [{ isClosed: false }, new AnnouncedBlocks(first)]
    blocks.add(peer, { hash: hash(1), number: 1n }, 100)
    blocks.add(peer, { hash: hash(2), number: 1n }, 300)
    const due = blocks.due(200)
    for (const block of due) block.isFetching = true

    expect(due.map(({ hash: own }) => own)).toEqual([hash(1)])
    expect(blocks.due(200)).toEqual([])
  })

  it('moves to the next announcer, each with its announced height, until there is none', () => {
    const [liar, gone, honest] = [{ isClosed: false }, { isClosed: true }, { isClosed: false }]
    const blocks = new AnnouncedBlocks<{ readonly isClosed: boolean }>(first)
    for (const [peer, number] of [
      [liar, 99n],
      [gone, 5n],
      [honest, 5n],
    ] as const)
      blocks.add(peer, { hash: hash(1), number }, 0)
    const [block] = blocks.due(0)
    if (block === undefined) throw new Error('nothing is due')
    const asked = [blocks.next(block)]
    blocks.dropFirst(block)
    asked.push(blocks.next(block))
    blocks.dropFirst(block)

    expect(asked).toEqual([
      { peer: liar, number: 99n },
      { peer: honest, number: 5n },
    ])
    expect([blocks.next(block), blocks.size]).toEqual([null, 0])
  })

  it('asks a random one, and drops the one that was asked', () => {
    const [one, other] = [{ isClosed: false }, { isClosed: false }]
    const blocks = new AnnouncedBlocks<{ readonly isClosed: boolean }>((limit) => limit - 1)
    blocks.add(one, { hash: hash(1), number: 1n }, 0)
    blocks.add(other, { hash: hash(1), number: 1n }, 0)
    const [block] = blocks.due(0)
    if (block === undefined) throw new Error('nothing is due')
    const asked = [blocks.next(block)?.peer]
    blocks.dropFirst(block)
    asked.push(blocks.next(block)?.peer)

    expect(asked).toEqual([other, one])
  })
})
