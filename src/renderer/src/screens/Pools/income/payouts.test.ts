import { describe, expect, it } from 'vitest'
import type { TransactionRowView } from '../../../../../contract/node'
import type { EarningsRowView } from '../../../../../contract/pools'
import { aBlock, hashOf, OTHER_ADDRESS, OWN_ADDRESS } from '../../../testing/scripted-values'
import { type PayoutInput, payoutsOf } from './Payouts'

const LAX = 10n ** 18n
const NOW = 1_700_000_000_000
const TEN_MINUTES = 600_000
const POOL = '0x1111111111111111111111111111111111111111'

/** A day of blocks, every seventh found by the pool. */
const blocks = Array.from({ length: 144 }, (_, age) =>
  aBlock(1_000 - age, { time: NOW - age * TEN_MINUTES, miner: age % 7 === 0 ? POOL : OTHER_ADDRESS }),
)

const aTransfer = (blockNumber: number, lax: bigint, change: Partial<TransactionRowView> = {}): TransactionRowView => ({
  hash: hashOf('a'),
  from: POOL,
  to: OWN_ADDRESS,
  value: String(lax * LAX),
  nonce: '0',
  gasPrice: '1',
  gasUsed: 21_000,
  succeeded: true,
  blockNumber,
  input: '0x',
  ...change,
})

const aRow = (change: Partial<EarningsRowView> = {}): EarningsRowView => ({
  pool: 'pool.example:1',
  shares: 400,
  rejected: 1,
  work: 4e12,
  pricedWork: 4e12,
  expected: String(10n * LAX),
  hashes: 4.1e12,
  expectedShares: 410,
  computed: '0',
  ...change,
})

const given = (change: Partial<PayoutInput> = {}): PayoutInput => ({
  kind: 'pools',
  address: OWN_ADDRESS,
  blocks,
  transactions: [],
  earnings: { from: 0, firstAt: NOW - 40 * 86_400_000, rows: [aRow()] },
  coinbases: [],
  now: NOW,
  ...change,
})

describe('payouts of a pool', () => {
  it("are transfers to the address within the window, compared with the shares' value", () => {
    const transactions = [
      aTransfer(990, 5n),
      aTransfer(950, 4n),
      aTransfer(700, 9n),
      aTransfer(980, 9n, { succeeded: false }),
      aTransfer(981, 9n, { from: OWN_ADDRESS }),
      aTransfer(982, 9n, { to: OTHER_ADDRESS }),
    ]

    const found = payoutsOf(given({ transactions }))

    expect(found).toMatchObject({ received: 9n * LAX, transfers: 2, lastAt: NOW - 10 * TEN_MINUTES, shares: 400 })
    expect(found?.expected).toBe(10n * LAX)
    expect(Number(found?.expectedPerDay) / 1e18).toBeCloseTo(10.07, 2)
  })

  it("lie in a range given by the payers' blocks", () => {
    const found = payoutsOf(given({ transactions: [aTransfer(990, 9n)] }))

    expect(found).toMatchObject({ mean: 21, verdict: 'within' })
    expect(Number(found?.band?.low) / 1e18).toBeCloseTo(6.2, 1)
    expect(Number(found?.band?.high) / 1e18).toBeCloseTo(14.3, 1)
  })

  it.each([
    [1n, 'below'],
    [20n, 'above'],
  ])('of %d LAX are %s the expected range', (lax, verdict) => {
    expect(payoutsOf(given({ transactions: [aTransfer(990, lax)] }))?.verdict).toBe(verdict)
  })

  it('can be judged before the first one by the coinbase that the miner recognized', () => {
    expect(payoutsOf(given({ coinbases: [POOL] }))).toMatchObject({ received: 0n, mean: 21, verdict: 'below' })
  })

  it("can't be judged by a range that begins at nothing, except above it", () => {
    const judged = (lax: bigint) => {
      const recent = blocks.map((block, age) => (age === 42 ? block : { ...block, miner: OTHER_ADDRESS }))
      return payoutsOf(given({ blocks: recent, transactions: [aTransfer(990, lax)], coinbases: [POOL] }))
    }

    expect(judged(1n)).toMatchObject({ mean: 1, band: { low: 0n }, verdict: 'unknown' })
    expect(judged(90n)).toMatchObject({ verdict: 'above' })
  })

  it("can't be judged if nobody knows which blocks are the pool’s", () => {
    expect(payoutsOf(given())).toMatchObject({ mean: null, band: null, verdict: 'unknown' })
  })

  it('are searched only since the share records begin', () => {
    const firstAt = NOW - 2 * TEN_MINUTES
    const transactions = [aTransfer(999, 1n), aTransfer(990, 5n)]

    const found = payoutsOf(given({ transactions, earnings: { from: 0, firstAt, rows: [aRow()] } }))

    expect(found).toMatchObject({ from: firstAt, received: LAX, transfers: 1 })
  })

  it.each([
    [1n, 'below'],
    [9n, 'unknown'],
    [20n, 'unknown'],
  ])('of which a part has no price: %d LAX are %s', (lax, verdict) => {
    const rows = [aRow({ pricedWork: 2e12 })]

    expect(
      payoutsOf(given({ transactions: [aTransfer(990, lax)], earnings: { from: 0, firstAt: 0, rows } }))?.verdict,
    ).toBe(verdict)
  })

  it('say how much of the work has no price', () => {
    const rows = [aRow({ pricedWork: 1e12 }), aRow({ pool: '', hashes: 9 })]

    expect(payoutsOf(given({ earnings: { from: 0, firstAt: 0, rows } }))?.pricedPart).toBe(0.25)
  })

  it('are empty if nothing was mined', () => {
    expect(payoutsOf(given({ earnings: { from: 0, firstAt: null, rows: [] } }))).toBeNull()
    expect(payoutsOf(given({ earnings: { from: 0, firstAt: 0, rows: [aRow({ pool: '' })] } }))).toBeNull()
  })
})

