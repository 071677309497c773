// Where tests write and remove many small files: in memory, where the system has a folder for that, it takes a third of
// the CPU time.
import { existsSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** Containers often have 64 MiB there, which may not hold what a test writes. */
const LEAST_BYTES = 512 * 1024 * 1024

/** A new folder. @param name its name's start */
export function memoryFolder(name: string): string {
  return mkdtempSync(join(hasRoom() ? MEMORY : tmpdir(), name))
}

function hasRoom(): boolean {
  if (!existsSync(MEMORY)) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= LEAST_BYTES
}
