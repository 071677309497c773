// One writer at a time for files written by several processes: by a lock file that only one of them can create.
import { closeSync, existsSync, fstatSync, openSync, readFileSync, statSync, unlinkSync, writeSync } from 'node:fs'
import type { Disposable } from '../base/disposable'
import { isSystemCode, messageOf } from '../base/errors'
import { Mutex } from '../base/mutex'
import { type Clock, sleep } from '../base/time'

const RETRY_MS = 5
/** No write takes this long: a lock this old was left by a process that died. */
const STALE_MS = 5_000
const PATIENCE_MS = 10_000
/** A kept lock is created again after this: long before others may take it for abandoned. */
const RENEWED_MS = 1_000
const KEPT = 'kept\n'

export interface HeldLock {
  /** Whether it is still ours: after a long suspension another process may have replaced it. */
  isMine(): boolean
}

/** How a lock is taken, and what its failure is. */
export interface FileLock {
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
  const held = await taken(lock)
  try {
    return await run(held)
  } finally {
    giveBack(lock, held)
  }
}

/**
 * A lock that its holder keeps for a moment after each use, so that a busy one doesn't create and remove a file for each
 * of its writes. Processes that wait for it ask for it with a file of their own. One use at a time.
 */
export class KeptLock {
  readonly #uses = new Mutex()
  readonly #wish: string
  #held: { readonly lock: HeldLock; readonly made: HeldLock; readonly since: number } | null = null
  #seenAt = 0
  #usedAt = 0
  #lookedAt = 0
  /** Until then it is left to those who asked for it. */
  #leftUntil = 0
  #timer: Disposable | null = null
  #isFirst = true

  /**
   * @param keepMs after a use; 0: it is given back at once. Only one process at a time may keep it: another's kept lock,
   * found at the first use, was left by one that died.
   */
  constructor(
    private readonly lock: FileLock,
    private readonly keepMs: number,
  ) {
    this.#wish = `${lock.file}.wanted`
  }

  /** Runs while holding the lock. @throws the lock's failure when it can't be acquired, and what `run` throws */
  run<T>(run: (held: HeldLock) => Promise<T>): Promise<T> {
    return this.#uses.run(async () => {
      const held = this.#kept() ?? (await this.#take())
      try {
        return await run(held)
      } finally {
        this.#used()
      }
    })
  }

  async close(): Promise<void> {
    await this.#uses.run(async () => this.#giveBack())
  }

  #kept(): HeldLock | null {
    const held = this.#held
    if (held === null) return null
    const now = this.lock.clock.monotonic()
    if (now - held.since < RENEWED_MS && held.made.isMine()) {
      this.#seenAt = now
      return held.lock
    }
    this.#giveBack()
    return null
  }

  async #take(): Promise<HeldLock> {
    const { clock } = this.lock
    const pause = this.#leftUntil - clock.monotonic()
    if (pause > 0) await sleep(clock, pause)
    const made = await this.#made()
    this.#seenAt = Number.NEGATIVE_INFINITY
    // A kept one was looked at when its use began, and nobody takes it for abandoned yet.
    const isSeen = (): boolean => clock.monotonic() - this.#seenAt < RETRY_MS
    const lock = { isMine: () => isSeen() || made.isMine() }
    this.#held = { lock, made, since: clock.monotonic() }
    return lock
  }

  #made(): Promise<HeldLock> {
    const isKeeper = this.keepMs > 0
    if (isKeeper && this.#isFirst) removedIf(isKept, this.lock)
    this.#isFirst = false
    return taken(this.lock, { wish: this.#wish, text: isKeeper ? KEPT : '' })
  }

  #used(): void {
    const now = this.lock.clock.monotonic()
    this.#usedAt = now
    if (this.keepMs === 0) this.#giveBack()
    else if (this.#isWanted(now)) this.#leave()
    else this.#timer ??= this.lock.clock.setTimeout(() => this.#rest(), this.keepMs)
  }

  /** Looked for as often as those who wait look. */
  #isWanted(now: number): boolean {
    if (now - this.#lookedAt < RETRY_MS) return false
    this.#lookedAt = now
    return existsSync(this.#wish)
  }

  /** For two looks of those who wait. Who makes something else of the wish than a file isn't one of them. */
  #leave(): void {
    try {
      remove(this.#wish)
    } catch {
      this.#lookedAt = Number.POSITIVE_INFINITY
    }
    this.#leftUntil = this.lock.clock.monotonic() + 2 * RETRY_MS
    this.#giveBack()
  }

  #rest(): void {
    this.#timer = null
    const { clock } = this.lock
    const left = this.#usedAt + this.keepMs - clock.monotonic()
    if (left > 0) this.#timer = clock.setTimeout(() => this.#rest(), left)
    else void this.close()
  }

  #giveBack(): void {
    this.#timer?.dispose()
    this.#timer = null
    const held = this.#held
    this.#held = null
    if (held !== null) giveBack(this.lock, held.made)
  }
}

/** How a lock is taken: the file to ask its holder with, null = none; and what its own file says. */
interface Taking {
  readonly wish: string | null
  readonly text: string
}

async function taken(lock: FileLock, { wish, text }: Taking = { wish: null, text: '' }): Promise<HeldLock> {
  const { clock, failure } = lock
  const startedAt = clock.monotonic()
  for (let isWaiting = false; ; isWaiting = true) {
    const held = take(lock, text)
    if (held !== null) {
      if (isWaiting && wish !== null) remove(wish)
      return held
    }
    if (removedIf(isStale, lock)) continue
    if (clock.monotonic() - startedAt > PATIENCE_MS) throw failure('another process holds it')
    if (wish !== null) make(wish, lock, '')
    await sleep(clock, RETRY_MS)
  }
}

function giveBack({ file }: FileLock, held: HeldLock): void {
  if (held.isMine()) remove(file)
}

/** Null when another process holds it. */
function take(lock: FileLock, text: string): HeldLock | null {
  const made = make(lock.file, lock, text)
  return made === null ? null : { isMine: () => identityOf(lock.file) === made }
}

/**
 * Removes an abandoned lock. Under a lock of its own, and after a second check: otherwise, of two processes that found
 * the same stale lock, the slower would remove the lock that the faster has acquired since.
 */
function removedIf(isLeft: (file: string, clock: Clock) => boolean, lock: FileLock): boolean {
  const { file, clock } = lock
  if (!isLeft(file, clock)) return false
  const broom = `${file}.stale`
  if (make(broom, lock, '') === null) {
    if (isStale(broom, clock)) remove(broom)
    return false
  }
  try {
    if (!isLeft(file, clock)) return false
    remove(file)
    return true
  } finally {
    remove(broom)
  }
}

/** The new file's identity; null when it already exists. @throws the lock's failure */
function make(file: string, { failure }: FileLock, text: string): string | null {
  try {
    const descriptor = openSync(file, 'wx', 0o600)
    try {
      if (text !== '') say(descriptor, text)
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

/** A lock holds without it too, on a full disk for example: then the next start waits until it is old. */
function say(descriptor: number, text: string): void {
  try {
    writeSync(descriptor, Buffer.from(text))
  } catch {
    return
  }
}

function isKept(file: string): boolean {
  try {
    const text = readFileSync(file, 'latin1')
    return text !== '' && KEPT.startsWith(text)
  } catch {
    return false // there is none, or it isn't a file
  }
}

/** A time in the future counts as stale: the clock was set back since. */
function isStale(file: string, clock: Clock): boolean {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat !== undefined && Math.abs(clock.now() - stat.mtimeMs) > STALE_MS
}
