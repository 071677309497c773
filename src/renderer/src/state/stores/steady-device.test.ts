import { describe, expect, it } from 'vitest'
import type { DeviceView } from '../../../../contract/miner'
import { aGpu } from '../../testing/scripted-values'
import { selectSteady } from '../in-sight'
import type { MinerState } from './program-store'

const state = (...devices: DeviceView[]): MinerState => ({ devices: { devices, takenAt: 0 }, status: null })

describe('a device without its figures', () => {
  it('is the same object while only figures change', () => {
    const select = selectSteady(0)
    const before = select(state(aGpu(0, { pauseReasons: [] })))

    const after = select(state(aGpu(0, { pauseReasons: [], powerWatts: 99, fanPercent: 12, takenAt: 77 })))

    expect(after).toBe(before)
    expect(before).not.toHaveProperty('powerWatts')
  })

  it.each<[string, Partial<DeviceView>]>([
    ['state', { state: 'paused', paused: true }],
    ['reasons', { pauseReasons: ['Overheating'] }],
    ['limits', { temperatureLimits: { stop: 80, start: 60 } }],
    ['progress', { progress: 0.5 }],
    ['a sensor that reports nothing any more', { fanPercent: null }],
    ['not responding', { responds: false }],
  ])('is another object after a change of its %s', (_name, change) => {
    const select = selectSteady(0)
    const before = select(state(aGpu(0, { temperatureLimits: { stop: 90, start: 70 }, fanPercent: 50 })))

    const after = select(state(aGpu(0, { temperatureLimits: { stop: 90, start: 70 }, fanPercent: 50, ...change })))

    expect(after).not.toBe(before)
  })

  it('is undefined once the device is gone', () => {
    const select = selectSteady(0)
    select(state(aGpu(0)))

    expect([select(state(aGpu(1))), select({ devices: null, status: null })]).toEqual([undefined, undefined])
  })
})
