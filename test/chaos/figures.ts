// The figures of a chaos run, and its faults.
import type { ProcessLook } from './victim'

export interface MemorySample extends ProcessLook {
  readonly atMs: number
}

export interface ChaosReport {
  readonly seed: number
  readonly lengthMs: number
  /** By name of the event, how often. */
  readonly events: ReadonlyMap<string, number>
  readonly starts: {
    readonly count: number
    readonly medianMs: number
    readonly maxMs: number
    readonly refused: number
  }
  readonly chain: {
    readonly head: number
    readonly peerHead: number
    readonly verified: number
    readonly repairs: number
  }
  readonly shares: { readonly taken: number; readonly lost: number; readonly stale: number; readonly duplicate: number }
  readonly payments: { readonly approved: number; readonly mined: number; readonly askedAgain: number }
  readonly keys: { readonly made: number; readonly opened: number }
  readonly audit: { readonly records: number; readonly torn: number }
  readonly memory: { readonly earlyBytes: number; readonly lateBytes: number; readonly threads: number }
  readonly dataBytes: number
  /** By the program's clock. */
  readonly days: number
  readonly log: { readonly files: number; readonly bytes: number }
  /** Empty: nothing was lost, duplicated or damaged. */
  readonly faults: readonly string[]
}

const MB = 1_000_000
const WARM_UP_MS = 20_000

/** The largest in the second quarter and in the last one. */
export function memoryOf(samples: readonly MemorySample[], lengthMs: number): ChaosReport['memory'] {
  const most = (first: number, last: number): number =>
    Math.max(0, ...samples.filter(({ atMs }) => atMs >= first && atMs < last).map(({ rssBytes }) => rssBytes))
  return {
    earlyBytes: most(Math.max(WARM_UP_MS, lengthMs / 4), lengthMs / 2),
    lateBytes: most((3 * lengthMs) / 4, Number.POSITIVE_INFINITY),
    threads: Math.max(0, ...samples.map(({ threads }) => threads)),
  }
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
}

/** Lines of a table, then one line per fault. */
export function reportLines(report: ChaosReport): readonly string[] {
  const { starts, chain, shares, payments, keys, audit, memory, log, faults } = report
  const rows: readonly (readonly [string, string])[] = [
    ['seed, minutes', `${report.seed}, ${(report.lengthMs / 60_000).toFixed(1)}`],
    ["days by the program's clock", report.days.toFixed(2)],
    ...[...report.events].sort().map(([name, count]) => [name, String(count)] as const),
    ['starts', `${starts.count}, median ${seconds(starts.medianMs)}, longest ${seconds(starts.maxMs)}`],
    ['starts refused in words, then cured', String(starts.refused)],
    ['latest block, of the peer', `${chain.head}, ${chain.peerHead}`],
    ['databases verified, repaired', `${chain.verified}, ${chain.repairs}`],
    ['shares taken by the pool', String(shares.taken)],
    ['without an answer, stale, sent twice', `${shares.lost}, ${shares.stale}, ${shares.duplicate}`],
    ['payments approved, mined once', `${payments.approved}, ${payments.mined}`],
    ['requests asked again after a loss', String(payments.askedAgain)],
    ['keys made, opened at the end', `${keys.made}, ${keys.opened}`],
    ['audit records, torn ends kept', `${audit.records}, ${audit.torn}`],
    ['memory, second quarter and last', `${megabytes(memory.earlyBytes)}, ${megabytes(memory.lateBytes)}`],
    ['threads at most', String(memory.threads)],
    ['data directory', megabytes(report.dataBytes)],
    ['log files', `${log.files}, ${(log.bytes / MB).toFixed(1)} MB`],
    ['faults', String(faults.length)],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  return [...rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`), ...faults.map((fault) => `FAULT ${fault}`)]
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

function megabytes(bytes: number): string {
  return `${(bytes / MB).toFixed(0)} MB`
}
