// Why less was mined than possible: the same cause at the same time on several devices is one line. Pure.
import type { LossesView, TimelineSpan } from '../../../../contract/miner'

const SAME_TIME_MS = 5_000

export interface Loss {
  readonly kind: TimelineSpan['kind']
  /** In the miner's own words. */
  readonly reason: string
  /** By number. */
  readonly devices: readonly number[]
  /** UTC ms, at the earliest the start of the requested time. */
  readonly from: number
  /** Null = not over yet. */
  readonly to: number | null
  /** Sum over all devices. */
  readonly lostMs: number
}

export interface Losses {
  /** Ongoing causes before those that are over, the most costly first in each group. */
  readonly rows: readonly Loss[]
  /** 0..1 of what all devices could have mined; null if nothing is known. */
  readonly share: number | null
  readonly durationMs: number
  readonly restarts: number
  readonly failed: number
  /** Over all devices, most frequent first. */
  readonly refused: readonly { readonly reason: string; readonly count: number }[]
}

export function lossesOf({ from, to, devices }: LossesView): Losses {
  const durationMs = Math.max(0, to - from)
  const rows = joined(
    devices.flatMap(({ index, spans }) =>
      spans.map((span): Loss => {
        const begin = Math.max(span.from, from)
        const lostMs = Math.max(0, Math.min(span.to ?? to, to) - begin)
        return { kind: span.kind, reason: span.reason, devices: [index], from: begin, to: span.to, lostMs }
      }),
    ),
  )
  const lostMs = rows.reduce((sum, row) => sum + row.lostMs, 0)
  const whole = durationMs * devices.length
  const counts = new Map<string, number>()
  for (const { reason, count } of devices.flatMap(({ refused }) => refused))
    counts.set(reason, (counts.get(reason) ?? 0) + count)
  return {
    rows: rows.filter((row) => row.lostMs > 0 || row.to === null).sort(byWeight),
    share: whole === 0 ? null : Math.min(1, lostMs / whole),
    durationMs,
    restarts: devices.reduce((sum, { restarts }) => sum + restarts, 0),
    failed: devices.reduce((sum, { failed }) => sum + failed, 0),
    refused: [...counts].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count),
  }
}

function byWeight(a: Loss, b: Loss): number {
  return Number(b.to === null) - Number(a.to === null) || b.lostMs - a.lostMs
}

/** Spans of several devices with one cause: they begin and end together. */
function joined(rows: readonly Loss[]): readonly Loss[] {
  const found: Loss[] = []
  for (const row of [...rows].sort((a, b) => a.from - b.from)) {
    const place = found.findIndex((each) => isSameCause(each, row))
    const before = found[place]
    if (before === undefined) found.push(row)
    else found[place] = { ...before, devices: [...before.devices, ...row.devices], lostMs: before.lostMs + row.lostMs }
  }
  return found
}

function isSameCause(a: Loss, b: Loss): boolean {
  const isNear = (one: number | null, other: number | null): boolean =>
    one === null || other === null ? one === other : Math.abs(one - other) <= SAME_TIME_MS
  const [device] = b.devices
  const isOther = device !== undefined && !a.devices.includes(device)
  return isOther && a.kind === b.kind && a.reason === b.reason && isNear(a.from, b.from) && isNear(a.to, b.to)
}
