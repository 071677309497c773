// Renames that others briefly block: on Windows, scanners and indexers hold a new file, which can't be moved then.
import { renameSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { isSystemCode } from '../base/errors'

/** What Windows returns meanwhile; on other systems these are final. */
const HELD_UP = ['EPERM', 'EACCES', 'EBUSY']
/** Before each retry: 1.3 s in total. */
const WAITS_MS = [5, 10, 20, 40, 80, 160, 320, 640]
/** For the blocking variant: a tenth of a second in total. */
const SHORT_WAITS_MS = [2, 4, 8, 16, 32, 48]

/** The rename, the wait and the platform, replaceable in tests. */
interface RenameWorld<Result> {
  readonly platform: string
  readonly rename: (from: string, to: string) => Result
  readonly wait: (ms: number) => Result
}

/** @throws the system's error of the last attempt */
export async function renamePatiently(
  from: string,
  to: string,
  world: RenameWorld<Promise<void>> = { platform: process.platform, rename, wait: (ms) => sleep(ms) },
): Promise<void> {
  for (const ms of WAITS_MS) {
    try {
      return await world.rename(from, to)
    } catch (error) {
      if (!isHeldUp(error, world.platform)) throw error
      await world.wait(ms)
    }
  }
  await world.rename(from, to)
}

/** Like `renamePatiently`, for callers that can't await. @throws the system's error of the last attempt */
export function renamePatientlySync(
  from: string,
  to: string,
  world: RenameWorld<void> = { platform: process.platform, rename: renameSync, wait: standStill },
): void {
  for (const ms of SHORT_WAITS_MS) {
    try {
      world.rename(from, to)
      return
    } catch (error) {
      if (!isHeldUp(error, world.platform)) throw error
      world.wait(ms)
    }
  }
  world.rename(from, to)
}

function isHeldUp(error: unknown, platform: string): boolean {
  return platform === 'win32' && isSystemCode(error, ...HELD_UP)
}

function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
