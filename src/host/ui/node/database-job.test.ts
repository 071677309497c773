// The chain database check as the window sees it: progress, its results, and the node around it.
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../../base/testing/fake-clock'
import type { CareOutcome, StageOptions, VerifyReport } from '../../node/chain-database'
import { DatabaseJob } from './node-control-handlers'

const report: VerifyReport = {
  head: 9,
  blocks: 10,
  transactions: 3,
  accounts: 4,
  slots: 0,
  nodes: 6,
  seals: false,
  complete: true,
  faults: 0,
  damage: [],
}
const settle = () => new Promise((resolve) => setImmediate(resolve))

/** `care` waits until the test ends it; the node runs the work immediately. */
function setUp() {
  const clock = new FakeClock()
  const state = {
    options: null as StageOptions | null,
    end: (_outcome: CareOutcome | Error): void => undefined,
    stop: new AbortController(),
  }
  const database = {
    care: (options: StageOptions) =>
      new Promise<CareOutcome>((resolve, reject) => {
        state.options = options
        state.end = (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome))
        options.signal.addEventListener('abort', () => resolve({ kind: 'stopped', report }))
      }),
  }
  const node = {
    whileStopped: async (work: (signal: AbortSignal) => Promise<void>) => void work(state.stop.signal),
  }
  return { clock, state, job: new DatabaseJob({ database, node, clock }) }
}

describe('a check of the database', () => {
  it('reports its progress, at most four times a second within a step', async () => {
    const { clock, state, job } = setUp()
    await job.start()
    let changes = 0
    job.events.on('changed', () => changes++)
    const say = (fraction: number, stage: 'blocks' | 'state' = 'blocks') =>
      state.options?.onProgress({ stage, fraction, block: 1, blocks: 100 * fraction })

    say(0.1)
    expect(job.job()).toMatchObject({ state: 'running', stage: 'blocks', share: 0.1, blocks: 10 })
    say(0.2)
    expect(changes).toBe(1)
    clock.advance(250)
    say(0.3)
    expect(job.job()).toMatchObject({ share: 0.3, blocks: 30 })
    say(0.5, 'state')
    expect(job.job()).toMatchObject({ stage: 'state', share: 0.5, blocks: 30 })
  })

  it.each(['whole', 'mended', 'damaged'] as const)('ends as %s', async (kind) => {
    const { state, job } = setUp()
    await job.start()
    const damage = Array.from(
      { length: 7 },
      (_, at) => ({ kind: 'index', where: `block ${at}`, reason: 'is gone' }) as const,
    )
    state.end({ kind, report: { ...report, faults: 7, damage } })
    await settle()

    const { state: end, blocks, faults, damage: named } = job.job() ?? {}
    expect({ end, blocks, faults }).toEqual({ end: kind, blocks: 10, faults: 7 })
    expect(named).toHaveLength(5)
    expect(named?.[0]).toBe('block 0: is gone')
  })

  it('says why it failed', async () => {
    const { state, job } = setUp()
    await job.start()
    state.end(new Error('the disk is full'))
    await settle()

    expect(job.job()).toMatchObject({ state: 'failed', error: 'the disk is full' })
  })

  it('runs once at a time, and can be canceled by the user and by the end of the program', async () => {
    for (const end of ['user', 'program'] as const) {
      const { state, job } = setUp()
      await job.start()
      await expect(job.start()).rejects.toMatchObject({ code: 'HOST_DB_CHECK_RUNS' })
      if (end === 'user') job.cancel()
      else state.stop.abort()
      await settle()
      expect(job.job()?.state, end).toBe('cancelled')
    }
  })

  it("fails if the node doesn't stop", async () => {
    const { clock } = setUp()
    const node = {
      whileStopped: async () => {
        throw new Error('its worker is gone')
      },
    }
    const job = new DatabaseJob({ database: { care: () => Promise.reject(new Error('not asked')) }, node, clock })

    await expect(job.start()).rejects.toThrow('its worker is gone')
    expect(job.job()).toMatchObject({ state: 'failed', error: 'its worker is gone' })
  })
})
