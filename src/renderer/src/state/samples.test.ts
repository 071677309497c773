// Rings of samples and what charts make of them: gaps stay gaps.
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../../base/testing/fake-clock'
import { aDevice, aGpu } from '../testing/scripted-values'
import { sparkPoints } from '../widgets/charts/Sparkline'
import { drawnLines, joinSamples, openChartFeed, shownSeconds, summarize, trailingMean, unrecorded } from './chart-feed'
import { RING_POINTS, SampleRings, type Samples } from './sample-rings'

const T = 1_700_000_000_000

describe('rings', () => {
  it('keep null for an unreported sensor', () => {
    const rings = new SampleRings()
    rings.addDevices({ devices: [aDevice({ takenAt: T })], takenAt: T })

    expect(rings.read('0.memory')).toEqual({ times: [T], values: [null] })
    expect(rings.read('all.power').values).toEqual([null])
  })

  it('add the power of devices that report it', () => {
    const rings = new SampleRings()
    rings.addDevices({ devices: [aGpu(0), aGpu(1), aDevice({ index: 2 })], takenAt: T })

    expect(rings.read('all.power').values).toEqual([230.4])
  })

  it('replace readings with recorded history if some were missed', () => {
    const rings = new SampleRings()
    for (const at of [0, 1000, 6000, 7000])
      rings.addDevices({ devices: [aDevice({ takenAt: T + at })], takenAt: T + at })

    rings.missed()
    rings.seed('0.hashrate', { stepMs: 1000, firstAt: T, values: [1, 2, 3, 4, 5, 6, 7, null] })

    expect(rings.read('0.hashrate').times).toEqual([0, 1000, 2000, 3000, 4000, 5000, 6000, 7000].map((at) => T + at))
    expect(rings.read('0.hashrate').values).toEqual([1, 2, 3, 4, 5, 6, 7, 14_230])
  })

  it('put recorded history before live samples, without repeating any', () => {
    const rings = new SampleRings()
    rings.addDevices({ devices: [aDevice({ takenAt: T })], takenAt: T })

    rings.seed('0.hashrate', { stepMs: 1000, firstAt: T - 2000, values: [1, 2, 3, 4] })

    expect(rings.read('0.hashrate')).toEqual({ times: [T - 2000, T - 1000, T], values: [1, 2, 14_230] })
  })

  it('continue when the clock is set back', () => {
    const rings = new SampleRings()
    for (const at of [0, 1000, 2000, 3_600_000, 3_601_000, 1500, 2500])
      rings.addDevices({ devices: [aDevice({ takenAt: T + at })], takenAt: T + at })

    expect(rings.read('0.hashrate').times).toEqual([0, 1000, 1500, 2500].map((at) => T + at))
    expect(rings.read('all.power').times).toEqual([0, 1000, 1500, 2500].map((at) => T + at))
  })

  it('drop a reading that is merely late', () => {
    const rings = new SampleRings()
    for (const at of [0, 3000, 2000, 4000])
      rings.addDevices({ devices: [aDevice({ takenAt: T + at })], takenAt: T + at })

    expect(rings.read('0.hashrate').times).toEqual([0, 3000, 4000].map((at) => T + at))
  })

  it('hold ten minutes and no more', () => {
    const rings = new SampleRings()
    for (let second = 0; second < RING_POINTS + 50; second++)
      rings.addDevices({ devices: [aDevice({ takenAt: T + second * 1000 })], takenAt: T + second * 1000 })

    expect(rings.read('0.hashrate').times).toHaveLength(RING_POINTS)
  })
})

