// What a start with tuning does to the cards: nothing unasked, everything undone, and right after a crash.
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Emitter } from '../../base/events'
import { createLogger, type LogRecord, silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import type { MinerEvents } from '../miner-service-options'
import { findAmdCard } from '../sensors/amd-sysfs'
import { NO_READING } from '../sensors/reading'
import type { DeviceSnapshot } from '../stats/snapshot'
import { AmdCard } from './amd-controls'
import { FakeAmdCard, UNTOUCHED } from './testing/fake-amd-card'
import { TuningProfiles } from './tuning-profiles'
import { type TuningOptions, TuningService } from './tuning-service'

let folder = ''
let fake: FakeAmdCard
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headframe-tuning-'))
  fake = new FakeAmdCard(join(folder, 'drm'))
  await fake.plugIn()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const MODEL = 'Radeon RX 6800'
function device(celsius = 60): DeviceSnapshot {
  return {
    ...NO_READING,
    temperature: { ...NO_READING.temperature, core: celsius },
    fanPercent: 40,
    powerWatts: 150,
    meanPowerWatts: 150,
    index: 0,
    name: MODEL,
    pci: '03:00.0',
    backend: 'opencl',
    threads: null,
    state: 'mining',
    progress: null,
    hashrate: { now: 60e6, s60: 60e6, m15: 60e6 },
    shares: { accepted: 0, rejected: 0, failed: 0 },
    paused: false,
    pauseReasons: [],
    canResume: false,
    error: '',
    restarts: 0,
    pauseEndsAt: null,
    datasetBytes: null,
    responds: true,
    effectiveHashrate: null,
    hashes: 0,
    usualHashrate: null,
    temperatureLimits: null,
    takenAt: 0,
  }
}

class FakeMiner {
  readonly events = new Emitter<MinerEvents>()
  readonly devices = () => [device(), { ...device(), index: 1, pci: '', backend: 'cpu' as const }]
  readonly outcomes = () => ({ accepted: 0, rejected: 0, failed: 0, stale: 0, lost: 0 })
  seconds(count: number, celsius: number): void {
    for (let second = 0; second < count; second++) this.events.emit('devicesChanged', [device(celsius)])
  }
}

function service(options: Partial<TuningOptions> = {}) {
  const miner = new FakeMiner()
  const clock = new FakeClock()
  const records: LogRecord[] = []
  const sink = { write: (record: LogRecord) => records.push(record) }
  const tuning = new TuningService(
    {
      journalFile: join(folder, 'journal.json'),
      profilesFile: join(folder, 'profiles.json'),
      profile: null,
      goal: null,
      tariff: null,
      coolAt: null,
      ...options,
    },
    {
      miner,
      cards: {
        of: async (pci) => {
          const isThere = pci === fake.pci && (await findAmdCard(pci, fake.root)) !== null
          return isThere ? new AmdCard(pci, { root: fake.root, write: fake.write }) : null
        },
      },
      clock,
      log: createLogger('tuning', { sink, minLevel: 'info', now: () => clock.now() }),
    },
  )
  return { miner, tuning, clock, logged: () => records.map(({ message }) => message) }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await turn()
}

describe('tuning of a miner', () => {
  it("changes nothing that wasn't requested", async () => {
    const { tuning, miner } = service()
    await tuning.start()
    miner.seconds(100, 95)
    expect(await tuning.cards()).toMatchObject([{ device: 0, name: MODEL, set: {}, search: null }])
    await tuning.stop()
    expect(await fake.state()).toEqual(UNTOUCHED)
  })

  it('says what the search for the best margin lacks, instead of blaming the GPU', async () => {
    const { tuning } = service()
    await tuning.start()
    await expect(tuning.search(0, 'margin')).rejects.toMatchObject({ code: 'TUNING_NO_PRICES' })
    expect(await tuning.cards()).toMatchObject([{ search: null }])
    await tuning.stop()
  })

  it('applies the profile for the model, shows it, and undoes it at the end', async () => {
    const profiles = new TuningProfiles(join(folder, 'profiles.json'), silentLogger)
    await profiles.keep('quiet', MODEL, { settings: { power: 150, coreClock: 1500 }, finished: true })
    const { tuning } = service({ profile: 'quiet' })
    await tuning.start()
    await until(async () => (await fake.state()).core === 1500)
    await until(async () => Object.keys((await tuning.cards())[0]?.set ?? {}).length === 2)
    await tuning.stop()
    expect(await fake.state()).toEqual(UNTOUCHED)
  })

  it('repairs what a crash left behind, before anything else', async () => {
    const { tuning } = service()
    await tuning.start()
    await tuning.set(0, { power: 140, fan: 80 })
    expect((await fake.state()).power).toBe(140) // and the process is gone
    const next = service().tuning
    await next.start()
    await until(async () => (await fake.state()).power === 220)
    await next.stop()
    expect(await fake.state()).toEqual(UNTOUCHED)
  })

  it('says that a tuned GPU is absent at startup, and repairs it once it is back', async () => {
    await service().tuning.set(0, { power: 140, fan: 80 })
    await rename(join(fake.root, 'card0'), join(fake.root, 'gone'))
    const { tuning, clock, logged } = service()
    await tuning.start()
    await until(async () => tuning.absent.length > 0)
    clock.advance(600_000)
    await tuning.cards()
    expect(tuning.absent).toEqual(['03:00.0'])
    expect(logged()).toEqual(['a tuned GPU is absent: its settings are restored once it is back'])
    await rename(join(fake.root, 'gone'), join(fake.root, 'card0'))
    clock.advance(60_000)
    await until(async () => tuning.absent.length === 0)
    expect(await fake.state()).toEqual(UNTOUCHED)
    await tuning.stop()
  })

  it('repairs a GPU that comes back before it is set', async () => {
    await service().tuning.set(0, { power: 140, fan: 80 })
    await rename(join(fake.root, 'card0'), join(fake.root, 'gone'))
    const { tuning, clock } = service()
    await tuning.start()
    await until(async () => tuning.absent.length > 0)
    await rename(join(fake.root, 'gone'), join(fake.root, 'card0'))
    await tuning.set(0, { power: 150 })
    clock.advance(600_000)
    await turn()
    expect((await tuning.find(0))?.set).toEqual({ power: 150 })
    expect(tuning.absent).toEqual([])
    await tuning.stop()
    expect(await fake.state()).toEqual(UNTOUCHED)
  })

  it('cools with the fan when a device gets hot, and resets the fan when it is cool', async () => {
    const { tuning, miner } = service({ coolAt: 75 })
    await tuning.start()
    await tuning.cards()
    miner.seconds(5, 80)
    await until(async () => (await fake.state()).fanMode === '1')
    await until(async () => (await tuning.cards())[0]?.set.fan === 50)
    await until(async () => {
      miner.seconds(1, 60)
      return (await fake.state()).fanMode === '2'
    })
    await tuning.stop()
    expect(await fake.state()).toEqual(UNTOUCHED)
  })

  it('drops a lost card, and takes it back when it returns', async () => {
    const { tuning } = service()
    await tuning.start()
    expect(await tuning.cards()).toHaveLength(1)
    await rm(join(fake.root, 'card0'), { recursive: true })
    expect(await tuning.cards()).toEqual([])
    await fake.plugIn()
    expect(await tuning.cards()).toHaveLength(1)
    await tuning.stop()
  })

  it.each([
    ['the GPU decides', undefined],
    ['is set by hand', 60],
  ])('locates a card by its fan, and restores it: %s', async (_what, fan) => {
    const { tuning, clock } = service()
    await tuning.start()
    if (fan !== undefined) await tuning.set(0, { fan })
    await tuning.locate(0)
    expect((await tuning.find(0))?.set.fan).toBe(100)
    expect((await fake.state()).fanMode).toBe('1')

    clock.advance(9_000)
    const runsMs = await tuning.locate(0)
    clock.advance(runsMs - 1_000)
    await turn()
    expect((await tuning.find(0))?.set.fan).toBe(100)
    clock.advance(1_000)
    await until(async () => (await tuning.find(0))?.set.fan === (fan ?? null))
    await until(async () => (await fake.state()).fanMode === (fan === undefined ? '2' : '1'))
    await tuning.stop()
    expect(await fake.state()).toEqual(UNTOUCHED)
  })

  it('keeps what is set while a card is located, and undoes all at the end', async () => {
    const { tuning, clock } = service()
    await tuning.start()
    await tuning.locate(0)
    await tuning.set(0, { fan: 70 })
    clock.advance(20_000)
    await turn()
    expect((await tuning.find(0))?.set.fan).toBe(70)
    await tuning.locate(0)
    await tuning.stop()
    clock.advance(20_000)
    await turn()
    expect(await fake.state()).toEqual(UNTOUCHED)
  })

  it('locates nothing without a fan to set', async () => {
    const { tuning } = service()
    await tuning.start()
    await expect(tuning.locate(1)).rejects.toThrow('GPU 1 does not exist or has no settings')
    await tuning.stop()
  })

  it("says what it can't do", async () => {
    const { tuning } = service()
    await tuning.start()
    await expect(tuning.set(1, { power: 140 })).rejects.toThrow('GPU 1 does not exist or has no settings; known: 0')
    await expect(tuning.set(0, { power: 500 })).rejects.toThrow('100..250 W')
    await tuning.stop()
  })
})
