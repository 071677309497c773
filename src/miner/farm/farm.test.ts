import { expect, it, vi } from 'vitest'
import { defineErrors } from '../../base/errors'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import type { SettledShare } from '../stats/snapshot'
import { FakeEngine } from '../testing/fake-engine'
import { aJob } from '../testing/fake-work-source'
import type { Share } from '../work-source'
import { CpuBackend } from './backends/cpu-backend'
import type { DeviceBackend } from './device-backend'
import { Farm } from './farm'

const Memory = defineErrors({ DEVICE_OUT_OF_MEMORY: () => 'dataset needs 9 bytes, 5 are free' })

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

async function startFarm(engines: readonly FakeEngine[] = [new FakeEngine()], further: readonly DeviceBackend[] = []) {
  const engine = engines[0] ?? new FakeEngine()
  const shares: Share[] = []
  const settled: SettledShare[] = []
  const backends = engines.map((each, i) => new CpuBackend({ name: `cpu ${i}`, threads: 1, sensors: null }, each))
  const farm = new Farm(
    { segmentBits: 20 },
    {
      backends: [...backends, ...further],
      engine,
      submit: async (share) => {
        shares.push(share)
        return { kind: 'accepted', latencyMs: 1 }
      },
      clock: new FakeClock(),
      log: silentLogger,
      random: () => 0n,
    },
  )
  farm.events.on('shareSettled', (share) => void settled.push(share))
  await farm.start(new AbortController().signal)
  return { farm, engine, engines, shares, settled }
}

it("gives devices segments that don't overlap", async () => {
  const { farm, engines } = await startFarm([new FakeEngine(), new FakeEngine(), new FakeEngine()])

  farm.setJob(aJob(1))
  await settle()

  expect(engines.map(({ search }) => search.job?.startNonce)).toEqual([0n, 2n ** 20n, 2n ** 21n])
  await farm.stop()
})

it('gives the next free segment when one is used up', async () => {
  const { farm, engines } = await startFarm([new FakeEngine(), new FakeEngine()])
  farm.setJob(aJob(1))
  await settle()
  const search = engines[0]?.search
  const first = search?.job?.token ?? 0

  search?.options.onSegmentDone?.(first)
  search?.options.onSegmentDone?.(first) // late and duplicate: ignored

  expect(search?.jobs.map(({ startNonce }) => startNonce)).toEqual([0n, 2n * 2n ** 20n])
  await farm.stop()
})

it('waits for the next job when no nonces are left', async () => {
  const { farm, engine } = await startFarm()
  const extranonce = { bits: 56, prefix: 5n } // leaves 256 nonces: one segment
  farm.setJob(aJob(1, { extranonce }))
  await settle()
  expect(engine.search.job).toMatchObject({ startNonce: 0x500n, segmentBits: 8 })

  engine.search.options.onSegmentDone?.(engine.search.job?.token ?? 0)
  const idle = farm.slots[0]?.state
  farm.setJob(aJob(2, { extranonce }))

  expect(idle).toBe('waiting')
  expect(farm.slots[0]?.state).toBe('mining')
  expect(engine.search.jobs).toHaveLength(2)
  await farm.stop()
})

it('never searches a nonce twice when a pause interrupts a job', async () => {
  const { farm, engine } = await startFarm()
  farm.setJob(aJob(1))
  await settle()

  farm.pause(0, 'Api request')
  farm.resume(0, 'Api request')

  expect(engine.search.jobs.map(({ startNonce }) => startNonce)).toEqual([0n, 2n ** 20n])
  await farm.stop()
})

it("doesn't disturb devices when the same work arrives under another name", async () => {
  const { farm, engine, shares } = await startFarm()
  farm.setJob(aJob(1))
  await settle()

  farm.setJob(aJob(1, { jobId: 'renamed' }))
  engine.search.find(3n)
  await settle()

  expect(engine.search.jobs).toHaveLength(1)
  expect(shares).toMatchObject([{ job: { jobId: 'renamed' }, replaced: false }])
  await farm.stop()
})

