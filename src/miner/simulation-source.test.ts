import { expect, it } from 'vitest'
import { XHASH_FULL } from '../xhash/params'
import { seedHash } from '../xhash/seed'
import { SimulationSource, simulatedJob } from './simulation-source'

it("gives one job of its block's epoch, which no nonce solves", async () => {
  const source = new SimulationSource(simulatedJob(1_500, XHASH_FULL, new Uint8Array(32).fill(9)))
  const jobs: unknown[] = []
  source.events.on('jobChanged', (job) => jobs.push(job))

  await source.start()

  expect(jobs).toMatchObject([{ epoch: 2, height: 1_500, seedHash: seedHash(2), difficulty: 2n ** 255n }])
  expect(source.state()).toMatchObject({ kind: 'none', connected: true, host: '', url: '' })
  expect(source.state().warning).toContain('simulation')
  await source.stop()
  expect(source.state().connected).toBe(false)
})

it('counts nothing that is found', async () => {
  const job = simulatedJob(0, XHASH_FULL, new Uint8Array(32))
  const source = new SimulationSource(job)
  const share = { job, nonce: 1n, mixDigest: new Uint8Array(32), result: new Uint8Array(32), replaced: false }

  expect(await source.submit(share)).toEqual({ kind: 'stale' })
})
