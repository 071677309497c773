// How long a query may hold its worker. The engine ends its own runs; these are the times after which its thread is ended instead.
import type { AskRequest, StreamRequest } from '../query-wire'

/** For an engine that is told to stop, or whose time is over, to notice it, ms. */
export const GRACE_MS = 1_000
/** What has no limit of its own: searches, proofs, reports. No caller waits longer, see the RPC front's time limit. */
const REPORT_MS = 30_000
/** A trace that sends nothing for so long, ms; its transactions have limits of their own. */
const SILENT_TRACE_MS = 120_000

/** @param callTimeoutMs 0 = calls have no limit @returns ms, grace included */
export function longestAskMs({ kind }: AskRequest, callTimeoutMs: number): number {
  const callMs = callTimeoutMs === 0 ? Number.POSITIVE_INFINITY : callTimeoutMs
  switch (kind) {
    case 'call':
    case 'outcome':
    case 'estimate':
    case 'simulate':
    case 'simulateBlocks':
    case 'accessList':
      return callMs + GRACE_MS
    default:
      return REPORT_MS + GRACE_MS
  }
}

/** @returns ms between two pieces of text */
export function longestSilenceMs(request: StreamRequest): number {
  return SILENT_TRACE_MS + ('options' in request ? (request.options.timeoutMs ?? 0) : 0)
}

/** Answered from one place in the database: these never wait behind what computes. */
export function isShortRead({ kind }: AskRequest): boolean {
  return SHORT_READS.has(kind)
}

const SHORT_READS: ReadonlySet<AskRequest['kind']> = new Set([
  'balance',
  'nonce',
  'code',
  'hasCode',
  'storage',
  'headerRlp',
  'blockRlp',
  'seedHash',
])
