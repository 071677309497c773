// The part of the worker's wire that other nodes' requests and announcements need: everything as the bytes that travel.
import { z } from 'zod'
import { call } from '../../base/wire/define'
import { bytesSchema, hashSchema } from './shapes'

const natural = z.bigint().min(0n)
const hashes = z.object({ hashes: z.array(hashSchema).max(2048) })
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
  /** `unknown parent` and `future` are nobody's fault; `fault` breaks a rule, the seal included. */
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
  'chain.p2pBodies': call(hashes, many),
  /** RLP of the receipt lists of the known ones among the blocks, in order. */
  'chain.p2pReceipts': call(hashes, many),
  /** The known ones among the pool's transactions, as they stand in a body. */
  'chain.p2pPooled': call(hashes, many),
  /** Trie nodes and code by hash. */
  'chain.p2pNodeData': call(hashes, many),
  /** Which blocks are stored. */
  'chain.p2pKnownBlocks': call(hashes, z.array(z.boolean())),
  /** Hashes of the canonical blocks at these heights; null above the head. */
  'chain.p2pCanonical': call(z.object({ numbers: z.array(natural).max(1024) }), z.array(hashSchema.nullable())),
  /** @param header RLP, of a well-formed header */
  'chain.p2pJudgeHeader': call(z.object({ header: bytesSchema }), headerVerdictSchema),
  /** Headers in a row, RLP: checked before their blocks are here. The first stands on a stored block or on the last of the call before. */
  'chain.p2pCheckHeaders': call(z.object({ headers: many.max(1024) }), headersVerdictSchema),
  /** Which of these are neither in the pool nor in the canonical chain. */
  'chain.p2pUnknownTransactions': call(hashes, z.array(hashSchema)),
  /** Takes transactions of peers. One answer each: null = taken, else the reference's refusal. */
  'chain.p2pAddTransactions': call(z.object({ raws: many.max(4096) }), z.array(z.string().nullable())),
  /** Hashes of the executable pool transactions. */
  'chain.p2pPendingHashes': call(z.object({}), z.array(hashSchema)),
}

export type HeadersParams = z.infer<typeof headersParamsSchema>
export type HeadersVerdict = z.infer<typeof headersVerdictSchema>
export type HeaderVerdict = z.infer<typeof headerVerdictSchema>
