import { expect, it } from 'vitest'
import { systemClock } from '../../base/time'
import { firstMatch } from './first-match'

const clock = systemClock()

it('finds the first text anywhere, ignoring case', async () => {
  expect(await firstMatch(clock, 'B.C', ['abd', 'xb-cx', 'b.c'])).toBe(1)
  expect(await firstMatch(clock, '^$', ['a'])).toBe(-1)
  expect(await firstMatch(clock, '(?<=a)b', ['b', 'ab'])).toBe(1)
})

it('recognizes an invalid expression', async () => {
  expect(await firstMatch(clock, '(', [''])).toBeNull()
  expect(await firstMatch(clock, '*', [''])).toBeNull()
})

it('aborts one that takes too long, without blocking the caller', async () => {
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 5)

  expect(await firstMatch(clock, '(a+)+$', [`${'a'.repeat(60)}b`])).toBeNull()

  clearInterval(timer)
  expect(turns).toBeGreaterThan(5)
})
