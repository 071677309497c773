import { expect, it } from 'vitest'
import { looksLike } from '../../base/language/lookalike'
import { RecipientHistory } from './recipient-history'

const KNOWN = `0x12345678${'00'.repeat(12)}9abcdef0`
/** So many digits of the known address at the front, and at the end. */
const like = (front: number, end: number): string =>
  `0x${KNOWN.slice(2, 2 + front)}${'f'.repeat(40 - front - end)}${end === 0 ? '' : KNOWN.slice(-end)}`

it.each([
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((front): [number, number] => [front, 8 - front]),
  [3, 8],
  [8, 3],
  [20, 0],
  [0, 20],
  [20, 19],
])('takes an address with %d and %d equal digits for another', (front, end) => {
  const history = new RecipientHistory()
  history.add(KNOWN, 1)

  expect(looksLike(like(front, end), KNOWN)).toBe(true)
  expect(history.lookalikeOf(like(front, end))).toBe(KNOWN)
})

it.each([
  [0, 0],
  [4, 3],
  [3, 4],
  [7, 0],
  [0, 7],
])('but not one with %d and %d', (front, end) => {
  const history = new RecipientHistory()
  history.add(KNOWN, 1)

  expect(looksLike(like(front, end), KNOWN)).toBe(false)
  expect(history.lookalikeOf(like(front, end))).toBeNull()
})

it('nor the address itself', () => {
  expect(looksLike(KNOWN, KNOWN)).toBe(false)
})
