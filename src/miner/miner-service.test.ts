import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { silentLogger } from '../base/logger'
import type { MetricSpec, MetricsRegistry, Sample } from '../base/metrics'
import { FakeClock } from '../base/testing/fake-clock'
import { MinerService } from './miner-service'
import type { MinerServiceOptions } from './miner-service-options'
import { FakeEngine } from './testing/fake-engine'
import { aJob, FakeWorkSource } from './testing/fake-work-source'

class FakeMetrics implements MetricsRegistry {
  readonly families = new Map<string, () => readonly Sample[]>()
  gauge() {
    return { set: () => undefined }
  }
  counter() {
    return { inc: () => undefined }
  }
  collect(spec: MetricSpec, read: () => readonly Sample[]): void {
    this.families.set(spec.name, read)
  }
}

const folders: string[] = []
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
})

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'headframe-miner-'))
  folders.push(folder)
  return folder
}

/** Lets everything that is already resolved run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

async function startMiner(options: Partial<MinerServiceOptions> = {}, engine = new FakeEngine()) {
  const clock = new FakeClock()
  const source = new FakeWorkSource()
  const metrics = new FakeMetrics()
  const miner = new MinerService(
    { version: '1.2.3', cpuThreads: 2, historyFile: null, hwmonDir: '/nonexistent', ...options },
    { source, engine, clock, log: silentLogger, metrics, random: () => 1_000n },
  )
  await miner.start(new AbortController().signal)
  return { miner, source, engine, clock, metrics }
}

it('mines the first job after building its dataset', async () => {
  const { miner, source, engine } = await startMiner()
  expect(miner.devices()).toMatchObject([{ state: 'waiting', threads: 2, backend: 'cpu', pci: '' }])

  source.push(aJob(1))
  expect(miner.devices()).toMatchObject([{ state: 'building', progress: 0, paused: false }])
  await settle()

  expect(miner.devices()).toMatchObject([{ state: 'mining', progress: null, datasetBytes: 32_768 }])
  expect(engine.search.job).toMatchObject({ startNonce: 1_000n, segmentBits: 40, sealHash: aJob(1).sealHash })
  await miner.stop()
})

it('counts hashes in three windows and sums devices into totals', async () => {
  const { miner, source, engine, clock } = await startMiner()
  source.push(aJob(1))
  await settle()

  clock.advance(1) // to just before the next reading

  for (let second = 0; second < 20; second++) {
    engine.search.hashes += 500n
    clock.advance(1_000)
  }

  const { hashrate } = miner.snapshot()
  expect(hashrate.now).toBeCloseTo(500, 0)
  expect(hashrate.s60).toBeCloseTo(500, 0)
  expect(miner.devices()[0]?.hashrate).toEqual({ now: hashrate.now, s60: hashrate.s60, m15: hashrate.m15 })
  await miner.stop()
})

it('sends a good solution as a share and counts the verdict', async () => {
  const { miner, source, engine } = await startMiner()
  source.push(aJob(1))
  await settle()

  engine.search.find(1_005n)
  await settle()

  expect(source.shares).toMatchObject([{ nonce: 1_005n, replaced: false, job: { jobId: 'job-1' } }])
  expect(miner.snapshot()).toMatchObject({
    shares: { accepted: 1, rejected: 0, failed: 0 },
    lastProof: { device: 0 },
  })
  expect(miner.recentShares()).toMatchObject([{ outcome: 'accepted', latencyMs: 3, height: 11 }])
  await miner.stop()
})

it('keeps a rejection with its reason', async () => {
  const { miner, source, engine } = await startMiner()
  source.decide = async () => ({ kind: 'rejected', reason: 'low difficulty', latencyMs: 9 })
  source.push(aJob(1))
  await settle()

  engine.search.find(1_005n)
  await settle()

  expect(miner.recentShares()).toMatchObject([{ outcome: 'rejected', reason: 'low difficulty' }])
  expect(miner.devices()[0]?.shares).toEqual({ accepted: 0, rejected: 1, failed: 0 })
  await miner.stop()
})

it.each([
  ['Stale share', undefined],
  ['Job not found', 21],
  ['error', 404],
])('a share that came too late is stale, however the pool says so: "%s" %s', async (reason, code) => {
  const { miner, source, engine } = await startMiner()
  source.decide = async () => ({ kind: 'rejected', reason, ...(code !== undefined && { code }), latencyMs: 9 })
  source.push(aJob(1))
  await settle()

  engine.search.find(1_005n)
  await settle()

  expect(miner.recentShares()).toMatchObject([{ outcome: 'stale', reason }])
  expect(miner.devices()[0]?.shares).toEqual({ accepted: 0, rejected: 1, failed: 0 })
  await miner.stop()
})

it("counts a share that couldn't be sent as lost, not as rejected", async () => {
  const { miner, source, engine } = await startMiner()
  source.decide = async () => {
    throw new Error('socket closed')
  }
  source.push(aJob(1))
  await settle()

  engine.search.find(1_005n)
  await settle()

  expect(miner.outcomes(0)).toMatchObject({ lost: 1, rejected: 0, accepted: 0 })
  await miner.stop()
})

it('pauses immediately, keeps the pause over a restart, and lifts it on resume', async () => {
  const { miner, source, engine } = await startMiner()
  source.push(aJob(1))
  await settle()

  miner.pause(0)
  expect(miner.devices()).toMatchObject([
    { paused: true, pauseReasons: ['Api request'], state: 'paused', canResume: true },
  ])
  expect(engine.search.job).toBeNull()
  await miner.restart()
  await settle()
  expect(miner.devices()).toMatchObject([{ paused: true, state: 'paused' }])
  miner.resume(null)
  await settle()

  expect(miner.devices()).toMatchObject([{ paused: false, pauseReasons: [], state: 'mining' }])
  await miner.stop()
})

it('keeps counters over a restart of the devices', async () => {
  const { miner, source, engine, clock } = await startMiner()
  source.push(aJob(1))
  await settle()
  engine.search.hashes = 5_000n
  clock.advance(1_000)
  engine.search.find(1n)
  await settle()

  await miner.restart()
  await settle()
  clock.advance(1_000)

  expect(engine.searches).toHaveLength(2)
  expect(miner.snapshot().shares.accepted).toBe(1)
  expect(miner.snapshot().hashrate.now).toBeGreaterThan(0)
  await miner.stop()
})

it("rejects a device that isn't there", async () => {
  const { miner } = await startMiner()

  expect(() => miner.pause(1)).toThrow('device 1 is not in 0..0')
  expect(() => miner.history({ device: 7, series: 'hashrate', window: '10m' })).toThrow('device 7')
  await miner.stop()
})

it('shows charts from before a restart of the program, with a gap', async () => {
  const historyFile = join(await temporaryFolder(), 'deep', 'history')
  const first = await startMiner({ historyFile })
  first.source.push(aJob(1))
  await settle()
  for (let second = 0; second < 5; second++) {
    first.engine.search.hashes += 700n
    first.clock.advance(1_000)
  }
  await first.miner.stop()

  const second = await startMiner({ historyFile })
  second.clock.advance(30_000)
  const { values, stepMs } = second.miner.history({ device: 0, series: 'hashrate', window: '10m' })

  expect(stepMs).toBe(1_000)
  expect(values).toHaveLength(600)
  expect(values.some((value) => value !== null && value > 600)).toBe(true)
  await second.miner.stop()
})

it('leaves nothing running after stop, and can be started again', async () => {
  const { miner, source, engine, clock } = await startMiner()
  source.push(aJob(1))
  await settle()

  await miner.stop()
  expect(clock.pending).toBe(0)
  expect(engine.searches.every((search) => search.closed)).toBe(true)
  expect(source.events.listenerCount('jobChanged')).toBe(0)
  await miner.start(new AbortController().signal)

  expect(miner.snapshot()).toMatchObject({ state: 'running', uptimeSeconds: 0 })
  await miner.stop()
})

it('registers every family of the mining API in order', async () => {
  const { miner, metrics } = await startMiner()

  expect([...metrics.families.keys()]).toEqual([
    'miner_info',
    'miner_uptime_seconds',
    'miner_hashrate',
    'miner_effective_hashrate',
    'miner_shares_total',
    'miner_gpu_paused',
    'miner_gpu_temperature_celsius',
    'miner_gpu_fan_percent',
    'miner_gpu_power_watts',
    'miner_gpu_power_limit_watts',
    'miner_gpu_clock_mhz',
    'miner_pool_connected',
    'miner_pool_difficulty_hashes',
    'miner_epoch',
    'miner_block_height',
    'miner_pool_switches_total',
    'miner_shares_lost_total',
  ])
  expect(metrics.families.get('miner_hashrate')?.()).toHaveLength(6)
  await miner.stop()
})

it('resumes a pause of the last run until its time is over', async () => {
  const folder = await temporaryFolder()
  const options = { pausesFile: join(folder, 'pauses.json') }
  const first = await startMiner(options)
  first.miner.pause(0, 600)
  const endsAt = first.miner.devices()[0]?.pauseEndsAt ?? 0
  await first.miner.stop()

  const second = await startMiner(options)
  expect(second.miner.devices()).toMatchObject([{ paused: true, pauseEndsAt: endsAt }])
  second.clock.advance(600_000)
  expect(second.miner.devices()).toMatchObject([{ paused: false, pauseEndsAt: null }])
  await second.miner.stop()
})

it('keeps a device paused for a day at most, whatever clock recorded the pause', async () => {
  const folder = await temporaryFolder()
  const options = { pausesFile: join(folder, 'pauses.json') }
  const first = await startMiner(options)
  first.miner.pause(0, 600)
  const endsAt = first.miner.devices()[0]?.pauseEndsAt ?? 0
  await first.miner.stop()
  const kept = await readFile(options.pausesFile, 'utf8')
  await writeFile(options.pausesFile, kept.replace(String(endsAt), String(endsAt + 20 * 86_400_000)))

  const second = await startMiner(options)
  expect(second.miner.devices()).toMatchObject([{ paused: true, pauseEndsAt: second.clock.now() + 86_400_000 }])
  await second.miner.stop()
})

it('keeps its stored pauses when a new one is requested while stopped', async () => {
  const folder = await temporaryFolder()
  const options = { pausesFile: join(folder, 'pauses.json') }
  const { miner } = await startMiner(options)
  miner.pause(0, 600)
  await miner.stop()
  const kept = await readFile(options.pausesFile, 'utf8')
  miner.pause(null, 60)
  await miner.stop()

  expect(await readFile(options.pausesFile, 'utf8')).toBe(kept)
})

it("doesn't end a pause of a device that is gone by then", async () => {
  const { miner, source, clock } = await startMiner()
  const stopped = source.stop.bind(source)
  // A request while the miner stops.
  source.stop = async () => {
    miner.pause(0, 60)
    await stopped()
  }
  await miner.stop()

  expect(() => clock.advance(60_000)).not.toThrow()
})

it('forgets a stored pause that is lifted, and starts without a corrupt one', async () => {
  const folder = await temporaryFolder()
  const options = { pausesFile: join(folder, 'pauses.json') }
  const first = await startMiner(options)
  first.miner.pause(0, 600)
  first.miner.resume(0)
  await first.miner.stop()
  expect(await readFile(options.pausesFile, 'utf8')).toBe('{"pauses":{}}')

  await writeFile(options.pausesFile, '[broken')
  const second = await startMiner(options)
  expect(second.miner.devices()).toMatchObject([{ paused: false }])
  await second.miner.stop()
})

it('reports omitted devices', async () => {
  const { miner, source } = await startMiner({ simulatedGpus: 2, select: (found) => found.slice(0, 1) })
  source.push(aJob(1))
  await settle()

  const { devices, excluded, missing } = miner.inventory()

  expect(devices).toHaveLength(1)
  expect(devices[0]).toMatchObject({ epoch: aJob(1).epoch })
  expect(excluded.map(({ backend }) => backend)).toEqual(['simulated', 'simulated'])
  expect(missing).toEqual([])
  await miner.stop()
})