it('replaces the job at once and starts each header at the first nonce', async () => {
  const { farm, engine } = await startFarm()
  farm.setJob(aJob(1))
  await settle()

  farm.setJob(aJob(2))

  expect(engine.search.job).toMatchObject({ sealHash: aJob(2).sealHash, startNonce: 0n })
  expect(engine.searches).toHaveLength(1)
  await farm.stop()
})

it('counts a wrong solution as failed and never sends it', async () => {
  const { farm, engine, shares, settled } = await startFarm()
  engine.hash = () => 255
  farm.setJob(aJob(1, { target: new Uint8Array(32).fill(0, 0, 31).fill(9, 31) }))
  await settle()
  // the top 64 bits are equal here, so that only a wrong top can fail
  engine.hashLight = async () => ({ mixDigest: new Uint8Array(32), result: new Uint8Array(32).fill(1) })

  engine.search.find(1n)
  await settle()

  expect(shares).toEqual([])
  expect(settled).toMatchObject([{ outcome: 'failed', device: 0, ownDifficulty: null }])
  await farm.stop()
})

it('drops a borderline solution silently: equal top 64 bits, larger rest', async () => {
  const { farm, engine, shares, settled } = await startFarm()
  engine.hash = () => 10
  farm.setJob(aJob(1, { bound: 9 }))
  await settle()

  engine.search.find(1n)
  await settle()

  expect([shares, settled]).toEqual([[], []])
  await farm.stop()
})

it('drops the same nonce for the same header', async () => {
  const { farm, engine, shares } = await startFarm()
  farm.setJob(aJob(1))
  await settle()

  engine.search.find(7n)
  engine.search.find(7n)
  farm.setJob(aJob(1, { bound: 200 }))
  engine.search.find(7n)
  await settle()

  expect(shares).toHaveLength(1)
  await farm.stop()
})

it('says of a late solution whether a clean job has replaced its own', async () => {
  const { farm, engine, shares } = await startFarm()
  farm.setJob(aJob(1))
  await settle()
  const old = engine.search.job?.token ?? 0

  farm.setJob(aJob(2, { cleanJobs: false }))
  engine.search.find(1n, old)
  await settle()
  farm.setJob(aJob(3))
  engine.search.find(2n, old)
  await settle()

  expect(shares.map(({ replaced, job }) => [job.jobId, replaced])).toEqual([
    ['job-1', false],
    ['job-1', true],
  ])
  await farm.stop()
})

it('ignores a token that was never issued', async () => {
  const { farm, engine, shares } = await startFarm()
  farm.setJob(aJob(1))
  await settle()

  engine.search.find(1n, 999)
  await settle()

  expect(shares).toEqual([])
  await farm.stop()
})

it('rebuilds for a new epoch, stops the old search first, and frees its dataset', async () => {
  const { farm, engine } = await startFarm()
  farm.setJob(aJob(1))
  await settle()

  farm.setJob(aJob(2, { epoch: 1 }))
  expect(farm.slots[0]?.state).toBe('building')
  await settle()

  expect(engine.released).toEqual([0])
  expect(engine.searches.map(({ closed }) => closed)).toEqual([true, false])
  expect(engine.search).toMatchObject({ dataset: { epoch: 1 }, job: { sealHash: aJob(2).sealHash } })
  await farm.stop()
})

it("shows the progress of a build and drops a build that isn't needed anymore", async () => {
  const { farm, engine } = await startFarm()
  engine.instantBuilds = false
  farm.setJob(aJob(1))
  await settle()
  engine.builds[0]?.options.onProgress?.(0.25)
  expect(farm.slots[0]?.progress).toBe(0.25)

  farm.setJob(aJob(2, { epoch: 1 }))
  await settle()

  expect(engine.builds.map(({ epoch, options }) => [epoch, options.signal?.aborted])).toEqual([
    [0, true],
    [1, false],
  ])
  engine.builds[1]?.finish()
  await settle()
  expect(farm.slots[0]?.state).toBe('mining')
  await farm.stop()
})

