// Operations on the node as a whole: start and stop, export blocks to a file and import them.
import { z } from 'zod'
import { call, event } from '../base/wire/define'
import { countSchema, done, nothing, timeSchema } from './shapes'

/** A block export or import; stays listed after its end until the next one begins. */
const blockJobSchema = z.object({
  kind: z.enum(['export', 'import']),
  file: z.string(),
  state: z.enum(['running', 'done', 'cancelled', 'failed']),
  /** Blocks written; for an import, those added or already known. */
  blocks: countSchema,
  /** 0..1 */
  share: z.number().min(0).max(1),
  startedAt: timeSchema,
  /** Why it failed; empty otherwise. */
  error: z.string(),
})

/** A check of the chain database; stays listed after its end until the next one begins. */
const databaseJobSchema = z.object({
  state: z.enum(['running', 'cancelled', 'whole', 'mended', 'damaged', 'failed']),
  stage: z.enum(['files', 'blocks', 'state', 'indexes']),
  /** 0..1 of this stage. */
  share: z.number().min(0).max(1),
  startedAt: timeSchema,
  /** Blocks that were verified. */
  blocks: countSchema,
  /** Faults that were found. */
  faults: countSchema,
  /** The first faults, each with its place. */
  damage: z.array(z.string()).max(5),
  /** Why it failed; empty otherwise. */
  error: z.string(),
})

const nodeControlSchema = z.object({
  /** Whether this connection comes from this computer and has control: only then may files be named here. */
  canNameFiles: z.boolean(),
  /** Stopped by the user; it can be started again. */
  isSwitchedOff: z.boolean(),
  job: blockJobSchema.nullable(),
  /** Missing: never checked by this run. */
  database: databaseJobSchema.nullable().optional(),
  takenAt: timeSchema,
})

const file = z.string().min(1).max(4_096)

export const nodeControlCalls = {
  /** Stops the node, and with it JSON-RPC and solo mining, until it is started again. */
  'node.stop': call(nothing, done, 'control'),
  /** Fails with the node's own reason when it can't start. */
  'node.start': call(nothing, done, 'control'),
  /** From this computer only. `last` null = head. Fails when `file`, absolute, exists. Answers when it has begun. */
  'node.exportBlocks': call(z.object({ file, first: countSchema, last: countSchema.nullable() }), done, 'control'),
  /** From this computer only. `file` is absolute. Answers when it has begun. */
  'node.importBlocks': call(z.object({ file }), done, 'control'),
  /** From this computer only. Drops the blocks above `number`; fails with the reason when they can't be rewound. */
  'node.goBack': call(z.object({ number: countSchema }), done, 'control'),
  /** From this computer only. Stops the node, verifies, rebuilds indexes, starts it. Answers when it has stopped. */
  'node.checkDatabase': call(nothing, done, 'control'),
  /** Cancels the running check; the node starts again. */
  'node.cancelCheck': call(nothing, done, 'control'),
  /** Cancels the running one. */
  'node.cancelBlocks': call(nothing, done, 'control'),
}

export const nodeControlEvents = {
  'node.control': event(nodeControlSchema, 4),
}

export type DatabaseJobView = z.infer<typeof databaseJobSchema>
export type BlockJobView = z.infer<typeof blockJobSchema>
export type NodeControlView = z.infer<typeof nodeControlSchema>
