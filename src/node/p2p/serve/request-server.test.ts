import { setImmediate } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { silentLogger } from '../../../base/logger'
import { FakeClock } from '../../../base/testing/fake-clock'
import { CODES, encodeHashRequest } from '../../protocol/messages'
import { peerPair } from '../../testing/test-pair'
import type { P2pChain } from '../network-parts'
import { RequestServer } from './request-server'

const hashes = (count: number): Uint8Array[] => Array.from({ length: count }, () => new Uint8Array(32))

it('allows a peer few expensive requests, and many cheap ones', async () => {
  const clock = new FakeClock()
  const bodies = vi.fn(async () => [])
  const chain: Pick<P2pChain, 'bodies'> = { bodies }
  const askedFor = async (count: number): Promise<number> => {
    const { peer, end } = await peerPair(clock)
    const server = new RequestServer({ chain: chain as P2pChain, clock, log: silentLogger })
    bodies.mockClear()
    const pending = clock.pending
    for (let id = 1n; clock.pending === pending && id <= 1_000n; id++) {
      const before = bodies.mock.calls.length
      server.take(peer, CODES.getBlockBodies, encodeHashRequest(id, hashes(count)))
      while (bodies.mock.calls.length === before && clock.pending === pending) await setImmediate()
    }
    end()
    return bodies.mock.calls.length
  }

  expect(await askedFor(2048)).toBeLessThan(30)
  expect(await askedFor(1)).toBeGreaterThan(390)
})
