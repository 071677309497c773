// The part of the worker's wire that other nodes' requests and announcements need: everything as the bytes that travel.
import { z } from 'zod'
import { call } from '../../../base/wire/define'
import { ordered } from '../../../base/wire/forward'
import { bytesSchema, hashSchema } from './shapes'

const natural = z.bigint().min(0n)
const hashes = { hashes: z.array(hashSchema).max(2048) }
const many = z.array(bytesSchema)

export const headersParamsSchema = z.object({
  /** 32-byte hash, or a height */
  origin: z.union([hashSchema, natural]),
  amount: natural,
  skip: natural,
  reverse: z.boolean(),
})

/** What a header is worth before its block is looked at. */
export const headerVerdictSchema = z.object({
  /** `unknown parent` and `future` blame no peer; `fault` breaks a rule, the seal included. */
  kind: z.enum(['good', 'known', 'unknown parent', 'future', 'fault']),
  /** the reference's message; empty where nothing is wrong */
  reason: z.string(),
  /** Of the parent; 0 where that is unknown. */
  parentTotal: natural,
})

/** How far a row of headers is right. */
export const headersVerdictSchema = z.object({
  /** So many of the first ones keep all rules, the seals included. */
  good: z.number().int().min(0),
  /** Of the next one; null when all are good. */
  fault: z.object({ kind: z.enum(['unknown parent', 'future', 'fault']), reason: z.string() }).nullable(),
})

/** Answers are cut at the reference's limits: 1024 items, about 2 MiB. */
export const p2pCalls = {
  /** RLP of headers. */
  'chain.p2pHeaders': call(headersParamsSchema, many),
  /** RLP of the transaction lists of the known ones among the blocks, in order. */
  'chain.p2pBodies': ordered(['hashes'], hashes, many),
  /** RLP of the receipt lists of the known ones among the blocks, in order. */
  'chain.p2pReceipts': ordered(['hashes'], hashes, many),
  /** The known ones among the pool's transactions, as they stand in a body. */
  'chain.p2pPooled': ordered(['hashes'], hashes, many),
  /** Trie nodes and code by hash. */
  'chain.p2pNodeData': ordered(['hashes'], hashes, many),
  /** What a state request (see p2p/wire/snap-messages.ts) is answered, and how many entries were read; null when it is malformed. */
  'chain.p2pSnap': ordered(
    ['code', 'request'],
    { code: z.number().int().min(0).max(7), request: bytesSchema },
    z.object({ payload: bytesSchema, reads: z.number().int().min(0) }).nullable(),
  ),
  /** Which blocks are stored. */
  'chain.p2pKnownBlocks': ordered(['hashes'], hashes, z.array(z.boolean())),
  /** Hashes of the canonical blocks at these heights; null above the head. */
  'chain.p2pCanonical': ordered(['numbers'], { numbers: z.array(natural).max(1024) }, z.array(hashSchema.nullable())),
  /** @param header RLP, of a well-formed header */
  'chain.p2pJudgeHeader': ordered(['header'], { header: bytesSchema }, headerVerdictSchema),
  /** Headers in a row, RLP: checked before their blocks are here. The first stands on a stored block or on the last of the call before. */
  'chain.p2pCheckHeaders': ordered(['headers'], { headers: many.max(1024) }, headersVerdictSchema),
  /** Which of these are neither in the pool nor in the canonical chain. */
  'chain.p2pUnknownTransactions': ordered(['hashes'], hashes, z.array(hashSchema)),
  /** Takes transactions of peers. One answer each: null = taken, else the reference's refusal. */
  'chain.p2pAddTransactions': ordered(['raws'], { raws: many.max(4096) }, z.array(z.string().nullable())),
  /** Hashes of the executable pool transactions. */
  'chain.p2pPendingHashes': ordered([], {}, z.array(hashSchema)),
}

export type HeadersParams = z.infer<typeof headersParamsSchema>
export type HeadersVerdict = z.infer<typeof headersVerdictSchema>
export type HeaderVerdict = z.infer<typeof headerVerdictSchema>
