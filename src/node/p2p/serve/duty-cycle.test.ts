import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { FakeClock } from '../../../base/testing/fake-clock'
import { DutyCycle } from './request-server'

it('runs one piece at a time and rests for as long as each took, even if it failed', async () => {
  const clock = new FakeClock()
  const turns = new DutyCycle(clock)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const piece = (name: string) => () => {
    begun.push(name)
    return new Promise<void>((_done, fail) => ends.push(() => fail(new Error(name))))
  }
  const settled = [turns.run(piece('a')), turns.run(piece('b'))].map((run) =>
    run.catch((error: Error) => error.message),
  )

  await setImmediate()
  expect(begun).toEqual(['a'])
  clock.advance(30)
  ends[0]?.()
  await setImmediate()
  clock.advance(29)
  await setImmediate()
  expect(begun).toEqual(['a'])
  clock.advance(1)
  await setImmediate()
  expect(begun).toEqual(['a', 'b'])
  ends[1]?.()
  expect(await Promise.all(settled)).toEqual(['a', 'b'])
})
