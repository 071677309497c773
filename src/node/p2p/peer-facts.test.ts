import { afterEach, expect, it } from 'vitest'
import { systemClock } from '../../base/time'
import { peerPair } from '../testing/test-pair'
import { peerFacts } from './p2p-service'
import { Peer } from './peer/peer'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

it.each([
  ['::1', '[::1]:37416'],
  ['2001:db8::7', '[2001:db8::7]:37416'],
  ['10.0.0.7', '10.0.0.7:37416'],
])('a peer at %s is reported as %s', async (host, remoteAddress) => {
  const { peer, end } = await peerPair()
  ends.push(end)
  const info = { direction: 'inbound', host, port: 37_416, trusted: false, isStatic: false } as const
  const there = new Peer(peer.connection, info, { totalDifficulty: 1n, head: peer.head }, systemClock())
  const facts = peerFacts(there, { isTrusted: false, isStatic: false, joinedAt: 0 })

  expect(facts.remoteAddress).toBe(remoteAddress)
  expect(facts.enode).toContain(`@${remoteAddress}`)
})
