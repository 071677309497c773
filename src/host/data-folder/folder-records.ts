// Small files that record where a data directory moved to, is to move, and came from. Each is complete or absent.
import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { isSystemCode } from '../../base/errors'
import { IDENTITY_FILE, MOVED_TO_FILE } from '../../config/sources/moved-folder'
import { syncFolder } from '../../files/durable-file'
import { replaceOwnerFile } from '../../files/owner-file'

/** What the next start is to do with its folder. */
const CHANGE_FILE = 'folder-change.json'
/** In a completely copied folder: where it was copied from, until nothing is left there. */
const MOVED_FROM_FILE = 'moved-from.json'

/** Files that belong to one location and are never moved. */
export const PLACE_FILES: readonly string[] = [CHANGE_FILE, MOVED_FROM_FILE, MOVED_TO_FILE]

const idSchema = z.string().regex(/^[0-9a-f]{32}$/)
const pathSchema = z.string().min(1).max(4_096)
const identitySchema = z.object({ id: idSchema })
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

/** The folder's permanent identity, created at its first move. @throws the system's error */
export async function identityOf(folder: string): Promise<string> {
  const known = read(folder, IDENTITY_FILE, identitySchema)
  if (known !== null) return known.id
  const id = randomBytes(16).toString('hex')
  await write(folder, IDENTITY_FILE, { id })
  return id
}

/** Null when it has none yet. */
export function knownIdentity(folder: string): string | null {
  return read(folder, IDENTITY_FILE, identitySchema)?.id ?? null
}

export function readMovedTo(folder: string): z.infer<typeof movedToSchema> | null {
  return read(folder, MOVED_TO_FILE, movedToSchema)
}

export function writeMovedTo(folder: string, to: string, id: string, isPart = false): Promise<void> {
  return write(folder, MOVED_TO_FILE, isPart ? { to, id, isPart } : { to, id })
}

export function removeMovedTo(folder: string): Promise<void> {
  return remove(folder, MOVED_TO_FILE)
}

export function readMovedFrom(folder: string): z.infer<typeof movedFromSchema> | null {
  return read(folder, MOVED_FROM_FILE, movedFromSchema)
}

export function writeMovedFrom(folder: string, from: string, id: string): Promise<void> {
  return write(folder, MOVED_FROM_FILE, { from, id })
}

export function removeMovedFrom(folder: string): Promise<void> {
  return remove(folder, MOVED_FROM_FILE)
}

/** Null when nothing was requested. */
export function readChange(folder: string): FolderChange | null {
  return read(folder, CHANGE_FILE, changeSchema)
}

export function writeChange(folder: string, change: FolderChange): Promise<void> {
  return write(folder, CHANGE_FILE, change)
}

export function removeChange(folder: string): Promise<void> {
  return remove(folder, CHANGE_FILE)
}

/** A file that isn't ours counts as missing. @throws the system's error when it exists and can't be read */
function read<T>(folder: string, name: string, schema: z.ZodType<T>): T | null {
  let text: string
  try {
    text = readFileSync(join(folder, name), 'utf8')
  } catch (error) {
    if (isSystemCode(error, 'ENOENT', 'ENOTDIR')) return null
    throw error
  }
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

async function write(folder: string, name: string, value: object): Promise<void> {
  replaceOwnerFile(join(folder, name), `${JSON.stringify(value)}\n`)
  await syncFolder(folder)
}

async function remove(folder: string, name: string): Promise<void> {
  rmSync(join(folder, name), { force: true })
  await syncFolder(folder)
}
