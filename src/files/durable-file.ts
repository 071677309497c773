// Files that are on the disk when the call returns: written beside their place, forced out, and put there in one step, so that
// a crash, a power cut or a full disk leaves the old content or the new one.

import { randomBytes } from 'node:crypto'
import { link, lstat, open, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isSystemCode } from '../base/system-code'
import { renamePatiently } from './patient-rename'

/** Only its owner may read and write. */
const OWNER_ONLY = 0o600

/** How systems say that a file system has no links; EISDIR is Windows' word for it. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EISDIR']
/** A claim is held for one look and one rename: one of this age was left behind, whatever it says. */
const STALE_MS = 10_000

/**
 * Makes a new file and forces it out; nothing stays when that fails.
 * @param mode owner only when left out
 * @throws the system's error, EEXIST when there is a file of this name
 */
export async function writeDurably(path: string, text: string, mode = OWNER_ONLY): Promise<void> {
  const handle = await open(path, 'wx', mode)
  try {
    await handle.writeFile(text, 'utf8')
    await handle.sync()
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}

/**
 * Gives a file its final name, replacing what has it, and forces the folder out.
 * @throws the system's error
 */
export async function renameDurably(from: string, to: string): Promise<void> {
  await renamePatiently(from, to)
  await syncFolder(dirname(to))
}

/**
 * Replaces a file as a whole; mode 0600.
 * @throws the system's error; the old content stands and nothing is left beside it
 */
export async function replaceDurably(path: string, text: string): Promise<void> {
  const temporary = besideOf(path)
  try {
    await writeDurably(temporary, text)
    await renameDurably(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/**
 * Puts a new file in its place, whole or not at all, and never over another one.
 * @param options.prove gets the text as read back from the disk; nothing is kept when it throws
 * @throws the system's error, EEXIST when the name is taken, and what `prove` throws
 */
export async function placeNewFile(
  path: string,
  text: string,
  options: { readonly mode?: number; readonly prove?: (readBack: string) => Promise<void> } = {},
): Promise<void> {
  const temporary = besideOf(path)
  try {
    await writeDurably(temporary, text, options.mode)
    await options.prove?.(await readFile(temporary, 'utf8'))
    await link(temporary, path).catch(async (error: unknown) => {
      if (!hasNoLinks(error)) throw error
      await renameToNew(temporary, path)
    })
  } finally {
    await rm(temporary, { force: true })
  }
  await syncFolder(dirname(path))
}

/** The file systems of memory sticks have one name a file. */
function hasNoLinks(error: unknown): boolean {
  return isSystemCode(error, ...NO_LINKS)
}

/**
 * A rename that does not replace, where there are no links to make one of: a file beside it, which only one process can make,
 * keeps others away between the look and the rename.
 * @throws the system's error, EEXIST when the name is taken, or another process is taking it
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

/** As the system says it. */
const TAKEN = { code: 'EEXIST', syscall: 'rename' }

/** Left by a process that died. @param young a file of a moment ago: the age is told by the file system's own clock */
async function isAbandoned(claim: string, young: string): Promise<boolean> {
  try {
    const text = await readFile(claim, 'utf8')
    const isOld = (await stat(young)).mtimeMs - (await stat(claim)).mtimeMs > STALE_MS
    return isOld || (/^\d+\n$/.test(text) && !isRunning(Number(text)))
  } catch {
    return false // there is none
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return isSystemCode(error, 'EPERM')
  }
}

/** A link that leads nowhere is there, too. @throws the system's error when it can't be told */
async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if (isSystemCode(error, 'ENOENT')) return false
    throw error
  }
}

/**
 * Forces a folder's entries out. Some file systems, and Windows, have no such thing: there the names reach the disk when the
 * system writes them, and the files themselves are whole either way.
 */
export async function syncFolder(path: string): Promise<void> {
  try {
    const handle = await open(path, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch {
    // What was put there is in its place already: a failure told now would be taken for the opposite.
  }
}

/** Hidden: what reads whole folders, such as a keystore, leaves it out. */
function besideOf(path: string): string {
  return join(dirname(path), `.${randomBytes(8).toString('hex')}.tmp`)
}
