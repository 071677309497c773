// The parts of charts and long tables that can be computed without a canvas.

import { describe, expect, it } from 'vitest'
import { runsOf } from '../../components/charts/chart-canvas'
import { niceTicks } from '../../components/charts/chart-scale'
import { shifted, within, zoomed } from '../../components/charts/uplot-engine'
import { visibleRange } from '../../components/tables/VirtualTable'
import { joinBands, joinSamples } from '../../state/chart-feed'

describe('the rows of a long table', () => {
  it.each([
    ['at the top', 0, { first: 0, last: 26 }],
    ['in the middle', 40_000, { first: 988, last: 1026 }],
    ['at the end', 399_400, { first: 9973, last: 9999 }],
    ['beyond the end, after the list became shorter', 999_999, { first: 9999, last: 9999 }],
  ])('%s are those in view and a few around them', (_where, top, expected) => {
    expect(visibleRange(top, 600, 40, 10_000)).toEqual(expected)
  })

  it('are empty for an empty list', () => {
    expect(visibleRange(0, 600, 40, 0)).toEqual({ first: 0, last: -1 })
  })
})

describe('bands', () => {
  it("are on their lines' time axis, gaps as gaps", () => {
    const samples = [
      { times: [0, 5000, 60_000], values: [2, 3, 4], low: [1, 2, 3], high: [3, 4, 5] },
      { times: [0, 5000, 60_000], values: [7, 8, 9] },
    ]
    const data = joinSamples(samples, '1h')

    expect(data[0]).toEqual([0, 5, 10, 60])
    expect(joinBands(samples, data[0])).toEqual([{ low: [1, 2, null, 3], high: [3, 4, null, 5] }, null])
  })

  it('are drawn in stretches without a gap', () => {
    expect(runsOf({ low: [1, 2, null, 3], high: [3, 4, null, 5] })).toEqual([
      [0, 1],
      [3, 3],
    ])
    expect(runsOf({ low: [], high: [] })).toEqual([])
  })
})

describe('the time range that is shown', () => {
  it('moves through time by a fraction of itself', () => {
    expect(shifted([100, 200], -1)).toEqual([85, 185])
    expect(shifted([100, 200], 1)).toEqual([115, 215])
  })

  it('grows and shrinks around the pointer, down to what can be seen', () => {
    expect(zoomed([100, 200], 100, -1)).toEqual([100, 185])
    expect(zoomed([100, 200], 150, 1)).toEqual([92.5, 207.5])
    expect(zoomed([100, 105], 102, -1)).toEqual([100, 105])
  })

  it('stays within the available data, and is live again if it covers all of it', () => {
    expect(within([-20, 80], 0, 600)).toEqual([0, 100])
    expect(within([550, 650], 0, 600)).toEqual([500, 600])
    expect(within([10, 90], 0, 600)).toEqual([10, 90])
    expect(within([-50, 700], 0, 600)).toBeNull()
  })
})

describe('ticks of an axis', () => {
  it.each([
    ['below a hundred', 92, [0, 25, 50, 75]],
    ['below two hundred', 180, [0, 50, 100, 150]],
    ['between the steps', 757, [0, 200, 400, 600]],
    ['below two', 1.98, [0, 0.5, 1, 1.5]],
  ])('are three or four to a value %s', (_what, high, expected) => {
    expect(niceTicks(0, high)).toEqual(expected)
  })

  it('are round between two large values', () => {
    expect(niceTicks(21_522_495, 21_785_731, 5)).toEqual([21_550_000, 21_600_000, 21_650_000, 21_700_000, 21_750_000])
  })
})
