// io_uring: system calls invisible to a seccomp filter.
import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** `unknown`: the system doesn't list this process's open files. */
type Rings = 'none' | 'held' | 'unknown'

/**
 * Whether this process holds an io_uring. Event loops of newer libuv create one at startup, whatever UV_USE_IO_URING
 * says, and abort when it is taken away later (Node 22, 24 and Debian 13's 20.19).
 * @param folder of the process's open files
 */
export function heldRings(folder = '/proc/self/fd'): Rings {
  try {
    const targets = readdirSync(folder).map((name) => targetOf(join(folder, name)))
    return targets.some((target) => target.includes('[io_uring]')) ? 'held' : 'none'
  } catch {
    return 'unknown'
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
