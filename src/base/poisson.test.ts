import { describe, expect, it } from 'vitest'
import { poissonRange } from './poisson'

// Quantiles 0.025 and 0.975 from printed tables.
it.each([
  [0.01, 0, 0],
  [0.66, 0, 3],
  [1, 0, 3],
  [2, 0, 5],
  [3.6, 0, 8],
  [3.7, 1, 8],
  [4, 1, 8],
  [10, 4, 17],
  [30, 20, 41],
  [100, 81, 120],
  [1_000, 938, 1_062],
])('considers counts of mean %d from %d to %d usual', (mean, low, high) => {
  expect(poissonRange(mean)).toEqual({ low, high })
})

it('switches smoothly to the rule for large means', () => {
  const exact = poissonRange(1e6)
  const ruled = poissonRange(1e6 + 1)

  expect(Math.abs(exact.low - ruled.low)).toBeLessThan(5)
  expect(Math.abs(exact.high - ruled.high)).toBeLessThan(5)
})

/** xorshift32: the same runs each time. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return ((state >>> 0) + 0.5) / 2 ** 32
  }
}

/** Counts events of a given rate by the times between them. */
function poisson(mean: number, random: () => number): number {
  let [count, time] = [0, -Math.log(random())]
  while (time < mean) {
    count += 1
    time -= Math.log(random())
  }
  return count
}

/** P(count <= most), by its defining sum. */
function atMost(mean: number, most: number): number {
  let [chance, sum] = [Math.exp(-mean), 0]
  for (let count = 0; count <= most; count++) {
    sum += chance
    chance *= mean / (count + 1)
  }
  return sum
}

/** With three verdicts, one honest test in a thousand exceeds it. */
const CHI_SQUARE_LIMIT = 13.82

describe('over 10,000 runs of honest mining', () => {
  it.each([1, 1.5, 2, 4, 8, 30, 200])('with %d expected, low, normal and high come as often as they should', (mean) => {
    const random = generator(67_890)
    const { low, high } = poissonRange(mean)
    const seen = [0, 0, 0]
    for (let run = 0; run < 10_000; run++) {
      const count = poisson(mean, random)
      const verdict = count < low ? 0 : count > high ? 2 : 1
      seen[verdict] = (seen[verdict] ?? 0) + 1
    }
    const [below, above] = [atMost(mean, low - 1), 1 - atMost(mean, high)]
    const due = [below, 1 - below - above, above].map((chance) => 10_000 * chance)
    const chiSquare = due.reduce((sum, of, i) => (of === 0 ? sum : sum + ((seen[i] ?? 0) - of) ** 2 / of), 0)

    expect(below === 0 ? seen[0] : 0).toBe(0)
    expect(chiSquare).toBeLessThan(CHI_SQUARE_LIMIT)
    expect(below + above).toBeLessThanOrEqual(0.05)
  })

  it.each([0.66, 1, 1.5, 2, 4, 8, 30, 200])('with %d expected at most 5% are called unusual', (mean) => {
    const random = generator(12_345)
    let alarms = 0
    for (let run = 0; run < 10_000; run++) {
      const shares = poisson(mean, random)
      const { low, high } = poissonRange(mean)
      if (shares < low || shares > high) alarms += 1
    }

    // One standard deviation of the count of alarms itself is 22.
    expect(alarms).toBeLessThanOrEqual(500)
  })
})
