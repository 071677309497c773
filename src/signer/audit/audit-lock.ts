// One writer at a time for a file that several processes append to: a file beside it that only one can make.
import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { messageOf } from '../../base/errors'
import { type Clock, sleep } from '../../base/time'
import { SignerError } from '../errors'

const RETRY_MS = 5
/** Nobody writes that long: a lock of this age was left by a process that died. */
const STALE_MS = 5_000
const PATIENCE_MS = 10_000

/**
 * Runs while holding the lock. It is made and removed with synchronous calls on purpose: they take microseconds, and
 * the thread pool may be full of key derivations.
 * @throws SignerError SIGNER_AUDIT_UNWRITABLE when it cannot be had, and what `run` throws
 */
export async function withAuditLock<T>(lock: string, clock: Clock, run: () => Promise<T>): Promise<T> {
  const startedAt = clock.monotonic()
  while (!take(lock)) {
    if (isStale(lock, clock)) {
      rmSync(lock, { force: true })
      continue
    }
    if (clock.monotonic() - startedAt > PATIENCE_MS) {
      throw new SignerError('SIGNER_AUDIT_UNWRITABLE', { file: lock, reason: 'another process holds it' })
    }
    await sleep(clock, RETRY_MS)
  }
  try {
    return await run()
  } finally {
    rmSync(lock, { force: true })
  }
}

function take(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx', 0o600))
    return true
  } catch (error) {
    if (isSystemCode(error, 'EEXIST')) return false
    throw new SignerError('SIGNER_AUDIT_UNWRITABLE', { file: lock, reason: messageOf(error) }, { cause: error })
  }
}

function isStale(lock: string, clock: Clock): boolean {
  const stat = statSync(lock, { throwIfNoEntry: false })
  return stat !== undefined && clock.now() - stat.mtimeMs > STALE_MS
}

function isSystemCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
