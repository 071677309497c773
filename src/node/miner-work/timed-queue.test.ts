import { expect, it } from 'vitest'
import { FakeClock } from '../../base/fake-clock'
import { TestWallet } from '../chain/test-wallet'
import { timedQueue } from './timed-queue'

it('a queue with a time limit is empty early when someone waits, and late otherwise', () => {
  const clock = new FakeClock()
  const wallet = new TestWallet(1)
  const entry = { tx: wallet.sign(), sender: wallet.address }
  let awaited = false
  const endless = { peek: () => entry, shift: () => undefined, pop: () => undefined }
  const queue = timedQueue(endless, clock, () => awaited, { sharedMs: 100, aloneMs: 1000 })
  const isEmpty = (): boolean => queue.peek() === null
  awaited = true
  clock.advance(99)
  expect(isEmpty()).toBe(false)
  clock.advance(1)
  expect(isEmpty()).toBe(true)
  awaited = false
  expect(isEmpty()).toBe(false)
  clock.advance(900)
  expect(isEmpty()).toBe(true)
})
