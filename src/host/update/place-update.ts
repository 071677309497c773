// Installs a waiting package before anything else runs: an atomic swap, so there is always a complete program.

import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { messageOf } from '../../base/errors'
import { kindOf, type OwnPackage, waitingFolder } from './own-package'
import { checkedVersion, forgetWaiting, readWaiting } from './waiting-update'

// Which processes run from a folder, judged by their program or script. Linux only.

/** Process ids, except this one and its ancestors. For other users' programs only the arguments are visible. */
export function othersIn(folder: string): readonly number[] {
  const own = ancestors()
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => !own.has(pid) && pathsOf(pid).some((path) => path.startsWith(`${folder}/`)))
}

function pathsOf(pid: number): readonly string[] {
  const link = (name: string): string => read(() => readlinkSync(`/proc/${pid}/${name}`))
  const cwd = link('cwd')
  const words = read(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
  return [link('exe'), ...words.filter((word) => word.includes('/')).map((word) => resolve(cwd, word))]
}

function ancestors(): ReadonlySet<number> {
  const found = new Set<number>()
  for (let pid = process.pid; pid > 1 && !found.has(pid); ) {
    found.add(pid)
    // "pid (name) state ppid ...": a name may contain blanks and parentheses.
    const stat = read(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
    pid = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0)
  }
  return found
}

/** Empty for a process that ended meanwhile, or another user's. */
function read(ask: () => string): string {
  try {
    return ask()
  } catch {
    return ''
  }
}

interface PlaceDeps {
  /** Version in the program's folder. */
  readonly running: string
  /** Swaps two paths; empty on success, else the reason. */
  readonly exchange: (one: string, other: string) => string
  /** One line for the user. */
  readonly say: (line: string) => void
  /** Processes running from a folder, except this one and its ancestors. */
  readonly others?: (folder: string) => readonly number[]
}

const UNPACKED = 'unpacked'

/** Never fails: when it can't be done the program starts as it is, and a line says why. */
export async function placeWaiting(own: OwnPackage, deps: PlaceDeps): Promise<void> {
  const folder = waitingFolder(own)
  if (!existsSync(folder)) return
  try {
    const placed = await place(own, folder, deps)
    if (placed !== null) deps.say(`updated to ${placed}; ${own.folder}.previous has ${deps.running}`)
  } catch (error) {
    deps.say(`the update that waits in ${folder} is not put in place: ${messageOf(error)}`)
  }
}

/** @returns the version now installed; null when there was nothing to do, or a start was interrupted after the swap */
async function place(own: OwnPackage, folder: string, deps: PlaceDeps): Promise<string | null> {
  if (!own.isReplaceable) throw new Error(`${own.folder} is not an unpacked archive that this user may replace`)
  checkOwner(own.folder, folder)
  const waiting = readWaiting(folder)
  if (waiting === null) throw new Error(`it cannot be read; headframe update --forget removes it`)
  const { running } = deps
  const unpacked = join(folder, UNPACKED)
  if (waiting.version === running && existsSync(unpacked)) return finish(own, folder)
  expectAlone(own, deps)
  const file = join(folder, waiting.file)
  await checkedVersion(file, { ...waiting, running })
  try {
    unpack(file, unpacked)
    if (kindOf(unpacked) !== own.kind) throw new Error(`${waiting.file} is a package of another kind`)
    expectAlone(own, deps) // another start may have begun meanwhile
    const failure = deps.exchange(own.folder, unpacked)
    if (failure !== '') throw new Error(`${own.folder} and ${unpacked} cannot be swapped: ${failure}`)
  } catch (error) {
    rmSync(unpacked, { recursive: true, force: true }) // a full disk stays full otherwise
    throw error
  }
  finish(own, folder)
  return waiting.version
}

/** The old program is now beside the new one; leftovers of the update are removed. */
function finish(own: OwnPackage, folder: string): null {
  const previous = `${own.folder}.previous`
  rmSync(previous, { recursive: true, force: true })
  renameSync(join(folder, UNPACKED), previous)
  forgetWaiting(folder)
  return null
}

/** @throws Error while another process runs from the program's folder */
function expectAlone(own: OwnPackage, { others = othersIn }: PlaceDeps): void {
  const busy = others(own.folder)
  if (busy.length === 0) return
  const who = busy.length === 1 ? `process ${busy[0]} still runs` : `processes ${busy.join(', ')} still run`
  throw new Error(`${who} from ${own.folder}; the next start tries again`)
}

/** Into a new folder, flushed to disk. @throws Error when it can't be unpacked */
function unpack(file: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { mode: 0o755 })
  must('tar', ['-xzf', file, '-C', folder, '--strip-components=1', '--no-same-owner'])
  must('sync', ['-f', folder])
}

/** Files placed there by another user are ignored: they may name a key of their own. */
function checkOwner(program: string, folder: string): void {
  const stats = lstatSync(folder)
  if (!stats.isDirectory() || stats.uid !== lstatSync(program).uid || (stats.mode & 0o022) !== 0)
    throw new Error('it is not private to the program’s owner')
}

function must(program: string, words: readonly string[]): void {
  const { status, stderr, error } = spawnSync(program, words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program}: ${error?.message ?? stderr.trim().split('\n')[0]}`)
}
