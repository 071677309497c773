import { expect, it } from 'vitest'
import { FakeClock } from './testing/fake-clock'
import { within } from './time'

it('is true for work that finishes in time, and leaves no timer', async () => {
  const clock = new FakeClock()

  expect(await within(Promise.resolve('done'), 10, clock)).toBe(true)
  expect(clock.pending).toBe(0)
})

it('is false when time runs out, whatever the work does later', async () => {
  const clock = new FakeClock()
  const outcome = within(
    Promise.reject(new Error('late')).finally(() => new Promise(() => undefined)),
    10,
    clock,
  )

  clock.advance(10)

  expect(await outcome).toBe(false)
})

it('passes on an error within the time', async () => {
  const clock = new FakeClock()

  await expect(within(Promise.reject(new Error('broken')), 10, clock)).rejects.toThrow('broken')
  expect(clock.pending).toBe(0)
})
