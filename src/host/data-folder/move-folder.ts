// Moves a data directory. At every moment exactly one folder is the valid one: the new one starts with a file that
// points back to the old one, receives everything, and loses that file once all of it is on disk and read back; only
// then the old one points to the new one and is emptied. Whenever the program is interrupted, the next start finds a
// complete folder and continues from there.
import { copyFile, mkdir, readdir, rmdir } from 'node:fs/promises'
import { relative } from 'node:path'
import { isSystemCode, messageOf } from '../../base/errors'
import { HostError } from '../errors'
import { folderChange, identityOf, knownIdentity, movedFrom, movedTo } from './folder-records'
import { copyEntry, listTree, removeTree, statsOf, syncTree, type TreeEntry } from './folder-tree'

interface Move {
  readonly from: string
  readonly to: string
  /** The folder where starts begin to look; it points to the new location afterwards. */
  readonly named: string
  /** Files named after another one's path: each with its path after the move. */
  readonly alsoCopied: ReadonlyMap<string, string>
}

interface MoveDeps {
  readonly onProgress: (progress: MoveProgress) => void
  /** Called before each step that a later start would notice. */
  readonly onStep?: (step: string) => void
  readonly signal: AbortSignal
}

interface MoveProgress {
  readonly doneBytes: number
  readonly totalBytes: number
}

/** A file written during the copy is copied again in a further round; a folder that never settles can't be moved. */
const MAX_ROUNDS = 5

/**
 * Under the lock of `from`; resumes an earlier attempt. @returns what stayed, since it changed during the move
 * @throws HostError HOST_FOLDER_..., the system's error, with the old folder unchanged and no copy left
 */
export async function moveFolder(move: Move, deps: MoveDeps): Promise<readonly string[]> {
  const { from, to } = move
  const id = await identityOf(from)
  if (!isWhole(move, id)) await copyWhole(move, id, deps)
  deps.onStep?.('whole')
  await movedTo.remove(to)
  return finishMove({ from, to, named: move.named }, id, deps)
}

/** An earlier attempt completed the copy. */
function isWhole({ from, to }: Move, id: string): boolean {
  const record = movedFrom.read(to)
  return record !== null && record.from === from && record.id === id
}

/** Once the copy is complete: the old folder points to it, and is emptied. @returns what stayed there */
export async function finishMove(
  { from, to, named }: Pick<Move, 'from' | 'to' | 'named'>,
  id: string,
  { onStep }: Pick<MoveDeps, 'onStep'>,
): Promise<readonly string[]> {
  onStep?.('both')
  let stayed: readonly string[] = []
  if (knownIdentity(from) === id || movedTo.read(from)?.id === id) {
    await movedTo.write(from, { to, id })
    onStep?.('switched')
    await pointTo(named, { from, to, id })
    stayed = await emptied(from, to)
    await folderChange.remove(from)
  } else await pointTo(named, { from, to, id })
  onStep?.('emptied')
  await movedFrom.remove(to)
  return stayed
}

async function pointTo(named: string, { from, to, id }: { from: string; to: string; id: string }): Promise<void> {
  if (named !== from && named !== to && (await statsOf(named)) !== null) await movedTo.write(named, { to, id })
}

/** FAT timestamps have a resolution of two seconds. */
const SAME_TIME_MS = 2_000

/** Removes what is in the new folder, too: anything that was added meanwhile stays. */
async function emptied(from: string, to: string): Promise<readonly string[]> {
  try {
    const old = await listTree(from)
    const copies = new Map((await listTree(to)).map((entry) => [entry.path, entry]))
    const isCopied = ({ path, kind, bytes, changedAt }: TreeEntry): boolean => {
      const copy = copies.get(path)
      const isAlike = copy !== undefined && copy.kind === kind && copy.bytes === bytes
      return isAlike && Math.abs(copy.changedAt - changedAt) <= SAME_TIME_MS
    }
    const [gone, kept] = [old.filter(isCopied), old.filter((entry) => !isCopied(entry))]
    return [...kept.map(({ path }) => path), ...(await removeTree(from, gone))]
  } catch (error) {
    return [messageOf(error)] // it is only in the way: everything is in the new folder
  }
}

