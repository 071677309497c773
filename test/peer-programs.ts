// Where tests find the programs that they run beside ours: prlx's own in the folder that PEER_PROGRAMS names,
// otherwise those that the test set-up builds from published Go modules (`tools/lib/peer-programs.mjs`).
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

const BUILT = resolve(import.meta.dirname, '../.cache/peers')

/** Null if it is in neither place: tests that need it are then skipped, and say so. */
export function peerProgram(name: string): string | null {
  const folders = process.env.PEER_PROGRAMS === undefined ? [BUILT] : [process.env.PEER_PROGRAMS, BUILT]
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null
}
