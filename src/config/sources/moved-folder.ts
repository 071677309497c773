// Finds a data directory that was moved: the old folder keeps a file that names the new one.
import { ConfigError } from '../errors'
import { joinPath } from '../paths'
import type { FileText } from '../resolved-config'

/** In the old folder of a moved data directory: `{"to": "/new/place", "id": "..."}`. */
export const MOVED_TO_FILE = 'moved-to.json'
/** In a data directory that was ever moved: `{"id": "..."}`, 32 hex digits that identify it across moves. */
export const IDENTITY_FILE = 'data-folder.json'

/** Repeated moves leave a few of these; a longer chain is a cycle. */
const MAX_MOVES = 16

/** File access, supplied by the front door. */
interface FolderReader {
  readonly platform: string
  readonly readFile: (path: string) => FileText
}

/** Where the data directory is now. @throws ConfigError CONFIG_FOLDER_LOST, for example without the disk it is on */
export function presentFolder(named: string, reader: FolderReader): string {
  let folder = named
  for (let moves = 0; moves <= MAX_MOVES; moves++) {
    const file = joinPath(reader.platform, folder, MOVED_TO_FILE)
    const record = jsonOf(file, reader)
    if (record === null) return folder
    const { to, id } = record
    if (typeof to !== 'string' || typeof id !== 'string') throw lost(file, 'it names no folder')
    if (!isThere(to, id, reader)) throw lost(file, `the data folder was moved to ${to}, which is not there`)
    folder = to
  }
  throw lost(joinPath(reader.platform, named, MOVED_TO_FILE), 'it leads in a circle')
}

/** It is the same data directory, or was moved on from there. */
function isThere(folder: string, id: string, reader: FolderReader): boolean {
  const at = (name: string): Readonly<Record<string, unknown>> | null =>
    jsonOf(joinPath(reader.platform, folder, name), reader)
  return at(IDENTITY_FILE)?.id === id || at(MOVED_TO_FILE)?.id === id
}

/** Null when there is no such file. */
function jsonOf(file: string, { readFile }: FolderReader): Readonly<Record<string, unknown>> | null {
  const read = readFile(file)
  if ('missing' in read) return null
  if ('unreadable' in read) throw lost(file, `it cannot be read: ${read.unreadable}`)
  try {
    const value: unknown = JSON.parse(read.text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    throw lost(file, 'it is not JSON')
  }
}

function lost(file: string, reason: string): Error {
  return new ConfigError('CONFIG_FOLDER_LOST', { file, reason })
}
