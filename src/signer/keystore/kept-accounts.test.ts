import { beforeEach, describe, expect, it, vi } from 'vitest'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { KeptAccounts } from './kept-accounts'

const ADDRESS = `0x${'a'.repeat(40)}`
const KEY = { keyFile: '{}', address: ADDRESS, password: Uint8Array.of(1, 2, 3) }

describe('accounts that stay unlocked', () => {
  const clock = new FakeClock()
  let told: string[]
  let kept: KeptAccounts
  let refuses = false

  beforeEach(() => {
    told = []
    refuses = false
    kept = new KeptAccounts({
      keys: {
        unlock: async ({ address }) => {
          if (refuses) throw new Error('wrong password')
          told.push(`open ${address.slice(0, 4)}`)
        },
        lock: async (address) => void told.push(`lock ${address.slice(0, 4)}`),
      },
      clock,
      log: silentLogger,
      record: async ({ type }) => void told.push(`record ${type}`),
      onChanged: () => void told.push('changed'),
    })
  })

  it("are none while it isn't switched on", async () => {
    await kept.keep(KEY, 5)

    expect([kept.has(ADDRESS), told]).toEqual([false, []])
  })

  it('are recorded before they are unlocked, and locked when their time is over', async () => {
    kept.allow(true)
    await kept.keep(KEY, 5)

    expect(told).toEqual(['record unlocked', 'open 0xaa', 'changed'])
    expect(kept.list()).toEqual([{ address: ADDRESS, until: clock.now() + 300_000 }])
    clock.advance(299_999)
    expect(kept.has(ADDRESS)).toBe(true)
    clock.advance(1)
    expect(kept.has(ADDRESS)).toBe(false)
    expect(told).toContain('lock 0xaa')
  })

  it('keep the longer of two times', async () => {
    kept.allow(true)
    await kept.keep(KEY, 15)
    const { until } = kept.list()[0] ?? { until: 0 }
    await kept.keep(KEY, 5)

    expect(kept.list()).toEqual([{ address: ADDRESS, until }])
    clock.advance(600_000)
    await kept.keep(KEY, 15)
    expect(kept.list()).toEqual([{ address: ADDRESS, until: clock.now() + 900_000 }])
    clock.advance(300_000)
    expect(kept.has(ADDRESS)).toBe(true)
  })

  it('are locked immediately by hand, and when it is switched off', async () => {
    kept.allow(true)
    await kept.keep(KEY, 5)
    kept.lockAll()
    expect(kept.has(ADDRESS)).toBe(false)

    await kept.keep(KEY, 5)
    kept.allow(false)
    expect(kept.has(ADDRESS)).toBe(false)
  })

  it('stay locked if they were locked while being unlocked', async () => {
    kept.allow(true)
    const opening = kept.keep(KEY, 5)
    kept.lockAll()
    await opening

    expect(kept.has(ADDRESS)).toBe(false)
    expect(told).toEqual(['record unlocked', 'open 0xaa', 'lock 0xaa'])
  })

  it('end at their time even if the timer stood still while the computer slept', async () => {
    kept.allow(true)
    await kept.keep(KEY, 5)
    const now = vi.spyOn(clock, 'now').mockReturnValue(clock.now() + 300_000)

    expect(kept.has(ADDRESS)).toBe(false)
    now.mockRestore()
    expect(told).toContain('lock 0xaa')
  })

  it("are none if the key doesn't unlock", async () => {
    kept.allow(true)
    refuses = true

    await kept.keepIfPossible(KEY, 5)

    expect(kept.list()).toEqual([])
  })
})
