import { expect, it } from 'vitest'
import type { SettledShare, ShareOutcome } from '../snapshot'
import { ShareLedger } from './share-ledger'

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
})

it('counts per device, and the totals are their sum', () => {
  const ledger = new ShareLedger()
  for (const outcome of ['accepted', 'accepted', 'rejected', 'failed', 'stale', 'lost'] as const) {
    ledger.record(share(outcome, 0), 0)
  }
  ledger.record(share('accepted', 1), 0)

  expect(ledger.counts(0)).toEqual({ accepted: 2, rejected: 1, failed: 1 })
  expect(ledger.counts(1)).toEqual({ accepted: 1, rejected: 0, failed: 0 })
  expect(ledger.counts(null)).toEqual({ accepted: 3, rejected: 1, failed: 1 })
  expect(ledger.outcomes(0)).toEqual({ accepted: 2, rejected: 1, failed: 1, stale: 1, lost: 1 })
})

it('gives no effective hashrate in the first two minutes', () => {
  const ledger = new ShareLedger()
  ledger.record(share('accepted'), 10_000)

  expect(ledger.effective(119_000, 119)).toBeNull()
  expect(ledger.effective(120_000, 120)).toBeCloseTo(1_000 / 120, 9)
})

it('values accepted shares of the last 15 min by the difficulty of their job', () => {
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
