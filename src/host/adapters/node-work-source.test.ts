import { describe, expect, it } from 'vitest'
import { Emitter } from '../../base/events'
import { FakeClock } from '../../base/testing/fake-clock'
import type { Job, Share } from '../../miner/work-source'
import type { ChainWork, NodeEvents, SealOutcome } from '../../node/node-service'
import { NodeWorkSource } from './node-work-source'

const workAt = (height: number, fill: number): ChainWork => ({
  sealHash: new Uint8Array(32).fill(fill),
  seedHash: new Uint8Array(32),
  epoch: 0,
  target: new Uint8Array(32).fill(0xff).fill(0, 0, 2),
  height,
  difficulty: 65_536n,
})

class FakeNode {
  readonly events = new Emitter<NodeEvents>()
  readonly submitted: bigint[] = []
  work: ChainWork | null = null
  answer: SealOutcome = 'accepted'

  currentWork(): ChainWork | null {
    return this.work
  }

  async submitWork({ nonce }: { readonly nonce: bigint }): Promise<SealOutcome> {
    this.submitted.push(nonce)
    return this.answer
  }
}

function started(node = new FakeNode()) {
  const source = new NodeWorkSource({ node, clock: new FakeClock() })
  const jobs: (Job | null)[] = []
  source.events.on('jobChanged', (job) => jobs.push(job))
  return { node, source, jobs }
}

const shareOf = (job: Job | null | undefined, replaced = false): Share => {
  if (job === null || job === undefined) throw new Error('there is no job')
  return { job, nonce: 5n, mixDigest: new Uint8Array(32), result: new Uint8Array(32), replaced }
}

describe('our own node as a source of work', () => {
  it('gives the current work at startup and each new one', async () => {
    const { node, source, jobs } = started()
    node.work = workAt(7, 1)

    await source.start()
    node.events.emit('workChanged', workAt(8, 2))

    expect(jobs.map((job) => job?.height)).toEqual([7, 8])
    expect(jobs[0]).toMatchObject({ jobId: '0101010101010101', difficulty: 65_536n, extranonce: null })
    expect(source.state()).toMatchObject({ kind: 'solo', connected: true, host: 'local:0', url: 'solo://local' })
  })

  it('keeps earlier shares of the same height worth sending', async () => {
    const { node, source, jobs } = started()
    node.work = workAt(7, 1)

    await source.start()
    node.events.emit('workChanged', workAt(7, 2))
    node.events.emit('workChanged', workAt(8, 3))

    expect(jobs.map((job) => job?.cleanJobs)).toEqual([true, false, true])
  })

  it("turns the node's answer into a verdict", async () => {
    const { node, source, jobs } = started()
    node.work = workAt(7, 1)
    await source.start()

    expect(await source.submit(shareOf(jobs[0]))).toEqual({ kind: 'accepted', latencyMs: 0 })
    node.events.emit('workChanged', workAt(8, 2))
    node.answer = 'rejected'
    expect(await source.submit(shareOf(jobs[1]))).toMatchObject({ kind: 'rejected' })
    node.answer = 'stale'
    expect(await source.submit(shareOf(jobs[1]))).toEqual({ kind: 'stale' })
  })

  it('sends no share after the one that made the block, until there is a new template', async () => {
    const { node, source, jobs } = started()
    node.work = workAt(7, 1)
    await source.start()

    const together = await Promise.all(Array.from({ length: 100 }, () => source.submit(shareOf(jobs[0]))))
    const later = await source.submit(shareOf(jobs[0]))

    expect(node.submitted).toHaveLength(1)
    expect([...together.slice(1), later].every(({ kind }) => kind === 'stale')).toBe(true)
    node.events.emit('workChanged', workAt(7, 2)) // as after a rollback: only the node knows
    expect(await source.submit(shareOf(jobs[1]))).toMatchObject({ kind: 'accepted' })
    expect(node.submitted).toHaveLength(2)
  })

  it('sends the next share when the one before was rejected', async () => {
    const { node, source, jobs } = started()
    node.work = workAt(7, 1)
    node.answer = 'rejected'
    await source.start()

    await Promise.all([source.submit(shareOf(jobs[0])), source.submit(shareOf(jobs[0]))])

    expect(node.submitted).toHaveLength(2)
  })

  it("doesn't send a share whose job was replaced", async () => {
    const { node, source, jobs } = started()
    node.work = workAt(7, 1)
    await source.start()

    expect(await source.submit(shareOf(jobs[0], true))).toEqual({ kind: 'stale' })
    expect(node.submitted).toEqual([])
  })

  it('has no work while the chain worker is lost, and has work again afterwards', async () => {
    const { node, source, jobs } = started()
    node.work = workAt(7, 1)
    await source.start()

    node.events.emit('lost', { reason: 'died' })
    const between = source.state().connected
    node.events.emit('workChanged', workAt(7, 1))

    expect(between).toBe(false)
    expect(jobs.map((job) => job?.height ?? null)).toEqual([7, null, 7])
    expect(jobs[2]?.cleanJobs).toBe(true) // the new worker knows none of the earlier templates
  })

  it('has no work while the node is stopped', async () => {
    const { node, source, jobs } = started()
    node.work = workAt(7, 1)
    await source.start()

    node.events.emit('stopped', null)

    expect(source.state().connected).toBe(false)
    expect(jobs.map((job) => job?.height ?? null)).toEqual([7, null])
  })

  it('listens to nothing after a stop', async () => {
    const { node, source } = started()
    await source.start()

    await source.stop()

    const events = ['workChanged', 'lost', 'stopped'] as const
    expect(events.map((event) => node.events.listenerCount(event))).toEqual([0, 0, 0])
  })
})
