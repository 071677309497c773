import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { chosen } from './network-parts'

const ALL = Array.from({ length: 20 }, (_, index) => index)

it('picks the given number of different ones, or all there are', () => {
  const some = chosen(ALL, 4, randomBytes)

  expect(new Set(some).size).toBe(4)
  expect([...chosen(ALL, 30, randomBytes)].sort((a, b) => a - b)).toEqual(ALL)
  expect(chosen([], 3, randomBytes)).toEqual([])
})

it('follows chance', () => {
  const fixed = (length: number): Uint8Array => new Uint8Array(length).fill(0xff)

  expect(chosen(ALL, 2, fixed)).toEqual([15, 5]) // 2^32 - 1 of 20, then of the 19 that are left
  expect(chosen(ALL, 2, (length) => new Uint8Array(length))).toEqual([0, 1])
})
