import { expect, it } from 'vitest'
import type { MetricsRegistry, Sample } from '../base/metrics'
import { declareNodeMetrics } from './metrics'

it('leaves out what is not known: the target before the first sync', () => {
  const families = new Map<string, () => readonly Sample[]>()
  const registry: MetricsRegistry = {
    counter: () => ({ inc: () => undefined }),
    collect: ({ name }, read) => void families.set(name, read),
  }
  const nothing = () => null
  let target = 0
  declareNodeMetrics(registry, {
    head: nothing,
    counts: nothing,
    health: nothing,
    peers: nothing,
    sync: () => ({ isRunning: false, target }),
    measured: nothing,
    rpc: nothing,
    beside: nothing,
  })
  const read = (name: string) =>
    families
      .get(name)?.()
      .map(({ value }) => value)

  expect([read('node_syncing'), read('node_sync_target_number')]).toEqual([[0], []])
  target = 9
  expect(read('node_sync_target_number')).toEqual([9])
  for (const name of families.keys()) if (!name.startsWith('node_sync')) expect([name, read(name)]).toEqual([name, []])
})
