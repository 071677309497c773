import { describe, expect, it } from 'vitest'
import { Emitter } from '../../base/events'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import type { Journal } from '../../files/journal-file'
import type { MinerEvents } from '../miner-service-options'
import type { RigFigures } from '../monitor/rig-figures'
import type { WatchedRig } from '../monitor/rig-monitor'
import type { Loss, OffTime } from '../stats/money-ledger'
import type { DeviceSnapshot, MinerSnapshot, SettledShare } from '../stats/snapshot'
import type { ServedRig } from '../stratum/workers'
import { type Incident, incidentText } from './incident'
import { IncidentBook } from './incident-book'
import { type ComparedNode, USUAL_RULES } from './incident-rules'

const MINUTE = 60_000
const DAY = 86_400_000

class MemoryJournal implements Journal {
  lines: unknown[] = []
  async load(): Promise<readonly unknown[]> {
    return structuredClone(this.lines)
  }
  async append(records: readonly object[]): Promise<void> {
    this.lines.push(...structuredClone(records))
  }
  async replace(records: readonly object[]): Promise<void> {
    this.lines = structuredClone([...records])
  }
}

const aDevice = (change: Partial<DeviceSnapshot> = {}): DeviceSnapshot => ({
  index: 0,
  name: 'RTX 3070',
  pci: '01:00.0',
  backend: 'cuda',
  threads: null,
  state: 'mining',
  progress: null,
  hashrate: { now: 100, s60: 100, m15: 100 },
  meanPowerWatts: null,
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
  usualHashrate: 100,
  temperatureLimits: null,
  temperature: { core: 60, hotspot: null, memory: 80 },
  fanPercent: 50,
  powerWatts: 120,
  powerLimitWatts: 200,
  clockMhz: { core: null, memory: null },
  takenAt: 0,
  ...change,
})

const SOURCE: MinerSnapshot['source'] = {
  kind: 'pool',
  connected: true,
  host: 'a.example:1',
  url: '',
  difficulty: 1_000,
  epoch: 0,
  height: 1,
  switches: 0,
  warning: '',
  diagnosis: null,
}
const STATUS: MinerSnapshot = {
  state: 'running',
  uptimeSeconds: 1,
  hashrate: { now: 0, s60: 0, m15: 0, effective: null },
  shares: { accepted: 0, rejected: 0, failed: 0 },
  source: SOURCE,
  lastProof: null,
  expectedSinceProof: 0,
  takenAt: 0,
}

const figures = (change: Partial<RigFigures> = {}): RigFigures => ({
  control: false,
  version: '1',
  uptimeSeconds: 1,
  pool: { connected: true, host: 'p', warning: '' },
  hashrate: { now: 100, s60: 100, m15: 100, effective: 0 },
  shares: { accepted: 0, rejected: 0, failed: 0 },
  powerWatts: 0,
  gpus: [],
  ...change,
})

const aRig = (change: Partial<WatchedRig> & { age?: number; online?: boolean } = {}): WatchedRig => ({
  rig: { name: 'r1', host: 'r1:3333', online: change.online ?? true, error: 'timeout', age: change.age ?? 2 },
  reading: 1,
  usualHashrate: 100,
  recent: { accepted: 20, rejected: 5 },
  figures: figures(),
  ...change,
})

const CARE: ServedRig['care'] = {
  usualHashrate: 100,
  mostHashrate: 130,
  silentMs: 10_000,
  dueShares: 1,
  minedMs: 3_600_000,
  recent: { accepted: 60, refused: 0, stale: 3 },
}
const aServed = (care: Partial<ServedRig['care']> = {}, change: Partial<ServedRig> = {}): ServedRig => ({
  name: 'cellar',
  connections: 1,
  since: { lastSeen: 0 },
  care: { ...CARE, ...care },
  ...change,
})

const aGpu = (core: number): RigFigures['gpus'][number] => ({
  name: 'RTX 3070',
  pci: '01:00.0',
  backend: 'cuda',
  hashrate: { now: 100, s60: 100, m15: 100 },
  shares: { accepted: 0, rejected: 0, failed: 0 },
  paused: false,
  pauseReason: '',
  temperature: { core, hotspot: 0, memory: 0 },
  fanPercent: 0,
  powerWatts: 0,
  powerLimitWatts: 0,
  clockMhz: { core: 0, memory: 0 },
})