it('stops a build on pause and restarts it on resume', async () => {
  const { farm, engine } = await startFarm()
  engine.instantBuilds = false
  farm.setJob(aJob(1))
  await settle()

  farm.pause(null, 'Api request')
  expect(farm.slots[0]).toMatchObject({ state: 'paused', progress: null })
  await settle()
  expect(engine.builds[0]?.options.signal?.aborted).toBe(true)
  farm.resume(null, 'Api request')
  await settle()

  expect(engine.builds).toHaveLength(2)
  await farm.stop()
})

it('contains a failing device and tries it again at the next epoch', async () => {
  const [good, bad] = [new FakeEngine(), new FakeEngine()]
  const { farm } = await startFarm([good, bad])
  bad.instantBuilds = false
  farm.setJob(aJob(1))
  await settle()

  bad.builds[0]?.fail(new Error('driver gone'))
  await settle()
  expect(farm.slots[0]?.state).toBe('mining')
  expect(farm.slots[1]).toMatchObject({
    state: 'error',
    error: 'driver gone',
    pauseReasons: ['Epoch initialization error'],
  })
  farm.resume(1, 'Api request') // cannot lift it
  expect(farm.slots[1]?.state).toBe('error')
  bad.instantBuilds = true
  farm.setJob(aJob(2, { epoch: 1 }))
  await settle()

  expect(farm.slots[1]).toMatchObject({ state: 'mining', error: '', pauseReasons: [] })
  await farm.stop()
})

it('reports missing memory, and a restart tries again', async () => {
  const { farm, engine } = await startFarm()
  engine.instantBuilds = false
  farm.setJob(aJob(1))
  await settle()
  engine.builds[0]?.fail(new Memory('DEVICE_OUT_OF_MEMORY', undefined))
  await settle()
  expect(farm.slots[0]?.pauseReasons).toEqual(['Insufficient GPU memory'])

  engine.instantBuilds = true
  farm.restart()
  await settle()

  expect(farm.slots[0]?.state).toBe('mining')
  await farm.stop()
})

it("continues without a backend that can't list its devices", async () => {
  const broken: DeviceBackend = {
    kind: 'opencl',
    detect: async () => {
      throw new Error('no driver')
    },
  }

  const { farm } = await startFarm([new FakeEngine()], [broken])

  expect(farm.slots).toHaveLength(1)
  await farm.stop()
})

it('waits, not paused, while there is no work', async () => {
  const { farm, engine } = await startFarm()
  farm.setJob(aJob(1))
  await settle()

  farm.setJob(null)

  expect(farm.slots[0]).toMatchObject({ state: 'waiting', pauseReasons: [] })
  expect(engine.search.job).toBeNull()
  await farm.stop()
})

it("builds the next epoch's cache ahead, once, near the boundary", async () => {
  const { farm, engine } = await startFarm()

  farm.setJob(aJob(1, { height: 683 }))
  await settle()
  expect(engine.prepared).not.toContain(1)
  farm.setJob(aJob(2, { height: 684 }))
  farm.setJob(aJob(3, { height: 685 }))
  await settle()

  expect(engine.prepared.filter((epoch) => epoch === 1)).toHaveLength(1)
  await farm.stop()
})

it('drops what a device finds after stop', async () => {
  const { farm, engine, shares } = await startFarm()
  farm.setJob(aJob(1))
  await settle()
  const { search } = engine
  const token = search.job?.token ?? 0

  await farm.stop()
  search.find(1n, token)
  await settle()

  expect(shares).toEqual([])
  expect(search.closed).toBe(true)
})

it('checks at most as many solutions at once as its queue holds', async () => {
  const { farm, engine, shares } = await startFarm()
  farm.setJob(aJob(1))
  await settle()

  for (let nonce = 0n; nonce < 1_000n; nonce++) engine.search.find(nonce)
  await vi.waitFor(() => expect(shares.length).toBeGreaterThan(200), { timeout: 240_000 })
  await settle()

  expect(shares.length).toBeLessThan(300)
  await farm.stop()
})
