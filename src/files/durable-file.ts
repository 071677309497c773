// Files on disk when the call returns: written beside, fsynced, renamed; a crash leaves the old content or the new.

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { link, lstat, open, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isSystemCode } from '../base/errors'
import { renamePatiently } from './patient-rename'

/** Only its owner may read and write. */
const OWNER_ONLY = 0o600

/** Error codes of file systems without hard links; EISDIR is Windows' code for it. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EISDIR']
/** A claim is held for one check and one rename: one this old was left behind by a crash. */
const STALE_MS = 10_000

/** Creates and fsyncs a file, by default for its owner only, or leaves nothing. @throws the system's error, EEXIST */
export async function writeDurably(path: string, content: string | Uint8Array, mode = OWNER_ONLY): Promise<void> {
  const handle = await open(path, 'wx', mode)
  try {
    await handle.writeFile(content, 'utf8')
    await handle.sync()
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}

/** Gives a file its final name, replacing any file there, and fsyncs the folder. @throws the system's error */
export async function renameDurably(from: string, to: string): Promise<void> {
  await renamePatiently(from, to)
  await syncFolder(dirname(to))
}

/** Replaces a file as a whole; mode 0600. @throws the system's error: the old content stays, with nothing beside it */
export async function replaceDurably(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = besideOf(path)
  try {
    await writeDurably(temporary, content)
    await renameDurably(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Creates a file as a whole, never over another. @throws the system's error; EEXIST; EIO if it reads back differently */
export async function placeNewFile(
  path: string,
  text: string,
  options: { readonly mode?: number } = {},
): Promise<void> {
  const temporary = besideOf(path)
  try {
    await writeDurably(temporary, text, options.mode)
    if ((await readFile(temporary, 'utf8')) !== text)
      throw Object.assign(new Error('EIO: the disk returns something else'), READ_BACK)
    await link(temporary, path).catch(async (error: unknown) => {
      if (!hasNoLinks(error)) throw error
      await renameToNew(temporary, path)
    })
  } finally {
    await rm(temporary, { force: true })
  }
  await syncFolder(dirname(path))
}

/** The file systems of USB sticks (FAT) have no hard links. */
function hasNoLinks(error: unknown): boolean {
  return isSystemCode(error, ...NO_LINKS)
}

/**
 * A non-replacing rename without hard links: a claim file beside the target, which only one process can create, excludes
 * others between check and rename. @throws the system's error, EEXIST when the name is taken or being taken
 */
async function renameToNew(from: string, to: string): Promise<void> {
  const claim = join(dirname(to), `.${basename(to)}.claim`)
  if (await isAbandoned(claim, from)) await rm(claim, { force: true })
  await writeFile(claim, `${process.pid}\n`, { flag: 'wx', mode: OWNER_ONLY })
  try {
    if (await isThere(to)) throw Object.assign(new Error(`EEXIST: file already exists, '${to}'`), TAKEN)
    await renamePatiently(from, to)
  } finally {
    await rm(claim, { force: true })
  }
}

/** The error as the system would raise it. */
const TAKEN = { code: 'EEXIST', syscall: 'rename' }
const READ_BACK = { code: 'EIO', syscall: 'read' }

/** Left by a process that died. @param young a file created just now: the file system's own clock decides the age */
async function isAbandoned(claim: string, young: string): Promise<boolean> {
  try {
    const text = await readFile(claim, 'utf8')
    const isOld = (await stat(young)).mtimeMs - (await stat(claim)).mtimeMs > STALE_MS
    return isOld || (/^\d+\n$/.test(text) && !isRunning(Number(text)))
  } catch {
    return false // it doesn't exist
  }
}

/** One that has ended and whose parent hasn't asked how: it keeps its number, in a container without an init forever. */
const ENDED = /\) [ZX] [^)]*$/

/** Another user's process counts: signal 0 to it is refused, not missing. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !ENDED.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch (error) {
    return isSystemCode(error, 'EPERM')
  }
}

/** A dangling link counts as existing. @throws the system's error when it can't be determined */
async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if (isSystemCode(error, 'ENOENT')) return false
    throw error
  }
}

/** fsyncs a folder. Windows and some file systems can't, and write names in their own time; the files are complete. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const handle = await open(path, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch {
    // The file is already in place: an error now would suggest the opposite.
  }
}

/** Hidden, so that code that reads whole folders, such as a keystore, skips it. */
function besideOf(path: string): string {
  return join(dirname(path), `.${randomBytes(8).toString('hex')}.tmp`)
}
