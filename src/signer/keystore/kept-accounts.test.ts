import { beforeEach, describe, expect, it, vi } from 'vitest'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { KeptAccounts } from './kept-accounts'

const ADDRESS = `0x${'a'.repeat(40)}`
const PAGE = 'this page'

describe('accounts that stay unlocked', () => {
  const clock = new FakeClock()
  let told: string[]
  let kept: KeptAccounts
  let refuses = false
  const keep = (minutes: number, page = PAGE) =>
    kept.keeping({ address: ADDRESS, page, minutes }, async () => {
      if (refuses) throw new Error('wrong password')
      told.push('sign')
      return 'signed'
    })

  beforeEach(() => {
    told = []
    refuses = false
    kept = new KeptAccounts({
      keys: { lock: async (address) => void told.push(`lock ${address.slice(0, 4)}`) },
      clock,
      log: silentLogger,
      record: async ({ type }) => void told.push(`record ${type}`),
      onChanged: () => void told.push('changed'),
    })
  })

  it("are none while it isn't switched on: locked again after the signature", async () => {
    expect(await keep(5)).toBe('signed')

    expect([kept.list(), told]).toEqual([[], ['sign', 'lock 0xaa']])
  })

  it('are recorded before they are unlocked, and locked when their time is over', async () => {
    kept.allow(true)
    await keep(5)

    expect(told).toEqual(['record unlocked', 'sign', 'changed'])
    expect(kept.list()).toEqual([{ address: ADDRESS, until: clock.now() + 300_000, page: PAGE }])
    clock.advance(299_999)
    expect(kept.list()).toHaveLength(1)
    clock.advance(1)
    expect(kept.list()).toEqual([])
    expect(told).toContain('lock 0xaa')
  })

  it('keep the longer of two times of one page, and are those of the last page', async () => {
    kept.allow(true)
    await keep(15)
    const { until } = kept.list()[0] ?? { until: 0 }
    await keep(5)

    expect(kept.list()).toEqual([{ address: ADDRESS, until, page: PAGE }])
    await keep(5, 'another page')
    expect(kept.list()).toEqual([{ address: ADDRESS, until: clock.now() + 300_000, page: 'another page' }])
  })

  it('are locked immediately by hand, and when it is switched off', async () => {
    kept.allow(true)
    await keep(5)
    kept.lockAll()
    expect(kept.list()).toEqual([])

    await keep(5)
    kept.allow(false)
    expect(kept.list()).toEqual([])
  })

  it('stay locked if they were locked while being unlocked', async () => {
    kept.allow(true)
    const opening = keep(5)
    kept.lockAll()
    await opening

    expect(kept.list()).toEqual([])
    expect(told).toEqual(['record unlocked', 'sign', 'lock 0xaa'])
  })

  it('end at their time even if the timer stood still while the computer slept', async () => {
    kept.allow(true)
    await keep(5)
    const now = vi.spyOn(clock, 'now').mockReturnValue(clock.now() + 300_000)

    expect(kept.list()).toEqual([])
    now.mockRestore()
    expect(told).toContain('lock 0xaa')
  })

  it("are none if the key doesn't unlock", async () => {
    kept.allow(true)
    refuses = true

    await expect(keep(5)).rejects.toThrow('wrong password')

    expect(kept.list()).toEqual([])
  })
})
