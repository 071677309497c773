import { describe, expect, it } from 'vitest'
import { aDevice, aGpu } from '../../testing/scripted-values'
import {
  type MinerState,
  selectEfficiency,
  selectLargestHashrate,
  selectShares,
  selectTotalWatts,
} from './program-store'

const withDevices = (...devices: ReturnType<typeof aDevice>[]): MinerState => ({
  devices: { devices, takenAt: 0 },
  status: null,
})
const rate = (s60: number) => ({ now: s60, s60, m15: s60 })

describe('the efficiency of all devices', () => {
  it('excludes devices with unknown power', () => {
    const cpu = aDevice({ hashrate: rate(305_000), powerWatts: null, meanPowerWatts: null })
    const state = withDevices(cpu, aGpu(1, { hashrate: rate(6_000), powerWatts: 489, meanPowerWatts: 480 }))

    expect(selectEfficiency(state)).toBeCloseTo(6_000 / 480)
    expect(selectTotalWatts(state)).toBe(489)
  })

  it('leaves out a paused device, whose mean power still has watts of its last minute', () => {
    const paused = aGpu(0, { paused: true, hashrate: { now: null, s60: null, m15: null }, meanPowerWatts: 200 })
    const state = withDevices(paused, aGpu(1, { hashrate: rate(6_000), meanPowerWatts: 120 }))

    expect(selectEfficiency(state)).toBe(50)
  })

  it('is unknown without any power', () => {
    const state = withDevices(aDevice({ meanPowerWatts: null }), aDevice({ meanPowerWatts: 0 }))

    expect(selectEfficiency(state)).toBeNull()
  })
})

describe('the shares of a device', () => {
  const counted = (accepted: number) => withDevices(aDevice({ shares: { accepted, rejected: 0, failed: 0 } }))

  it('are the same object until one is counted', () => {
    const select = selectShares(0)
    const first = select(counted(3))

    expect(select(counted(3))).toBe(first)
    expect(select(counted(4))).toEqual({ accepted: 4, rejected: 0, failed: 0 })
  })

  it('are unknown without the device, and known again with it', () => {
    const select = selectShares(0)
    select(counted(3))

    expect(select(withDevices())).toBeUndefined()
    expect(select(counted(3))?.accepted).toBe(3)
  })
})

describe('the hashrate that sets the unit of the column', () => {
  it('is the largest of each reading', () => {
    const reading = withDevices(aDevice({ hashrate: rate(5) }), aDevice({ index: 1, hashrate: rate(9) }))

    expect([selectLargestHashrate(reading), selectLargestHashrate(reading)]).toEqual([9, 9])
    expect(selectLargestHashrate(withDevices(aDevice({ hashrate: rate(2) })))).toBe(2)
    expect(selectLargestHashrate({ devices: null, status: null })).toBe(0)
  })
})
