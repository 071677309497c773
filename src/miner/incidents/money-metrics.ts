// Metric families of money and incidents: sums over the last 24 hours, read on each scrape. What isn't known has no
// sample.
import type { MetricsRegistry, Sample } from '../../base/metrics'
import { familiesIn } from '../metrics'
import type { Amount, Figure, MoneyPeriod } from '../stats/money-figures'
import { INCIDENT_CAUSES, type Incident } from './incident'

const WEI_PER_LAX = 1e18
const PER_CENT = 100
const JOULES_PER_KWH = 3.6e6

interface MoneyReader {
  /** the last 24 hours */
  readonly day: () => MoneyPeriod
  /** percent; missing while mining for pools */
  readonly effort: () => Figure
}

/** Declares the families of money. */
export function registerMoneyMetrics(registry: MetricsRegistry, { day, effort }: MoneyReader): void {
  const { gauge } = familiesIn(registry)
  gauge('miner_income_lax', 'Value of what was accepted in the last 24 hours; absent while unknown.', () =>
    laxOf(day().total.income),
  )
  gauge(
    'miner_expected_income_lax',
    'What the hashes of the last 24 hours earn on average; absent while unknown.',
    () => laxOf(day().total.expectedIncome),
  )
  gauge(
    'miner_lost_hashes',
    'Hashes lost in the last 24 hours compared with the usual rate, by cause.',
    () => day().losses.rows.reduce(byCause, []),
    ['cause'],
  )
  gauge('miner_energy_joules', 'Energy of the devices that report it, in the last 24 hours; absent without any.', () =>
    one(day().energy.kilowattHours.value, JOULES_PER_KWH),
  )
  gauge(
    'miner_block_effort_ratio',
    'Work on the current block, as a part of what a block takes on average; solo.',
    () => one(effort().value, 1 / PER_CENT),
  )
}

/** Declares the family of incidents. @param open the open ones */
export function registerIncidentMetrics(registry: MetricsRegistry, open: () => readonly Incident[]): void {
  const active = () => {
    const causes = open().map(({ cause }) => cause)
    return INCIDENT_CAUSES.map((cause) => ({
      labels: { cause },
      value: causes.filter((each) => each === cause).length,
    }))
  }
  familiesIn(registry).gauge('miner_incident_active', 'Open incidents by cause.', active, ['cause'])
}

function byCause(samples: Sample[], { cause, hashes }: MoneyPeriod['losses']['rows'][number]): Sample[] {
  const before = samples.find(({ labels }) => labels.cause === cause)
  const others = samples.filter((sample) => sample !== before)
  return [...others, { labels: { cause }, value: (before?.value ?? 0) + hashes }]
}

function laxOf({ value }: Amount): number | readonly Sample[] {
  return one(value === null ? null : Number(value), 1 / WEI_PER_LAX)
}

function one(value: number | null, by: number): number | readonly Sample[] {
  return value === null ? [] : value * by
}