type World = Awaited<ReturnType<typeof scene>>['world']

async function scene({
  journal = new MemoryJournal(),
  clock = new FakeClock(),
  isMonitor = false,
  warn = silentLogger.warn,
} = {}) {
  const events = new Emitter<MinerEvents>()
  const world = {
    devices: [aDevice()] as DeviceSnapshot[],
    status: STATUS,
    rigs: [] as WatchedRig[],
    served: [] as ServedRig[],
    notSaved: '',
    beside: null as ComparedNode | null,
  }
  const losses = {
    events: new Emitter<{ lost: Loss; wasOff: OffTime }>(),
    get notSaved() {
      return world.notSaved
    },
  }
  const book = new IncidentBook({
    miner: isMonitor ? null : { events, devices: () => world.devices, snapshot: () => world.status },
    losses: isMonitor ? null : losses,
    rigs: () => world.rigs,
    served: () => world.served,
    beside: () => world.beside,
    rigStaleSeconds: () => 60,
    rules: () => USUAL_RULES,
    worth: () => ({ difficulty: 1e6, subsidyWei: 50n * 10n ** 18n }),
    journal,
    clock,
    log: { ...silentLogger, warn },
  })
  const began: Incident[] = []
  book.events.on('began', (incident) => began.push(incident))
  await book.start()
  const share = (outcome: SettledShare['outcome'], pool = 'a.example:1'): void =>
    events.emit('shareSettled', { outcome, device: 0, pool } as SettledShare)
  const causes = (): string[] => book.open().map(({ cause }) => cause)
  return { book, clock, events, world, losses, journal, began, share, causes }
}

