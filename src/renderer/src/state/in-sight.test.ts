// A hidden page: what is read is kept but not rendered, and rendered all at once when the page is visible again.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { FakeClock } from '../../../base/testing/fake-clock'
import type { ChartScale } from '../components/charts/chart-pace'
import { ScriptedBackend } from '../testing/scripted'
import { aDevice } from '../testing/scripted-values'
import { openChartFeed } from './chart-feed'
import { everyInSight, tellSight, whileInSight } from './in-sight'
import { SampleRings } from './sample-rings'
import { createMinerStore } from './stores/program-store'
import { createTicker } from './ticker'

const T = 1_700_000_000_000

function turn(state: 'hidden' | 'visible'): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
  document.dispatchEvent(new Event('visibilitychange'))
}

afterEach(() => vi.restoreAllMocks())

const reading = (at: number) => ({ devices: [aDevice({ takenAt: at })], takenAt: at })

describe('a hidden page', () => {
  it('is updated from a store once it is visible again', () => {
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

  it('does nothing periodically, and runs what is due when it is visible again', () => {
    const clock = new FakeClock()
    const work = vi.fn()
    const regular = everyInSight(clock, 1000, work)
    turn('hidden')
    clock.advance(5000)
    expect(work).not.toHaveBeenCalled()

    turn('visible')
    expect(work).toHaveBeenCalledTimes(1)
    clock.advance(1000)
    expect(work).toHaveBeenCalledTimes(2)

    regular.dispose()
    turn('visible')
    clock.advance(5000)
    expect(work).toHaveBeenCalledTimes(2)
  })

  it('tells the backend, and requests what it missed', async () => {
    const backend = new ScriptedBackend().answer('ui.sight', () => ({}))
    const rings = { missed: vi.fn() }
    const told = tellSight(backend, rings)
    const said = () => backend.calls.map(({ params }) => params)
    turn('visible')
    expect(said()).toEqual([])

    turn('hidden')
    expect(said()).toEqual([{ inSight: false }])
    expect(rings.missed).not.toHaveBeenCalled()
    backend.setConnection({ kind: 'lost', since: T, retryAt: T, reason: '' })
    backend.setConnection({ kind: 'open' })
    expect(said()).toEqual([{ inSight: false }, { inSight: false }])

    turn('visible')
    expect(said().at(-1)).toEqual({ inSight: true })
    expect(rings.missed).toHaveBeenCalledTimes(1)
    told.dispose()
    turn('hidden')
    expect(said()).toHaveLength(3)
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

  it('fills its rings without drawing a chart', () => {
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
  it('is drawn with each reading of its own, and at most once a second', () => {
    const { rings, seen, clock, feed } = openFeed()
    clock.advance(1000)
    rings.addDevices(reading(T))
    expect(seen).toEqual([0, 1])

    // Readings that arrive together cause one more render.
    for (const second of [1, 2, 3]) rings.addDevices(reading(T + second * 1000))
    expect(seen).toEqual([0, 1])
    clock.advance(1000)
    expect(seen).toEqual([0, 1, 4])

    // Changes of another ring cause none.
    rings.addDevices({ devices: [aDevice({ index: 7, takenAt: T })], takenAt: T })
    clock.advance(5000)
    expect(seen).toEqual([0, 1, 4])
    feed.dispose()
  })

  it('that is long is drawn with every second reading, or soon after one that stays alone', () => {
    const { rings, seen, clock } = openFeed()
    const read = (second: number): void => {
      clock.advance(1000)
      rings.addDevices(reading(T + second * 1000))
    }
    for (let second = 0; second < 40; second++) read(second)
    seen.length = 0

    for (let second = 40; second < 46; second++) read(second)
    expect(seen).toHaveLength(3)
    // One more or two: the last reading would wait for a next one that doesn't come.
    read(46)
    read(47)
    clock.advance(5000)

    expect(seen.at(-1)).toBe(48)
  })

  it('that moves slowly is drawn once it would move by four pixels, at the latest with every sixth reading', () => {
    expect(drawnWith({ pixelMs: 1_000, height: 1 }, [])).toEqual([42, 46, 50, 54])
    expect(drawnWith({ pixelMs: 60_000, height: 1 }, [])).toEqual([42, 48, 54])
    expect(drawnWith({ pixelMs: 200, height: 1 }, [])).toEqual([42, 44, 46, 48, 50, 52, 54, 56])
  })

  it('that moves slowly is drawn soon after a value leaps or is lost, but not for noise', () => {
    const slow = { pixelMs: 60_000, height: 100 }

    expect(drawnWith(slow, [[41, 54]])).toEqual([42, 48, 54])
    expect(drawnWith(slow, [[41, 56]])).toEqual([41, 47, 53])
    expect(drawnWith(slow, [[43, 56]])).toEqual([42, 44, 50, 56])
    expect(drawnWith(slow, [[43, null]])).toEqual([42, 44, 50, 56])
    // One that lasts a single reading, too: soon after it.
    const spike = [
      [43, 0],
      [44, 50],
    ] as const
    expect(drawnWith(slow, spike)).toEqual([42, 44, 51])
  })

  it('is drawn with the figures beside it, a leap at once', () => {
    const slow = { pixelMs: 60_000, height: 100 }

    const odd = { isBeat: (second: number) => second % 2 === 1 }

    expect(drawnWith(slow, [], odd)).toEqual([43, 49, 55])
    expect(drawnWith(slow, [[46, 56]], odd)).toEqual([43, 46, 53])
  })
})

/**
 * With how many points a long chart was drawn, from 41 to 56: one for each second's reading.
 * @param changes from which reading on the hashrate has which value; it is 50 before
 */
function drawnWith(
  scale: ChartScale,
  changes: readonly (readonly [number, number | null])[],
  { isBeat = () => true }: { readonly isBeat?: (second: number) => boolean } = {},
): readonly number[] {
  const { rings, seen, clock, feed } = openFeed(scale, (now) => isBeat(now / 1000))
  for (let second = 1; second <= 56; second++) {
    clock.advance(1000)
    const now = changes.filter(([from]) => second >= from).at(-1)?.[1]
    const hashrate = { now: now === undefined ? 50 : now, s60: null, m15: null }
    rings.addDevices({ devices: [aDevice({ hashrate, takenAt: T + second * 1000 })], takenAt: T + second * 1000 })
  }
  feed.dispose()
  return seen.filter((points) => points > 40)
}

/** A chart of one line that records how many points it got each time. */
function openFeed(scale: ChartScale | null = null, isBeat: (monotonicMs: number) => boolean = () => true) {
  const rings = new SampleRings()
  const clock = new FakeClock()
  const seen: number[] = []
  const queries = {
    history: () => Promise.reject(new Error('no record')),
  }
  const pace = { isBeat: () => isBeat(clock.monotonic()) }
  const deps = { rings, queries, clock, scale: () => scale, pace }
  const feed = openChartFeed([{ ring: '0.hashrate', history: null }], '10m', deps, ([line]) => {
    seen.push(line?.times.length ?? -1)
  })
  return { rings, clock, seen, feed }
}