it('from our own node are its blocks, expected by the computed hashes', () => {
  const own = blocks.map((block, age) => (age % 29 === 0 ? { ...block, miner: OWN_ADDRESS } : block))

  const found = payoutsOf(
    given({
      kind: 'solo',
      blocks: own,
      earnings: {
        from: 0,
        firstAt: 0,
        rows: [aRow({ pool: '', hashes: 4e12, shares: 5, expectedShares: 4, computed: String(200n * LAX) })],
      },
    }),
  )

  expect(found).toMatchObject({ foundBlocks: 5, found: 250n * LAX, expected: 200n * LAX, mean: 4, verdict: 'within' })
})

it('from our own node are never below the expectation while every block was ours', () => {
  const own = blocks.map((block) => ({ ...block, miner: OWN_ADDRESS }))
  const row = aRow({ pool: '', shares: 144, expectedShares: 400, computed: String(20_000n * LAX) })

  const found = payoutsOf(given({ kind: 'solo', blocks: own, earnings: { from: 0, firstAt: 0, rows: [row] } }))

  expect(found).toMatchObject({ foundBlocks: 144, mean: 144, expected: 7_200n * LAX, verdict: 'within' })
})

it('from our own node are expected by each hash at the difficulty of its time', () => {
  // The difficulty has doubled since: at the present one, half as many would be expected.
  const row = aRow({ pool: '', hashes: 40e12, expectedShares: 40, computed: String(2_000n * LAX) })
  const own = blocks.map((block, age) => (age < 38 ? { ...block, miner: OWN_ADDRESS } : block))

  const found = payoutsOf(given({ kind: 'solo', blocks: own, earnings: { from: 0, firstAt: 0, rows: [row] } }))

  expect(found).toMatchObject({ expected: 2_000n * LAX, mean: 40, verdict: 'within' })
})

it.each([0.66, 1, 1.5, 2, 3])("from our own node can't be judged by none found with %d expected", (mean) => {
  const row = aRow({ pool: '', shares: 0, expectedShares: mean, computed: String(50n * LAX) })

  const found = payoutsOf(given({ kind: 'solo', earnings: { from: 0, firstAt: 0, rows: [row] } }))

  expect(found).toMatchObject({ foundBlocks: 0, band: { low: 0n }, verdict: 'unknown' })
})