describe('an incident', () => {
  it('of anything doesn’t begin in its first two minutes, and begins with its first moment', async () => {
    const { world, clock, causes, book } = await scene()
    const start = clock.now()
    world.devices = [aDevice({ state: 'error', error: 'out of memory' })]
    clock.advance(119_000)
    expect(causes()).toEqual([])
    clock.advance(5_000)
    expect(causes()).toEqual(['device-error'])
    expect(book.open()[0]).toMatchObject({ since: start + 1_000, level: 'problem', devices: [{ index: 0 }] })
  })

  it('ends a minute after its cause, at the moment that it last held', async () => {
    const { world, clock, causes, book } = await scene()
    clock.advance(3 * MINUTE)
    world.devices = [aDevice({ responds: false })]
    clock.advance(10_000)
    const last = clock.now()
    world.devices = [aDevice()]
    clock.advance(50_000)
    expect(causes()).toEqual(['device-silent'])
    clock.advance(15_000)
    expect(causes()).toEqual([])
    expect(book.recent()[0]).toMatchObject({ cause: 'device-silent', until: last })
  })

  it.each<[string, (world: World) => void, (world: World) => void, (world: World) => void]>([
    [
      'hot',
      (world) => (world.devices = [aDevice({ temperature: { core: 90, hotspot: null, memory: 80 } })]),
      (world) => (world.devices = [aDevice({ temperature: { core: null, hotspot: null, memory: null } })]),
      (world) => (world.devices = [aDevice()]),
    ],
    [
      'fan',
      (world) => (world.devices = [aDevice({ fanPercent: 100 })]),
      (world) => (world.devices = [aDevice({ fanPercent: null })]),
      (world) => (world.devices = [aDevice()]),
    ],
    [
      'power-limit',
      (world) => (world.devices = [aDevice({ powerWatts: 200 })]),
      (world) => (world.devices = [aDevice({ powerWatts: null })]),
      (world) => (world.devices = [aDevice()]),
    ],
    [
      'rig-hot',
      (world) => (world.rigs = [aRig({ figures: figures({ gpus: [aGpu(95)] }) })]),
      (world) => (world.rigs = [aRig({ online: false, age: 300, figures: figures({ gpus: [aGpu(95)] }) })]),
      (world) => (world.rigs = [aRig({ figures: figures({ gpus: [aGpu(50)] }) })]),
    ],
    [
      'rig-hot',
      (world) => (world.rigs = [aRig({ figures: figures({ gpus: [aGpu(95)] }) })]),
      (world) => (world.rigs = [aRig({ figures: figures({ gpus: [aGpu(0)] }) })]),
      (world) => (world.rigs = [aRig({ figures: figures({ gpus: [aGpu(50)] }) })]),
    ],
    [
      'rig-slow',
      (world) => (world.rigs = [aRig({ figures: figures({ hashrate: { now: 1, s60: 1, m15: 1, effective: 0 } }) })]),
      (world) => (world.rigs = [aRig({ age: 90 })]),
      (world) => (world.rigs = [aRig()]),
    ],
  ])('%s isn’t over because nothing measures it anymore', async (cause, begins, isBlind, ends) => {
    const { world, clock, causes, book } = await scene()
    clock.advance(3 * MINUTE)
    begins(world)
    clock.advance(6 * MINUTE)
    const last = clock.now()
    isBlind(world)
    clock.advance(30 * MINUTE)
    expect(causes()).toContain(cause)
    ends(world)
    clock.advance(MINUTE)
    expect(causes()).not.toContain(cause)
    expect(book.recent().find((incident) => incident.cause === cause)).toMatchObject({ until: last })
  })

  it('that nothing measures for a day ends', async () => {
    const { world, clock, causes } = await scene({ isMonitor: true })
    world.rigs = [aRig({ figures: figures({ gpus: [aGpu(95)] }) })]
    clock.advance(3 * MINUTE)
    world.rigs = [aRig({ figures: figures({ gpus: [aGpu(0)] }) })]
    clock.advance(DAY - MINUTE)
    expect(causes()).toEqual(['rig-hot'])
    clock.advance(2 * MINUTE)
    expect(causes()).toEqual([])
  })

  it('that flaps is one', async () => {
    const { world, clock, began } = await scene()
    clock.advance(3 * MINUTE)
    for (let n = 0; n < 20; n++) {
      world.devices = [aDevice({ responds: n % 2 === 0 })]
      clock.advance(20_000)
    }
    expect(began.map(({ cause }) => cause)).toEqual(['device-silent'])
  })

  it('needs its cause to last all the time until it begins', async () => {
    const { world, clock, began } = await scene()
    clock.advance(3 * MINUTE)
    for (let n = 0; n < 20; n++) {
      world.devices = [aDevice({ hashrate: { now: 50, s60: 50, m15: 50 } })]
      clock.advance(50_000)
      world.devices = [aDevice()]
      clock.advance(2_000)
    }
    expect(began).toEqual([])
  })

  it('holds what was lost to it, priced, from its first moment, and nothing that was lost to others', async () => {
    const { world, clock, book, losses } = await scene()
    clock.advance(3 * MINUTE)
    world.status = { ...STATUS, source: { ...SOURCE, connected: false } }
    world.devices = [aDevice({ state: 'waiting' })]
    for (let second = 0; second < 100; second++) {
      clock.advance(1_000)
      losses.events.emit('lost', { device: 0, cause: 'no-work', reason: '', ms: 1_000, hashes: 100, micro: 5, at: 0 })
      losses.events.emit('lost', { device: 0, cause: 'stale', reason: '', ms: 0, hashes: 7, micro: 1, at: 0 })
      losses.events.emit('lost', { device: 5, cause: 'no-work', reason: '', ms: 0, hashes: 9, micro: 1, at: 0 })
    }
    expect(book.open()).toHaveLength(1)
    expect(book.open()[0]).toMatchObject({ cause: 'pool-lost', hashes: 10_000, micro: 500, pool: 'a.example:1' })
  })

  it('goes to what holds, not to what ended a moment ago', async () => {
    const { world, clock, book, losses } = await scene()
    clock.advance(3 * MINUTE)
    const diagnosis = { trouble: 'share-stale', since: 0, count: 5, answer: '', text: '' } as never
    world.status = { ...STATUS, source: { ...SOURCE, diagnosis } }
    clock.advance(5_000)
    losses.events.emit('lost', { device: 0, cause: 'stale', reason: '', ms: 0, hashes: 7, micro: 1, at: 0 })
    world.status = { ...STATUS, source: { ...SOURCE, connected: false } }
    for (let second = 0; second < 100; second++) {
      clock.advance(1_000)
      losses.events.emit('lost', { device: 0, cause: 'no-work', reason: '', ms: 1_000, hashes: 100, micro: 5, at: 0 })
    }
    const cost = (cause: string) => book.between(0, Infinity, 9).find((incident) => incident.cause === cause)?.hashes
    expect([cost('pool-trouble'), cost('pool-lost')]).toEqual([7, 10_000])
  })

  it('leaves the cost of a mere warning unknown', async () => {
    const { world, clock, book, losses } = await scene()
    clock.advance(3 * MINUTE)
    world.status = { ...STATUS, source: { ...SOURCE, warning: 'A share of yours was a block that never appeared' } }
    clock.advance(5_000)
    losses.events.emit('lost', { device: 0, cause: 'no-work', reason: '', ms: 1_000, hashes: 100, micro: 5, at: 0 })
    expect(book.open()).toMatchObject([{ cause: 'pool-trouble', hashes: null, micro: null }])
  })

  it('has no price while one of its losses has none', async () => {
    const { world, clock, book, losses } = await scene()
    clock.advance(3 * MINUTE)
    world.devices = [aDevice({ state: 'error' })]
    clock.advance(2_000)
    for (const micro of [5, null, 5])
      losses.events.emit('lost', { device: 0, cause: 'error', reason: '', ms: 1, hashes: 1, micro, at: 0 })
    expect(book.open()[0]).toMatchObject({ hashes: 3, micro: null })
  })

  it('knows what the miner did about it', async () => {
    const { world, clock, book } = await scene()
    clock.advance(3 * MINUTE)
    world.devices = [aDevice({ responds: false })]
    clock.advance(2_000)
    world.devices = [aDevice({ responds: false, restarts: 1 })]
    clock.advance(2_000)
    expect(book.open()[0]?.actions.map(({ did }) => did)).toEqual(['restarted'])
  })

  it('that someone acknowledged stays listed', async () => {
    const { world, clock, book } = await scene()
    clock.advance(3 * MINUTE)
    world.devices = [aDevice({ responds: false })]
    clock.advance(2_000)
    book.acknowledge([book.open()[0]?.id ?? '', 'unknown'])
    expect(book.open()[0]?.acknowledgedAt).toBe(clock.now())
  })
})

