// Two releases of the same commit, built in two folders that have nothing in common but the sources: their files are compared bit by bit.
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CACHE, ROOT, run, ToolError } from '../lib/project.mjs'
import { headCommit } from './origin.mjs'

/** Other path, other user settings: what must not be seen in a package. */
const BUILDS = [
  { folder: 'one', umask: '022', env: { TZ: 'UTC', LANG: 'C.UTF-8' } },
  { folder: 'a-rather-longer/name', umask: '077', env: { TZ: 'Asia/Tokyo', LANG: 'C' } },
]

/** @returns {Promise<number>} exit code: 1 where a file differs */
export async function buildTwice(log) {
  const base = mkdtempSync(join(tmpdir(), 'headframe-twice-'))
  try {
    const commit = headCommit() // one for both, whatever is committed meanwhile
    const results = []
    for (const build of BUILDS) results.push(await buildIn(join(base, build.folder), { ...build, commit }, log))
    return compare(results[0], results[1], log)
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

async function buildIn(folder, { umask, env, commit }, log) {
  log(`building in ${folder}`)
  await must('git', ['clone', '--quiet', ROOT, folder])
  await must('git', ['-C', folder, 'checkout', '--quiet', '--detach', commit])
  // The packages are those of the lock file in both; links to the same files save minutes.
  await must('cp', ['-al', join(ROOT, 'node_modules'), join(folder, 'node_modules')])
  const cache = process.env.ELECTRON_RUNTIME_CACHE ?? join(CACHE, 'electron-runtime')
  const { SOURCE_DATE_EPOCH: _, ...rest } = process.env
  const script = `umask ${umask}; exec "$0" tools/release/release.mjs`
  const options = {
    cwd: folder,
    env: { ...rest, ...env, ELECTRON_RUNTIME_CACHE: cache, HEADFRAME_RELEASE_KEY_FILE: '', HEADFRAME_APT_KEY_FILE: '' },
  }
  await must('sh', ['-c', script, process.execPath], options)
  return sums(join(folder, 'dist/release'))
}

/** Hash by name of every file below. */
function sums(folder, below = '') {
  const found = new Map()
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const path = join(below, entry.name)
    if (entry.isDirectory()) for (const [name, hash] of sums(folder, path)) found.set(name, hash)
    else
      found.set(
        path,
        createHash('sha256')
          .update(readFileSync(join(folder, path)))
          .digest('hex'),
      )
  }
  return found
}

function compare(one, other, log) {
  const names = [...new Set([...one.keys(), ...other.keys()])].sort()
  const differing = names.filter((name) => one.get(name) !== other.get(name))
  for (const name of names) log(`${differing.includes(name) ? 'DIFFERS' : 'equal  '} ${one.get(name) ?? '-'} ${name}`)
  log(differing.length === 0 ? `${names.length} files are equal bit by bit` : `${differing.length} files differ`)
  return differing.length === 0 ? 0 : 1
}

async function must(program, words, options = {}) {
  const { code } = await run(program, words, options)
  if (code !== 0) throw new ToolError(`${program} ${words[0]} ended with ${code}`)
}
