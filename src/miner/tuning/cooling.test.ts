import { expect, it } from 'vitest'
import { NO_READING, type SensorReading } from '../sensors/reading'
import type { CardKnobs, CardSettings } from './card-controls'
import { Cooling } from './cooling'

const range = { now: null, usual: null, allowed: true }
const KNOBS: CardKnobs = { fan: { ...range, least: 30, most: 100 }, coreClock: { ...range, least: 200, most: 2200 } }
const at = (core: number | null, fanPercent = 85): SensorReading => ({
  ...NO_READING,
  temperature: { ...NO_READING.temperature, core },
  fanPercent,
  clockMhz: { core: 1900, memory: null },
})

/** The settings after each sample, one per second; the card obeys. */
function settings(cooling: Cooling, celsius: readonly (number | null)[], knobs = KNOBS): CardSettings[] {
  let set: CardSettings = {}
  return celsius.map((core) => {
    const verdict = cooling.observe(at(core))
    const next = verdict === 'harder' ? cooling.harder(knobs, set, at(core)) : verdict && cooling.softer()
    set = { ...set, ...next }
    return set
  })
}
const seconds = (count: number, core: number | null): (number | null)[] => Array.from({ length: count }, () => core)

it('raises the fan first, then lowers clocks, and reverts both in reverse order', () => {
  const cooling = new Cooling(75)
  const hot = settings(cooling, seconds(25, 80))
  expect(hot[3]).toEqual({})
  expect([hot[4], hot[9], hot[14], hot[19]]).toEqual([
    { fan: 95 },
    { fan: 100 },
    { fan: 100, coreClock: 1800 },
    { fan: 100, coreClock: 1700 },
  ])
  const steps = settings(cooling, seconds(60 * 5, 60)).filter((_, index) => index % 60 === 59)
  expect(steps.at(-1)).toEqual({ coreClock: null, fan: null })
  expect(steps[0]).toEqual({ coreClock: 1700 })
})

it('ignores a moment of heat and unknown temperatures, and stops at the limits of its knobs', () => {
  expect(settings(new Cooling(75), [80, 80, 80, 80, 70, 80, 80, 80, 80]).at(-1)).toEqual({})
  expect(settings(new Cooling(75), seconds(100, null)).at(-1)).toEqual({})
  const fixed = { fan: { ...range, least: 30, most: 100, allowed: false } }
  expect(settings(new Cooling(75), seconds(50, 90), fixed).at(-1)).toEqual({})
  expect(settings(new Cooling(75), seconds(400, 90)).at(-1)).toEqual({ fan: 100, coreClock: 200 })
})

it('resets when another program sets the GPU', () => {
  const cooling = new Cooling(75)
  settings(cooling, seconds(5, 80))
  cooling.forget()
  expect(settings(cooling, seconds(300, 50)).at(-1)).toEqual({})
})
