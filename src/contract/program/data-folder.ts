// Where the program keeps everything, and how that is changed. Only from this computer: paths of it are told and named.
import { z } from 'zod'
import { call } from '../../base/wire/define'
import { countSchema, done, nothing } from '../shapes'

const pathSchema = z.string().min(1).max(4_096)

export const folderChangeSchema = z.object({
  to: z.string(),
  /** `move`: everything goes there; `use`: the data folder that is there already takes over, and this one stays as it is. */
  kind: z.enum(['move', 'use']),
  /** Why the last try came to nothing, for people; empty = the next start does it. */
  failed: z.string(),
})

export const dataFolderSchema = z.object({
  folder: z.string(),
  /** A system's dialog can be opened at this screen. */
  canPick: z.boolean(),
  /** Null = none was asked for, or it is done. */
  change: folderChangeSchema.nullable(),
})

export const folderCheckSchema = z.object({
  /** Absolute, with no link in it: this is what a change would take. */
  folder: z.string(),
  /** What would become of it: `move` and `use` can be done, the others say why it can't. */
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
  /** The system's reason, a process's number, or option names (`named`); empty where there is no more to say. */
  detail: z.string(),
  /** On its disk; null where the system does not tell. */
  freeBytes: countSchema.nullable(),
  /** That a move writes; 0 on the same disk, where nothing is copied. */
  neededBytes: countSchema,
  isNetworkDrive: z.boolean().nullable(),
  /** A folder in it that could be taken instead; null = none. */
  instead: z.string().nullable(),
})

export const dataFolderCalls = {
  'app.dataFolder': call(nothing, dataFolderSchema, 'here'),
  /** Opens the system's dialog and waits for the person; null = nothing was chosen. */
  'app.pickFolder': call(nothing, z.object({ folder: z.string().nullable() }), 'here'),
  /** What would become of a folder; nothing is changed. A path begins at the root, or with `~`. */
  'app.checkFolder': call(z.object({ folder: pathSchema }), folderCheckSchema, 'here'),
  /**
   * Asks for another folder from the next start on, which moves or takes over as the check said; null takes the wish back. Fails where
   * the check names an obstacle, or the person at the machine says no.
   */
  'app.changeFolder': call(z.object({ folder: pathSchema.nullable() }), done, 'here'),
}

export type DataFolderView = z.infer<typeof dataFolderSchema>
export type FolderCheckView = z.infer<typeof folderCheckSchema>
