// A hidden page: what is read is kept, nothing of it is drawn, and all of it at once when the page comes back.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { FakeClock } from '../../../base/fake-clock'
import { aDevice } from '../data/scripted-values'
import { openChartFeed } from './chart-feed'
import { whileInSight } from './in-sight'
import { createMinerStore } from './miner-store'
import { SampleRings } from './sample-rings'
import { createTicker } from './ticker'

const T = 1_700_000_000_000

function turn(state: 'hidden' | 'visible'): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
  document.dispatchEvent(new Event('visibilitychange'))
}

afterEach(() => vi.restoreAllMocks())

const reading = (at: number) => ({ devices: [aDevice({ takenAt: at })], takenAt: at })

describe('a hidden page', () => {
  it('is told of a store once it is seen again', () => {
    const store = createMinerStore()
    const told = vi.fn()
    const stop = whileInSight(store).subscribe(told)
    turn('hidden')
    store.setState({ devices: reading(T) })
    store.setState({ devices: reading(T + 1000) })
    expect(told).not.toHaveBeenCalled()

    turn('visible')
    expect(told).toHaveBeenCalledTimes(1)
    expect(whileInSight(store).getState().devices?.takenAt).toBe(T + 1000)

    stop()
    store.setState({ devices: null })
    turn('visible')
    expect(told).toHaveBeenCalledTimes(1)
  })

  it('counts no seconds', () => {
    const clock = new FakeClock()
    const ticker = createTicker(clock)
    const told = vi.fn()
    const stop = ticker.subscribe(told)
    turn('hidden')
    clock.advance(5000)
    expect(told).not.toHaveBeenCalled()

    turn('visible')
    expect(told).toHaveBeenCalledTimes(1)
    expect(ticker.now()).toBe(clock.now())
    stop()
  })

  it('fills its rings and draws no chart of them', () => {
    const { rings, seen, clock, feed } = openFeed()
    turn('hidden')
    for (const second of [1, 2, 3]) {
      clock.advance(1000)
      rings.addDevices(reading(T + second * 1000))
    }
    expect(seen).toEqual([0])

    turn('visible')
    expect(seen).toEqual([0, 3])
    feed.dispose()
  })
})

describe('a live chart', () => {
  it('is drawn with each reading of its own, and not more often than once a second', () => {
    const { rings, seen, clock, feed } = openFeed()
    clock.advance(1000)
    rings.addDevices(reading(T))
    expect(seen).toEqual([0, 1])

    // Readings that come all at once make one picture more.
    for (const second of [1, 2, 3]) rings.addDevices(reading(T + second * 1000))
    expect(seen).toEqual([0, 1])
    clock.advance(1000)
    expect(seen).toEqual([0, 1, 4])

    // What another ring gets is no reason.
    rings.addDevices({ devices: [aDevice({ index: 7, takenAt: T })], takenAt: T })
    clock.advance(5000)
    expect(seen).toEqual([0, 1, 4])
    feed.dispose()
  })
})

/** A chart of one line that notes how many points it was given each time. */
function openFeed() {
  const rings = new SampleRings()
  const clock = new FakeClock()
  const seen: number[] = []
  const queries = {
    history: () => Promise.reject(new Error('no record')),
  }
  const feed = openChartFeed([{ ring: '0.hashrate', history: null }], '10m', { rings, queries, clock }, ([line]) => {
    seen.push(line?.times.length ?? -1)
  })
  return { rings, clock, seen, feed }
}
