import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../base/testing/fake-clock'
import { type HeadJob, JobLag } from './job-lag'

const job = (height: number | null, change: Partial<HeadJob> = {}): HeadJob => ({
  height,
  epoch: 0,
  cleanJobs: true,
  ...change,
})

function scene() {
  const clock = new FakeClock()
  const watch = new JobLag(720, clock)
  return { clock, watch }
}

describe('a pool that reports heights', () => {
  it('is on the head when it searches the next block, and the delay of its jobs is measured', () => {
    const { clock, watch } = scene()
    watch.headIs(99, true)
    watch.jobCame(job(100))
    for (const delayMs of [100, 300, 200]) {
      clock.advance(10_000)
      const height = (watch.state().head?.height ?? 0) + 1
      watch.headCame(height, true)
      clock.advance(delayMs)
      watch.jobCame(job(height + 1))
    }

    expect(watch.state()).toMatchObject({ state: 'on', delays: { count: 3, p50Ms: 200, p95Ms: 300, lastMs: 200 } })
  })

  it("is behind since a head arrived that its job doesn't build on", () => {
    const { clock, watch } = scene()
    watch.headIs(99, true)
    watch.jobCame(job(100))
    clock.advance(5_000)
    watch.headCame(100, true)
    const came = clock.now()
    clock.advance(7_000)
    watch.headCame(101, true)

    expect(watch.state()).toMatchObject({ state: 'behind', since: came })
  })

  it('was first if its job came before our node had the block', () => {
    const { clock, watch } = scene()
    watch.headIs(99, true)
    watch.jobCame(job(100))
    watch.jobCame(job(101))
    clock.advance(400)
    watch.headCame(100, true)

    expect(watch.state()).toMatchObject({ state: 'on', delays: { lastMs: -400 } })
  })

  it('far above our head says that our node is the one behind', () => {
    const { watch } = scene()
    watch.headIs(99, true)
    watch.jobCame(job(103))

    expect(watch.state().state).toBe('ahead')
  })
})

describe('a pool that reports no heights', () => {
  it('is judged by the time of its next clean job', () => {
    const { clock, watch } = scene()
    watch.headIs(99, true)
    watch.jobCame(job(null))
    expect(watch.state()).toMatchObject({ state: 'unknown', why: 'noHeadYet' })
    clock.advance(60_000)
    watch.headCame(100, true)
    const came = clock.now()
    clock.advance(100)
    watch.jobCame(job(null, { cleanJobs: false }))
    expect(watch.state()).toMatchObject({ state: 'behind', since: came })
    clock.advance(150)
    watch.jobCame(job(null))

    expect(watch.state()).toMatchObject({ state: 'on', delays: { count: 1, lastMs: 250 } })
  })

  it('may have answered slightly before the head, but not long before', () => {
    const { clock, watch } = scene()
    watch.headIs(99, true)
    watch.jobCame(job(null))
    clock.advance(2_000)
    watch.headCame(100, true)
    expect(watch.state()).toMatchObject({ state: 'on', delays: { lastMs: -2_000 } })
    watch.jobCame(job(null))
    clock.advance(31_000)
    watch.headCame(101, true)

    expect(watch.state().state).toBe('behind')
  })
})

it('is unknown without a node, while its head is old, and without work', () => {
  const { clock, watch } = scene()
  const began = clock.now()
  expect(watch.state()).toMatchObject({ state: 'noJob', since: began, delays: null })
  watch.jobCame(job(100))
  expect(watch.state()).toMatchObject({ state: 'unknown', why: 'noNode' })
  watch.headCame(40, false)
  expect(watch.state()).toMatchObject({ state: 'unknown', why: 'oldHead', delays: null })
  clock.advance(1_000)
  watch.jobCame(null)

  expect(watch.state()).toMatchObject({ state: 'noJob', since: began + 1_000 })
})

it('starts over with another pool', () => {
  const { clock, watch } = scene()
  watch.headIs(99, true)
  watch.headCame(100, true)
  clock.advance(10)
  watch.jobCame(job(101))
  watch.forget()
  watch.jobCame(job(null))

  expect(watch.state()).toMatchObject({ state: 'unknown', why: 'noHeadYet', delays: null })
})
