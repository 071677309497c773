import { expect, it } from 'vitest'
import { PoolStats } from './pool-stats'

it('reports the median and the 95th percentile of the last answers', () => {
  const stats = new PoolStats()
  expect(stats.latency).toBeNull()
  for (let ms = 1; ms <= 100; ms++) stats.answered(ms)

  expect(stats.latency).toEqual({ count: 100, medianMs: 50, p95Ms: 95 })
  for (let i = 0; i < 128; i++) stats.answered(7)
  expect(stats.latency).toEqual({ count: 128, medianMs: 7, p95Ms: 7 })
})

it('counts the results of shares; an unsent share belongs to no pool', () => {
  const stats = new PoolStats()
  stats.settled({ kind: 'accepted', latencyMs: 1 })
  stats.settled({ kind: 'rejected', reason: 'stale', latencyMs: 1 })
  stats.settled({ kind: 'lost', reason: 'no answer' })
  stats.settled({ kind: 'stale' })

  expect(stats.shares).toEqual({ accepted: 1, rejected: 1, lost: 1 })
})
