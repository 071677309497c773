// One program per folder: a file with the owner's pid. A lock whose process is gone is taken over.

import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { HeadframeError, isSystemCode, reasonOf } from '../../base/errors'
import type { Service } from '../../base/lifecycle'
import { isRunning } from '../../files/durable-file'
import { textOrNull } from '../../files/text-or-null'
import { windowsSystem } from '../../native/system/windows-system'
import { HostError } from '../errors'

interface DataDirLockOptions {
  readonly dir: string
  readonly file: string
  readonly pid: number
  /** The error when process `pid` holds it; missing = HOST_DATA_DIR_IN_USE. */
  readonly inUse?: (pid: number) => Error
  /** True: where this user can't write, nobody else of this user can either, so nothing is locked. */
  readonly mayBeReadOnly?: boolean
}

/** One process, told apart from a later one that got its number. */
export interface ProcessMark {
  readonly pid: number
  /** The kernel's start time of that process; empty when unavailable. */
  readonly startMark: string
}

const TAKE_OVER_TRIES = 3

/** @throws HostError HOST_DATA_DIR_IN_USE when a live process holds it, HOST_DATA_DIR_UNUSABLE */
export class DataDirLock implements Service {
  readonly name = 'lock'
  #held = false

  constructor(private readonly options: DataDirLockOptions) {}

  async start(): Promise<void> {
    const { dir, file, pid } = this.options
    const mine = `${file}.${pid}`
    try {
      writeFileSync(mine, `${pid}\n${startMarkOf(pid)}\n`, { mode: 0o600 })
      for (let attempt = 0; attempt < TAKE_OVER_TRIES && !this.#held; attempt++) this.#held = this.#tryOnce(mine)
    } catch (error) {
      if (error instanceof HeadframeError) throw error
      if (this.options.mayBeReadOnly === true && isSystemCode(error, 'EROFS', 'EACCES')) return
      throw new HostError('HOST_DATA_DIR_UNUSABLE', { dir, reason: reasonOf(error) }, { cause: error })
    } finally {
      rmSync(mine, { force: true })
    }
    if (!this.#held) throw this.#inUse(readOwner(file)?.pid ?? 0)
  }

  async stop(): Promise<void> {
    if (!this.#held) return
    this.#held = false
    rmSync(this.options.file, { force: true })
  }

  #inUse(pid: number): Error {
    const { dir, inUse } = this.options
    return inUse?.(pid) ?? new HostError('HOST_DATA_DIR_IN_USE', { dir, pid })
  }

  /** A hard link appears atomically, so nobody reads a partial lock. */
  #tryOnce(mine: string): boolean {
    const { file } = this.options
    try {
      linkSync(mine, file)
      return true
    } catch (error) {
      if (!isSystemCode(error, 'EEXIST')) throw error
    }
    const owner = readOwner(file)
    if (owner !== null && isAlive(owner)) throw this.#inUse(owner.pid)
    this.#removeStale(owner)
    return false
  }

  /** Moves the stale lock aside; if another process was faster and this is its new lock, puts it back. */
  #removeStale(dead: ProcessMark | null): void {
    const { file, pid } = this.options
    const aside = `${file}.stale.${pid}`
    try {
      renameSync(file, aside)
    } catch {
      return // another process moved it first: the next attempt sees its lock
    }
    let isTheDeadOne = false
    try {
      const moved = readOwner(aside)
      isTheDeadOne = moved?.pid === dead?.pid && moved?.startMark === dead?.startMark
    } finally {
      if (isTheDeadOne) rmSync(aside, { force: true })
      else renameSync(aside, file)
    }
  }
}

/** This process. */
export function ownMark(): ProcessMark {
  return { pid: process.pid, startMark: startMarkOf(process.pid) }
}

/** Process that holds the lock now; null = none. @throws HostError HOST_DATA_DIR_UNUSABLE when the lock can't be read */
export function lockHolder(file: string): ProcessMark | null {
  const owner = readOwner(file)
  return owner !== null && isAlive(owner) ? owner : null
}

/** Null: gone, or no lock. @throws HostError HOST_DATA_DIR_UNUSABLE if unreadable, as another user's: it may be alive */
function readOwner(file: string): ProcessMark | null {
  try {
    const [pid = '', startMark = ''] = readFileSync(file, 'utf8').split('\n')
    return /^\d{1,10}$/.test(pid) ? { pid: Number(pid), startMark } : null
  } catch (error) {
    if (isSystemCode(error, 'ENOENT')) return null
    const reason = `its lock ${file} cannot be read: ${reasonOf(error)}`
    throw new HostError('HOST_DATA_DIR_UNUSABLE', { dir: dirname(file), reason }, { cause: error })
  }
}

/** Whether it still runs. Where the system tells no start times, its number decides. */
export function isAlive(owner: ProcessMark): boolean {
  if (!isRunning(owner.pid)) return false
  const mark = startMarkOf(owner.pid)
  return mark === '' || owner.startMark === '' || mark === owner.startMark
}

/** Field 22 of /proc/PID/stat (ticks since boot, proc(5)); the command name before it may hold blanks and brackets. */
function startMarkOf(pid: number): string {
  if (process.platform === 'win32') return windowsMarkOf(pid)
  const stat = textOrNull(`/proc/${pid}/stat`) ?? ''
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

/** Windows reuses a dead process's id within minutes. */
function windowsMarkOf(pid: number): string {
  const start = windowsSystem(import.meta.dirname)?.processStart(pid) ?? 0n
  return start === 0n ? '' : String(start)
}
