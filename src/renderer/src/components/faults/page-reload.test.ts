// When a page reloads itself: for another version, and never in a loop.
import { describe, expect, it, vi } from 'vitest'
import { FakeClock } from '../../../../base/testing/fake-clock'
import { isOtherPage, MIN_RELOAD_GAP_MS, reloadOnce } from './page-reload'

function place() {
  const clock = new FakeClock()
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
  return { clock, storage, reload: vi.fn() }
}

describe('a page', () => {
  it('is reloaded once, and not again within a minute', () => {
    const at = place()

    expect(reloadOnce(at)).toBe(true)
    at.clock.advance(MIN_RELOAD_GAP_MS - 1)
    expect(reloadOnce(at)).toBe(false)
    at.clock.advance(1)
    expect(reloadOnce(at)).toBe(true)

    expect(at.reload).toHaveBeenCalledTimes(2)
  })

  it('is reloaded although the clock was set back', () => {
    const at = place()
    at.storage.setItem('headframe.reloadedAt', String(at.clock.now() + 1_000_000))

    expect(reloadOnce(at)).toBe(true)
  })

  it.each([
    ['the same script', '<script type="module" src="./assets/index-AAAA.js"></script>', false],
    ['another script', '<script type="module" src="./assets/index-BBBB.js"></script>', true],
  ])('that is served with %s', (_, html, isOther) => {
    expect(isOtherPage(['./assets/index-AAAA.js'], html)).toBe(isOther)
  })

  it('without scripts of its own is never a different one', () => {
    expect(isOtherPage([], '<p>anything</p>')).toBe(false)
  })
})
