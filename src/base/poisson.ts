// The range that holds a Poisson count 95% of the time, by exact quantiles: applying a confidence interval of the mean
// to counts would call "1 expected, 0 found" unusual, which happens in 37% of all cases. Pure.

/** Maximum probability of either tail. */
const TAIL = 0.025
/** Standard normal quantile of the same tail. */
const Z = 1.96
/** Above this mean, the sums get long, and the Wilson-Hilferty cube-root rule is accurate to a count in 10,000. */
const MAX_EXACT = 1e6
/** Standard deviations below the mean where summing starts: what is lower vanishes beside TAIL in a double. */
const FAR = 8

interface CountRange {
  /** smallest count that is not unusual */
  readonly low: number
  /** greatest count that is not unusual */
  readonly high: number
}

/** @param mean expected count, >= 0 */
export function poissonRange(mean: number): CountRange {
  if (mean <= 0) return { low: 0, high: 0 }
  if (mean > MAX_EXACT) return { low: Math.floor(wilsonHilferty(mean, -Z)), high: Math.ceil(wilsonHilferty(mean, Z)) }
  let count = Math.max(0, Math.floor(mean - FAR * Math.sqrt(mean)))
  let chance = Math.exp(count * Math.log(mean) - mean - logFactorial(count))
  let atMost = chance
  const next = (): void => {
    count += 1
    chance *= mean / count
    atMost += chance
  }
  // The smallest count with a cumulative probability above TAIL, and the smallest with at least 1 - TAIL.
  while (atMost <= TAIL) next()
  const low = count
  while (atMost < 1 - TAIL) next()
  return { low, high: count }
}

/** The probability of exactly `count` events with a mean of `mean`, without overflow. */
export function poissonPart(mean: number, count: number): number {
  let log = -mean
  for (let k = 1; k <= count; k++) log += Math.log(mean / k)
  return Math.exp(log)
}

function wilsonHilferty(mean: number, z: number): number {
  return mean * (1 - 1 / (9 * mean) + z / (3 * Math.sqrt(mean))) ** 3
}

/** ln n!, by Stirling's series where the product would be long. */
function logFactorial(n: number): number {
  if (n < 20) {
    let product = 1
    for (let k = 2; k <= n; k++) product *= k
    return Math.log(product)
  }
  const x = n + 1
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * x) - 1 / (360 * x ** 3)
}