describe('what is an incident', () => {
  const foundAfter = async (
    change: (world: Awaited<ReturnType<typeof scene>>['world']) => void,
    ms: number,
    isMonitor = false,
  ) => {
    const found = await scene({ isMonitor })
    found.clock.advance(3 * MINUTE)
    change(found.world)
    found.clock.advance(ms)
    return found.book.open().map((incident) => [incident.cause, incident.level, incidentText(incident)])
  }

  it.each<[string, Partial<DeviceSnapshot>, number, string, string]>([
    ['a hot memory', { temperature: { core: 60, hotspot: null, memory: 96 } }, 2_000, 'hot', 'attention'],
    ['a critical core', { temperature: { core: 85, hotspot: null, memory: 80 } }, 2_000, 'hot', 'problem'],
    [
      'a pause by heat, cooled down',
      { paused: true, state: 'paused', pauseReasons: ['Overheating'] },
      2_000,
      'hot',
      'problem',
    ],
    ['a fan at its end', { fanPercent: 99 }, 301_000, 'fan', 'attention'],
    ['the power limit', { powerWatts: 199 }, 301_000, 'power-limit', 'attention'],
    ['a slow device', { hashrate: { now: 80, s60: 80, m15: 80 } }, 301_000, 'slow', 'attention'],
    [
      'a faulty pause',
      { paused: true, state: 'paused', pauseReasons: ['Device error'] },
      2_000,
      'device-error',
      'problem',
    ],
    ['a pause by hand', { paused: true, state: 'paused', pauseReasons: ['Api request'] }, 2_000, 'paused', 'note'],
    ['a DAG', { state: 'building' }, 2_000, 'building', 'note'],
    ['no work', { state: 'waiting' }, 31_000, 'no-work', 'problem'],
  ])('%s', async (...row) => {
    const [, change, ms, cause, level] = row
    const found = await foundAfter((world) => {
      world.devices = [aDevice(change)]
    }, ms)
    expect(found.map(([what, how]) => [what, how])).toEqual([[cause, level]])
    expect(found[0]?.[2]).not.toMatch(/undefined|null/)
  })

  it('names the processor, which is no numbered device to its reader', async () => {
    const found = await foundAfter((world) => {
      world.devices = [aDevice({ backend: 'cpu', state: 'error', error: 'no memory' })]
    }, 2_000)
    expect(found).toEqual([['device-error', 'problem', 'CPU failed: no memory']])
  })

  it('a reading that is missing, though the device gave it before', async () => {
    const found = await foundAfter((world) => {
      world.devices = [aDevice({ temperature: { core: null, hotspot: null, memory: 80 }, powerWatts: null })]
    }, 121_000)
    expect(found).toEqual([['sensor-lost', 'attention', 'Device 0 no longer reports: core, power']])
  })

  it('a temperature limit that nothing measured can protect by', async () => {
    const temperatureLimits = { stop: 80, start: 70 }
    const found = await foundAfter((world) => {
      const temperature = { core: null, hotspot: null, memory: null }
      world.devices = [aDevice({ temperatureLimits }), aDevice({ index: 1, temperatureLimits, temperature })]
    }, 121_000)
    const text = "Device 1 reports no temperature: its limit of 80 °C can't protect it"
    expect(found).toEqual([['heat-unseen', 'attention', text]])
  })

  it('a pool’s trouble, in the doctor’s words', async () => {
    const found = await foundAfter((world) => {
      const diagnosis = {
        trouble: 'share-unauthorized',
        since: 0,
        count: 9,
        answer: 'Unauthorized\u202eworker',
      } as const
      world.status = { ...STATUS, source: { ...SOURCE, diagnosis } }
    }, 2_000)
    expect(found).toEqual([
      ['pool-trouble', 'problem', "a.example:1: The pool rejects shares: it doesn't know this login"],
    ])
  })

  it('a warning about a pool’s jobs', async () => {
    const found = await foundAfter((world) => {
      world.status = { ...STATUS, source: { ...SOURCE, warning: 'works on an old height' } }
    }, 2_000)
    expect(found).toEqual([['pool-trouble', 'attention', 'a.example:1: works on an old height']])
  })

  it('no block for improbably long', async () => {
    const found = await foundAfter((world) => {
      world.status = { ...STATUS, source: { ...SOURCE, kind: 'solo', host: 'local:0' }, expectedSinceProof: 7.2 }
    }, 61_000)
    expect(found.map(([what]) => what)).toEqual(['no-share'])
  })

  it('records that can’t be saved', async () => {
    const found = await foundAfter((world) => {
      world.notSaved = 'ENOSPC'
    }, 2_000)
    expect(found).toEqual([['record-unsaved', 'attention', "The record of what was mined can't be saved: ENOSPC"]])
  })

  it.each<[string, Omit<ComparedNode, 'url'>, number, string]>([
    [
      'another node that differs',
      { reason: '', first: { height: 7, what: 'header, stateRoot' } },
      2_000,
      'beside-differs problem The node at http://b has something else than ours in block 7: header, stateRoot. One of the two is wrong',
    ],
    [
      'a difference, though the other node is gone now',
      { reason: 'gone', first: { height: 7, what: 'head' } },
      2_000,
      'beside-differs problem The node at http://b has something else than ours in block 7: head. One of the two is wrong',
    ],
    [
      'another node that cannot be compared for five minutes',
      { reason: 'no answer within 20 s', first: null },
      301_000,
      "beside-unknown attention Our node can't be compared with the one at http://b: no answer within 20 s",
    ],
  ])('%s', async (...[, state, ms, told]) => {
    const change = (world: Awaited<ReturnType<typeof scene>>['world']): void => {
      world.beside = { url: 'http://b', ...state }
    }
    expect((await foundAfter(change, ms, true)).map((row) => row.join(' '))).toEqual([told])
  })

  it('another node that agrees, or was away for a moment, is none', async () => {
    const { world, clock, causes } = await scene()
    clock.advance(3 * MINUTE)
    world.beside = { url: 'http://b', reason: 'gone', first: null }
    clock.advance(299_000)
    world.beside = { url: 'http://b', reason: '', first: null }
    clock.advance(299_000)
    expect(causes()).toEqual([])
  })

  it('three wrong results in ten minutes, and no fewer', async () => {
    const { share, clock, causes } = await scene()
    clock.advance(3 * MINUTE)
    share('failed')
    share('failed')
    clock.advance(2_000)
    expect(causes()).toEqual([])
    share('failed')
    clock.advance(2_000)
    expect(causes()).toEqual(['wrong-results'])
    clock.advance(11 * MINUTE + 5_000)
    expect(causes()).toEqual([])
  })

  it('rejected shares of one device, unless the pool rejects all', async () => {
    const { share, clock, causes, world } = await scene()
    clock.advance(3 * MINUTE)
    for (let n = 0; n < 30; n++) share(n % 10 === 0 ? 'stale' : 'accepted')
    clock.advance(2_000)
    expect(causes()).toEqual(['rejected-shares'])
    const diagnosis = { trouble: 'share-rejected', since: 0, count: 9, answer: '' } as const
    world.status = { ...STATUS, source: { ...SOURCE, diagnosis } }
    clock.advance(2 * MINUTE)
    expect(causes()).toEqual(['pool-trouble'])
  })

  it('no rejected shares, where blocks for our own node lost their race', async () => {
    const { share, clock, causes } = await scene()
    clock.advance(3 * MINUTE)
    for (let n = 0; n < 30; n++) share(n % 3 === 0 ? 'stale' : 'accepted', '')
    clock.advance(2_000)
    expect(causes()).toEqual([])
    for (let n = 0; n < 3; n++) share('rejected', '')
    clock.advance(2_000)
    expect(causes()).toEqual(['rejected-shares'])
  })

  it.each<[string, WatchedRig, number, string, string]>([
    ['a rig that stopped answering', aRig({ online: false, age: 61 }), 2_000, 'rig-offline', 'problem'],
    [
      'a rig that was never reached',
      aRig({ online: false, age: -1, figures: null, usualHashrate: null }),
      62_000,
      'rig-offline',
      'problem',
    ],
    ['a rig whose readings are old', aRig({ age: 61 }), 2_000, 'rig-stale', 'problem'],
    [
      'a rig at half its rate',
      aRig({ figures: figures({ hashrate: { now: 50, s60: 50, m15: 50, effective: 0 } }) }),
      301_000,
      'rig-slow',
      'attention',
    ],
    [
      'a rig with a warning of its pool',
      aRig({ figures: figures({ pool: { connected: true, host: 'p', warning: 'rejects' } }) }),
      61_000,
      'rig-pool',
      'attention',
    ],
    [
      'a rig whose pool rejects its shares',
      aRig({ recent: { accepted: 0, rejected: 20 } }),
      2_000,
      'rig-rejected',
      'attention',
    ],
  ])('%s', async (...row) => {
    const [, rig, ms, cause, level] = row
    const { clock, world, book } = await scene({ isMonitor: true })
    world.rigs = [rig]
    clock.advance(2 * MINUTE + 5_000 + ms)
    expect(book.open().map((incident) => [incident.cause, incident.level])).toEqual([[cause, level]])
  })

  it('are unknown, not nothing, while the usual rate of a device isn’t', async () => {
    const { world, clock, losses, book } = await scene()
    clock.advance(3 * MINUTE)
    world.devices = [aDevice({ responds: false, usualHashrate: null })]
    clock.advance(10_000)
    expect(book.open()[0]).toMatchObject({ cause: 'device-silent', hashes: null, micro: null })

    // What came before can't be told any more.
    world.devices = [aDevice({ responds: false })]
    clock.advance(10_000)
    losses.events.emit('lost', { device: 0, cause: 'silent', reason: '', ms: 1, hashes: 1, micro: 1, at: 0 })
    expect(book.open()[0]).toMatchObject({ hashes: null, micro: null })
  })

  it('become unknown when one of several devices has no usual rate', async () => {
    const { world, clock, losses, book } = await scene()
    clock.advance(3 * MINUTE)
    world.status = { ...STATUS, source: { ...SOURCE, connected: false } }
    clock.advance(2 * MINUTE)
    losses.events.emit('lost', { device: 0, cause: 'no-work', reason: '', ms: 1, hashes: 9, micro: 1, at: 0 })
    expect(book.open()[0]).toMatchObject({ cause: 'pool-lost', hashes: 9 })

    world.devices = [aDevice(), aDevice({ index: 1, name: 'new', usualHashrate: null })]
    clock.advance(2_000)
    expect(book.open()[0]).toMatchObject({ hashes: null, micro: null })
  })

  it('are those of its shares where shares are refused, whatever is usual', async () => {
    const { world, clock, losses, share, book } = await scene()
    world.devices = [aDevice({ usualHashrate: null })]
    clock.advance(3 * MINUTE)
    for (let n = 0; n < 40; n++) {
      share('rejected')
      losses.events.emit('lost', { device: 0, cause: 'rejected', reason: '', ms: 0, hashes: 7, micro: 1, at: 0 })
      clock.advance(1_000)
    }
    expect(book.open()[0]?.cause).toBe('rejected-shares')
    expect(book.open()[0]?.hashes).toBeGreaterThan(0)
  })

  it('of a rig stay unknown when its usual rate becomes known meanwhile: a part isn’t the whole', async () => {
    const { clock, world, book } = await scene()
    world.rigs = [aRig({ online: false, age: 90, usualHashrate: null })]
    clock.advance(5 * MINUTE)
    world.rigs = [aRig({ online: false, age: 390 })]
    clock.advance(5 * MINUTE)
    expect(book.open()).toEqual([expect.objectContaining({ cause: 'rig-offline', hashes: null, micro: null })])
  })

  it('a rig’s lost hashes are those of its usual rate', async () => {
    const { clock, world, book } = await scene({ isMonitor: true })
    world.rigs = [aRig()]
    clock.advance(3 * MINUTE)
    world.rigs = [aRig({ online: false, age: 61 })]
    clock.advance(101_000)
    // 100 H/s for 100 s; / 1e6 × 50 LAX
    expect(book.open()[0]).toMatchObject({ hashes: 10_000, micro: 500_000 })
  })

  it('a healthy rig and a healthy device are none', async () => {
    const found = await scene()
    found.world.rigs = [aRig()]
    found.clock.advance(DAY / 24)
    expect(found.book.between(0, Number.MAX_SAFE_INTEGER, 100)).toEqual([])
  })
})

