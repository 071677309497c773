import { describe, expect, it } from 'vitest'
import { silentLogger } from '../../../base/logger'
import { FakeClock } from '../../../base/testing/fake-clock'
import type { ProvenBlock } from '../peer/peer'
import { HeadHealth, type HeadHealthState, type HealthPeer } from './head-health'

const HASH = new Uint8Array(32)
const block = (number: number): ProvenBlock => ({ number: BigInt(number), hash: HASH, total: BigInt(number) * 10n })
const peer = (region: string | null, proven: ProvenBlock | null = null, name = ''): HealthPeer => ({
  name,
  region,
  proven,
})

function health(first: readonly HealthPeer[]) {
  const clock = new FakeClock()
  const world = { peers: first, own: 100 }
  const told: HeadHealthState[] = []
  const watched = new HeadHealth({
    clock,
    log: silentLogger,
    peers: () => world.peers,
    head: () => ({ number: world.own, totalDifficulty: BigInt(world.own) * 10n }),
  })
  watched.events.on('changed', (state) => told.push(state))
  watched.start()
  return { clock, world, told, watched }
}

describe('the health of our head', () => {
  it('is behind if a peer has been ahead with verified work for 30 s, until we catch up', () => {
    const { clock, world, told, watched } = health([peer('8.8', block(100)), peer('9.9', block(101))])
    clock.advance(29_000)
    expect(watched.state()).toMatchObject({ aheadNumber: 101, isBehind: false, groups: 2 })
    clock.advance(1_000)
    expect(watched.state()).toMatchObject({ aheadNumber: 101, isBehind: true })

    world.own = 101
    clock.advance(1_000)
    expect(watched.state()).toMatchObject({ aheadNumber: null, behindMs: 0, isBehind: false })
    expect(told.map(({ isBehind }) => isBehind)).toEqual([false, true, false])
  })

  it('restarts the time whenever we catch up', () => {
    const { clock, world, watched } = health([peer('8.8', block(101)), peer('9.9')])
    clock.advance(20_000)
    world.own = 101
    clock.advance(1_000)
    world.peers = [peer('8.8', block(102)), peer('9.9')]
    clock.advance(20_000)

    expect(watched.state().isBehind).toBe(false)
  })

  it('may be cut off after 40 minutes with peers in one network, or with none', () => {
    for (const few of [[], [peer('8.8'), peer('8.8')]]) {
      const { clock, world, watched } = health(few)
      clock.advance(40 * 60_000 - 1_000)
      expect(watched.state().mayBeCutOff).toBe(false)
      clock.advance(1_000)
      expect(watched.state().mayBeCutOff).toBe(true)
      world.peers = [peer('8.8'), peer('9.9')]
      clock.advance(1_000)
      expect(watched.state().mayBeCutOff).toBe(false)
    }
  })

  it("isn't cut off in a private network", () => {
    const { clock, watched } = health([peer(null)])
    clock.advance(60 * 60_000)

    expect(watched.state()).toMatchObject({ mayBeCutOff: false, groups: 1 })
  })

  it('is split off if peers in two networks have a chain that forked too deep, until they are gone', () => {
    const { clock, world, told, watched } = health([
      peer('8.8', null, 'a'),
      peer('8.8', null, 'b'),
      peer('9.9', null, 'c'),
    ])
    watched.partsTooDeep('a', 40)
    watched.partsTooDeep('b', 30)
    clock.advance(1_000)
    expect(watched.state().split).toBeNull()
    watched.partsTooDeep('c', null)
    clock.advance(1_000)
    expect(watched.state().split).toEqual({ height: 30, peers: 3 })

    world.peers = [peer('8.8', null, 'a')]
    clock.advance(1_000)
    expect(told.map(({ split }) => split?.peers ?? 0)).toEqual([0, 3, 0])
  })

  it('is split off in a private network by one peer', () => {
    const { watched } = health([peer(null, null, 'a')])
    watched.partsTooDeep('a', 7)
    expect(watched.state().split).toEqual({ height: 7, peers: 1 })
  })
})
