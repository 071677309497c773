import { describe, expect, it } from 'vitest'
import { RecentSet } from '../../../base/limits/bounded-map'
import { FakeClock } from '../../../base/testing/fake-clock'
import { Bans } from './bans'

describe('bans', () => {
  it('end by themselves, or when lifted', () => {
    const clock = new FakeClock()
    const bans = new Bans(clock)
    bans.add('a', 'bad header', 1_000)
    bans.add('b', 'bad header', 1_000)
    bans.lift('b')

    expect([bans.reasonOf('a'), bans.reasonOf('b')]).toEqual(['bad header', null])
    clock.advance(1_000)
    expect(bans.reasonOf('a')).toBeNull()
  })

  it('are 4096 at most: the oldest goes', () => {
    const bans = new Bans(new FakeClock())
    for (let i = 0; i <= 4096; i++) bans.add(String(i), 'flood', 1_000)

    expect([bans.reasonOf('0'), bans.reasonOf('1')]).toEqual([null, 'flood'])
  })
})

describe('hashes that a peer knows', () => {
  it('never exceed the limit: the one not seen for longest goes', () => {
    const hash = (tag: number) => new Uint8Array(32).fill(tag)
    const known = new RecentSet(2)
    known.add(hash(1))
    known.add(hash(2))
    known.add(hash(1))
    known.add(hash(3))

    expect([1, 2, 3].map((tag) => known.has(hash(tag)))).toEqual([true, false, true])
    expect(known.size).toBe(2)
  })
})
