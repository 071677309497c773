import { describe, expect, it, vi } from 'vitest'
import { FakeClock } from '../../../../base/testing/fake-clock'
import type { DeviceView } from '../../../../contract/miner'
import { aGpu, aStatus } from '../../testing/scripted-values'
import { atPace, createReadingPace, isDrift } from '../in-sight'
import { createMinerStore } from './program-store'

const rate = (now: number | null) => ({ now, s60: now, m15: now })

/** A store at its pace, of one GPU that was read once, and what its listener was told: the power of each notification. */
function open() {
  const clock = new FakeClock()
  const store = createMinerStore()
  const paced = atPace(store, createReadingPace(clock), clock)
  const told = vi.fn()
  const stop = paced.subscribe((state) => told(state.devices?.devices[0]?.powerWatts))
  const read = (powerWatts: number, change: Partial<DeviceView> = {}): void => {
    const takenAt = clock.now()
    store.setState({ devices: { devices: [aGpu(0, { powerWatts, takenAt, ...change })], takenAt } })
  }
  read(100)
  const shown = (): readonly unknown[] => told.mock.calls.splice(0).map(([watts]) => watts)
  shown()
  return { clock, store, paced, stop, read, shown }
}

describe('a store at the pace of what is shown', () => {
  it('notifies with every second reading, and has the shown one meanwhile', () => {
    const { clock, paced, read, shown } = open()
    const seen = [101, 102, 103, 104, 105].map((watts) => {
      clock.advance(1_000)
      read(watts)
      return paced.getState().devices?.devices[0]?.powerWatts
    })

    expect(shown()).toEqual([102, 104])
    expect(seen).toEqual([100, 102, 102, 104, 104])
  })

  it('shows what arrives together in one frame', () => {
    const { clock, store, read, shown } = open()
    clock.advance(2_000)
    read(101)
    clock.advance(600) // charts are drawn first
    store.setState({ status: aStatus() })
    read(101.5)

    expect(shown()).toEqual([101, 101, 101.5])
  })

  it.each<[string, Partial<DeviceView>]>([
    ['a pause', { state: 'paused', paused: true, pauseReasons: ['Api request'] }],
    ['an error', { error: 'out of memory' }],
    ['a sensor that is lost', { fanPercent: null }],
    ['a hashrate that ends', { hashrate: rate(0) }],
    ['a first rejected share', { shares: { accepted: 3, rejected: 1, failed: 0 } }],
  ])('shows %s at once', (_what, change) => {
    const { clock, read, shown } = open()
    clock.advance(1_000)
    read(101, change)

    expect(shown()).toEqual([101])
  })

  it('shows a leap at once', () => {
    const { clock, read, shown } = open()
    clock.advance(1_000)
    read(120)

    expect(shown()).toEqual([120])
  })

  it('compares with what was shown last, so that a slow change adds up', () => {
    const { clock, read, shown } = open()
    clock.advance(800)
    read(104)
    clock.advance(800)
    read(108)

    expect(shown()).toEqual([108])
  })

  it('shows a reading alone if the next one is late, before what is shown is stale', () => {
    const { clock, read, shown } = open()
    clock.advance(1_000)
    read(101)
    clock.advance(1_500)
    expect(shown()).toEqual([])

    clock.advance(200)
    expect(shown()).toEqual([101])
    expect(clock.pending).toBe(0)
  })

  it('waits for nothing once nobody listens', () => {
    const { clock, paced, read, shown, stop } = open()
    clock.advance(1_000)
    read(101)
    stop()

    expect(clock.pending).toBe(0)
    read(500)
    expect(shown()).toEqual([])
    expect(paced.getState().devices?.devices[0]?.powerWatts).toBe(500)
  })
})

describe('what drifts', () => {
  it.each([
    [100, 104.9],
    [61, 62],
    [7, 8],
    [{ at: [1, { ok: true }] }, { at: [1.5, { ok: true }] }],
  ])('%j and %j', (before, now) => expect(isDrift(before, now)).toBe(true))

  it.each([
    [100, 106],
    [0, 1],
    [0.5, 0],
    [1, null],
    ['mining', 'paused'],
    [[1], [1, 2]],
    [{ a: 1 }, { b: 1 }],
    [{ a: 1, b: undefined }, { a: 1 }],
  ])('but not %j and %j', (before, now) => expect(isDrift(before, now)).toBe(false))
})
