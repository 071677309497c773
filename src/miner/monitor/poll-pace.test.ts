import { expect, it } from 'vitest'
import { firstLook, hasManyRigs, lookInterval } from './poll-pace'

it('polls as often as asked, up to 400 times a second', () => {
  expect([1, 512, 2_000, 2_001, 10_000].map((rigs) => lookInterval(5_000, rigs))).toEqual([
    5_000, 5_000, 5_000, 5_003, 25_000,
  ])
})

it('starts with few rigs at once, and with many in turn', () => {
  expect([firstLook(511, 512), hasManyRigs(512)]).toEqual([0, false])
  const starts = Array.from({ length: 10_000 }, (_, index) => firstLook(index, 10_000))
  const inSecond = (second: number) => starts.filter((ms) => Math.floor(ms / 1_000) === second).length
  const busiest = Math.max(...Array.from({ length: 25 }, (_, second) => inSecond(second)))
  expect([starts[0], starts.at(-1), busiest]).toEqual([0, 24_997, 400])
})
