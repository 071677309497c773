// The part of the worker's wire for peers' requests and announcements: everything in wire encoding.
import { z } from 'zod'
import { call } from '../../../base/wire/define'
import { ordered } from '../../../base/wire/forward'
import { bytesSchema, hashSchema, headerSchema } from './shapes'

const natural = z.bigint().min(0n)
const hashes = { hashes: z.array(hashSchema).max(2048) }
const many = z.array(bytesSchema)

const headersParamsSchema = z.object({
  /** 32-byte hash, or a height */
  origin: z.union([hashSchema, natural]),
  amount: natural,
  skip: natural,
  reverse: z.boolean(),
})

/** A header's verdict before its block is read. */
const headerVerdictSchema = z.object({
  /** `unknown parent` and `future` don't blame the peer; `fault` violates a rule, seal included. */
  kind: z.enum(['good', 'known', 'unknown parent', 'future', 'fault']),
  /** prlx's message; empty when valid */
  reason: z.string(),
  /** Total difficulty of the parent; 0 when unknown. */
  parentTotal: natural,
})

/** How far a series of headers is valid. */
const headersVerdictSchema = z.object({
  /** This many leading headers satisfy all rules, seals included. */
  good: z.number().int().min(0),
  /** Of the next one; null when all are valid. */
  fault: z.object({ kind: z.enum(['unknown parent', 'future', 'fault']), reason: z.string() }).nullable(),
})

/** Answers are cut at prlx's limits: 1024 items, about 2 MiB. */
export const p2pCalls = {
  /** RLP of headers. */
  'chain.p2pHeaders': call(headersParamsSchema, many),
  /** RLP of the transaction lists of the known blocks, in order. */
  'chain.p2pBodies': ordered(['hashes'], hashes, many),
  /** RLP of the receipt lists of the known blocks, in order. */
  'chain.p2pReceipts': ordered(['hashes'], hashes, many),
  /** The known pool transactions, as they appear in a body. */
  'chain.p2pPooled': ordered(['hashes'], hashes, many),
  /** Trie nodes and code by hash. */
  'chain.p2pNodeData': ordered(['hashes'], hashes, many),
  /** The answer and the entries read, see src/node/protocol/snap-messages.ts; null when malformed. */
  'chain.p2pSnap': ordered(
    ['code', 'request'],
    { code: z.number().int().min(0).max(7), request: bytesSchema },
    z.object({ payload: bytesSchema, reads: z.number().int().min(0) }).nullable(),
  ),
  /** Which blocks are stored. */
  'chain.p2pKnownBlocks': ordered(['hashes'], hashes, z.array(z.boolean())),
  /** Hashes of the canonical blocks at these heights; null above the head. */
  'chain.p2pCanonical': ordered(['numbers'], { numbers: z.array(natural).max(1024) }, z.array(hashSchema.nullable())),
  'chain.p2pJudgeHeader': ordered(['header'], { header: headerSchema }, headerVerdictSchema),
  /** Reads a block whose header is good, and keeps it for its import. `other body`: it doesn't fit the header. */
  'chain.p2pReadBlock': ordered(['block'], { block: bytesSchema }, z.enum(['good', 'malformed', 'other body'])),
  /** Consecutive, ahead of their blocks; the first builds on a stored block or on the previous call's last. */
  'chain.p2pCheckHeaders': ordered(['headers'], { headers: z.array(headerSchema).max(1024) }, headersVerdictSchema),
  /** Which of these are neither in the pool nor in the canonical chain. */
  'chain.p2pUnknownTransactions': ordered(['hashes'], hashes, z.array(hashSchema)),
  /** Adds peers' transactions. One answer each: null = added, else prlx's rejection. */
  'chain.p2pAddTransactions': ordered(['raws'], { raws: many.max(4096) }, z.array(z.string().nullable())),
  /** Hashes of the executable pool transactions. */
  'chain.p2pPendingHashes': ordered([], {}, z.array(hashSchema)),
}

export type HeadersParams = z.infer<typeof headersParamsSchema>
export type HeadersVerdict = z.infer<typeof headersVerdictSchema>
export type HeaderVerdict = z.infer<typeof headerVerdictSchema>
