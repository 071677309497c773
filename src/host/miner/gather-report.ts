// Gathers a morning report: what was mined, the energy, and what kept devices and shares from counting.
import { WEI_PER_MICRO } from '../../base/units'
import type { DayReportView, EarningsView } from '../../contract/pools'
import type { MoneyLedger } from '../../miner/stats/money-ledger'
import { SLOT_MS } from '../../miner/stats/money-slots'
import { addedUp, type DeviceLosses } from './device-timeline'

interface ReportSources {
  readonly earnings: EarningsView
  /** kWh of the devices that report their power; null when none did. */
  readonly energy: number | null
  readonly losses: DeviceLosses
  /** Names by device number. */
  readonly names: ReadonlyMap<number, string>
  readonly pools: DayReportView['pools']
}

/** Null when nothing was mined between the two (UTC ms). */
export function gatherReport(from: number, to: number, sources: ReportSources): DayReportView | null {
  const { earnings, energy, losses, names, pools } = sources
  if (earnings.firstAt === null || !earnings.rows.some(({ hashes }) => hashes > 0)) return null
  return {
    from: Math.max(from, earnings.firstAt),
    to,
    rows: earnings.rows,
    energy,
    watchedFrom: losses.from,
    devices: losses.devices.map(({ index, spans, restarts, failed }) => ({
      index,
      name: names.get(index) ?? '',
      lostMs: spans.reduce((sum, span) => sum + lengthWithin(span, losses), 0),
      hangs: spans.filter(({ kind }) => kind === 'silent').length,
      restarts,
      failed,
    })),
    refused: addedUp(losses.devices.flatMap(({ refused }) => refused)),
    pools,
  }
}

function lengthWithin(span: { readonly from: number; readonly to: number | null }, { from, to }: DeviceLosses): number {
  return Math.max(0, Math.min(span.to ?? to, to) - Math.max(span.from, from))
}

/** The earnings since `since` (UTC ms) in the contract's shape. */
export function earningsView(ledger: Pick<MoneyLedger, 'read' | 'firstAt'>, since: number): EarningsView {
  const from = since - (since % SLOT_MS)
  const { sources } = ledger.read(from, Number.MAX_SAFE_INTEGER).sums
  const wei = (micro: number): string => String(BigInt(Math.round(micro)) * WEI_PER_MICRO)
  const rows = Object.entries(sources).map(([pool, sums]) => ({
    pool,
    shares: sums.accepted,
    rejected: sums.rejected + sums.stale,
    work: sums.work,
    pricedWork: sums.pricedWork,
    expected: wei(sums.micro),
    hashes: sums.hashes,
    expectedShares: sums.due,
    computed: wei(sums.dueMicro),
  }))
  return { from, firstAt: ledger.firstAt, rows }
}
