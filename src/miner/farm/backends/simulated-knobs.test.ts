// How settings affect a simulated card: by default 165 W at full speed, and never over its limit.
import { expect, it } from 'vitest'
import { SIMULATED_RANGES, SimulatedKnobs } from './simulated-knobs'

it('has its defaults until something is set', () => {
  const card = new SimulatedKnobs(2)

  expect([card.watts(0), card.watts(1), card.speed, card.limitWatts]).toEqual([18, 165, 1, 220])
  expect(card.clocks(1)).toEqual({ core: 1_680, memory: 7_000 })
  expect(card.clocks(0)).toEqual({ core: 210, memory: 405 })
})

it('keeps to its power limit with a slower core, and then loses speed', () => {
  const card = new SimulatedKnobs(0)
  card.set('power', 150)

  expect(card.watts(1)).toBeCloseTo(150)
  expect(card.clocks(1).core).toBeLessThan(1_710)
  expect(card.speed).toBe(1)
  card.set('power', SIMULATED_RANGES.power.least)
  expect(card.watts(1)).toBeLessThanOrEqual(SIMULATED_RANGES.power.least)
  expect(card.speed).toBeLessThan(0.9)
})

it('hashes more per joule with a slower core, as long as that feeds the memory', () => {
  const card = new SimulatedKnobs(0)
  const efficiency = (): number => card.speed / card.watts(1)
  const before = efficiency()
  card.set('coreClock', 1_300)

  expect(card.speed).toBe(1)
  expect(efficiency()).toBeGreaterThan(before * 1.1)
  const best = efficiency()
  card.set('coreClock', SIMULATED_RANGES.coreClock.least)
  expect(efficiency()).toBeLessThan(best)
})

it('follows the memory, and returns to its defaults when everything is reset', () => {
  const card = new SimulatedKnobs(0)
  card.set('memoryClock', 7_350)
  expect(card.speed).toBeCloseTo(1.05)
  card.set('memoryClock', null)

  expect([card.speed, card.watts(1)]).toEqual([1, 165])
})
