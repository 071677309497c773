import { expect, it } from 'vitest'
import { HashrateMeter, sumHashrates } from './hashrate-meter'

/** Feeds one reading per second; `rates[i]` is the work of second i. */
function feed(meter: HashrateMeter, rates: readonly number[], from = 0): void {
  let count = BigInt(Math.round(rates.slice(0, from).reduce((a, b) => a + b, 0)))
  rates.slice(from).forEach((rate, i) => {
    count += BigInt(rate)
    meter.sample((from + i + 1) * 1_000, count)
  })
}

it('divides by the time since the start until a window is full', () => {
  const meter = new HashrateMeter()
  meter.begin(0)

  feed(meter, [100, 100, 100])

  expect(meter.rate).toEqual({ now: 100, s60: 100, m15: 100 })
})

it('has windows of 10 s, 60 s and 15 min', () => {
  const meter = new HashrateMeter()
  meter.begin(0)

  feed(meter, [...Array<number>(900).fill(100), ...Array<number>(10).fill(700)])

  expect(meter.rate.now).toBe(700)
  expect(meter.rate.s60).toBe((50 * 100 + 10 * 700) / 60)
  expect(meter.rate.m15).toBe((890 * 100 + 10 * 700) / 900)
})

it('counts idle time as time without hashes', () => {
  const meter = new HashrateMeter()
  meter.begin(0)

  feed(meter, [...Array<number>(30).fill(100), ...Array<number>(30).fill(0)])

  expect(meter.rate).toEqual({ now: 0, s60: 50, m15: 50 })
})

it('reaches back to the last batch if batches are longer than 10 s, for 15 s at most', () => {
  const meter = new HashrateMeter()
  meter.begin(0)
  feed(meter, [1_200])

  for (let second = 2; second <= 13; second++) meter.sample(second * 1_000, 1_200n)
  expect(meter.rate.now).toBeCloseTo(1_200 / 13, 6)
  for (let second = 14; second <= 17; second++) meter.sample(second * 1_000, 1_200n)

  expect(meter.rate.now).toBe(0)
  expect(meter.rate.s60).toBeGreaterThan(0)
})

it('is 0 before anything was mined', () => {
  const meter = new HashrateMeter()
  meter.sample(5_000, 0n)

  expect(meter.rate).toEqual({ now: 0, s60: 0, m15: 0 })
})

it('drops what is older than 15 min', () => {
  const meter = new HashrateMeter()
  meter.begin(0)
  feed(meter, [9_000])

  for (let second = 2; second <= 1_000; second++) meter.sample(second * 1_000, 9_000n)

  expect(meter.rate).toEqual({ now: 0, s60: 0, m15: 0 })
})

it('sums window by window', () => {
  const one = { now: 1, s60: 2, m15: 3 }

  expect(sumHashrates([one, one])).toEqual({ now: 2, s60: 4, m15: 6 })
  expect(sumHashrates([])).toEqual({ now: 0, s60: 0, m15: 0 })
})
