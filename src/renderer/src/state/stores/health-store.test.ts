// Health for all that show it: told when something in it changes, and as it is at any time.
import { describe, expect, it, vi } from 'vitest'
import { FakeClock } from '../../../../base/testing/fake-clock'
import { aGpu, aHead, anInfo, aStatus } from '../../testing/scripted-values'
import { createTicker } from '../ticker'
import { createHealthStore } from './health-store'
import { createAppStore, createMinerStore, createNodeStore, createOperationStore } from './program-store'
import { createSignerStore } from './signer-store'

function scene() {
  const clock = new FakeClock()
  const app = createAppStore({ kind: 'open' })
  const miner = createMinerStore()
  const node = createNodeStore()
  const operation = createOperationStore()
  const ticker = createTicker(clock)
  const health = createHealthStore({ app, miner, node, signer: createSignerStore(), operation, ticker })
  const read = (state: 'mining' | 'error'): void => {
    const takenAt = clock.now()
    miner.setState({ devices: { devices: [aGpu(0, { state, error: 'lost', takenAt })], takenAt } })
    miner.setState({ status: aStatus({ takenAt, lastProof: { at: takenAt, device: 0 } }) })
  }
  app.setState({ info: anInfo() })
  node.setState({ head: aHead({ takenAt: clock.now() }) })
  read('mining')
  return { clock, health, read }
}

describe('health', () => {
  it('is told when it changes, not at each reading and each second', () => {
    const { clock, health, read } = scene()
    const before = health.getState()
    const told = vi.fn()
    const stop = health.subscribe(told)
    for (let second = 0; second < 5; second++) {
      clock.advance(1_000)
      read('mining')
    }
    expect(told).not.toHaveBeenCalled()
    expect(health.getState()).toBe(before)

    read('error')
    expect(told).toHaveBeenCalledTimes(1)
    expect(health.getState()).toMatchObject({ summary: 'problem', findings: [{ id: 'health.gpu-error' }] })
    clock.advance(1_000)
    read('error')
    expect(told).toHaveBeenCalledTimes(1)

    stop()
    read('mining')
    expect(told).toHaveBeenCalledTimes(1)
    expect(health.getState().summary).toBe('ok')
    expect(clock.pending).toBe(0)
  })

  it('is also told when only time passes: here once a minute, since a finding says for how many', () => {
    const { clock, health } = scene()
    const told = vi.fn()
    health.subscribe(told)
    clock.advance(3 * 3_600_000)
    expect(told.mock.lastCall?.[0]).toMatchObject({
      summary: 'attention',
      findings: [{ id: 'health.stale-head', values: { minutes: 180 } }],
    })
    told.mockClear()

    clock.advance(600_000)

    expect(told).toHaveBeenCalledTimes(10)
  })
})
