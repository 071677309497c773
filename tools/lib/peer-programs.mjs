// The tests' independent counterparts: programs made of go-ethereum's published modules, built where Go is. Nothing of them
// is part of the product, and nothing is copied into the repository but the few files in `tools/peer-program/`.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { CACHE, ROOT, run } from './project.mjs'
import { alone, hashOf, isStamped, stamp } from './stamp.mjs'

const MINUTE_MS = 60_000
const SOURCE = 'tools/peer-program'
const FOLDER = join(CACHE, 'peers')
const MODULE = 'github.com/ethereum/go-ethereum/cmd'
const PROGRAMS = ['peer-program', 'clef', 'devp2p']
/** From here on the linker refuses what a dependency of that module reads of the runtime, unless it is told. */
const CHECKS_NAMES = 23

/**
 * Builds them when they are missing or older than their source. A failure only means that some tests are skipped, and they say so.
 * @param {(line: string) => void} log
 */
export async function ensurePeerPrograms(log) {
  const version = spawnSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' })
  if (version.status !== 0) return log('Go is missing: tests with independent peers will be skipped')
  await alone('peers', async () => {
    const value = `${version.stdout.trim()} ${hashOf([SOURCE])}`
    if (isStamped('peers', value) && PROGRAMS.every((name) => existsSync(join(FOLDER, name)))) return
    log('building the test peers (about a minute, once)')
    mkdirSync(FOLDER, { recursive: true })
    const minor = Number(/^go1\.(\d+)/.exec(version.stdout)?.[1] ?? CHECKS_NAMES)
    const flags = minor < CHECKS_NAMES ? [] : ['-ldflags=-checklinkname=0']
    const { code, output } = await run(
      'go',
      ['build', '-trimpath', ...flags, '-o', `${FOLDER}/`, '.', `${MODULE}/clef`, `${MODULE}/devp2p`],
      {
        cwd: join(ROOT, SOURCE),
        env: { ...process.env, CGO_ENABLED: '0' },
        stdio: ['ignore', 'pipe', 'pipe'],
        limitMs: 10 * MINUTE_MS,
      },
    )
    if (code === 0) return stamp('peers', value)
    log(`the test peers could not be built: ${output.trim().split('\n').at(-1)}`)
  })
}
