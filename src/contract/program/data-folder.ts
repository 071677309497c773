// Where the program keeps its data, and how to change that. From this computer only: it reveals and accepts local
// paths.
import { z } from 'zod'
import { call } from '../../base/wire/define'
import { countSchema, done, nothing } from '../shapes'

const pathSchema = z.string().min(1).max(4_096)

const folderChangeSchema = z.object({
  to: z.string(),
  /** `move`: moves all data there; `use`: switches to the data folder already there and leaves this one as it is. */
  kind: z.enum(['move', 'use']),
  /** Why the last attempt failed, for people; empty = the next start carries it out. */
  failed: z.string(),
})

const dataFolderSchema = z.object({
  folder: z.string(),
  /** A system dialog can be opened on this screen. */
  canPick: z.boolean(),
  /** Null = none was requested, or it is done. */
  change: folderChangeSchema.nullable(),
})

const folderCheckSchema = z.object({
  /** Absolute, with links resolved: what the change would use. */
  folder: z.string(),
  /** The outcome of a change: `move` and `use` can be done, the others say why not. */
  verdict: z.enum([
    'move',
    'use',
    'same',
    'inside',
    'foreign',
    'notFolder',
    'unwritable',
    'noRoom',
    'busy',
    'unmovable',
    'named',
  ]),
  /** The system's reason, a process id, or option names (`named`); empty when there is nothing to add. */
  detail: z.string(),
  /** On its disk; null when the system doesn't report it. */
  freeBytes: countSchema.nullable(),
  /** Bytes a move writes; 0 on the same disk, where nothing is copied. */
  neededBytes: countSchema,
  isNetworkDrive: z.boolean().nullable(),
  /** A folder inside it that could be used instead; null = none. */
  instead: z.string().nullable(),
})

export const dataFolderCalls = {
  'app.dataFolder': call(nothing, dataFolderSchema, 'here'),
  /** Opens the system dialog and waits for the user; null = nothing was chosen. */
  'app.pickFolder': call(nothing, z.object({ folder: z.string().nullable() }), 'here'),
  /** Checks what would happen with a folder; nothing is changed. The path is absolute, or begins with `~`. */
  'app.checkFolder': call(z.object({ folder: pathSchema }), folderCheckSchema, 'here'),
  /** Takes effect at the next start; null withdraws it. Fails on an obstacle, or when the user declines. */
  'app.changeFolder': call(z.object({ folder: pathSchema.nullable() }), done, 'here'),
}

export type DataFolderView = z.infer<typeof dataFolderSchema>
export type FolderCheckView = z.infer<typeof folderCheckSchema>
