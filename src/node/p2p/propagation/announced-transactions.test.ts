import { describe, expect, it } from 'vitest'
import { AnnouncedTransactions } from './transaction-exchange'

describe('announced transactions', () => {
  const [first, second] = [{ name: 'first' }, { name: 'second' }]

  it('keeps 4096 of a peer, and none once the peer is gone', () => {
    const announced = new AnnouncedTransactions()
    for (let index = 0; index < 10_000; index++) announced.add(first, `tx ${index}`, 0)
    announced.add(second, 'tx 0', 0)
    const kept = announced.size
    announced.drop(first)

    expect([kept, announced.size]).toEqual([4_096, 1])
    expect(announced.peers()).toEqual([second])
  })

  it('gives each peer a share if all together announce too much', () => {
    const announced = new AnnouncedTransactions()
    const crowd = Array.from({ length: 50 }, (_, index) => ({ name: `peer ${index}` }))
    for (const peer of crowd) for (let i = 0; i < 5_000; i++) announced.add(peer, `${peer.name} tx ${i}`, 0)
    announced.add(second, 'honest', 0)

    expect(announced.size).toBeLessThan(1.5 * 32_768)
    expect(announced.share(second, 0, 10)).toEqual(['honest'])
  })

  it('asks one peer at a time, in announcement order and not too early', () => {
    const announced = new AnnouncedTransactions()
    for (const name of ['a', 'b', 'c']) announced.add(first, name, 10)
    announced.add(first, 'late', 50)
    announced.add(second, 'a', 10)

    expect(announced.share(first, 20, 2)).toEqual(['a', 'b'])
    expect(announced.share(second, 20, 10)).toEqual([])
    expect(announced.share(first, 20, 10)).toEqual(['c'])
  })

  it('asks the next announcer for what a peer lacks, and drops what nobody has', () => {
    const announced = new AnnouncedTransactions()
    for (const name of ['a', 'b']) announced.add(first, name, 0)
    announced.add(second, 'a', 0)
    for (const name of announced.share(first, 0, 10)) announced.lacks(first, name)

    expect(announced.share(second, 0, 10)).toEqual(['a'])
    expect(announced.size).toBe(1)
  })

  it('asks the same peer again for what was truncated', () => {
    const announced = new AnnouncedTransactions()
    announced.add(first, 'a', 0)
    for (const name of announced.share(first, 0, 10)) announced.giveBack(first, name)

    expect(announced.share(first, 0, 10)).toEqual(['a'])
  })

  it("doesn't take a request away from a peer that is being asked", () => {
    const announced = new AnnouncedTransactions()
    announced.add(first, 'a', 0)
    announced.add(second, 'a', 0)
    announced.share(first, 0, 10)
    announced.giveBack(second, 'a')

    expect(announced.share(second, 0, 10)).toEqual([])
  })

  it('keeps nothing that has arrived', () => {
    const announced = new AnnouncedTransactions()
    announced.add(first, 'a', 0)
    announced.add(second, 'a', 0)
    announced.forget('a')

    expect([announced.size, announced.peers()]).toEqual([0, []])
  })
})
