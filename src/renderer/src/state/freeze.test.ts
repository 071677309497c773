// Values that freeze on demand, and are up to date the moment they unfreeze.
import { describe, expect, it } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { FakeClock } from '../../../base/testing/fake-clock'
import { createFreeze, whileLive } from './in-sight'
import { SampleRings } from './sample-rings'
import { createTicker } from './ticker'

describe('frozen live updates', () => {
  it("keep that moment's values for rendering, and give the newest at once when unfrozen", () => {
    const freeze = createFreeze(new FakeClock())
    const store = createStore(() => ({ count: 1 }))
    const shown = whileLive(store, freeze)
    const seen: number[] = []
    shown.subscribe(({ count }) => seen.push(count))

    freeze.toggle()
    store.setState({ count: 2 })
    expect([shown.getState().count, store.getState().count, seen]).toEqual([1, 2, []])
    freeze.toggle()

    expect([shown.getState().count, seen]).toEqual([2, [2]])
  })

  it('say since when, and unfreeze only once', () => {
    const clock = new FakeClock()
    const freeze = createFreeze(clock)
    clock.advance(5_000)
    freeze.toggle()
    const { since } = freeze.store.getState()
    const thaws: string[] = []
    freeze.onThaw(() => thaws.push('thaw'))
    freeze.off()
    freeze.off()

    expect([since, freeze.isOn(), thaws]).toEqual([clock.now(), false, ['thaw']])
  })

  it('hold the age of what is shown, which is right again afterwards', () => {
    const clock = new FakeClock()
    const freeze = createFreeze(clock)
    const ticker = createTicker(clock, freeze)
    ticker.subscribe(() => undefined)
    const before = ticker.now()
    freeze.toggle()
    clock.advance(10_000)
    expect(ticker.now()).toBe(before)

    freeze.off()

    expect(ticker.now()).toBe(before + 10_000)
  })

  it('tell charts nothing, and everything afterwards', () => {
    const rings = new SampleRings()
    const told: (ReadonlySet<string> | null)[] = []
    rings.onChange((changed) => told.push(changed))
    rings.hold(true)
    rings.addDevices({ devices: [], takenAt: 1 })
    expect([told, rings.read('all.power').times]).toEqual([[], [1]])

    rings.hold(false)

    expect(told).toEqual([null])
  })
})
