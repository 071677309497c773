// A miner on its own node that gets a pool while it runs, and loses it again.
import { afterEach, expect, it } from 'vitest'
import { PoolsOrSolo } from '../../src/miner/pool/pools-or-solo'
import { aJob, FakeWorkSource } from '../../src/miner/testing/fake-work-source'
import type { Job, Share, WorkSourceState } from '../../src/miner/work-source'
import { judge, makeRig, poolUrl, until } from './pool-harness'
import { SimulatedPool } from './pool-sim/pool'

const open: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.stop()
})

async function aScene() {
  const pool = new SimulatedPool({ flavour: 'stratum', difficulty: 2, verify: false }, judge)
  await pool.start()
  const rig = makeRig([], { mayBeEmpty: true, retryDelayMs: 20 })
  const solo = new FakeWorkSource()
  const source = new PoolsOrSolo({ list: rig.source, pools: rig.source, solo })
  const jobs: (Job | null)[] = []
  const states: WorkSourceState[] = []
  source.events.on('jobChanged', (job) => jobs.push(job))
  source.events.on('stateChanged', (state) => states.push(state))
  open.push(pool, source)
  await source.start(new AbortController().signal)
  solo.push(aJob(1))
  const give = (): void => rig.source.add(poolUrl(`stratum+tcp://u.rig:x@127.0.0.1:${pool.port}`))
  const shareOf = (job: Job | null | undefined): Share => {
    if (!job) throw new Error('no job')
    return { job, nonce: 1n, mixDigest: new Uint8Array(32), result: new Uint8Array(32), replaced: false }
  }
  return { pool, rig, solo, source, jobs, states, give, shareOf }
}

it('mines for the pool as soon as it is listed, and for the node again when it is removed', async () => {
  const { rig, source, jobs, give, pool } = await aScene()
  expect(jobs.at(-1)?.pool).toBeUndefined()
  give()
  expect(jobs.at(-1)).toBeNull()
  await until('work of the pool', () => jobs.at(-1)?.pool === `127.0.0.1:${pool.port}`)
  expect(source.state()).toMatchObject({ kind: 'pool', connected: true })

  rig.source.remove(0)

  expect(source.state().kind).toBe('solo')
  expect(jobs.at(-1)?.pool).toBeUndefined()
  expect(jobs.at(-1)).not.toBeNull()
  give()
  await until('work of the pool again', () => jobs.at(-1)?.pool !== undefined && pool.connections === 2)
})

it('sends each share to the pool that gave its job', async () => {
  const { jobs, give, pool, solo, source, shareOf } = await aScene()
  const own = shareOf(jobs.at(-1))
  give()
  await until('work of the pool', () => jobs.at(-1)?.pool !== undefined)
  const { signal } = new AbortController()

  expect((await source.submit(own, signal)).kind).toBe('accepted')
  expect((await source.submit(shareOf(jobs.at(-1)), signal)).kind).toBe('accepted')
  expect([solo.shares.length, pool.counts.accepted]).toEqual([1, 1])
})

it("removes a pool that it can't reach", async () => {
  const { rig, source, jobs, give, pool } = await aScene()
  pool.faults = { closeOnConnect: true }
  give()
  await until('an attempt', () => pool.connections > 0)
  rig.source.remove(0)
  const { connections } = pool

  expect(source.state().kind).toBe('solo')
  expect(jobs.at(-1)).not.toBeNull()
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(pool.connections - connections).toBeLessThanOrEqual(1)
})
