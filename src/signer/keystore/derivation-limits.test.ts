import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../base/testing/fake-clock'
import { AttemptLimit, ScryptLimiter } from './derivation-limits'

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

const HEAVY = 256 * 1024 * 1024
const LIGHT = 4 * 1024 * 1024

/** Work that ends when told to. */
function held(): { readonly work: () => Promise<string>; readonly started: () => boolean; readonly end: () => void } {
  let started = false
  let end: () => void = () => undefined
  const done = new Promise<void>((resolve) => {
    end = resolve
  })
  const work = async (): Promise<string> => {
    started = true
    await done
    return 'derived'
  }
  return { work, started: () => started, end: () => end() }
}

async function turns(): Promise<void> {
  for (let i = 0; i < 10; i++) await Promise.resolve()
}

describe('the scrypt limiter', () => {
  it('runs one heavy derivation at a time, and a light one immediately', async () => {
    const limiter = new ScryptLimiter()
    const [first, second, light] = [held(), held(), held()]

    const results = [limiter.run(HEAVY, first.work), limiter.run(HEAVY, second.work), limiter.run(LIGHT, light.work)]
    await turns()
    const before = [first.started(), second.started(), light.started()]
    first.end()
    await turns()
    const after = second.started()
    second.end()
    light.end()

    expect(before).toEqual([true, false, true])
    expect(after).toBe(true)
    expect(await Promise.all(results)).toEqual(['derived', 'derived', 'derived'])
  })

  it('continues after one that failed', async () => {
    const limiter = new ScryptLimiter()

    const failed = limiter.run(HEAVY, () => Promise.reject(new Error('no memory')))
    const next = limiter.run(HEAVY, () => Promise.resolve('derived'))

    await expect(failed).rejects.toThrow('no memory')
    expect(await next).toBe('derived')
  })

  it('drops what waits, not what runs', async () => {
    const limiter = new ScryptLimiter()
    const [running, waiting] = [held(), held()]
    const first = limiter.run(HEAVY, running.work)
    const second = limiter.run(HEAVY, waiting.work)
    await turns()

    limiter.dropWaiting()
    running.end()

    expect(await first).toBe('derived')
    await expect(second).rejects.toMatchObject({ code: 'KEYSTORE_LOCKED' })
    expect(waiting.started()).toBe(false)
  })
})
