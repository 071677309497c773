// Alarms: when they begin, when they end, what remains of them.
import { beforeEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../../../../base/testing/fake-clock'
import type { DeviceView } from '../../../../contract/miner'
import type { RigView } from '../../../../contract/rigs'
import { aFleet, aRig, someFigures } from '../../testing/scripted-rigs'
import { aGpu, aStatus } from '../../testing/scripted-values'
import { createFleetStore } from '../stores/fleet-store'
import { createMinerStore } from '../stores/miner-store'
import { createAlarmSettings, DEFAULT_LEVELS } from './alarm-settings'
import { createAlarms, selectUnseen } from './alarms'

const SECOND = 1000
const MINUTE = 60 * SECOND

const barn = (change: Partial<RigView>): RigView =>
  aRig('barn', {
    host: '10.0.0.2:3333',
    ageSeconds: 0,
    figures: someFigures({ hashrate: { now: 1, s60: 100, m15: 1, effective: 1 }, gpus: [] }),
    ...change,
  })

describe('alarms', () => {
  let clock: FakeClock
  let storage: Map<string, string>
  let history: readonly (number | null)[]

  const make = () => {
    const miner = createMinerStore()
    const fleet = createFleetStore()
    const settings = createAlarmSettings({
      getItem: (key) => storage.get(key) ?? null,
      setItem: (key, value) => void storage.set(key, value),
    })
    const queries = { history: async () => ({ stepMs: 60_000, firstAt: 0, values: [...history] }) }
    const alarms = createAlarms({ clock, settings, miner, fleet, queries })
    const device = (change: Partial<DeviceView>): void => {
      miner.setState({ devices: { devices: [aGpu(0, change)], takenAt: clock.now() } })
      alarms.look()
    }
    const heat = (core: number): void => device({ temperature: { core, hotspot: null, memory: null } })
    const rig = (change: Partial<RigView>): void => {
      fleet.setState({ rigs: aFleet([barn(change)], { takenAt: clock.now() }) })
      alarms.look()
    }
    const active = (): readonly string[] => alarms.store.getState().active.map(({ id, level }) => `${id} ${level}`)
    return { ...alarms, miner, device, heat, rig, active }
  }

  beforeEach(() => {
    clock = new FakeClock()
    storage = new Map()
    history = []
  })

  it('of heat begin at once, worsen, and end three degrees lower after a minute', () => {
    const { heat, active, look, store } = make()
    heat(74)
    expect(active()).toEqual([])

    heat(75)
    expect(active()).toEqual(['hot 0 core attention'])
    heat(85)
    expect(active()).toEqual(['hot 0 core problem'])
    heat(73)
    clock.advance(2 * MINUTE)
    look()
    expect(active()).toEqual(['hot 0 core attention'])
    heat(72)
    clock.advance(MINUTE - 1)
    look()
    expect(active()).toEqual(['hot 0 core attention'])
    clock.advance(1)
    look()

    expect(active()).toEqual([])
    expect(store.getState().past.map(({ id }) => id)).toEqual(['hot 0 core'])
  })

  it("follow the GPU's own levels, wherever it is in the list", () => {
    const { device, active, settings } = make()
    settings.setState({ levels: { '01:00.0': { ...DEFAULT_LEVELS, core: { warn: 60, critical: 90 } } } })

    device({ pci: '01:00.0', temperature: { core: 61, hotspot: null, memory: null } })
    expect(active()).toEqual(['hot 0 core attention'])
    device({ pci: '02:00.0', temperature: { core: 50, hotspot: null, memory: null } })
    clock.advance(MINUTE)
    device({ pci: '02:00.0', temperature: { core: 61, hotspot: null, memory: null } })

    expect(active()).toEqual([])
  })

  it('of a fan begin only after five minutes, and are reset by a short rest', () => {
    const { device, active } = make()
    device({ fanPercent: 100 })
    clock.advance(4 * MINUTE)
    device({ fanPercent: 90 })
    device({ fanPercent: 100 })
    clock.advance(4 * MINUTE)
    device({ fanPercent: 100 })
    expect(active()).toEqual([])

    clock.advance(MINUTE)
    device({ fanPercent: 100 })

    expect(active()).toEqual(['fan 0 attention'])
  })

  it("of a slow device need a usual rate, and don't blame a paused one", async () => {
    const { device, active, askMedians } = make()
    const slow = { hashrate: { now: 80, s60: 80, m15: 80 } }
    device(slow)
    history = Array.from({ length: 29 }, () => 100)
    await askMedians()
    clock.advance(6 * MINUTE)
    device(slow)
    expect(active()).toEqual([])

    history = Array.from({ length: 60 }, () => 100)
    await askMedians()
    device({ ...slow, state: 'paused', paused: true })
    clock.advance(6 * MINUTE)
    device({ ...slow, state: 'paused', paused: true })
    expect(active()).toEqual([])
    device(slow)
    clock.advance(5 * MINUTE)
    device(slow)

    expect(active()).toEqual(['slow 0 attention'])
  })

  it('of wrong results count the last ten minutes only', () => {
    const { device, active } = make()
    device({ shares: { accepted: 10, rejected: 0, failed: 5 } })
    clock.advance(MINUTE)
    device({ shares: { accepted: 20, rejected: 0, failed: 7 } })
    expect(active()).toEqual([])

    device({ shares: { accepted: 20, rejected: 0, failed: 8 } })
    expect(active()).toEqual(['failed 0 problem'])
    clock.advance(11 * MINUTE)
    device({ shares: { accepted: 20, rejected: 0, failed: 8 } })
    clock.advance(MINUTE)
    device({ shares: { accepted: 20, rejected: 0, failed: 8 } })
    clock.advance(MINUTE)
    device({ shares: { accepted: 20, rejected: 0, failed: 8 } })

    expect(active()).toEqual([])
  })

  it('of rejected shares need enough of them to mean something', () => {
    const { device, active } = make()
    device({ shares: { accepted: 0, rejected: 0, failed: 0 } })
    device({ shares: { accepted: 5, rejected: 1, failed: 0 } })
    expect(active()).toEqual([])

    device({ shares: { accepted: 95, rejected: 5, failed: 0 } })

    expect(active()).toEqual(['rejected 0 attention'])
  })

  it('of a lost pool wait for the configured time', () => {
    const { miner, look, active, settings } = make()
    settings.setState(({ rules }) => ({ rules: { ...rules, poolLostSeconds: 10 } }))
    const source = { ...aStatus().source, kind: 'pool', connected: false, host: 'pool.example:1' } as const
    miner.setState({ status: aStatus({ source }) })
    look()
    expect(active()).toEqual([])

    clock.advance(10 * SECOND)
    look()

    expect(active()).toEqual(['poolLost problem'])
  })

  it('of a rig: offline for long enough, too hot, slower than before', () => {
    const { rig, active, store } = make()
    rig({ online: false, ageSeconds: 60, error: 'refused' })
    expect(active()).toEqual([])
    rig({ online: false, ageSeconds: 61, error: 'refused' })
    expect(active()).toEqual(['rigOffline barn problem'])
    expect(store.getState().active[0]?.values).toEqual({ name: 'barn', reason: 'refused' })

    rig({ usualHashrate: null })
    rig({ usualHashrate: 125 })
    expect(active()).toEqual(['rigOffline barn problem'])
    clock.advance(MINUTE)
    rig({ usualHashrate: 125 })
    expect(active()).toEqual([])
    const slow = { usualHashrate: 126 }
    rig(slow)
    clock.advance(5 * MINUTE)
    rig(slow)

    expect(active()).toEqual(['rigSlow barn attention'])
  })

  it('that were acknowledged stay in the list, are remembered over a restart, and are announced again next time', () => {
    const first = make()
    first.heat(90)
    expect(selectUnseen(first.store.getState())).toHaveLength(1)
    first.acknowledge(['hot 0 core'])
    expect(first.active()).toEqual(['hot 0 core problem'])
    expect(selectUnseen(first.store.getState())).toEqual([])

    const second = make()
    second.heat(90)
    expect(selectUnseen(second.store.getState())).toEqual([])
    second.heat(40)
    clock.advance(MINUTE)
    second.look()
    second.heat(90)

    expect(selectUnseen(second.store.getState())).toHaveLength(1)
  })

  it('have default rules if storage holds nonsense', () => {
    storage.set('headframe.alarms', '{"rules":{"ratePercent":"x"},"sounds":1,"levels":{"a":{"core":3}}}')

    expect(make().settings.getState()).toEqual({
      sounds: false,
      levels: {},
      rules: { ratePercent: 90, poolLostSeconds: 60, rigOfflineSeconds: 60, rigRatePercent: 80, rigCelsius: 90 },
      acknowledged: [],
    })
  })
})
