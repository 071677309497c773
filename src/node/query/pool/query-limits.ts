// Time limits after which a query's worker thread is terminated. The engine's own limits are lower.
import type { AskRequest, StreamRequest } from '../query-wire'

/** Time for an engine to notice a stop or its own timeout, ms. */
export const GRACE_MS = 1_000
/**
 * For queries without a limit of their own: searches, proofs, reports. No caller waits longer, see the RPC front's time
 * limit.
 */
const REPORT_MS = 30_000
/** For a trace that sends nothing, ms; its transactions have limits of their own. */
const SILENT_TRACE_MS = 120_000

/** @param callTimeoutMs 0 = calls have no limit @returns ms, including grace */
export function longestAskMs({ kind }: AskRequest, callTimeoutMs: number): number {
  const callMs = callTimeoutMs === 0 ? Number.POSITIVE_INFINITY : callTimeoutMs
  switch (kind) {
    case 'call':
    case 'callMany':
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

/** @returns ms between two chunks of text */
export function longestSilenceMs(request: StreamRequest): number {
  return SILENT_TRACE_MS + ('options' in request ? (request.options.timeoutMs ?? 0) : 0)
}

/** Single database reads: they never wait behind computations. */
export function isShortRead({ kind }: AskRequest): boolean {
  return SHORT_READS.has(kind)
}

/** Computations that mostly take less time than passing them to a worker. */
export function isOftenSmall({ kind }: AskRequest): boolean {
  return OFTEN_SMALL.has(kind)
}

const OFTEN_SMALL: ReadonlySet<AskRequest['kind']> = new Set(['call', 'outcome', 'estimate', 'proof'])

const SHORT_READS: ReadonlySet<AskRequest['kind']> = new Set([
  'balance',
  'nonce',
  'code',
  'hasCode',
  'storage',
  'headerRlp',
  'blockRlp',
  'seedHash',
  'receipt',
  'blockReceipts',
])
