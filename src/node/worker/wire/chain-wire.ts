// The calls and events between the host thread and the chain worker.
import { z } from 'zod'
import { call, event } from '../../../base/wire/define'
import { XHASH_MODES } from '../../../config/schema'
import { importCalls } from './import-shapes'
import { poolCalls, poolEvents, poolParamsSchema } from './pool-wire'
import { p2pCalls, readCalls } from './read-wire'
import {
  addressSchema,
  blockSummarySchema,
  bytesSchema as bytes,
  bytesSchema,
  hashSchema,
  headChangeSchema,
  pendingSchema,
  sealOutcomeSchema,
  workSchema,
} from './shapes'

/** Raised once, to close the chain; both sides create one over the same buffer. */
export class StopFlag {
  readonly #word: Int32Array

  constructor(readonly buffer: SharedArrayBuffer = new SharedArrayBuffer(4)) {
    this.#word = new Int32Array(buffer)
  }

  raise(): void {
    Atomics.store(this.#word, 0, 1)
  }

  get isRaised(): boolean {
    return Atomics.load(this.#word, 0) === 1
  }
}

const height = z.number().int().min(0)
const rangeSchema = z.object({ bytes: bytesSchema, count: z.number().int().min(1) })

export const blockRangeCalls = {
  /** Concatenated RLP of the canonical blocks from `first` on, at least one and at most up to `last`. */
  'chain.blockRange': call(z.object({ first: height, last: height }), rangeSchema),
}

export type BlockRange = z.infer<typeof rangeSchema>

const nothing = z.object({})
const count = z.number().int().min(0)
const shared = z.custom<SharedArrayBuffer>((value) => value instanceof SharedArrayBuffer, 'want a shared buffer')

/** What the worker needs to open a chain. */
export const openSchema = z.object({
  network: z.enum(['main', 'test', 'practice', 'custom']),
  /** Defines the network `custom`; null for the others. */
  custom: z.object({ genesis: z.string(), networkId: count, xhashMode: z.enum(XHASH_MODES) }).nullable(),
  /** absolute; the database's own folder */
  folder: z.string(),
  /** Whether the calling thread keeps the database open around this one, see `holdLevel`. */
  held: z.boolean().default(false),
  /** Genesis file (JSON text) for an empty database; null = the network's own or the stored one. */
  genesis: z.string().nullable(),
  /** Null = prlx's limits and no journal. */
  pool: poolParamsSchema.nullable().default(null),
  /** Whether to give out work once a coinbase is known. */
  mining: z.boolean().default(true),
  /** minimum wei per gas for peers' transactions while we mine */
  minimumGasPrice: z.bigint().min(0n),
  coinbase: addressSchema.nullable(),
  /** at most 32 bytes */
  extraData: bytes,
  gasLimitGoal: z.bigint().nullable(),
  poolDelayMs: count,
  recommitMs: count,
  /** `full` keeps the states of the last 128 heads, `archive` every state from now on. */
  gcMode: z.enum(['full', 'archive']).default('full'),
  /** For mode `full`, see `WindowSize.history`. */
  historyBlocks: count.default(0),
  /** True: seals aren't verified. For benchmarks and tests of chains without real seals. */
  fakePow: z.boolean().default(false),
  /** Of a `StopFlag`, raised before `chain.close` to abort a block. Null: only messages end an import. */
  stop: shared.nullable().default(null),
})

export const chainWire = {
  calls: {
    /** @throws STORE_*, CHAIN_GENESIS_* */
    'chain.open': call(
      openSchema,
      z.object({ head: blockSummarySchema, genesisHash: hashSchema, engine: z.string(), counts: pendingSchema }),
    ),
    /** Closes the database; only `chain.open` may follow. */
    'chain.close': call(nothing, nothing),
    ...readCalls,
    ...importCalls,
    ...blockRangeCalls,
    /** @throws TXPOOL_REFUSED with prlx's text */
    'chain.addTransaction': call(z.object({ raw: bytes, local: z.boolean() }), hashSchema),
    'chain.work': call(nothing, workSchema.nullable()),
    'chain.submitWork': call(
      z.object({ nonce: z.bigint().min(0n), sealHash: hashSchema, mixDigest: hashSchema }),
      sealOutcomeSchema,
    ),
    ...poolCalls,
    ...p2pCalls,
  },
  events: {
    'chain.headChanged': event(headChangeSchema, 1000),
    'chain.workChanged': event(workSchema, 1000),
    ...poolEvents,
    'chain.pendingChanged': event(pendingSchema, 1000),
  },
}

export type ChainWire = typeof chainWire
export type OpenParams = z.infer<typeof openSchema>
