// The miner with simulated devices, on a clock turned by hand: what users without a card can try.
import { afterEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../base/logger'
import { FakeClock } from '../base/testing/fake-clock'
import { MinerService } from './miner-service'
import type { MinerServiceOptions } from './miner-service-options'
import type { DeviceSnapshot } from './stats/snapshot'
import type { FakeEngine } from './testing/fake-engine'
import { aJob, FakeWorkSource } from './testing/fake-work-source'
import { QuickEngine } from './testing/quick-engine'

const noMetrics = {
  counter: () => ({ inc: () => undefined }),
  collect: () => undefined,
}

const running: MinerService[] = []
afterEach(async () => {
  for (const miner of running.splice(0)) await miner.stop()
})

async function startRig(options: Partial<MinerServiceOptions> = {}, engine: FakeEngine = new QuickEngine()) {
  const clock = new FakeClock()
  const source = new FakeWorkSource()
  const miner = new MinerService(
    { version: '1.2.3', cpuThreads: null, historyFile: null, hwmonDir: '/nonexistent', simulatedGpus: 16, ...options },
    { source, engine, clock, log: silentLogger, metrics: noMetrics, random: () => 7n },
  )
  running.push(miner)
  await miner.start(new AbortController().signal)
  source.push(aJob(1))
  const rig = {
    miner,
    source,
    clock,
    engine,
    /** Lets seconds pass, with everything that happens in them. */
    async pass(seconds: number): Promise<void> {
      for (let tick = 0; tick < seconds * 4; tick++) {
        clock.advance(250)
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    at(index: number): DeviceSnapshot {
      const device = miner.devices()[index]
      if (device === undefined) throw new Error(`no device ${index}`)
      return device
    },
  }
  await rig.pass(1)
  return rig
}

describe('a rig of 16 simulated devices', () => {
  it('names each device with its own address, and mines with all', async () => {
    const rig = await startRig()
    await rig.pass(20)

    const devices = rig.miner.devices()
    expect(devices).toHaveLength(16)
    expect(new Set(devices.map(({ name }) => name))).toEqual(new Set(['Simulated GPU']))
    expect(new Set(devices.map(({ pci }) => pci)).size).toBe(16)
    expect(devices.every(({ state, hashrate }) => state === 'mining' && hashrate.now > 0)).toBe(true)
    const { gpus } = rig.miner.summary(false)
    expect(gpus.every(({ backend, name }) => backend === 'opencl' && name === 'Simulated GPU')).toBe(true)
  })

  it('warms up under load, cools with its fan, and idles cold', async () => {
    const rig = await startRig()
    const cold = rig.at(0)
    await rig.pass(90)
    const warm = rig.at(0)

    expect(cold.temperature.core).toBeLessThan(40)
    expect(warm.temperature.core).toBeGreaterThan(45)
    expect(warm.temperature.core).toBeLessThan(80)
    expect(warm.fanPercent).toBeGreaterThan(20)
    expect(warm.powerWatts).toBeGreaterThan(100)
    expect(warm.pauseReasons).toEqual([])
    rig.miner.pause(0)
    await rig.pass(90)
    expect(rig.at(0).temperature.core).toBeLessThan(40)
    expect(rig.at(0)).toMatchObject({ fanPercent: 0, hashrate: { now: 0 } })
    expect(rig.at(1).hashrate.now).toBeGreaterThan(0)
  })

  it('measures mean power over the seconds of the 60 s hashrate, a pause included', async () => {
    const rig = await startRig()
    await rig.pass(60)
    const before = rig.at(0)
    rig.miner.pause(0)
    await rig.pass(30)
    const paused = rig.at(0)
    expect(paused.meanPowerWatts).toBeGreaterThan(2 * (paused.powerWatts ?? 0))

    rig.miner.resume(0)
    await rig.pass(62)
    const after = rig.at(0)

    expect((after.meanPowerWatts ?? 0) / (before.meanPowerWatts ?? 1)).toBeCloseTo(1, 1)
    expect(after.hashrate.s60).toBeGreaterThan(0)
  })

  it('pauses the one that overheats, resumes it once cool, and never touches the others', async () => {
    const rig = await startRig()
    await rig.pass(60)
    rig.miner.simulateFault(3, 'overheat')
    const seen = new Set<string>()
    for (let second = 0; second < 180; second++) {
      await rig.pass(1)
      seen.add(rig.at(3).pauseReasons.join('; '))
      expect(
        rig.miner
          .devices()
          .filter(({ paused }) => paused)
          .every(({ index }) => index === 3),
      ).toBe(true)
    }
    expect(seen).toEqual(new Set(['', 'Overheating']))

    rig.miner.simulateFault(3, 'none')
    await rig.pass(120)
    expect(rig.at(3)).toMatchObject({ state: 'mining', restarts: 0 })
  })

  it('keeps a hot device paused when its sensors vanish', async () => {
    const rig = await startRig()
    rig.miner.simulateFault(3, 'overheat')
    for (let second = 0; second < 120 && !rig.at(3).paused; second++) await rig.pass(1)
    expect(rig.at(3).pauseReasons).toEqual(['Overheating'])

    rig.miner.simulateFault(3, 'sensor-lost')
    await rig.pass(120)

    expect(rig.at(3)).toMatchObject({ pauseReasons: ['Overheating'], temperature: { core: null }, powerWatts: null })
  })

  it('restarts a device that hangs within 45 s, counts it, and loses under 1% of the others', async () => {
    const rig = await startRig()
    await rig.pass(60)
    const before = rig.miner.devices().map(({ hashrate }) => hashrate.s60)
    rig.miner.simulateFault(5, 'hang')
    await rig.pass(45)

    expect(rig.at(5)).toMatchObject({ state: 'mining', restarts: 1, paused: false })
    for (const { index, hashrate, restarts } of rig.miner.devices()) {
      if (index === 5) continue
      expect(restarts).toBe(0)
      expect(hashrate.s60).toBeGreaterThan((before[index] ?? 0) * 0.99)
    }
  })

  it('leaves a device off that fails four times in an hour, until the user restarts it', async () => {
    const rig = await startRig()
    for (let time = 0; time < 4; time++) {
      rig.miner.simulateFault(2, 'error')
      await rig.pass(3)
    }
    expect(rig.at(2)).toMatchObject({
      state: 'error',
      restarts: 3,
      pauseReasons: ['Device error'],
      error: 'simulated fault: error',
      canResume: false,
    })
    expect(rig.at(1).state).toBe('mining')

    await rig.miner.restart()
    await rig.pass(5)
    expect(rig.at(2)).toMatchObject({ state: 'mining', error: '', pauseReasons: [] })
  })

  it('pauses a device without memory and tries it again with the next epoch', async () => {
    const rig = await startRig()
    rig.miner.simulateFault(4, 'out-of-memory')
    await rig.pass(5)
    expect(rig.at(4)).toMatchObject({ state: 'error', pauseReasons: ['Insufficient GPU memory'] })

    rig.miner.simulateFault(4, 'none')
    rig.source.push(aJob(2))
    await rig.pass(5)
    expect(rig.at(4).pauseReasons).toEqual(['Insufficient GPU memory'])
    rig.source.push(aJob(3, { epoch: 1 }))
    await rig.pass(5)
    expect(rig.at(4)).toMatchObject({ state: 'mining', pauseReasons: [] })
  })

  it('counts wrong results of a device as failed', async () => {
    const rig = await startRig({}, Object.assign(new QuickEngine(), { hashLight: wrongHash }))
    rig.miner.simulateFault(1, 'wrong-result')
    await rig.pass(3)
    rig.miner.simulateFault(1, 'none')

    expect(rig.at(1).shares.failed).toBeGreaterThan(0)
    expect(rig.at(0).shares.failed).toBe(0)
    expect(rig.source.shares).toEqual([])
  })

  it('builds one dataset for all and frees it with the last user', async () => {
    const rig = await startRig()
    rig.source.push(aJob(2, { epoch: 1 }))
    await rig.pass(5)

    expect(rig.engine.released).toEqual([0])
    await rig.miner.stop()
    expect(rig.engine.released).toEqual([0, 1])
    expect(rig.clock.pending).toBe(0)
  })

  it('keeps pause reasons side by side and lifts each by its own cause', async () => {
    const rig = await startRig({ limits: { stop: 30, start: 29 } })
    await rig.pass(30)
    rig.miner.pause(0)
    expect(rig.at(0).pauseReasons).toEqual(['Overheating', 'Api request'])
    rig.miner.resume(0)
    expect(rig.at(0)).toMatchObject({ pauseReasons: ['Overheating'], canResume: false })
  })
})

describe('simulated devices at run time', () => {
  it('are added beside mining ones, get nonces of their own, and still exist after a restart of the miner', async () => {
    const rig = await startRig({ simulatedGpus: 0, cpuThreads: 1 })
    rig.miner.addSimulated(2)
    await rig.pass(10)

    expect(rig.miner.devices().map(({ name, state }) => [name === 'Simulated GPU', state])).toEqual([
      [false, 'mining'],
      [true, 'mining'],
      [true, 'mining'],
    ])
    const starts = rig.miner.nonces().segments.map(({ start }) => start)
    expect(new Set(starts).size).toBe(3)
    expect(rig.at(2).temperature.core).not.toBeNull()
    await rig.miner.stop()
    await rig.miner.start(new AbortController().signal)
    expect(rig.miner.devices().map(({ backend }) => backend)).toEqual(['cpu', 'simulated', 'simulated'])
  })

  it('are 16 at most, and none on a network of value', async () => {
    const full = await startRig({ simulatedGpus: 15 })
    full.miner.addSimulated(4)
    expect(full.miner.devices()).toHaveLength(16)
    expect(() => full.miner.addSimulated(1)).toThrow('there are 16 simulated devices')
    const real = await startRig({ simulatedGpus: null, cpuThreads: 1 })
    expect(() => real.miner.addSimulated(2)).toThrow('for practice and custom networks only')
    expect(() => real.miner.simulateFault(0, 'hang')).toThrow('device 0 is real')
    expect(() => real.miner.simulateFault(9, 'hang')).toThrow('device 9 is not in 0..0')
  })
})

describe('a timed pause', () => {
  it('ends by itself, reports when, and is replaced by a longer or an endless one', async () => {
    const rig = await startRig({ simulatedGpus: 2 })
    rig.miner.pause(null, 60)
    expect(rig.at(0)).toMatchObject({ paused: true, pauseEndsAt: rig.clock.now() + 60_000 })
    rig.miner.pause(1)
    await rig.pass(61)

    expect(rig.at(0)).toMatchObject({ paused: false, pauseEndsAt: null })
    expect(rig.at(1)).toMatchObject({ paused: true, pauseEndsAt: null })
    rig.miner.pause(0, 60)
    rig.miner.resume(0)
    rig.miner.pause(0)
    await rig.pass(100)
    expect(rig.at(0).paused).toBe(true)
  })
})

async function wrongHash(): Promise<{ mixDigest: Uint8Array; result: Uint8Array }> {
  return { mixDigest: new Uint8Array(32), result: new Uint8Array(32).fill(0xff) }
}
