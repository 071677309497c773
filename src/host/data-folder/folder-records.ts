// Small files that record where a data directory moved to, is to move, and came from.
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { IDENTITY_FILE, MOVED_TO_FILE } from '../../config/sources/moved-folder'
import { syncFolder } from '../../files/durable-file'
import { NotOurs, readJson, writeJson } from '../../files/json-file'

/** What the next start is to do with its folder. */
const CHANGE_FILE = 'folder-change.json'
/** In a completely copied folder: where it was copied from, until nothing is left there. */
const MOVED_FROM_FILE = 'moved-from.json'

/** Files that belong to one location and are never moved. */
export const PLACE_FILES: readonly string[] = [CHANGE_FILE, MOVED_FROM_FILE, MOVED_TO_FILE]

const idSchema = z.string().regex(/^[0-9a-f]{32}$/)
const pathSchema = z.string().min(1).max(4_096)
const movedToSchema = z.object({
  to: pathSchema,
  id: idSchema,
  /** The files beside this one are an incomplete copy of `to`. */
  isPart: z.boolean().optional(),
})
const movedFromSchema = z.object({ from: pathSchema, id: idSchema })
const changeSchema = z.object({
  to: pathSchema,
  /** `move`: moves all data there; `use`: switches to the data directory already there. */
  kind: z.enum(['move', 'use']),
  /** Why the last attempt failed; it isn't retried. Empty = pending. */
  failed: z.string(),
})

export type FolderChange = z.infer<typeof changeSchema>

/** A small file with a place in data directories. Each is complete or absent. */
class PlaceRecord<T extends object> {
  constructor(
    private readonly name: string,
    private readonly schema: z.ZodType<T>,
  ) {}

  /** Null for none; a file that isn't ours counts as none. @throws the system's error when it exists and can't be read */
  read(folder: string): T | null {
    try {
      return readJson(join(folder, this.name), this.schema)
    } catch (error) {
      if (error instanceof NotOurs) return null
      throw error
    }
  }

  /** @throws the system's error */
  async write(folder: string, value: T): Promise<void> {
    writeJson(join(folder, this.name), value)
    await syncFolder(folder)
  }

  async remove(folder: string): Promise<void> {
    rmSync(join(folder, this.name), { force: true })
    await syncFolder(folder)
  }
}

/** Where a data directory moved to. */
export const movedTo = new PlaceRecord(MOVED_TO_FILE, movedToSchema)
/** Where a copied one came from. */
export const movedFrom = new PlaceRecord(MOVED_FROM_FILE, movedFromSchema)
/** What was requested. */
export const folderChange = new PlaceRecord(CHANGE_FILE, changeSchema)
const identity = new PlaceRecord(IDENTITY_FILE, z.object({ id: idSchema }))

/** The folder's permanent identity, created at its first move. @throws the system's error */
export async function identityOf(folder: string): Promise<string> {
  const known = knownIdentity(folder)
  if (known !== null) return known
  const id = randomBytes(16).toString('hex')
  await identity.write(folder, { id })
  return id
}

/** Null when it has none yet. */
export function knownIdentity(folder: string): string | null {
  return identity.read(folder)?.id ?? null
}
