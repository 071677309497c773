// A chaos run does the same for the same seed, and everything in each run that is long enough. `npm run chaos` executes
// runs.
import { expect, it } from 'vitest'
import { chaosScript, eventName } from './script'

const MINUTE_MS = 60_000
const ofSeed = (seed: number, hasDisk = true) => chaosScript({ seed, lengthMs: 10 * MINUTE_MS, hasDisk })

it('is the same for the same seed, and different for another', () => {
  expect(ofSeed(7)).toEqual(ofSeed(7))
  expect(ofSeed(7).map(({ event }) => eventName(event))).not.toEqual(ofSeed(8).map(({ event }) => eventName(event)))
})

it('has every kind of event in ten minutes, in time order, and ends before the run', () => {
  const script = ofSeed(3)
  const kinds = new Set(script.map(({ event }) => event.kind))
  expect([...kinds].sort()).toEqual(
    [
      ...['clock', 'damage', 'disk full', 'disk low', 'kill', 'peer away', 'pool away'],
      ...['pool cut', 'pool mute', 'stop', 'suspend', 'worker'],
    ].sort(),
  )
  const times = script.map(({ atMs }) => atMs)
  expect(times).toEqual([...times].sort((a, b) => a - b))
  expect(Math.max(...times)).toBeLessThan(9.5 * MINUTE_MS)
})

it('fills no disk if none can be created', () => {
  expect(ofSeed(3, false).filter(({ event }) => event.kind.startsWith('disk'))).toEqual([])
})

it('changes the epoch repeatedly in a week, and spoils nothing', () => {
  const script = chaosScript({ seed: 3, lengthMs: 10 * MINUTE_MS, hasDisk: true, isWeek: true })
  const names = script.map(({ event }) => eventName(event))

  expect(names.filter((name) => name === 'epoch').length).toBeGreaterThan(15)
  expect(new Set(script.map(({ event }) => event.kind))).toEqual(
    new Set(['epoch', 'kill', 'stop', 'pool cut', 'peer away', 'suspend']),
  )
})