async function copyWhole(move: Move, id: string, deps: MoveDeps): Promise<void> {
  const { from, to } = move
  const listed = await listTree(from)
  const found = await claim(to, from, id)
  deps.onStep?.('claimed')
  try {
    await clear(listed, move)
    await copyRounds(listed, move, deps)
    for (const [source, target] of move.alsoCopied) await copyIfThere(source, target)
    deps.onStep?.('copied')
    await movedFrom.write(to, { from, id })
  } catch (error) {
    if (!deps.signal.aborted) await undo(listed, move, found)
    throw error
  }
}

/** The target before the move. */
interface Found {
  readonly wasThere: boolean
  /** Where a former location of this data directory pointed; null = it didn't. */
  readonly pointed: string | null
  readonly id: string
}

/** Later starts there are redirected back. @throws HostError HOST_FOLDER_UNFIT when it contains something else */
async function claim(to: string, from: string, id: string): Promise<Found> {
  const wasThere = (await statsOf(to)) !== null
  await mkdir(to, { recursive: true, mode: 0o700 })
  const record = movedTo.read(to)
  const found = { wasThere, pointed: record?.to ?? null, id }
  if (record?.to === from && record.id === id && record.isPart === true) return found
  const names = await readdir(to)
  const isFree = names.length === 0 || (names.length === 1 && record?.id === id)
  if (!isFree) throw new HostError('HOST_FOLDER_UNFIT', { folder: to, reason: 'it is not empty' })
  await movedTo.write(to, { to: from, id: id, isPart: true })
  return found
}

/** Removes leftovers of an earlier attempt by their names. @throws HostError HOST_FOLDER_UNFIT for other files */
async function clear(listed: readonly TreeEntry[], { to, alsoCopied }: Move): Promise<void> {
  const names = new Set([
    ...listed.map(({ path }) => path),
    ...[...alsoCopied.values()].map((path) => relative(to, path)),
  ])
  const present = await listTree(to)
  const foreign = present.find(({ path, kind }) => kind !== 'folder' && !names.has(path))
  if (foreign !== undefined) {
    throw new HostError('HOST_FOLDER_UNFIT', {
      folder: to,
      reason: `it contains ${foreign.path}, which belongs to another folder`,
    })
  }
  await removeTree(to, present)
}

async function copyRounds(listed: readonly TreeEntry[], move: Move, deps: MoveDeps): Promise<void> {
  const totalBytes = listed.reduce((sum, { bytes }) => sum + bytes, 0)
  let doneBytes = 0
  const onBytes = (bytes: number): void => {
    doneBytes += bytes
    deps.onProgress({ doneBytes: Math.min(doneBytes, totalBytes), totalBytes })
  }
  const copied = new Map<string, string>()
  let missing: readonly TreeEntry[] = listed
  let present: readonly TreeEntry[] = listed
  for (let round = 0; missing.length > 0; round++) {
    if (round === MAX_ROUNDS) {
      const reason = 'its files keep changing: another program is writing to it'
      throw new HostError('HOST_FOLDER_UNFIT', { folder: move.from, reason })
    }
    for (const entry of missing) {
      await copyEntry(entry, { from: move.from, to: move.to, onBytes, signal: deps.signal })
      copied.set(entry.path, entry.mark)
    }
    present = await listTree(move.from)
    missing = present.filter(({ path, mark }) => copied.get(path) !== mark)
  }
  await syncTree(move.to, present)
}

async function copyIfThere(source: string, target: string): Promise<void> {
  try {
    await copyFile(source, target)
  } catch (error) {
    if (!isSystemCode(error, 'ENOENT')) throw error
  }
}

/** Restores the target. What can't be removed stays, and points back. */
async function undo(listed: readonly TreeEntry[], move: Move, { wasThere, pointed, id }: Found): Promise<void> {
  const { to } = move
  try {
    await clear(listed, move)
    if (pointed !== null) return await movedTo.write(to, { to: pointed, id })
    await movedTo.remove(to)
    if (!wasThere) await rmdir(to)
  } catch {
    // The move's own error matters more; a later attempt clears it.
  }
}
