import { expect, it } from 'vitest'
import { ScanBudget } from './scan'

it('ends a scan after its time, and when the caller is gone', () => {
  let now = 0
  let isStopped = false
  const budget = new ScanBudget({ now: () => now, isStopped: () => isStopped })
  expect(budget.takeBlock()).toBe(true)
  now = 5_001
  expect(budget.takeBlock()).toBe(false)
  now = 0
  expect(budget.takeBlock()).toBe(true)
  isStopped = true
  expect(budget.takeBlock()).toBe(false)
})

it('ends a scan after a limited number of blocks', () => {
  const budget = new ScanBudget({ now: () => 0, isStopped: () => false })
  let count = 0
  while (budget.takeBlock()) count++
  expect(count).toBe(100_000)
})
