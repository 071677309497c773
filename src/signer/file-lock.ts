// One writer at a time for files written by several processes: by a lock file that only one of them can create.
import { closeSync, fstatSync, openSync, statSync, unlinkSync } from 'node:fs'
import { isSystemCode, messageOf } from '../base/errors'
import { type Clock, sleep } from '../base/time'

const RETRY_MS = 5
/** No write takes this long: a lock this old was left by a process that died. */
const STALE_MS = 5_000
const PATIENCE_MS = 10_000

/** The lock while it is held. */
export interface HeldLock {
  /** Whether it is still ours: after a long suspension another process may have replaced it. */
  isMine(): boolean
}

/** A lock and its failure. */
export interface FileLock {
  /** The lock file. */
  readonly file: string
  readonly clock: Clock
  /** The error when it can't be acquired. @param reason the system's, or that another process holds it */
  readonly failure: (reason: string, cause?: unknown) => Error
}

/**
 * Runs while holding the lock. It is created and removed synchronously on purpose: that takes microseconds, and the
 * thread pool may be full of key derivations.
 * @throws the lock's failure when it can't be acquired, and what `run` throws
 */
export async function withFileLock<T>(lock: FileLock, run: (held: HeldLock) => Promise<T>): Promise<T> {
  const { file, clock, failure } = lock
  const startedAt = clock.monotonic()
  for (;;) {
    const held = take(lock)
    if (held !== null) {
      try {
        return await run(held)
      } finally {
        if (held.isMine()) remove(file)
      }
    }
    if (removedStale(lock)) continue
    if (clock.monotonic() - startedAt > PATIENCE_MS) {
      throw failure('another process holds it')
    }
    await sleep(clock, RETRY_MS)
  }
}

/** Null when another process holds it. */
function take(lock: FileLock): HeldLock | null {
  const made = make(lock.file, lock)
  return made === null ? null : { isMine: () => identityOf(lock.file) === made }
}

/**
 * Removes an abandoned lock. Under a lock of its own, and after a second check: otherwise, of two processes that found
 * the same stale lock, the slower would remove the lock that the faster has acquired since.
 */
function removedStale(lock: FileLock): boolean {
  const { file, clock } = lock
  if (!isStale(file, clock)) return false
  const broom = `${file}.stale`
  if (make(broom, lock) === null) {
    if (isStale(broom, clock)) remove(broom)
    return false
  }
  try {
    if (!isStale(file, clock)) return false
    remove(file)
    return true
  } finally {
    remove(broom)
  }
}

/** The new file's identity; null when it already exists. @throws the lock's failure */
function make(file: string, { failure }: FileLock): string | null {
  try {
    const descriptor = openSync(file, 'wx', 0o600)
    try {
      const { ino, mtimeNs } = fstatSync(descriptor, { bigint: true })
      return `${ino}:${mtimeNs}`
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (isSystemCode(error, 'EEXIST')) return null
    throw failure(messageOf(error), error)
  }
}

/** Also succeeds when it is already gone. @throws Error of the file system */
function remove(file: string): void {
  try {
    unlinkSync(file)
  } catch (error) {
    if (!isSystemCode(error, 'ENOENT')) throw error
  }
}

function identityOf(file: string): string | null {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? null : `${stat.ino}:${stat.mtimeNs}`
}

/** A time in the future counts as stale: the clock was set back since. */
function isStale(file: string, clock: Clock): boolean {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat !== undefined && Math.abs(clock.now() - stat.mtimeMs) > STALE_MS
}
