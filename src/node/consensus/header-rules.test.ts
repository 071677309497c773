// Every rule of a header at its limit: the last value that passes, and the first that doesn't.
import { describe, expect, it } from 'vitest'
import type { BlockHeader } from '../model/header'
import { plainHeader } from '../testing/test-header'
import { nextDifficulty } from './difficulty'
import {
  gasLimitFault,
  type HeaderContext,
  headerFault,
  MAXIMUM_GAS_LIMIT,
  medianTimePast,
  recentTimestamps,
  startsPeriod,
  stepGasLimit,
} from './header-rules'
import { MAIN_CONSENSUS, PRACTICE_CONSENSUS, TEST_CONSENSUS } from './params'

const NOW = 1_000_000n
/** A chain of 21 headers, ten minutes apart; the last one is an hour old. */
const chain: readonly BlockHeader[] = Array.from({ length: 21 }, (_row, index) =>
  plainHeader({
    number: BigInt(index),
    timestamp: NOW - 3_600n - BigInt(20 - index) * 600n,
    epochStartTime: 7n,
    difficulty: 500n,
    gasLimit: 1_024_000n,
  }),
)
const parent = chain[20] ?? plainHeader()
const child: BlockHeader = { ...parent, number: 21n, timestamp: NOW }
const context: HeaderContext = {
  params: MAIN_CONSENSUS,
  parent,
  ancestor: (_from, number) => chain[Number(number)] ?? null,
  nowSeconds: NOW,
}
const faultOf = (fields: Partial<BlockHeader>, more: Partial<HeaderContext> = {}) =>
  headerFault({ ...child, ...fields }, { ...context, ...more })

describe('a header that follows its parent', () => {
  it('keeps all rules', () => {
    expect(faultOf({})).toBeNull()
  })

  it('has a known parent', () => {
    expect(faultOf({}, { parent: null })).toBe('unknown ancestor')
  })

  it.each<[string, Partial<BlockHeader>, string | null]>([
    ['32 bytes of extra data', { extraData: new Uint8Array(32) }, null],
    ['33 bytes of extra data', { extraData: new Uint8Array(33) }, 'extra-data too long: 33 > 32'],
    ['a time 300 s ahead', { timestamp: NOW + 300n }, null],
    ['a time 301 s ahead', { timestamp: NOW + 301n }, 'block in the future'],
    ['a second after the median of eleven', { timestamp: NOW - 3_600n - 3_000n + 1n }, null],
    ['the median of eleven', { timestamp: NOW - 3_600n - 3_000n }, 'timestamp older than parent'],
    ['another start of its period', { epochStartTime: 8n }, 'epoch anchor propagation mismatch: parent 7, header 8'],
    ['a lower difficulty', { difficulty: 499n }, 'invalid difficulty: have 499, want 500, height 21'],
    ['a higher difficulty', { difficulty: 501n }, 'invalid difficulty: have 501, want 500, height 21'],
    ['all its gas used', { gasUsed: 1_024_000n }, null],
    ['more gas used than its limit', { gasUsed: 1_024_001n }, 'invalid gasUsed: have 1024001, gasLimit 1024000'],
    ['a base fee', { baseFeePerGas: 0n }, "invalid baseFee before fork: have 0, expected 'nil'"],
    ['a gas limit one step up', { gasLimit: 1_024_999n }, null],
    ['a gas limit over one step', { gasLimit: 1_025_000n }, 'invalid gas limit: have 1025000, want 1024000 +-= 999'],
    ['a gas limit one step down', { gasLimit: 1_023_001n }, null],
    ['a gas limit under one step', { gasLimit: 1_023_000n }, 'invalid gas limit: have 1023000, want 1024000 +-= 999'],
    ['a gap in the numbers', { number: 22n }, 'invalid block number'],
    ['the number of its parent', { number: 20n }, 'invalid block number'],
  ])('with %s', (_name, fields, fault) => {
    expect(faultOf(fields)).toBe(fault)
  })

  it('has at most the largest 63-bit gas limit', () => {
    const above = { ...parent, gasLimit: MAXIMUM_GAS_LIMIT }
    expect(MAXIMUM_GAS_LIMIT).toBe(9_223_372_036_854_775_807n)
    expect(faultOf({ gasLimit: MAXIMUM_GAS_LIMIT }, { parent: above })).toBeNull()
    expect(faultOf({ gasLimit: MAXIMUM_GAS_LIMIT + 1n }, { parent: above })).toBe(
      'invalid gasLimit: have 9223372036854775808, max 9223372036854775807',
    )
  })

  it('starts its period with its own time, and only there', () => {
    const params = { ...MAIN_CONSENSUS, retargetIntervalBlocks: 21 }
    // 500 x 4: the parent's period began at second 7, far longer ago than four times its span.
    expect(faultOf({ epochStartTime: NOW, difficulty: 125n }, { params })).toBeNull()
    expect(faultOf({ epochStartTime: NOW - 1n, difficulty: 125n }, { params })).toBe(
      `epoch anchor mismatch: want ${NOW}, have ${NOW - 1n}`,
    )
    expect(faultOf({ epochStartTime: NOW }, { params: { ...params, retargetIntervalBlocks: 20 } })).toBe(
      `epoch anchor propagation mismatch: parent 7, header ${NOW}`,
    )
  })

  it("can't be judged without the ancestors that its difficulty needs", () => {
    const params = { ...MAIN_CONSENSUS, asertActivationHeight: 10 }
    const without =
      (missing: bigint): HeaderContext['ancestor'] =>
      (_from, number) =>
        number === missing ? null : (chain[Number(number)] ?? null)
    expect(faultOf({}, { params, ancestor: without(9n) })).toBe('unknown ancestor')
    expect(faultOf({}, { params, ancestor: without(8n) })).toBe('unknown ancestor')
  })

  it("reports the first broken rule, in prlx's order", () => {
    const broken: Partial<BlockHeader> = {
      extraData: new Uint8Array(33),
      timestamp: NOW + 301n,
      epochStartTime: 8n,
      difficulty: 1n,
      gasUsed: 1_024_001n,
      number: 22n,
    }
    expect(faultOf(broken)).toMatch(/^extra-data/)
    expect(faultOf({ ...broken, extraData: child.extraData })).toBe('block in the future')
    expect(faultOf({ ...broken, extraData: child.extraData, timestamp: NOW })).toMatch(/^epoch anchor/)
  })
})

