// Rings of io_uring: system calls that a filter of system calls does not see.
import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Whether this process holds a ring. Event loops of newer libuv make one at their start, whatever UV_USE_IO_URING says, and abort
 * where it is taken from them later (seen with Debian 13's Node 20.19).
 * @param folder of the process's open files; false where the system has none
 */
export function holdsIoUring(folder = '/proc/self/fd'): boolean {
  try {
    return readdirSync(folder).some((name) => targetOf(join(folder, name)).includes('[io_uring]'))
  } catch {
    return false
  }
}

/** Empty for a file that was closed meanwhile: the one by which the folder was read. */
function targetOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
