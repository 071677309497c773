import { describe, expect, it } from 'vitest'
import { ScryptLimiter } from './scrypt-limiter'

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
