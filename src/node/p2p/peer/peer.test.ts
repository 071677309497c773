import { afterEach, expect, it } from 'vitest'
import { encodeRlp } from '../../codec/rlp'
import { CODES } from '../../protocol/messages'
import { peerPair } from '../../testing/test-pair'

const MIB = 1024 * 1024
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

async function peerThatCounts() {
  const { peer, end } = await peerPair()
  ends.push(end)
  let told = 0
  peer.events.on('message', () => told++)
  return { peer, told: () => told }
}

it('disconnects a peer that announces more than could be useful', async () => {
  const { peer, told } = await peerThatCounts()
  for (let i = 0; i < 20; i++) peer.take(0x10 + CODES.transactions, new Uint8Array(10 * MIB))

  expect(peer.isClosed).toBe(true)
  expect(told()).toBeLessThan(10)
})

it('disconnects a peer that sends unsolicited answers, by their bytes', async () => {
  const { peer } = await peerThatCounts()
  const answer = encodeRlp([Uint8Array.of(7), new Uint8Array(9 * MIB)])
  for (let i = 0; i < 3; i++) peer.take(0x10 + CODES.blockBodies, answer)
  const isKept = !peer.isClosed
  for (let i = 0; i < 10; i++) peer.take(0x10 + CODES.blockBodies, answer)

  expect([isKept, peer.isClosed]).toEqual([true, true])
})
