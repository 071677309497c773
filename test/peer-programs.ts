// Where tests find the programs that they run beside ours: prlx's own in the folder that PEER_PROGRAMS names,
// otherwise those that the test set-up builds from published Go modules (`tools/lib/peer-programs.mjs`).
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { XHASH_FULL } from '../src/xhash/params'

const BUILT = resolve(import.meta.dirname, '../.cache/peers')
const CACHES = resolve(import.meta.dirname, '../.cache/peer-caches')

/** Null if it is in neither place: tests that need it are then skipped, and say so. */
export function peerProgram(name: string): string | null {
  const folders = process.env.PEER_PROGRAMS === undefined ? [BUILT] : [process.env.PEER_PROGRAMS, BUILT]
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null
}

/** Links the caches of the proof of work into a new data folder of prlx, which would take a second of CPU time to build each. */
export function linkPeerCaches(dataDir: string): void {
  mkdirSync(CACHES, { recursive: true })
  if (readdirSync(CACHES).length < 2)
    for (const block of [0, XHASH_FULL.epochLength])
      execFileSync(peerProgram('prlx') ?? 'prlx', ['makecache', String(block), CACHES], { stdio: 'ignore' })
  mkdirSync(join(dataDir, 'Parallax'), { recursive: true })
  symlinkSync(CACHES, join(dataDir, 'Parallax', 'xhash'))
}
