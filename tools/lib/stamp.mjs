// Whether something has to be rebuilt: a hash over its inputs, kept in a file.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

/** Runs `work` while no other process runs work of this name. Locks of dead processes are ignored. */
export async function alone(name, work) {
  mkdirSync(CACHE, { recursive: true })
  const lock = join(CACHE, `${name}.lock`)
  while (!tryLock(lock)) await sleep(100)
  try {
    return await work()
  } finally {
    rmSync(lock, { force: true })
  }
}

function tryLock(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  if (!isOwned(lock)) rmSync(lock, { force: true })
  return false
}

function isOwned(lock) {
  try {
    const pid = Number(readFileSync(lock, 'utf8'))
    if (pid > 0) process.kill(pid, 0)
    return true // an empty file is just being written
  } catch (error) {
    return error.code === 'EPERM'
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
