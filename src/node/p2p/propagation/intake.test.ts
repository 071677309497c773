import { expect, it } from 'vitest'
import { FakeClock } from '../../../base/testing/fake-clock'
import { Intake } from './intake'

it('accepts a burst of blocks from a peer and then a rate, separately for each peer', () => {
  const clock = new FakeClock()
  const intake = new Intake(clock)
  const [first, second] = [{}, {}]
  const blocksOf = (peer: object): number =>
    Array.from({ length: 200 }, () => intake.takes(peer, 'blocks', 1)).filter(Boolean).length

  const atOnce = [blocksOf(first), blocksOf(second)]
  clock.advance(1_000)

  expect(atOnce).toEqual([64, 64])
  expect(blocksOf(first)).toBe(8)
})

it('accepts a message larger than the burst, but nothing after it', () => {
  const intake = new Intake(new FakeClock())
  const peer = {}

  expect(intake.takes(peer, 'transactions', 10 * 1024 * 1024)).toBe(true)
  expect(intake.takes(peer, 'transactions', 1)).toBe(false)
  expect(intake.takes(peer, 'transactionHashes', 1)).toBe(true)
})

it('accepts one of the largest blocks at once, and the next some time later', () => {
  const clock = new FakeClock()
  const intake = new Intake(clock)
  const peer = {}
  const great = 10 * 1024 * 1024
  const atOnce = [intake.takes(peer, 'blockBytes', great), intake.takes(peer, 'blockBytes', great)]
  clock.advance(40_000)

  expect(atOnce).toEqual([true, false])
  expect(intake.takes(peer, 'blockBytes', great)).toBe(true)
})

it('counts worthless ones higher', () => {
  const clock = new FakeClock()
  const intake = new Intake(clock)
  const peer = {}
  intake.charge(peer, 'transactions', 5 * 1024 * 1024)
  const now = intake.takes(peer, 'transactions', 100)
  clock.advance(3_000)

  expect([now, intake.takes(peer, 'transactions', 100)]).toEqual([false, true])
})
