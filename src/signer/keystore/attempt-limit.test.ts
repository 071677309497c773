import { expect, it } from 'vitest'
import { FakeClock } from '../../base/testing/fake-clock'
import { AttemptLimit } from './attempt-limit'

const A = `0x${'a'.repeat(40)}`
const B = `0x${'b'.repeat(40)}`

function failing(limit: AttemptLimit, times: number): void {
  for (let i = 0; i < times; i++) limit.failed(A)
}

it('allows a few wrong passwords and locks the account after them', () => {
  const clock = new FakeClock()
  const limit = new AttemptLimit(clock)

  failing(limit, 4)
  expect(() => limit.check(A)).not.toThrow()
  failing(limit, 1)

  expect(() => limit.check(A)).toThrow('too many wrong passwords')
  expect(() => limit.check(B)).not.toThrow()
  clock.advance(1_000)
  expect(() => limit.check(A)).not.toThrow()
})

it('waits twice as long after each further one, up to a minute', () => {
  const clock = new FakeClock()
  const limit = new AttemptLimit(clock)
  failing(limit, 7)

  clock.advance(3_999)
  expect(() => limit.check(A)).toThrow('try again in 1 s')
  clock.advance(1)
  expect(() => limit.check(A)).not.toThrow()
  failing(limit, 100)
  clock.advance(59_999)
  expect(() => limit.check(A)).toThrow('try again in 1 s')
  clock.advance(1)
  expect(() => limit.check(A)).not.toThrow()
})

it('clears them with the right password', () => {
  const limit = new AttemptLimit(new FakeClock())
  failing(limit, 4)

  limit.succeeded(A)
  failing(limit, 4)

  expect(() => limit.check(A)).not.toThrow()
})

it('remembers a limited number of accounts', () => {
  const limit = new AttemptLimit(new FakeClock())
  failing(limit, 9)
  for (let i = 0; i < 1_000; i++) limit.failed(`0x${i.toString(16).padStart(40, '0')}`)

  expect(() => limit.check(A)).not.toThrow()
})
