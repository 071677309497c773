// Figures derived from a device's reading: missing sensors give none.

import { describe, expect, it } from 'vitest'
import { createLanguage } from '../../i18n/text'
import { efficiencyOf } from '../../state/stores/program-store'
import { aDevice, aGpu } from '../../testing/scripted-values'
import { shortName } from '../../widgets/devices/device-names'
import { isSortable, sorted } from './columns'
import { hottestOf, subtitle } from './use-figures'

describe('a device', () => {
  it('is as hot as its hottest sensor', () => {
    expect(hottestOf(aGpu(0))).toEqual({ place: 'hotspot', celsius: 74 })
    expect(hottestOf(aGpu(0, { temperature: { core: 61, hotspot: null, memory: 88 } }))).toEqual({
      place: 'memory',
      celsius: 88,
    })
  })

  it('without sensors has neither temperature nor efficiency', () => {
    expect(hottestOf(aDevice())).toBeNull()
    expect(efficiencyOf(aDevice())).toBeNull()
    expect(efficiencyOf(aGpu(0, { meanPowerWatts: 0 }))).toBeNull()
  })

  it('counts hashes per watt', () => {
    const hashrate = { now: null, s60: 5000, m15: null }

    expect(efficiencyOf({ hashrate, meanPowerWatts: 100, paused: false })).toBe(50)
    expect(efficiencyOf({ hashrate, meanPowerWatts: 100, paused: true })).toBeNull()
  })

  it('is named by what drives it', () => {
    const { t } = createLanguage('en')

    expect(subtitle(aGpu(1), t)).toBe('CUDA · 02:00.0')
    expect(subtitle(aDevice({ threads: 2 }), t)).toBe('CPU · 2 threads')
  })
})

describe('rows', () => {
  const devices = [aGpu(0, { powerWatts: 100 }), aGpu(1, { powerWatts: null }), aGpu(2, { powerWatts: 200 })]
  const lost: readonly (number | null)[] = [0.02, null, 0.01]
  const order = (sorting: Parameters<typeof sorted>[1]) =>
    sorted(devices, sorting, ({ index }) => ({ lost: lost[index] ?? null, margin: null })).map(({ index }) => index)

  it('are sorted in either direction, with unknown values last', () => {
    expect(order({ column: 'power', isDescending: false })).toEqual([0, 2, 1])
    expect(order({ column: 'power', isDescending: true })).toEqual([2, 0, 1])
    expect(order({ column: 'lost24', isDescending: true })).toEqual([0, 2, 1])
  })

  it('stay in index order if they are equal', () => {
    expect(order({ column: 'margin', isDescending: true })).toEqual([0, 1, 2])
    expect(order({ column: 'state', isDescending: true })).toEqual([0, 1, 2])
    expect(isSortable('history')).toBe(false)
  })
})

describe('a short name', () => {
  it.each([
    ['NVIDIA GeForce RTX 3070', 'RTX 3070'],
    ['GeForce GTX 1660 SUPER', 'GTX 1660 SUPER'],
    ['AMD Radeon RX 6800 XT', 'RX 6800 XT'],
    ['Intel(R) Arc(TM) A770', 'A770'],
    ['AMD Radeon VII', 'AMD Radeon VII'],
    ['NVIDIA A100-SXM4-80GB', 'NVIDIA A100-SXM4-80GB'],
    ['NVIDIA GeForce', 'NVIDIA GeForce'],
    ['AMD Ryzen 9 7950X 16-Core Processor', 'Ryzen 9 7950X'],
    ['Intel(R) Core(TM) i7-9700K CPU @ 3.60GHz', 'Core i7-9700K'],
    ['EPYC 7763', 'EPYC 7763'],
    ['', ''],
  ])('of %j begins with the model: %j', (name, short) => {
    expect(shortName(name)).toBe(short)
  })
})
