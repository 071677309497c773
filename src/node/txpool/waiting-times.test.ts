import { describe, expect, it } from 'vitest'
import { CONFIRMED_SHARE, FEE_TARGETS, type FeeTarget, type WaitingPrice, WaitingTimes } from './fee-estimator'

const LAST_TARGET = 24

/** Pseudo-random numbers from 0 to 1; the same for the same seed. Source: mulberry32 */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Asked {
  readonly price: bigint
  readonly since: number
  /** The target whose estimate it pays; null: it belongs to the market. */
  readonly target: FeeTarget | null
}

interface Market {
  /** Transactions that fit in block `height`. */
  readonly room: (height: number, random: () => number) => number
  /** How many arrive before block `height`. */
  readonly demand: (height: number, random: () => number) => number
  readonly price: (random: () => number) => bigint
}

/** A market whose miners take what pays most; users of the estimate join it with one transaction per target and block. */
function simulate(market: Market, blocks: { readonly warm: number; readonly asked: number }, seed: number) {
  const random = randomOf(seed)
  const times = new WaitingTimes()
  const outcomes = new Map(FEE_TARGETS.map((target) => [target, { asked: 0, inTime: 0, paid: [] as number[] }]))
  let pool: Asked[] = []
  for (let height = 1; height <= blocks.warm + blocks.asked + LAST_TARGET; height++) {
    for (let i = market.demand(height, random); i > 0; i--)
      pool.push({ price: market.price(random), since: height - 1, target: null })
    if (height > blocks.warm && height <= blocks.warm + blocks.asked) {
      for (const { blocks: target, gasPrice } of times.estimates(waitingAt(pool, height - 1))) {
        const outcome = outcomes.get(target)
        if (gasPrice === null || outcome === undefined) continue
        outcome.asked++
        outcome.paid.push(Number(gasPrice))
        pool.push({ price: gasPrice, since: height - 1, target })
      }
    }
    pool.sort((a, b) => Number(b.price - a.price))
    times.fade(1)
    for (const { price, since, target } of pool.splice(0, market.room(height, random))) {
      const waited = height - since
      times.count(price, { kind: 'confirmed', blocks: waited })
      const outcome = target === null ? undefined : outcomes.get(target)
      if (outcome !== undefined && target !== null && waited <= target) outcome.inTime++
    }
    pool = pool.filter(({ since }) => height - since < 200)
  }
  return { times, outcomes, pool }
}

function* waitingAt(pool: readonly Asked[], height: number): Iterable<WaitingPrice> {
  for (const { price, since } of pool) yield { price, blocks: height - since }
}

/** As many as arrive, or blocks that are found, in a time in which `mean` are expected. */
function poisson(mean: number, random: () => number): number {
  const limit = Math.exp(-mean)
  let count = 0
  for (let product = random(); product > limit; product *= random()) count++
  return count
}

/** Prices around 5 gwei, from 0.3 to 90. */
const spread = (random: () => number): bigint =>
  BigInt(Math.round(5e9 * Math.exp(1.2 * (random() + random() + random() - 1.5))))

/** Ten-minute blocks: demand follows the time since the last block, which is anything from seconds to an hour. */
const gap = (random: () => number): number => -Math.log(1 - random())

const MARKETS: Readonly<Record<string, Market>> = {
  'blocks that are half full': {
    room: () => 60,
    demand: (_, random) => poisson(30 * gap(random), random),
    price: spread,
  },
  'more demand than room': { room: () => 25, demand: (_, random) => poisson(28 * gap(random), random), price: spread },
  'a tenth of the blocks empty': {
    room: (_, random) => (random() < 0.1 ? 0 : 40),
    demand: (_, random) => poisson(25 * gap(random), random),
    price: spread,
  },
}

describe('waiting times', () => {
  for (const [name, market] of Object.entries(MARKETS)) {
    it(`give prices that were really confirmed in time: ${name}`, () => {
      for (const seed of [1, 2, 3]) {
        const { outcomes } = simulate(market, { warm: 300, asked: 600 }, seed)
        for (const [target, { asked, inTime }] of outcomes) {
          expect.soft(asked, `seed ${seed}, ${target} blocks: known`).toBeGreaterThan(400)
          expect.soft(inTime / asked, `seed ${seed}, ${target} blocks: in time`).toBeGreaterThanOrEqual(CONFIRMED_SHARE)
        }
      }
    })
  }
})
