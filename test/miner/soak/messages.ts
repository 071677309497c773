// Messages between the driver of a soak and its two processes: a numbered request, then its answer.
import { z } from 'zod'

/** To the process of the pools. */
export type PoolsAsk =
  | { readonly ask: 'height'; readonly height: number }
  | { readonly ask: 'drop'; readonly pool: number }
  /** from now on every connection is closed immediately, or no longer */
  | { readonly ask: 'away'; readonly pool: number; readonly isAway: boolean }
  /** every N-th share is rejected, every M-th is late; 0: none */
  | { readonly ask: 'moods'; readonly rejectEvery: number; readonly staleEvery: number }
  | { readonly ask: 'difficulty'; readonly times: number }
  | { readonly ask: 'log' }

/** To the process of the miner. */
export type MinerAsk =
  | { readonly ask: 'pause' | 'resume'; readonly device: number | null }
  /** the devices close and reopen; or the whole service stops and starts */
  | { readonly ask: 'restart' | 'stop-and-start' }
  | { readonly ask: 'activate'; readonly pool: number }
  | { readonly ask: 'sample' }
  | { readonly ask: 'log' }

const verdicts = z.enum(['accepted', 'rejected', 'stale', 'duplicate'])

/** Addresses in order. */
export const poolsReady = z.object({ urls: z.array(z.string()) })
export type PoolsReady = z.infer<typeof poolsReady>

/** Of each pool in order, with whether a late share counts there. */
export const poolLog = z.object({
  pools: z.array(
    z.object({
      lateCounts: z.boolean(),
      judged: z.array(z.object({ header: z.string(), nonce: z.string(), verdict: verdicts, reason: z.string() })),
    }),
  ),
})
export type PoolLog = z.infer<typeof poolLog>

/** A share as settled by the miner's source: header and nonce in 64 and 16 hex digits. */
const sentShare = z.object({
  header: z.string(),
  nonce: z.string(),
  verdict: z.enum(['accepted', 'rejected', 'stale', 'lost']),
  reason: z.string(),
})
export type SentShare = z.infer<typeof sentShare>

/** `heapBytes`: heap and buffers after a collection; `mining`: devices */
export const minerSample = z.object({
  rssBytes: z.number(),
  heapBytes: z.number(),
  mining: z.number(),
  accepted: z.number(),
  /** settled since the last sample; the miner's process keeps none, since its memory is measured */
  shares: z.array(sentShare),
})
export type MinerSample = z.infer<typeof minerSample>

const counts = z.object({
  accepted: z.number(),
  rejected: z.number(),
  failed: z.number(),
  stale: z.number(),
  lost: z.number(),
})
export type Counts = z.infer<typeof counts>

export const minerLog = z.object({
  /** settled since the last sample */
  shares: z.array(sentShare),
  /** the miner's own counters, over all its runs */
  counted: counts,
  /** shares in transit when the service stopped: it doesn't count them */
  cutOff: z.number(),
  epochChanges: z.number(),
  /** ms from the last hash on one dataset to the first on the next, if that was ready */
  gapsMs: z.array(z.number()),
  warnings: z.array(z.string()),
})
export type MinerLog = z.infer<typeof minerLog>

export interface Request<Ask> {
  readonly number: number
  readonly ask: Ask
}

export interface Answer {
  readonly number: number
  readonly value: unknown
}
