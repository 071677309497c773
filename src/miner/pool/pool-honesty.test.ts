import { expect, it } from 'vitest'
import { PoolHonesty } from './pool-honesty'

const POOL = 'a.example:1'
/** 1,000 hashes per block. */
const DIFFICULTY = 1_000n
const BLOCK = (2n ** 256n - 1n) / DIFFICULTY
const share = (sealHash: string, result: bigint, height = 5) => ({ pool: POOL, sealHash, result, height })

function chainTo(honesty: PoolHonesty, head: number): boolean {
  for (let number = 1; number <= head; number++) honesty.heightReached(number, DIFFICULTY)
  return honesty.settle(head)
}

it('counts a share that was a block and appeared', () => {
  const honesty = new PoolHonesty()
  honesty.shareFound(share('aa', BLOCK))
  honesty.heightReached(5, DIFFICULTY)
  honesty.blockSeen('aa', POOL)
  honesty.blockSeen('aa', POOL) // the branch came back

  expect(chainTo(honesty, 100)).toBe(false)
  expect(honesty.of(POOL)).toEqual({ won: 1, appeared: 1, missing: 0 })
  expect(honesty.warning(POOL)).toBe('')
})

it('counts a block as appeared if it was on the chain before the pool answered its share', () => {
  const honesty = new PoolHonesty()
  honesty.heightReached(5, DIFFICULTY)
  honesty.blockSeen('aa', POOL)
  honesty.shareFound(share('aa', BLOCK))

  expect(chainTo(honesty, 100)).toBe(false)
  expect(honesty.of(POOL)).toEqual({ won: 1, appeared: 1, missing: 0 })
})

it('misses a block ten blocks later, not earlier, and reports it for its pool only', () => {
  const honesty = new PoolHonesty()
  honesty.shareFound(share('aa', BLOCK))

  expect(chainTo(honesty, 14)).toBe(false)
  expect(chainTo(honesty, 15)).toBe(true)
  expect(chainTo(honesty, 16)).toBe(false)
  expect(honesty.of(POOL)).toEqual({ won: 0, appeared: 0, missing: 1 })
  expect(honesty.warning(POOL)).toContain('A share of yours was a block, but it did not appear')
  expect(honesty.warning('b.example:1')).toBe('')
})

it('misses nothing for a mere share, or at a height whose difficulty is unknown', () => {
  const honesty = new PoolHonesty()
  honesty.shareFound(share('aa', BLOCK + 1n))
  honesty.shareFound(share('bb', 0n, 5_000))

  expect(chainTo(honesty, 100)).toBe(false)
  expect(honesty.settle(6_000)).toBe(false)
  expect(honesty.of(POOL).missing).toBe(0)
})

it('makes no claim after unobserved blocks', () => {
  const honesty = new PoolHonesty()
  honesty.shareFound(share('aa', 0n))
  honesty.blinded()

  expect(chainTo(honesty, 100)).toBe(false)
})

it('counts blocks that others found at the pool as won, without ours', () => {
  const honesty = new PoolHonesty()
  honesty.shareFound(share('aa', BLOCK * 2n))
  honesty.heightReached(5, DIFFICULTY)
  honesty.blockSeen('aa', POOL)
  honesty.blockSeen('cc', null)

  expect(honesty.counts()).toEqual({ [POOL]: { won: 1, appeared: 0, missing: 0 } })
})

it("continues with an earlier run's counts, and reports how many of how many", () => {
  const honesty = new PoolHonesty({ [POOL]: { won: 7, appeared: 2, missing: 1 } })
  honesty.shareFound(share('aa', 0n))
  chainTo(honesty, 100)

  expect(honesty.of(POOL)).toEqual({ won: 7, appeared: 2, missing: 2 })
  expect(honesty.warning(POOL)).toMatch(/^2 of 4 shares of yours that were blocks did not appear/)
})

it.each([
  [0, 0, false],
  [0, 1, true],
  [18, 1, true],
  [19, 1, false],
  [37, 2, true],
])('with %i blocks that appeared and %i that did not warns: %s', (appeared, missing, warns) => {
  const honesty = new PoolHonesty({ [POOL]: { won: 0, appeared, missing } })

  expect(honesty.warning(POOL) !== '').toBe(warns)
})

it('stays within its bounds whatever comes', () => {
  const honesty = new PoolHonesty()
  for (let i = 0; i < 5_000; i++) {
    honesty.shareFound({ pool: `p${i}`, sealHash: `s${i}`, result: 0n, height: i })
    honesty.heightReached(i, 1n)
    honesty.blockSeen(`s${i}`, null)
  }
  expect(Object.keys(honesty.counts())).toHaveLength(256)
})
