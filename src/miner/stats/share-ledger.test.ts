import { expect, it } from 'vitest'
import { ShareLedger } from './share-ledger'
import type { SettledShare, ShareOutcome } from './snapshot'

const share = (outcome: ShareOutcome, device = 0, jobDifficulty = 1_000): SettledShare => ({
  at: 1,
  device,
  jobId: 'j',
  height: null,
  pool: '',
  jobDifficulty,
  ownDifficulty: null,
  outcome,
  reason: '',
  latencyMs: null,
  epoch: 0,
  nonce: 0n,
})

it('counts per device, and the totals are their sum', () => {
  const ledger = new ShareLedger()
  for (const outcome of ['accepted', 'accepted', 'rejected', 'failed', 'stale', 'lost'] as const) {
    ledger.record(share(outcome, 0), 0)
  }
  ledger.record(share('accepted', 1), 0)

  expect(ledger.counts(0)).toEqual({ accepted: 2, rejected: 2, failed: 1 })
  expect(ledger.counts(1)).toEqual({ accepted: 1, rejected: 0, failed: 0 })
  expect(ledger.counts(null)).toEqual({ accepted: 3, rejected: 2, failed: 1 })
  expect(ledger.outcomes(0)).toEqual({ accepted: 2, rejected: 1, failed: 1, stale: 1, lost: 1 })
  expect(ledger.lost).toBe(1)
})

it('gives no effective hashrate in the first two minutes', () => {
  const ledger = new ShareLedger()
  ledger.record(share('accepted'), 10_000)

  expect(ledger.effective(119_000, 119)).toBeNull()
  expect(ledger.effective(120_000, 120)).toBeCloseTo(1_000 / 120, 9)
})

it("values accepted shares of the last 15 min by their job's difficulty", () => {
  const ledger = new ShareLedger()
  ledger.record(share('accepted', 0, 5_000), 1_000)
  ledger.record(share('accepted', 0, 4_500), 600_000)
  ledger.record(share('rejected', 0, 9_999), 600_000)

  expect(ledger.effective(800_000, 800)).toBeCloseTo(9_500 / 800, 9)
  expect(ledger.effective(1_000_000, 1_000)).toBeCloseTo(4_500 / 900, 9)
  expect(ledger.effective(2_000_000, 2_000)).toBe(0)
})

it('keeps the last 512 for lists and the last accepted one as proof', () => {
  const ledger = new ShareLedger()
  ledger.record(share('accepted', 3), 0)
  for (let i = 0; i < 600; i++) ledger.record({ ...share('failed'), at: i }, 0)

  expect(ledger.recent).toHaveLength(512)
  expect(ledger.recent.at(-1)?.at).toBe(599)
  expect(ledger.lastAccepted?.device).toBe(3)
})

it("values each device's shares separately", () => {
  const ledger = new ShareLedger()
  ledger.record(share('accepted', 0, 6_000), 1_000)
  ledger.record(share('accepted', 1, 3_000), 1_000)

  expect(ledger.effective(300_000, 300, 0)).toBeCloseTo(20, 9)
  expect(ledger.effective(300_000, 300, 1)).toBeCloseTo(10, 9)
  expect(ledger.effective(300_000, 300, 2)).toBe(0)
  expect(ledger.effective(60_000, 60, 0)).toBeNull()
})

it("keeps a device's wrong results however many good ones follow", () => {
  const ledger = new ShareLedger()
  ledger.record({ ...share('failed', 2), nonce: 77n }, 0)
  for (let i = 0; i < 600; i++) ledger.record(share('accepted', 2), 0)

  expect(ledger.failed(2).map(({ nonce }) => nonce)).toEqual([77n])
  expect(ledger.failed(0)).toEqual([])
  for (let i = 0; i < 80; i++) ledger.record({ ...share('failed', 2), at: i }, 0)
  expect([ledger.failed(2).length, ledger.failed(2).at(-1)?.at]).toEqual([50, 79])
})
