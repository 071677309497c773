import { expect, it } from 'vitest'
import { availableMemory } from './host-memory'

it('counts what Linux would give back', () => {
  const text = 'MemTotal:       24683240 kB\nMemFree:          100000 kB\nMemAvailable:   24190976 kB\n'

  expect(availableMemory(() => text)).toBe(24_190_976 * 1_024)
})

it('uses the idle memory if the system reports no more', () => {
  expect(availableMemory(() => null)).toBeGreaterThan(0)
  expect(availableMemory(() => 'MemTotal: 5 kB\n')).toBeGreaterThan(0)
})