describe('the book', () => {
  it('continues an incident that outlasts a restart, and ends one that doesn’t', async () => {
    const first = await scene()
    first.clock.advance(3 * MINUTE)
    first.world.devices = [aDevice({ responds: false }), aDevice({ index: 1, state: 'error' })]
    first.clock.advance(3 * MINUTE)
    const { clock, journal } = first
    await first.book.stop()
    clock.advance(10 * MINUTE)
    const second = await scene({ journal, clock })
    second.world.devices = [aDevice({ responds: false }), aDevice({ index: 1 })]
    clock.advance(5 * MINUTE)
    expect(second.book.open().map(({ cause }) => cause)).toEqual(['device-silent'])
    expect(second.began).toEqual([])
    expect(second.book.between(0, clock.now(), 10)).toHaveLength(2)
  })

  it('says how many of its records it can’t read', async () => {
    const journal = new MemoryJournal()
    journal.lines = [{ id: 'x', cause: 'of a newer version' }, 7]
    const warnings: unknown[] = []
    await scene({ journal, warn: (...line) => void warnings.push(line) })
    expect(warnings).toEqual([['incidents that cannot be read were skipped', { count: 2 }]])
  })

  it('survives a kill: what began is on disk at once', async () => {
    const { clock, world, journal } = await scene()
    clock.advance(3 * MINUTE)
    world.devices = [aDevice({ responds: false })]
    clock.advance(2_000)
    await Promise.resolve()
    const second = await scene({ journal, clock })
    expect(second.book.open()).toHaveLength(1)
  })

  it('keeps a year, and lists time in which the program was off', async () => {
    const { clock, book, losses, journal } = await scene()
    losses.events.emit('wasOff', {
      from: clock.now() - 10_000,
      to: clock.now(),
      rates: { k: { name: 'k', rate: 100 } },
    })
    expect(book.recent()[0]).toMatchObject({ cause: 'off', level: 'note', hashes: 1_000 })
    await book.stop()
    clock.advance(365 * DAY)
    const second = await scene({ journal, clock })
    expect(second.book.between(0, clock.now(), 10)).toHaveLength(1)
  })

  it('follows a clock that is set right', async () => {
    const { clock, world, book } = await scene()
    clock.setWallClock(3_000 * DAY)
    clock.advance(3 * MINUTE)
    world.devices = [aDevice({ responds: false })]
    clock.advance(2_000)
    const [incident] = book.open()
    expect(Math.abs((incident?.since ?? 0) - clock.now())).toBeLessThan(MINUTE)
  })

  it('costs no more than a bounded list, whatever flaps', async () => {
    const { clock, world, book } = await scene()
    clock.advance(3 * MINUTE)
    for (let n = 0; n < 300; n++) {
      world.devices = [aDevice({ responds: false })]
      clock.advance(2_000)
      world.devices = [aDevice()]
      clock.advance(62_000)
    }
    expect(book.between(0, Number.MAX_SAFE_INTEGER, 100)).toHaveLength(100)
  })
})

