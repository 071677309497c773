// Whether a folder can become the data directory, and how.
import { constants } from 'node:fs'
import { access, readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { messageOf } from '../../base/errors'
import { IDENTITY_FILE, MOVED_TO_FILE } from '../../config/sources/moved-folder'
import type { FolderCheckView } from '../../contract/program/data-folder'
import { systemFreeBytes } from '../../node/store/disk-guard'
import { dataDirPaths } from '../system/data-dir'
import { isNetworkDrive } from '../system/disk-facts'
import { lockHolder } from '../system/lock'
import { knownIdentity, movedTo } from './folder-records'
import { isBelow, listTree, statsOf } from './folder-tree'

/** Space left free on the target disk. */
const MARGIN_BYTES = 64 * 2 ** 20

/** As the window shows it, but for what only the settings know. */
interface FolderCheck extends FolderCheckView {
  readonly verdict: Exclude<FolderCheckView['verdict'], 'named'>
}

/** @param wanted absolute @param dataDir the current one */
export async function checkFolder(wanted: string, dataDir: string): Promise<FolderCheck> {
  const folder = await withoutLinks(resolve(wanted))
  const ground = await nearestThere(folder)
  const known = { folder, detail: '', neededBytes: 0, instead: null }
  const disk = { freeBytes: await systemFreeBytes(ground), isNetworkDrive: await isNetworkDrive(ground) }
  const verdictOf = async (): Promise<Partial<FolderCheck> & Pick<FolderCheck, 'verdict'>> => {
    const kin = await kinship(folder, dataDir)
    if (kin !== null) return { verdict: kin }
    if (!(await isFolder(ground))) return { verdict: 'notFolder', detail: ground }
    const content = ground === folder ? await contentOf(folder, dataDir) : 'nothing'
    if (content === 'foreign') return { verdict: 'foreign', instead: await freeName(folder, dataDir) }
    const obstacle = await reason(() => access(ground, constants.W_OK | constants.X_OK))
    if (obstacle !== '') return { verdict: 'unwritable', detail: obstacle }
    if (content === 'data folder') {
      const holder = lockHolder(dataDirPaths(folder).lockFile)
      return holder === null ? { verdict: 'use' } : { verdict: 'busy', detail: String(holder.pid) }
    }
    return room(ground, dataDir, disk.freeBytes)
  }
  return { ...known, ...disk, ...(await verdictOf()) }
}

async function room(ground: string, dataDir: string, freeBytes: number | null) {
  let bytes = 0
  const detail = await reason(async () => {
    for (const entry of await listTree(dataDir)) bytes += entry.bytes
  })
  if (detail !== '') return { verdict: 'unmovable', detail } as const
  const isSameDisk = (await stat(ground)).dev === (await stat(dataDir)).dev
  const neededBytes = isSameDisk ? 0 : bytes
  const isShort = !isSameDisk && freeBytes !== null && freeBytes < neededBytes + MARGIN_BYTES
  return { verdict: isShort ? 'noRoom' : 'move', neededBytes } as const
}

/** `same` and `inside` by file identity, regardless of spelling. */
async function kinship(folder: string, dataDir: string): Promise<'same' | 'inside' | null> {
  const own = await stat(dataDir)
  for (let path = folder; ; path = dirname(path)) {
    const stats = await stat(path).catch(() => null) // doesn't exist yet
    if (stats !== null && stats.ino === own.ino && stats.dev === own.dev) return path === folder ? 'same' : 'inside'
    if (path === dirname(path)) return isBelow(await withoutLinks(dataDir), folder) ? 'inside' : null
  }
}

async function contentOf(folder: string, dataDir: string): Promise<'nothing' | 'data folder' | 'foreign'> {
  const names = await readdir(folder)
  if (names.length === 0) return 'nothing'
  const pointer = movedTo.read(folder)
  // A former location of this data folder, or an unfinished copy of it.
  const isOfThis = pointer !== null && pointer.id === knownIdentity(dataDir)
  if (isOfThis && (names.length === 1 || (pointer.isPart === true && pointer.to === dataDir))) return 'nothing'
  if (names.includes(MOVED_TO_FILE) && names.length === 1) return 'foreign'
  const isOurs = names.includes(IDENTITY_FILE) || (await statsOf(join(folder, 'logs', 'headframe.log'))) !== null
  return isOurs ? 'data folder' : 'foreign'
}

/** A free name in a folder that is used for other things, too. */
async function freeName(folder: string, dataDir: string): Promise<string | null> {
  const instead = join(folder, 'headframe')
  const isUsable = (await statsOf(instead)) === null && !isBelow(dataDir, instead)
  return isUsable ? instead : null
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path)).isDirectory()
}

/** The folder, or its nearest existing ancestor. */
async function nearestThere(folder: string): Promise<string> {
  for (let path = folder; ; path = dirname(path)) {
    if ((await stat(path).catch(() => null)) !== null || path === dirname(path)) return path
  }
}

/** The real path, with nonexistent parts appended. */
async function withoutLinks(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    return path === dirname(path) ? path : join(await withoutLinks(dirname(path)), basename(path))
  }
}

/** Why it fails; empty on success. */
async function reason(work: () => Promise<unknown>): Promise<string> {
  try {
    await work()
    return ''
  } catch (error) {
    return messageOf(error)
  }
}
