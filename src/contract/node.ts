// What the UI knows about the chain: the head, recent blocks, and the balances of the keystore's accounts.
import { z } from 'zod'
import { call, event } from '../base/wire/define'
import { explorerCalls, transactionRowSchema } from './explorer'
import { networkCalls, networkEvents } from './network'
import { nodeControlCalls, nodeControlEvents } from './node-control'
import { addressSchema, blockRowSchema, countSchema, dataSchema, decimalSchema, hashSchema, timeSchema } from './shapes'

/** Transactions of a block in one answer: a block has up to 28,000. */
export const BLOCK_PAGE = 200

const blockViewSchema = blockRowSchema.extend({
  totalDifficulty: decimalSchema,
  stateRoot: hashSchema,
  transactionsRoot: hashSchema,
  receiptsRoot: hashSchema,
  mixDigest: hashSchema,
  nonce: z.string(),
  sealHash: hashSchema,
  extraData: dataSchema,
  /** Proof-of-work epoch. */
  epoch: countSchema,
  epochStartTime: timeSchema,
  /** False for a side block: it was replaced. */
  isCanonical: z.boolean(),
  /** wei of fees, which its miner has immediately; null when its transactions weren't executed. */
  fees: decimalSchema.nullable(),
  /** Height at which the subsidy matures. */
  unlockHeight: countSchema,
  /** At most `BLOCK_PAGE`; `transactionCount` is of all. */
  transactions: z.array(transactionRowSchema),
})

const nodeHeadSchema = z.object({
  state: z.enum(['stopped', 'starting', 'running', 'failed']),
  /** Null before the first block is known. */
  head: blockRowSchema.nullable(),
  totalDifficulty: decimalSchema.nullable(),
  /** Connected peers; null on a network without peers. */
  peers: countSchema.nullable(),
  /** In the pool; null while the chain isn't open. */
  pending: countSchema.nullable(),
  queued: countSchema.nullable(),
  /** Target block time of the difficulty rule, seconds. */
  targetSpacingSeconds: countSchema,
  /** Difficulty required of the next block. */
  nextDifficulty: decimalSchema.nullable(),
  coinbase: addressSchema.nullable(),
  maturityBlocks: countSchema,
  takenAt: timeSchema,
})

const balanceSchema = z.object({
  address: addressSchema,
  /** Spendable wei in the state of block `asOf`. */
  available: decimalSchema,
  /** wei of subsidies still maturing. */
  locked: decimalSchema,
  nextUnlock: z.object({ height: countSchema, amount: decimalSchema }).nullable(),
  nonce: countSchema,
})

const balancesSchema = z.object({
  asOf: countSchema.nullable(),
  accounts: z.array(balanceSchema),
  takenAt: timeSchema,
})

export const nodeCalls = {
  ...explorerCalls,
  ...networkCalls,
  ...nodeControlCalls,
  /** Newest first, downwards from `from` (null = head). */
  'node.blocks': call(
    z.object({ from: countSchema.nullable(), count: z.number().int().min(1).max(200) }),
    z.object({ blocks: z.array(blockRowSchema) }),
  ),
  /** By height or hash; null when unknown. `from`: index of the first transaction, 0 unless given. */
  'node.block': call(
    z.object({ id: z.union([countSchema, hashSchema]), from: countSchema.optional() }),
    z.object({ block: blockViewSchema.nullable() }),
  ),
  'node.transaction': call(z.object({ hash: hashSchema }), z.object({ transaction: transactionRowSchema.nullable() })),
}

export const nodeEvents = {
  ...networkEvents,
  ...nodeControlEvents,
  'node.head': event(nodeHeadSchema, 4),
  'node.balances': event(balancesSchema, 1),
}

export type { BlockRowView } from './shapes'
export type BlockView = z.infer<typeof blockViewSchema>
export type { TransactionRowView } from './explorer'
export type { PeersView } from './network'
export type NodeHeadView = z.infer<typeof nodeHeadSchema>
export type BalanceView = z.infer<typeof balanceSchema>
export type BalancesView = z.infer<typeof balancesSchema>
