import { expect, it } from 'vitest'
import { FakeClock } from '../../base/testing/fake-clock'
import { TestWallet } from '../testing/test-wallet'
import { timedQueue } from './pending-block'

it('a queue with a time limit is empty early if someone waits, and late otherwise', () => {
  const clock = new FakeClock()
  const wallet = new TestWallet(1)
  const entry = { tx: wallet.sign(), sender: wallet.address }
  let awaited = false
  const endless = { peek: () => entry, shift: () => undefined, pop: () => undefined }
  const queue = timedQueue(endless, { clock }, () => awaited, {
    sharedMs: 100,
    aloneMs: 1000,
    oneMs: 5_000,
    onSlow: () => undefined,
  })
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

it('a queue with a time limit reports the transaction that exceeded its own time, and continues', () => {
  const clock = new FakeClock()
  const wallet = new TestWallet(1)
  const entry = { tx: wallet.sign(), sender: wallet.address }
  const slow: unknown[] = []
  const endless = { peek: () => entry, shift: () => undefined, pop: () => undefined }
  const times = { sharedMs: 100, aloneMs: 1000, oneMs: 300 }
  const queue = timedQueue(endless, { clock }, () => false, { ...times, onSlow: (one) => slow.push(one) })
  expect(queue.peek()).toBe(entry)
  clock.advance(299)
  expect([queue.stopped?.(), queue.outran?.()]).toEqual([false, false])
  clock.advance(1)
  expect([queue.stopped?.(), queue.outran?.()]).toEqual([true, true])
  expect(slow).toEqual([entry])
  expect(queue.peek()).toBe(entry)
  clock.advance(299)
  expect(queue.stopped?.()).toBe(false)
  queue.peek()
  clock.advance(250)
  expect(queue.stopped?.()).toBe(false)
  queue.peek()
  clock.advance(151) // the build's time is over, not this one's
  expect([queue.stopped?.(), queue.outran?.()]).toEqual([true, false])
})

it('a queue with a time limit measures a transaction in CPU time if that is known', () => {
  const clock = new FakeClock()
  const wallet = new TestWallet(1)
  const entry = { tx: wallet.sign(), sender: wallet.address }
  const slow: unknown[] = []
  const endless = { peek: () => entry, shift: () => undefined, pop: () => undefined }
  const times = { sharedMs: 100, aloneMs: 100_000, oneMs: 300 }
  let cpu = 0
  const queue = timedQueue(endless, { clock, cpuMs: () => cpu }, () => false, {
    ...times,
    onSlow: (one) => slow.push(one),
  })
  const work = (ms: number): void => {
    clock.advance(ms)
    cpu += ms
  }
  queue.peek()
  work(250)
  clock.advance(60_000) // the computer slept, or other programs had its CPU
  expect([queue.stopped?.(), queue.outran?.()]).toEqual([false, false])
  queue.peek()
  work(299) // the previous one doesn't count
  expect([queue.stopped?.(), queue.outran?.()]).toEqual([false, false])
  work(1)
  expect([queue.stopped?.(), queue.outran?.()]).toEqual([true, true])
  expect(slow).toEqual([entry])
})
