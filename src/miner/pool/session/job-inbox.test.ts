import { expect, it } from 'vitest'
import { silentLogger } from '../../../base/logger'
import { FakeClock } from '../../../base/testing/fake-clock'
import { JobInbox } from './job-inbox'
import { type JobFields, JobMaker, SeedEpochs } from './job-maker'

function setUp() {
  const clock = new FakeClock()
  const jobs: number[] = []
  const ends: string[] = []
  const said: string[] = []
  const maker = new JobMaker(new SeedEpochs(async () => undefined), () => new Uint8Array(32))
  const inbox = new JobInbox(
    { jobs: maker, log: silentLogger, say: (text) => said.push(text), clock },
    { job: ({ epoch }) => jobs.push(epoch), misfit: () => undefined, giveUp: (reason) => ends.push(reason) },
  )
  let id = 0
  /** Jobs that come in one piece. */
  const take = async (...changes: Partial<JobFields>[]): Promise<void> => {
    const target = new Uint8Array(32).fill(1)
    const work = { sealHash: '11'.repeat(32), seed: { epoch: 0 }, target, height: null, extranonce: null }
    for (const change of changes) inbox.take({ jobId: String(++id), ...work, cleanJobs: true, ...change })
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { clock, jobs, ends, said, take }
}

it('leaves a pool that jumps between epochs, since each costs a cache and a dataset', async () => {
  const { clock, jobs, ends, take } = setUp()
  for (let epoch = 1; epoch <= 8; epoch++) await take({ seed: { epoch } })
  expect([jobs, ends]).toEqual([[1, 2, 3, 4, 5, 6, 7, 8], []])

  clock.advance(60_000)
  for (let epoch = 11; epoch <= 18; epoch++) await take({ seed: { epoch } })
  expect(ends).toEqual([])
  await take({ seed: { epoch: 19 } })
  expect(ends).toEqual(['over 8 changes of the epoch within a minute'])
  expect(jobs).not.toContain(19)
})

it('leaves a pool after ten unusable jobs in a row; a usable one restarts the count', async () => {
  const { ends, said, take } = setUp()
  for (let times = 0; times < 9; times++) await take({ target: null })
  await take({})
  for (let times = 0; times < 9; times++) await take({ sealHash: 7 })
  expect([ends, said.length]).toEqual([[], 18])

  await take({ target: null })
  expect(ends).toEqual([expect.stringContaining('10 jobs in a row')])
})

it('keeps the job before an unusable one, though both came together', async () => {
  const { jobs, said, take } = setUp()
  await take({ seed: { epoch: 1 } }, { target: null })
  expect([jobs, said.length]).toEqual([[1], 1])
})

it('works on the last of several jobs that came together, and on none of those before', async () => {
  const { jobs, take } = setUp()
  await take({ seed: { epoch: 1 } }, { target: null }, { seed: { epoch: 2 } }, { seed: { epoch: 3 } })
  expect(jobs).toEqual([3])
})
