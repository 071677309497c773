import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PAUSE_REASONS, PauseReasons } from './pause-reasons'

it('lists reasons in a fixed order, whatever order they came in', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([...PAUSE_REASONS]), (added) => {
      const reasons = new PauseReasons()
      for (const reason of added) reasons.add(reason)
      expect(reasons.list()).toEqual(PAUSE_REASONS.filter((reason) => added.includes(reason)))
    }),
  )
})

it('is paused until the last reason is lifted', () => {
  const reasons = new PauseReasons()
  reasons.add('Api request')
  reasons.add('Overheating')

  expect(reasons.remove('Api request')).toBe(true)
  expect(reasons.paused).toBe(true)
  expect(reasons.remove('Api request')).toBe(false)
  reasons.remove('Overheating')

  expect(reasons.paused).toBe(false)
})

it("uses the API's terms", () => {
  expect(PAUSE_REASONS.slice(0, 5).join('; ')).toBe(
    'Overheating; Api request; Farm suspended; Insufficient GPU memory; Epoch initialization error',
  )
})
