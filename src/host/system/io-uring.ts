// io_uring: system calls invisible to a seccomp filter.
import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Whether this process holds an io_uring. Event loops of newer libuv create one at startup, whatever UV_USE_IO_URING
 * says, and abort when it is taken away later (seen with Debian 13's Node 20.19).
 * @param folder of the process's open files; false when the system has none
 */
export function holdsIoUring(folder = '/proc/self/fd'): boolean {
  try {
    return readdirSync(folder).some((name) => targetOf(join(folder, name)).includes('[io_uring]'))
  } catch {
    return false
  }
}

/** Empty for a file closed meanwhile: the descriptor used to read the folder. */
function targetOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