describe('the times for the median', () => {
  it('are those of the parent and ten ancestors, each on its own branch', () => {
    const seen: bigint[] = []
    const times = recentTimestamps(parent, (from, number) => {
      expect(from).toBe(parent)
      seen.push(number)
      return context.ancestor(from, number)
    })
    expect(times).toEqual(
      chain
        .slice(10)
        .map(({ timestamp }) => timestamp)
        .reverse(),
    )
    expect(seen).toEqual([19n, 18n, 17n, 16n, 15n, 14n, 13n, 12n, 11n, 10n])
  })

  it('end at genesis, and at an unknown ancestor', () => {
    const third = chain[2] ?? parent
    expect(recentTimestamps(third, context.ancestor)).toHaveLength(3)
    expect(
      recentTimestamps(third, (_from, number) => (number < 0n ? parent : (chain[Number(number)] ?? null))),
    ).toHaveLength(3)
    expect(
      recentTimestamps(parent, (_from, number) => (number > 17n ? context.ancestor(parent, number) : null)),
    ).toHaveLength(3)
  })

  it('are ordered numerically, not as text, whatever order they come in', () => {
    expect(medianTimePast([1000n, 9n, 20n])).toBe(20n)
    expect(medianTimePast([3n, 3n, 1n, 2n, 3n])).toBe(3n)
    expect(medianTimePast([5n, 4n, 3n, 2n, 1n])).toBe(3n)
  })
})

describe('a retarget period', () => {
  it('begins at multiples of the interval, and never without one', () => {
    expect([0n, 1n, 2015n, 2016n, 2017n, 4032n].map((number) => startsPeriod(MAIN_CONSENSUS, number))).toEqual([
      true,
      false,
      false,
      true,
      false,
      true,
    ])
    expect(startsPeriod({ ...MAIN_CONSENSUS, retargetIntervalBlocks: 0 }, 2016n)).toBe(false)
  })
})

describe('special rules of the test network', () => {
  it('are the chain id, and no ASERT', () => {
    expect(TEST_CONSENSUS).toEqual({ ...MAIN_CONSENSUS, chainId: 2111n, asertActivationHeight: null })
  })
})

describe('the gas limit of a new block', () => {
  it.each([
    [6_000_000n, 1n, 5_994_142n, 'falls by one step however low the goal'],
    [5_003n, 1n, 5_000n, 'never falls below the lowest one that is allowed'],
    [1_024_000n, 1_024_000n, 1_024_000n, 'stays at its goal'],
    [1_024_000n, 1_024_999n, 1_024_999n, 'reaches a goal that is one step up'],
    [1_024_000n, 1_025_000n, 1_024_999n, 'takes no more than one step up'],
    [1_024_000n, 1_023_001n, 1_023_001n, 'reaches a goal that is one step down'],
    [1_024_000n, 1_023_000n, 1_023_001n, 'takes no more than one step down'],
  ])('from %d towards %d is %d: it %s', (from, desired, next, _why) => {
    expect(stepGasLimit(from, desired)).toBe(next)
    expect(gasLimitFault(from, next)).toBeNull()
  })

  it('is at least 5,000, even within a step', () => {
    expect(gasLimitFault(5_002n, 5_000n)).toBeNull()
    expect(gasLimitFault(5_002n, 4_999n)).toBe('invalid gas limit below 5000')
  })
})

describe('the difficulty on a network that may sleep', () => {
  it('counts the longest time between two blocks in full, and caps longer ones', () => {
    const rows = (seconds: bigint) => [
      plainHeader({ number: 0n, timestamp: 0n, difficulty: 1_000_000n }),
      plainHeader({ number: 1n, timestamp: seconds, difficulty: 1_000_000n }),
    ]
    const nextAfter = (seconds: bigint) => {
      const two = rows(seconds)
      return nextDifficulty(PRACTICE_CONSENSUS, two[1] ?? parent, (_from, number) => two[Number(number)] ?? null)
    }
    expect(nextAfter(60n)).toBe(nextAfter(61n))
    expect(nextAfter(59n)).not.toBe(nextAfter(60n))
  })
})
