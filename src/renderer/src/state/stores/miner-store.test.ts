import { describe, expect, it } from 'vitest'
import { aDevice, aGpu } from '../../testing/scripted-values'
import { type MinerState, selectEfficiency, selectTotalWatts, selectUnmetered } from './miner-store'

const withDevices = (...devices: ReturnType<typeof aDevice>[]): MinerState => ({
  devices: { devices, takenAt: 0 },
  status: null,
})
const rate = (s60: number) => ({ now: s60, s60, m15: s60 })

describe('the efficiency of all devices', () => {
  it('excludes devices with unknown power, and counts them', () => {
    const cpu = aDevice({ hashrate: rate(305_000), powerWatts: null })
    const state = withDevices(cpu, aGpu(1, { hashrate: rate(6_000), powerWatts: 489 }))

    expect(selectEfficiency(state)).toBeCloseTo(6_000 / 489)
    expect([selectUnmetered(state), selectTotalWatts(state)]).toEqual([1, 489])
  })

  it('is unknown without any power', () => {
    const state = withDevices(aDevice({ powerWatts: null }), aDevice({ powerWatts: 0 }))

    expect(selectEfficiency(state)).toBeNull()
  })
})
