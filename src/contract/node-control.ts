// What is done with the node as a whole: started and stopped, its blocks written to a file and read from one.
import { z } from 'zod'
import { call, event } from '../base/wire/define'
import { countSchema, done, nothing, timeSchema } from './shapes'

/** A file of blocks that is being written or read; stays after its end until the next one begins. */
export const blockJobSchema = z.object({
  kind: z.enum(['export', 'import']),
  file: z.string(),
  state: z.enum(['running', 'done', 'cancelled', 'failed']),
  /** Blocks written; of an import those taken or known already. */
  blocks: countSchema,
  /** 0..1 */
  share: z.number().min(0).max(1),
  startedAt: timeSchema,
  /** Why it failed; empty when it did not. */
  error: z.string(),
})

export const nodeDeskSchema = z.object({
  /** Whether this connection comes from this computer and may control: only then are files named here. */
  canNameFiles: z.boolean(),
  /** Stopped by hand; it can be started again. */
  isSwitchedOff: z.boolean(),
  job: blockJobSchema.nullable(),
  takenAt: timeSchema,
})

const file = z.string().min(1).max(4_096)

export const deskCalls = {
  /** Ends the node, and with it JSON-RPC and what mines for it, until it is started again. */
  'node.stop': call(nothing, done, 'control'),
  /** Fails with the node's own reason when it cannot start. */
  'node.start': call(nothing, done, 'control'),
  /**
   * Writes blocks `first` to `last` (null = head) to `file`, an absolute path of this computer; what is there stays, and the call
   * fails. Answers when it has begun. Only from this computer.
   */
  'node.exportBlocks': call(z.object({ file, first: countSchema, last: countSchema.nullable() }), done, 'control'),
  /** Takes the blocks of `file`, an absolute path of this computer. Answers when it has begun. Only from this computer. */
  'node.importBlocks': call(z.object({ file }), done, 'control'),
  /**
   * Takes the chain back to the block `number` of it and forgets the blocks above. Fails with the reason where they can't be taken
   * back. Only from this computer.
   */
  'node.goBack': call(z.object({ number: countSchema }), done, 'control'),
  /** Ends the one that is running. */
  'node.cancelBlocks': call(nothing, done, 'control'),
}

export const deskEvents = {
  'node.desk': event(nodeDeskSchema, 4),
}

export type BlockJobView = z.infer<typeof blockJobSchema>
export type NodeControlView = z.infer<typeof nodeDeskSchema>
