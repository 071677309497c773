import { expect, it } from 'vitest'
import { silentLogger } from '../base/logger'
import { FakeClock } from '../base/testing/fake-clock'
import { MinerService } from './miner-service'
import type { MinerServiceOptions } from './miner-service-options'
import { FakeEngine } from './testing/fake-engine'
import { aJob, FakeWorkSource } from './testing/fake-work-source'

const MINUTE_MS = 60_000
const metrics = {
  counter: () => ({ inc: () => undefined }),
  collect: () => undefined,
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** The computer's own minute of the day at `at`. */
function minuteOfDay(at: number): number {
  const date = new Date(at)
  return date.getHours() * 60 + date.getMinutes()
}

async function startMiner(schedule: (now: number) => MinerServiceOptions['schedule']) {
  const clock = new FakeClock(Math.ceil(1_800_000_000_000 / MINUTE_MS) * MINUTE_MS)
  const engine = new FakeEngine()
  const source = new FakeWorkSource()
  const windows = schedule(minuteOfDay(clock.now())) ?? []
  const options = { version: '1', cpuThreads: 1, historyFile: null, hwmonDir: '/nonexistent', simulatedGpus: 0 }
  const miner = new MinerService(
    { ...options, schedule: windows },
    { source, engine, clock, log: silentLogger, metrics, random: () => 1n },
  )
  await miner.start(new AbortController().signal)
  source.push(aJob(1))
  await settle()
  return { miner, clock, engine }
}

const everyDay = [0, 1, 2, 3, 4, 5, 6]
const wrapped = (minute: number): number => ((minute % 1_440) + 1_440) % 1_440

it('pauses at the set minute with that reason beside others, and resumes at the set minute', async () => {
  const { miner, clock } = await startMiner((now) => [
    { days: everyDay, from: wrapped(now + 5), to: wrapped(now + 2) || 1_440 },
  ])
  const reasons = (): readonly string[] => miner.devices()[0]?.pauseReasons ?? []
  const within = reasons()
  clock.advance(2 * MINUTE_MS - 1_000)
  const lastSecond = reasons()
  clock.advance(2_000)
  const outside = reasons()
  miner.pause(0)
  const both = reasons()
  clock.advance(3 * MINUTE_MS)
  const openAgain = reasons()
  miner.resume(0)
  await settle()

  expect([within, lastSecond, outside]).toEqual([[], [], ['Schedule']])
  expect(both).toEqual(['Api request', 'Schedule'])
  expect(openAgain).toEqual(['Api request'])
  expect(miner.devices()[0]).toMatchObject({ paused: false, state: 'mining' })
  await miner.stop()
})

it('builds nothing if it starts outside its hours, and applies them to devices that come later too', async () => {
  const { miner, clock, engine } = await startMiner((now) => [
    { days: everyDay, from: wrapped(now + 5), to: wrapped(now + 9) || 1_440 },
  ])
  miner.addSimulated(1)
  clock.advance(1_000)
  await settle()
  const before = miner.devices().map(({ pauseReasons, canResume }) => [pauseReasons, canResume])
  const searches = engine.searches.length
  clock.advance(5 * MINUTE_MS)
  await settle()

  expect(before).toEqual([
    [['Schedule'], false],
    [['Schedule'], false],
  ])
  expect(searches).toBe(0)
  expect(miner.devices().map(({ state }) => state)).toEqual(['mining', 'mining'])
  await miner.stop()
})

it('lists what could mine without opening it, with sensors that are read, hang or fail', async () => {
  const clock = new FakeClock()
  const info = { name: 'card', pci: '01:00.0', backend: 'opencl', threads: null } as const
  const never = (): never => {
    throw new Error('opened')
  }
  const reading = {
    temperature: { core: 50, hotspot: null, memory: null },
    fanPercent: null,
    powerWatts: 70,
    powerLimitWatts: null,
    clockMhz: { core: null, memory: null },
  }
  const found = [
    { info, sensors: null, memoryBytes: 8, driver: 'd 1', open: never },
    { info: { ...info, pci: '02:00.0' }, sensors: { read: () => new Promise<never>(() => undefined) }, open: never },
    { info: { ...info, pci: '03:00.0' }, sensors: { read: () => Promise.reject(new Error('lost')) }, open: never },
  ]
  const miner = new MinerService(
    { version: '1', cpuThreads: null, historyFile: null, select: (all) => all.slice(1) },
    {
      source: new FakeWorkSource(),
      engine: new FakeEngine(),
      clock,
      log: silentLogger,
      metrics,
      random: () => 1n,
      backends: [{ kind: 'opencl', detect: async () => found }],
      sensorsOf: (pci) => (pci === '01:00.0' ? { read: async () => reading } : null),
    },
  )

  const listing = miner.survey(new AbortController().signal)
  await settle()
  clock.advance(2_000)

  expect(await listing).toMatchObject([
    { index: 0, isChosen: false, memoryBytes: 8, driver: 'd 1', sensors: { powerWatts: 70 }, sensorFault: '' },
    { index: 1, isChosen: true, memoryBytes: null, driver: '', sensorFault: 'no answer within 2 s' },
    { index: 2, isChosen: true, sensorFault: 'lost' },
  ])
})