describe('a rig on the stratum port', () => {
  const gone = { connections: 0, since: { lastSeen: 61_000 } }

  it.each<[string, ServedRig, string[]]>([
    ['that mines', aServed(), []],
    ['that is gone', aServed({}, gone), ['rig-offline']],
    ['that is gone for a moment', aServed({}, { ...gone, since: { lastSeen: 59_000 } }), []],
    ['that only looked in', aServed({ minedMs: 60_000 }, gone), []],
    ['whose shares fail to come', aServed({ silentMs: 301_000, dueShares: 7 }), ['rig-silent']],
    ['whose shares may still come', aServed({ silentMs: 301_000, dueShares: 6 }), []],
    ['that never found one', aServed({ silentMs: 601_000, dueShares: null, usualHashrate: null }), ['rig-silent']],
    ['with wrong results', aServed({ recent: { accepted: 60, refused: 3, stale: 0 } }), ['rig-rejected']],
    ['whose shares come too late', aServed({ recent: { accepted: 60, refused: 0, stale: 20 } }), ['rig-rejected']],
    ['with few shares', aServed({ recent: { accepted: 10, refused: 3, stale: 3 } }), []],
    ['that is slow', aServed({ mostHashrate: 79 }), ['rig-slow']],
    ['whose rate nobody knows', aServed({ mostHashrate: null, usualHashrate: null }), []],
  ])('is judged by its shares: one %s', async (_, rig, expected) => {
    const { world, clock, causes, book } = await scene()
    world.served = [rig]
    clock.advance(8 * MINUTE)
    expect(causes()).toEqual(expected)
    for (const { rig: name } of book.open()) expect(name).toBe('cellar')
    world.served = [aServed()]
    clock.advance(2 * MINUTE)
    expect(causes()).toEqual([])
  })

  it.each([
    ['here is', 1, []],
    ["elsewhere isn't", 0, ['rig-rejected']],
  ])(
    'that is watched, too, and mines %s judged by what our port knows of its shares',
    async (_, connections, expected) => {
      const { world, clock, causes } = await scene()
      world.rigs = [aRig({ recent: { accepted: 0, rejected: 20 } })]
      world.served = [aServed({}, { name: 'r1', connections })]
      clock.advance(3 * MINUTE)

      expect(causes()).toEqual(expected)
    },
  )

  it('costs its usual rate while it is gone', async () => {
    const { world, clock, book } = await scene()
    world.served = [aServed()]
    clock.advance(3 * MINUTE)
    world.served = [aServed({}, gone)]
    clock.advance(101_000)
    expect(book.open()[0]?.hashes).toBeCloseTo(10_000, -3)
  })

  it('costs an unknown amount where its usual rate became known only meanwhile', async () => {
    const { world, clock, book } = await scene()
    world.served = [aServed()]
    clock.advance(3 * MINUTE)
    world.served = [aServed({ usualHashrate: null }, gone)]
    clock.advance(3 * MINUTE)
    world.served = [aServed({}, gone)]
    clock.advance(3 * MINUTE)
    expect(book.open()).toEqual([expect.objectContaining({ cause: 'rig-offline', hashes: null, micro: null })])
  })

  it('is missed once, where its own API is watched, too', async () => {
    const { world, clock, causes } = await scene()
    world.rigs = [aRig({ rig: { name: 'cellar', host: 'h', online: false, error: 'timeout', age: 90 } })]
    world.served = [aServed({}, gone)]
    clock.advance(3 * MINUTE)
    expect(causes()).toEqual(['rig-offline'])
  })
})
