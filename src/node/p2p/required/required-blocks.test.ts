// The challenge for required blocks: a peer that doesn't answer it is dropped after prlx's 15 s.
import { afterEach, expect, it } from 'vitest'
import { silentLogger } from '../../../base/logger'
import { FakeClock } from '../../../base/testing/fake-clock'
import { peerPair } from '../../testing/test-pair'
import { Bans } from '../peer/bans'
import { RequiredCheck } from './required-blocks'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

async function asked(required: ReadonlyMap<bigint, Uint8Array>) {
  const clock = new FakeClock()
  const { peer, end } = await peerPair(clock)
  ends.push(end)
  const bans = new Bans(clock)
  new RequiredCheck(required, { bans, log: silentLogger }).ask(peer)
  return { peer, bans, clock }
}

it('drops a peer that is silent for 15 s, and not before; it may come back', async () => {
  const { peer, bans, clock } = await asked(new Map([[20n, new Uint8Array(32)]]))
  clock.advance(14_999)
  expect(peer.isClosed).toBe(false)

  clock.advance(1)

  await expect.poll(() => peer.isClosed).toBe(true)
  expect(bans.list()).toEqual([])
})

it('asks nothing if no block is required', async () => {
  const { peer, clock } = await asked(new Map())
  clock.advance(60_000)

  expect(peer.isClosed).toBe(false)
})
