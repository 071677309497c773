import { expect, it } from 'vitest'
import { FakeClock } from '../../../base/testing/fake-clock'
import { SubmitPace } from './submit-pace'

const never = new AbortController().signal

it('lets 50 shares a second through at once and limits the rest to 20 a second', async () => {
  const clock = new FakeClock()
  const pace = new SubmitPace(clock)
  const sent: number[] = []
  for (let i = 0; i < 60; i++) {
    pace.turn(never).then(
      () => sent.push(clock.monotonic()),
      () => undefined,
    )
  }
  await Promise.resolve()
  await Promise.resolve()
  expect(sent.length).toBe(50)

  for (let step = 0; step < 10; step++) {
    clock.advance(50)
    await Promise.resolve()
    await Promise.resolve()
    await Promise.resolve()
  }

  expect(sent.length).toBe(60)
  expect(sent.at(-1)).toBe(500)
  expect(pace.throttled).toBe(true)
})

it('drops shares when 200 wait', async () => {
  const clock = new FakeClock()
  const pace = new SubmitPace(clock)
  const turns = Array.from({ length: 251 }, () => pace.turn(never))

  expect(await turns[250]).toBe(false)
})
