// What can change while a miner mines: temperatures, hours, threads and which devices are used.
import { afterEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../base/logger'
import { FakeClock } from '../base/testing/fake-clock'
import { MinerService } from './miner-service'
import type { MinerServiceOptions } from './miner-service-options'
import { FakeEngine } from './testing/fake-engine'
import { aJob, FakeWorkSource } from './testing/fake-work-source'

const metrics = {
  counter: () => ({ inc: () => undefined }),
  collect: () => undefined,
}
/** No hour of any day. */
const NEVER = [{ days: [], from: 0, to: 1 }]
const signal = new AbortController().signal

async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => setImmediate(resolve))
}

describe('a running miner', () => {
  let miner: MinerService | null = null
  afterEach(() => miner?.stop())

  const start = async (options: Partial<MinerServiceOptions> = {}) => {
    const source = new FakeWorkSource()
    const engine = new FakeEngine()
    const clock = new FakeClock()
    const own = { version: '1', cpuThreads: 1, historyFile: null, hwmonDir: '/nonexistent', simulatedGpus: 2 }
    miner = new MinerService(
      { ...own, ...options },
      { source, engine, clock, log: silentLogger, metrics, random: () => 1n },
    )
    await miner.start(signal)
    source.push(aJob(1))
    await settle()
    return { miner, engine, clock }
  }
  const states = (of: MinerService) =>
    of.devices().map(({ backend, state, pauseReasons }) => [backend, state, pauseReasons])
  const mining = (backend: string) => [backend, 'mining', []]
  const leftOut = (backend: string) => [backend, 'paused', ['Not selected']]

  it('applies another number of CPU threads and leaves the other devices alone', async () => {
    const { miner, engine } = await start()
    const before = engine.searches.length

    await miner.adjust({ cpuThreads: 3 })
    await settle()

    expect(miner.devices().map(({ threads }) => threads)).toEqual([3, null, null])
    expect(engine.searches.slice(before).map(({ options }) => options.threads)).toEqual([3])
    expect(states(miner)).toEqual([mining('cpu'), mining('simulated'), mining('simulated')])
  })

  it('drops the CPU and takes it back, even if it started without it', async () => {
    const { miner } = await start()
    await miner.adjust({ cpuThreads: null })
    await settle()
    expect(states(miner)).toEqual([leftOut('cpu'), mining('simulated'), mining('simulated')])
    await miner.adjust({ cpuThreads: 2 })
    await settle()
    expect(states(miner)[0]).toEqual(mining('cpu'))
    await miner.stop()

    const { miner: without } = await start({ cpuThreads: null })
    expect(without.devices()).toHaveLength(2)
    await without.adjust({ cpuThreads: 2 })
    await settle()
    expect(states(without)).toEqual([mining('simulated'), mining('simulated'), mining('cpu')])
  })

  it('uses other existing devices, and keeps the numbers of known ones', async () => {
    const { miner } = await start({ select: (found) => found.slice(1, 2) })
    expect(states(miner)).toEqual([mining('simulated')])
    expect(miner.inventory().excluded).toHaveLength(2)

    await miner.adjust({ select: (found) => [...found.slice(0, 1), ...found.slice(2)] })
    await settle()

    expect(states(miner)).toEqual([leftOut('simulated'), mining('cpu'), mining('simulated')])
    expect(miner.inventory().excluded).toEqual([])
    await miner.adjust({ select: (found) => found })
    await settle()
    expect(states(miner)).toEqual([mining('simulated'), mining('cpu'), mining('simulated')])
  })

  it('applies other hours immediately', async () => {
    const { miner } = await start({ simulatedGpus: 0 })

    await miner.adjust({ schedule: NEVER })
    expect(miner.devices()[0]).toMatchObject({ state: 'paused', pauseReasons: ['Schedule'] })
    await miner.adjust({ schedule: [] })
    await settle()

    expect(states(miner)).toEqual([mining('cpu')])
  })

  it('judges heat by other temperatures', async () => {
    const { miner } = await start({ simulatedGpus: 1, limits: { stop: 90, start: 80 } })

    await miner.adjust({ limits: { stop: 70, start: 60 } })

    expect(miner.inventory().devices.map(({ temperatureLimits }) => temperatureLimits)).toEqual([
      { stop: 70, start: 60 },
      { stop: 70, start: 60 },
    ])
    await miner.adjust({ limits: null })
    expect(miner.inventory().devices[0]?.temperatureLimits).toBeNull()
  })

  it('remembers what was changed while it was stopped', async () => {
    const { miner } = await start()
    await miner.stop()

    await miner.adjust({ cpuThreads: null, select: (found) => found.slice(0, 1) })
    await miner.start(signal)

    expect(miner.devices().map(({ backend }) => backend)).toEqual(['simulated'])
  })
})