describe('a chart', () => {
  it('breaks its line after three missing points', () => {
    const [times, values] = joinSamples([{ times: [T, T + 1000, T + 6000], values: [1, 2, 3] }], '10m')

    expect(times).toEqual([T, T + 1000, T + 2000, T + 6000].map((time) => time / 1000))
    expect(values).toEqual([1, 2, null, 3])
  })

  it('bridges a point that is merely late', () => {
    const [, values] = joinSamples([{ times: [T, T + 2900], values: [1, 2] }], '10m')

    expect(values).toEqual([1, 2])
  })

  it('skips a point or two that a late recorder left out, and breaks if more are missing', () => {
    const times = Array.from({ length: 9 }, (_, index) => T + index * 1000)
    const values = [null, 1, null, null, 2, null, null, null, 3]

    const [, line] = joinSamples([{ times, values }], '10m')

    expect(line).toEqual([null, 1, undefined, undefined, 2, null, null, null, 3])
  })

  it('breaks no line for points that only another one has', () => {
    const live = { times: [T, T + 1000, T + 2000], values: [1, 2, 3] }
    const recorded = { times: [T + 400, T + 1400], values: [7, 8] }

    const [, first, second] = joinSamples([live, recorded], '10m')

    expect(first).toEqual([1, undefined, 2, undefined, 3])
    expect(second).toEqual([null, 7, undefined, 8, null])
  })

  it('puts several lines on one axis', () => {
    const data = joinSamples(
      [
        { times: [T], values: [1] },
        { times: [T + 1000], values: [2] },
      ],
      '10m',
    )

    expect(data).toEqual([
      [T / 1000, T / 1000 + 1],
      [1, null],
      [null, 2],
    ])
  })

  it('draws lines that have values, and nothing before one of them makes a line', () => {
    const nothing = { times: [T, T + 1000], values: [null, null] }
    const point = { times: [T, T + 1000], values: [1, null] }
    const line = { times: [T, T + 1000], values: [1, 2] }

    expect(drawnLines([line, nothing, point])).toEqual([0, 2])
    expect(drawnLines([point, nothing])).toEqual([])
    expect(drawnLines([])).toEqual([])
  })

  it("sums up what is known, and ignores what isn't", () => {
    expect(summarize({ times: [1, 2, 3], values: [5, null, 3] })).toEqual({ min: 3, max: 5, last: 3 })
    expect(summarize({ times: [1], values: [null] })).toBeNull()
  })

  it.each([
    [30, 60],
    [61, 120],
    [130, 300],
    [301, 600],
    [900, 600],
  ])('shows %i s of samples in %i s of the ten minutes', (age, shown) => {
    const end = T / 1000
    const data = joinSamples([{ times: [T - age * 1000 - 5000, T - age * 1000, T], values: [null, 1, 2] }], '10m')

    expect(shownSeconds(data, '10m', end)).toBe(shown)
  })

  it('shows the whole window while nothing is known', () => {
    expect(
      shownSeconds(
        [
          [1, 2],
          [null, null],
        ],
        '10m',
        3,
      ),
    ).toBe(600)
  })

  it('averages five seconds into one point of a sparkline, newest at the end', () => {
    const points = sparkPoints({ times: [T - 6000, T - 2000, T], values: [8, 2, 4] }, T, 5000)

    expect(points).toHaveLength(120)
    expect(points.slice(-3)).toEqual([null, 8, 3])
  })
})

describe('a mean', () => {
  it('covers the known values before each point, and is unknown if the point is', () => {
    const times = [T, T + 1000, T + 2000, T + 3000, T + 4000]

    expect(trailingMean({ times, values: [2, 4, null, 6, 8] }, 2).values).toEqual([2, 3, null, 6, 7])
  })
})

describe('a line', () => {
  it('may divide one series by another, each as its mean, from history as from live samples', async () => {
    const recorded = { hashrate: [100, 300], power: [10, 30] } as const
    const queries = {
      history: async (_device: number | null, series: string) => ({
        stepMs: 5000,
        firstAt: T,
        values: [...recorded[series as keyof typeof recorded]],
      }),
    }
    const source = (series: 'hashrate' | 'power') => ({ ring: `0.${series}`, history: { device: 0, series } }) as const
    const line = { ...source('hashrate'), meanSeconds: 60, per: source('power') }
    const seen: unknown[] = []

    const feed = openChartFeed([line], '1h', { rings: new SampleRings(), queries, clock: new FakeClock() }, ([first]) =>
      seen.push(first),
    )
    await new Promise((done) => setTimeout(done, 0))
    feed.dispose()

    expect(seen).toEqual([{ times: [T, T + 5000], values: [10, 10] }])
  })

  it('ends with the figures of the device itself, after what its history says', async () => {
    const recorded = { hashrate: [100, 300], power: [10, 30] } as const
    const asked: string[] = []
    const queries = {
      history: async (_device: number | null, series: string) => {
        asked.push(series)
        const values = [...recorded[series as keyof typeof recorded]]
        return { stepMs: 1000, firstAt: T - 2000, values }
      },
    }
    const rings = new SampleRings()
    const hashrate = { now: 900, s60: 500, m15: 700 }
    rings.addDevices({
      devices: [aGpu(0, { hashrate, powerWatts: 40, meanPowerWatts: 25, takenAt: T })],
      takenAt: T,
    })
    const history = (series: 'hashrate' | 'power') => ({ history: { device: 0, series } }) as const
    const mean = { ring: '0.s60', ...history('hashrate'), meanSeconds: 60 } as const
    const quotient = { ...mean, ring: '0.efficiency', per: history('power') } as const
    const state: { drawn: readonly Samples[] } = { drawn: [] }

    const feed = openChartFeed([mean, quotient], '10m', { rings, queries, clock: new FakeClock() }, (samples) => {
      state.drawn = samples
    })
    await new Promise((done) => setTimeout(done, 0))
    feed.dispose()

    expect(state.drawn.map(({ values }) => values)).toEqual([
      [100, 200, 500],
      [10, 10, 20],
    ])
    expect(asked).toEqual(['hashrate', 'power'])
  })
})

describe('a gap', () => {
  it('is each stretch between known points in which every line is silent', () => {
    const data = joinSamples(
      [
        { times: [T, T + 1000, T + 60_000], values: [1, 2, 3] },
        { times: [T, T + 1000, T + 60_000], values: [null, null, 3] },
      ],
      '10m',
    )

    expect(unrecorded(data, '10m')).toEqual([[T / 1000 + 1, T / 1000 + 60]])
  })

  it("doesn't count points that are merely late", () => {
    expect(unrecorded(joinSamples([{ times: [T, T + 3000], values: [1, 2] }], '10m'), '10m')).toEqual([])
  })
})
