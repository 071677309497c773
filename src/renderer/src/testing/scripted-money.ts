// Made-up answers of the ledger and incidents, for tests and stories only.
import { type IncidentRulesView, type IncidentView, ruleBounds } from '../../../contract/incidents'
import type { Amount, Figure, LossRowView, MoneyPeriod, MoneyView } from '../../../contract/money'

const LAX = 10n ** 18n

export const known = (value: number): Figure => ({ value, missing: null })
export const lax = (milli: number): Amount => ({
  value: String((BigInt(Math.round(milli)) * LAX) / 1000n),
  missing: null,
})

export function aLossRow(change: Partial<LossRowView> = {}): LossRowView {
  return {
    cause: 'heat',
    kind: 'heat',
    reason: '',
    devices: [{ index: 0, name: 'RTX 3090' }],
    from: 0,
    to: 60_000,
    ms: 60_000,
    hashes: 6e6,
    income: lax(20),
    ...change,
  }
}

/** Mined solo: 4 blocks where 4.28 were due. */
export function aPeriod(change: Partial<MoneyPeriod> = {}): MoneyPeriod {
  return {
    from: 0,
    to: 900_000,
    recordedMs: 900_000,
    total: {
      hashes: 1e9,
      expectedShares: 4.28,
      expectedBlocks: known(4.28),
      shares: { accepted: 4, rejected: 0, stale: 0, unanswered: 0, failed: 0 },
      foundBlocks: known(4),
      sideBlocks: known(0),
      income: lax(200_010),
      expectedIncome: lax(214_000),
      pricedPart: 1,
      luck: { found: 4, mean: 4.28, low: 1, high: 9, verdict: 'normal' },
    },
    sources: [],
    rigs: null,
    losses: {
      usualHashes: known(1e9),
      countedHashes: known(9.8e8),
      lostHashes: known(2e7),
      gainedHashes: 0,
      lostIncome: lax(150),
      rows: [],
    },
    energy: { kilowattHours: known(10), cost: known(1.8), meteredPart: 1 },
    margin: { income: known(3.24), expectedIncome: known(3.4), margin: known(1.44) },
    ...change,
  }
}

export function aMoney(change: Partial<MoneyView> = {}): MoneyView {
  return {
    network: 'main',
    periods: [aPeriod()],
    whole: aPeriod(),
    effort: known(38),
    effortSince: 0,
    forecast: {
      blocksPerDay: known(0.14),
      incomePerDay: lax(7_140),
      nextBlock: { median: known(4 * 86_400), early: known(1e4), late: known(1e6) },
    },
    prices: { lax: 1.62, power: 0.18, currency: 'EUR' },
    devices: [
      { index: 0, name: 'EPYC 7763', usualHashrate: known(14_230), usualHashes: known(1e9), lostHashes: known(2e7) },
    ],
    firstAt: 0,
    notSaved: '',
    takenAt: 1_700_000_000_000,
    ...change,
  }
}

export function anIncident(change: Partial<IncidentView> = {}): IncidentView {
  return {
    id: 'i1',
    cause: 'hot',
    kind: 'heat',
    level: 'problem',
    devices: [{ index: 0, name: 'AMD EPYC 7B13' }],
    pool: '',
    rig: '',
    values: { index: 0, backend: 'cpu', place: 'core', celsius: 90, limit: 85 },
    since: 1_699_999_000_000,
    until: null,
    hashes: known(1e6),
    income: lax(98),
    actions: [],
    acknowledgedAt: null,
    alerts: [],
    ...change,
  }
}

/** The rules when nothing was set. */
export function someRules(change: Partial<IncidentRulesView> = {}): IncidentRulesView {
  return {
    levels: {},
    usualLevels: {
      core: { warn: 75, critical: 85 },
      hotspot: { warn: 95, critical: 105 },
      memory: { warn: 95, critical: 105 },
      fan: 95,
      power: 98,
    },
    ratePercent: ruleBounds.ratePercent.usual,
    poolLostSeconds: ruleBounds.poolLostSeconds.usual,
    rigOfflineSeconds: ruleBounds.rigOfflineSeconds.usual,
    rigRatePercent: ruleBounds.rigRatePercent.usual,
    ...change,
  }
}
