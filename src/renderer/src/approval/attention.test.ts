import { afterEach, describe, expect, it, vi } from 'vitest'
import { FakeClock } from '../../../base/testing/fake-clock'
import { watchPageAttention } from './machine-hooks'

/** A page on a screen, as far as attention needs it. */
function aPage() {
  const listeners = new Map<string, () => void>()
  const addEventListener = (name: string, listener: () => void): void => void listeners.set(name, listener)
  const removeEventListener = (name: string): void => void listeners.delete(name)
  const page = {
    screenX: 10,
    screenY: 10,
    devicePixelRatio: 1,
    screen: { width: 1920, height: 1080, availWidth: 1920, availHeight: 1040, colorDepth: 24 },
    document: { hasFocus: () => true, visibilityState: 'visible', addEventListener, removeEventListener },
    top: null as unknown,
    addEventListener,
    removeEventListener,
  }
  page.top = page
  return { page, listeners, fire: (name: string) => listeners.get(name)?.() }
}

describe('attention', () => {
  afterEach(() => vi.restoreAllMocks())

  const watch = () => {
    const clock = new FakeClock()
    const scene = aPage()
    const told: string[] = []
    const watching = watchPageAttention(
      scene.page as unknown as Window,
      clock,
    )({
      setAttention: (has) => void told.push(has ? 'looks' : 'away'),
      disturb: () => void told.push('disturbed'),
    })
    const disturbed = (): number => told.filter((word) => word === 'disturbed').length
    return { ...scene, clock, told, watching, disturbed }
  }

  it.each<readonly [string, (page: ReturnType<typeof aPage>['page']) => void]>([
    ['moves', (page) => Object.assign(page, { screenX: 11 })],
    ['comes to a display of another density', (page) => Object.assign(page, { devicePixelRatio: 2 })],
    ['finds its display changed', (page) => Object.assign(page.screen, { width: 1280, height: 1024 })],
    ['finds a bar on its display', (page) => Object.assign(page.screen, { availHeight: 900 })],
  ])('is disturbed once when the window %s', (_what, change) => {
    const { page, clock, disturbed } = watch()
    clock.advance(1_000)
    expect(disturbed()).toBe(0)

    change(page)
    clock.advance(1_000)

    expect(disturbed()).toBe(1)
  })

  it('is disturbed by a resize', () => {
    const { fire, disturbed } = watch()

    fire('resize')

    expect(disturbed()).toBe(1)
  })

  it('is away without focus, while hidden, and inside another page', () => {
    const { page, told, fire } = watch()
    expect(told).toEqual(['looks'])
    page.document.hasFocus = () => false
    fire('blur')
    page.document.hasFocus = () => true
    page.document.visibilityState = 'hidden'
    fire('visibilitychange')
    page.document.visibilityState = 'visible'
    page.top = {}
    fire('focus')

    expect(told).toEqual(['looks', 'away', 'away', 'away'])
  })

  it('ends with its watcher', () => {
    const { listeners, watching, clock, told } = watch()
    watching.dispose()
    clock.advance(10_000)

    expect([listeners.size, told]).toEqual([0, ['looks']])
  })
})
