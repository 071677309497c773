// Gathers a morning report: what was mined, the energy, and what kept devices and shares from counting.
import type { DayReportView, EarningsView } from '../../contract/fleet'
import type { LossesView } from '../../contract/miner'
import type { EarningsHistory } from '../../miner/stats/earnings-history'

const HOUR_MS = 3_600_000
const WH_PER_KWH = 1_000
const MAX_REASONS = 20

interface ReportSources {
  readonly earnings: EarningsView
  /** Of all devices, watts. */
  readonly power: { readonly stepMs: number; readonly firstAt: number; readonly values: readonly (number | null)[] }
  readonly losses: LossesView
  /** Names by device number. */
  readonly names: ReadonlyMap<number, string>
  readonly pools: DayReportView['pools']
}

/** Null when nothing was mined between the two (UTC ms). */
export function gatherReport(from: number, to: number, sources: ReportSources): DayReportView | null {
  const { earnings, power, losses, names, pools } = sources
  if (earnings.firstAt === null || !earnings.rows.some(({ hashes }) => hashes > 0)) return null
  return {
    from: Math.max(from, earnings.firstAt),
    to,
    rows: earnings.rows,
    energy: energyOf(power, from),
    watchedFrom: losses.from,
    devices: losses.devices.map(({ index, spans, restarts, failed }) => ({
      index,
      name: names.get(index) ?? '',
      lostMs: spans.reduce((sum, span) => sum + lengthWithin(span, losses), 0),
      hangs: spans.filter(({ kind }) => kind === 'silent').length,
      restarts,
      failed,
    })),
    refused: addedUp(losses),
    pools,
  }
}

function energyOf({ stepMs, firstAt, values }: ReportSources['power'], from: number): number | null {
  const known = values.filter((watts, place): watts is number => watts !== null && firstAt + place * stepMs >= from)
  if (known.length === 0) return null
  return (known.reduce((sum, watts) => sum + watts, 0) * stepMs) / HOUR_MS / WH_PER_KWH
}

function lengthWithin(span: { readonly from: number; readonly to: number | null }, { from, to }: LossesView): number {
  return Math.max(0, Math.min(span.to ?? to, to) - Math.max(span.from, from))
}

function addedUp({ devices }: LossesView): DayReportView['refused'] {
  const counts = new Map<string, number>()
  for (const { reason, count } of devices.flatMap(({ refused }) => refused))
    counts.set(reason, (counts.get(reason) ?? 0) + count)
  const all = [...counts].map(([reason, count]) => ({ reason, count }))
  return all.sort((a, b) => b.count - a.count).slice(0, MAX_REASONS)
}

/** The earnings since `since` (UTC ms) in the contract's shape. */
export function earningsView(record: EarningsHistory, since: number): EarningsView {
  const { from, firstAt, rows } = record.read(since)
  const views = rows.map(({ expectedWei, computedWei, ...row }) => ({
    ...row,
    expected: expectedWei.toString(),
    computed: computedWei.toString(),
  }))
  return { from, firstAt, rows: views }
}
