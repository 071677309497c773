import { expect, it } from 'vitest'
import { readNumber, readScaled } from './income/Calculator'

it.each([
  ['62.3 M', 62_300_000],
  ['62,3MH/s', 62_300_000],
  ['4.29 G', 4_290_000_000],
  ['71300', 71_300],
  ['1 h/s', 1],
  ['0', null],
  ['1 X', null],
  ['-1', null],
  ['1.2.3', null],
  ['62,300', null],
  ['1.000 M', null],
  ['', null],
])('reads %j as %j', (text, value) => {
  expect(readScaled(text)).toBe(value)
})

it.each([
  ['0,30', 0.3],
  [' 1.5 ', 1.5],
  ['100', null],
  ['1e3', null],
  ['1.000', null],
  ['1,000', null],
  ['', null],
])('reads %j up to 99 as %j', (text, value) => {
  expect(readNumber(text, 99)).toBe(value)
})
