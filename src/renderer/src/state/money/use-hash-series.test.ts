// How much of a period is shown while the record is younger than it.
import { describe, expect, it } from 'vitest'
import { emptyBins } from '../../screens/Overview/Flow'

const bins = (empty: number, filled: number) => [...Array(empty).fill(null), ...Array(filled).fill(1)]

describe('bins before the first record', () => {
  it.each([
    ['a full record', [bins(0, 120)], 0],
    ['a gap in the middle', [[1, ...bins(100, 19)]], 0],
    ['half an hour', [bins(60, 60), bins(80, 40)], 60],
    ['half a minute, with room for what comes', [bins(119, 1)], 112],
    ['nothing', [bins(120, 0)], 112],
    ['no device', [], 112],
  ])('%s', (_name, devices, skipped) => {
    expect(emptyBins(devices, 120)).toBe(skipped)
  })
})
