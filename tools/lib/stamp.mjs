// Whether something has to be rebuilt: a hash over its inputs, kept in a file.
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CACHE, ROOT } from './project.mjs'

/** One hash over names and contents. A folder stands for all files below it that `filter` accepts. */
export function hashOf(paths, filter = () => true) {
  const hash = createHash('sha256')
  for (const path of paths
    .map((name) => join(ROOT, name))
    .flatMap(filesAt)
    .filter(filter)) {
    hash
      .update(`${relative(ROOT, path)}\0`)
      .update(readFileSync(path))
      .update('\0')
  }
  return hash.digest('hex')
}

/** True when `name` was stamped with this very value. */
export function isStamped(name, value) {
  const file = join(CACHE, `${name}.stamp`)
  return existsSync(file) && readFileSync(file, 'utf8') === value
}

export function stamp(name, value) {
  mkdirSync(CACHE, { recursive: true })
  writeFileSync(join(CACHE, `${name}.stamp`), value)
}

/** After this long a waiting process says what it waits for, and again each time as long. */
const SAY_AFTER_MS = 3_000
const SAY_EVERY_MS = 60_000
const EMPTY_MS = 10_000

/**
 * Runs `work` while no other process runs work of this name. Locks of ended processes are ignored.
 * @template T
 * @param {string} name
 * @param {(holders: { add: (pid: number) => void }) => Promise<T>} work `add`: a program that must end as well before the lock is free
 * @param {(line: string) => void} [log] hears who holds the lock
 * @returns {Promise<T>}
 */
export async function alone(name, work, log = (line) => process.stderr.write(`${line}\n`)) {
  mkdirSync(CACHE, { recursive: true })
  const lock = join(CACHE, `${name}.lock`)
  let sayAt = performance.now() + SAY_AFTER_MS
  while (!tryLock(lock)) {
    if (performance.now() > sayAt) {
      const holder = holdersOf(lock).find(isAlive)?.pid ?? 'that has just ended'
      log(`waiting for process ${holder}, which holds ${lock}; delete that file if it isn't a start of this folder`)
      sayAt = performance.now() + SAY_EVERY_MS
    }
    await sleep(100)
  }
  try {
    return await work({ add: (pid) => appendFileSync(lock, holderLine(pid)) })
  } finally {
    rmSync(lock, { force: true })
  }
}

function tryLock(lock) {
  try {
    writeFileSync(lock, holderLine(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') {
      rmSync(lock, { force: true }) // on a full disk it is there, and empty
      throw Object.assign(error, { path: lock })
    }
  }
  const holders = holdersOf(lock)
  if (holders.length === 0 ? isLeft(lock) : !holders.some(isAlive)) rmSync(lock, { force: true })
  return false
}

/** An empty file is just being written, or was left by a process that ended there. */
function isLeft(lock) {
  return Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > EMPTY_MS
}

/** Numbers of processes are used again, in containers at once: when it started tells one from the next. */
function holderLine(pid) {
  return `${pid} ${startOf(pid) ?? ''}\n`
}

function holdersOf(lock) {
  try {
    const lines = readFileSync(lock, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
    return lines.map((line) => {
      const [pid, start = ''] = line.split(' ')
      return { pid: Number(pid), start }
    })
  } catch {
    return []
  }
}

function isAlive({ pid, start }) {
  const now = startOf(pid)
  if (now !== null && start !== '') return now === start
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** In ticks since the system's own start, which is named too; null where the system doesn't say (Linux only), and for none. */
function startOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const [state, ...rest] = fields.slice(fields.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? 'ended' : `${boot}:${rest[18]}`
  } catch {
    return null
  }
}

function filesAt(path) {
  if (!existsSync(path)) return []
  const entries = readdirSyncOrFile(path)
  if (entries === null) return [path]
  return entries.flatMap((entry) => filesAt(join(path, entry)))
}

function readdirSyncOrFile(path) {
  try {
    return readdirSync(path).sort()
  } catch (error) {
    if (error.code === 'ENOTDIR') return null
    throw error
  }
}
