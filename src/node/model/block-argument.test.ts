import { expect, it } from 'vitest'
import { heightFromCaller, heightName } from './block-argument'

it.each([
  [0n, '0'],
  [2n ** 53n - 2n, '9007199254740990'],
  [2n ** 53n - 1n, '9007199254740991 or above'],
  [2n ** 53n, '9007199254740991 or above'],
  [2n ** 63n - 1n, '9007199254740991 or above'],
])('names height %s without naming another one', (asked, text) => {
  expect(heightName(heightFromCaller(asked))).toBe(text)
})
