// Lists everything below a folder, and copies it to disk with verification.
import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import {
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  rm,
  rmdir,
  symlink,
  utimes,
} from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { isSystemCode } from '../../base/errors'
import { syncFolder } from '../../files/durable-file'
import { HostError } from '../errors'
import { PLACE_FILES } from './folder-records'

const CHUNK_BYTES = 1 << 20
/** Errors of file systems without hard links, or across file systems. */
const NO_LINK_CODES = ['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EISDIR', 'EMLINK', 'EACCES', 'EINVAL']
/** Recreated at each start: the program's lock, and Chromium's. */
const OF_ONE_START = /^(?:headframe\.lock.*|dashboard-link|desktop[/\\]Singleton\w+)$/

export interface TreeEntry {
  /** Relative to the folder. */
  readonly path: string
  readonly kind: 'folder' | 'file' | 'link'
  /** For a file; 0 otherwise. */
  readonly bytes: number
  readonly mode: number
  /** Modification time, UTC ms; 0 without content. */
  readonly changedAt: number
  /** Changes whenever the content does, in this folder. */
  readonly mark: string
  /** Target of a link. */
  readonly leadsTo: string
}

/** What is moved, folders before contents, without sockets and locks. @throws HostError HOST_FOLDER_ENTRY */
export async function listTree(root: string): Promise<TreeEntry[]> {
  const found: TreeEntry[] = []
  const look = async (below: string): Promise<void> => {
    const names = (await readdir(join(root, below))).sort()
    for (const name of names) {
      const path = join(below, name)
      if (OF_ONE_START.test(path) || (below === '' && PLACE_FILES.includes(name))) continue
      const entry = await entryOf(root, path)
      if (entry === null) continue
      found.push(entry)
      if (entry.kind === 'folder') await look(path)
    }
  }
  await look('')
  return found
}

/** Null for a socket, and for what disappeared meanwhile. */
async function entryOf(root: string, path: string): Promise<TreeEntry | null> {
  const stats = await statsOf(join(root, path))
  if (stats === null || stats.isSocket()) return null
  const mark = `${stats.size} ${stats.mtimeMs} ${stats.ino}`
  const common = { path, bytes: 0, mode: stats.mode & 0o7777, changedAt: 0, mark, leadsTo: '' }
  if (stats.isDirectory()) return { ...common, kind: 'folder', mark: '' }
  if (stats.isFile()) return { ...common, kind: 'file', bytes: stats.size, changedAt: stats.mtimeMs }
  if (!stats.isSymbolicLink()) throw new HostError('HOST_FOLDER_ENTRY', { path: join(root, path), reason: 'a device' })
  const leadsTo = await readlink(join(root, path))
  const isWithin = isAbsolute(leadsTo) && isBelow(root, leadsTo)
  if (isAbsolute(leadsTo) && !isWithin) return { ...common, kind: 'link', leadsTo }
  const reason = `a link to ${leadsTo}, which would point elsewhere after the move`
  throw new HostError('HOST_FOLDER_ENTRY', { path: join(root, path), reason })
}

/** The folder itself, or anything inside. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
}

/** Null when it doesn't exist. @throws the system's error */
export async function statsOf(path: string): Promise<Stats | null> {
  try {
    return await lstat(path)
  } catch (error) {
    if (isSystemCode(error, 'ENOENT', 'ENOTDIR')) return null
    throw error
  }
}

interface CopyDeps {
  readonly from: string
  readonly to: string
  /** Called with the number of bytes copied. */
  readonly onBytes: (bytes: number) => void
  readonly signal: AbortSignal
}

/** Copies an entry, replacing any: fsynced and read back; a link on one disk. @throws HostError HOST_FOLDER_COPY */
export async function copyEntry(entry: TreeEntry, deps: CopyDeps): Promise<void> {
  const source = join(deps.from, entry.path)
  const target = join(deps.to, entry.path)
  deps.signal.throwIfAborted()
  if (entry.kind === 'folder') {
    await mkdir(target, { recursive: true, mode: entry.mode })
    return
  }
  await rm(target, { force: true })
  if (entry.kind === 'link') await symlink(entry.leadsTo, target)
  else if (!(await linked(source, target))) await copyFile(source, target, { mode: entry.mode, ...deps })
  deps.onBytes(entry.bytes)
}

async function linked(source: string, target: string): Promise<boolean> {
  try {
    await link(source, target)
    return true
  } catch (error) {
    if (isSystemCode(error, ...NO_LINK_CODES)) return false
    throw error
  }
}

async function copyFile(
  source: string,
  target: string,
  { mode, signal }: { readonly mode: number; readonly signal: AbortSignal },
): Promise<void> {
  const reader = await open(source, 'r')
  let sent: string
  try {
    const writer = await open(target, 'wx', mode)
    try {
      sent = await digestOf(reader, signal, async (part) => void (await writer.writeFile(part)))
      await writer.chmod(mode)
      await writer.sync()
    } finally {
      await writer.close()
    }
    const { atime, mtime } = await reader.stat()
    await utimes(target, atime, mtime)
  } finally {
    await reader.close()
  }
  const copy = await open(target, 'r')
  try {
    if ((await digestOf(copy, signal, async () => undefined)) === sent) return
  } finally {
    await copy.close()
  }
  throw new HostError('HOST_FOLDER_COPY', { file: target })
}

/** SHA-256 of the whole file, hex. @param take gets each chunk before the next one is read */
async function digestOf(file: FileHandle, signal: AbortSignal, take: (part: Buffer) => Promise<void>): Promise<string> {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  for (;;) {
    signal.throwIfAborted()
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, null)
    if (bytesRead === 0) return hash.digest('hex')
    const part = buffer.subarray(0, bytesRead)
    hash.update(part)
    await take(part)
  }
}

/** fsyncs the names of all entries, including the folder itself. */
export async function syncTree(root: string, entries: readonly TreeEntry[]): Promise<void> {
  for (const { kind, path } of [...entries].reverse()) if (kind === 'folder') await syncFolder(join(root, path))
  await syncFolder(root)
  await syncFolder(dirname(root))
}

/** Removes unchanged entries, then folders left empty. @returns what stayed, relative to `root` */
export async function removeTree(root: string, entries: readonly TreeEntry[]): Promise<string[]> {
  const stayed: string[] = []
  for (const entry of [...entries].reverse()) {
    const path = join(root, entry.path)
    if (entry.kind === 'folder') {
      await rmdir(path).catch((error: unknown) => {
        if (!isSystemCode(error, 'ENOENT')) stayed.push(entry.path)
      })
      continue
    }
    const present = await entryOf(root, entry.path)
    if (present !== null && present.mark !== entry.mark) stayed.push(entry.path)
    else await rm(path, { force: true })
  }
  return stayed
}
