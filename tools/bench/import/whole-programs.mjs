// Whole programs that import a made chain into a new data folder, ours and prlx: CPU seconds of all threads, seconds by the
// clock, and highest memory, startup included.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT, ToolError } from '../../lib/project.mjs'
import { bundleProgram } from '../bundle.mjs'

const OUT = join(ROOT, 'node_modules', '.cache', 'bench-whole')
const DOOR = join(ROOT, 'bin', 'headframe.mjs')
/** Runs the words after the output file's name, and prints what they used. */
const MEASURE = `
import json, resource, subprocess, sys, time
began = time.monotonic()
with open(sys.argv[1], 'wb') as output:
    code = subprocess.call(sys.argv[2:], stdout=output, stderr=output)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps({'code': code, 'seconds': time.monotonic() - began,
                  'cpuSeconds': used.ru_utime + used.ru_stime, 'megabytes': used.ru_maxrss / 1000}))
`

/**
 * What an import took.
 * @typedef {{ cpuSeconds: number, seconds: number, megabytes: number }} Import
 */

/** @returns {string | null} path of `prlx` in PEER_PROGRAMS */
export function referenceProgram() {
  const folder = process.env.PEER_PROGRAMS
  const path = folder === undefined ? null : resolve(ROOT, folder, 'prlx')
  return path !== null && existsSync(path) ? path : null
}

/** Builds what makes the chains. */
export async function buildChainMaker() {
  await bundleProgram(join(ROOT, 'test', 'bench', 'chain-files.ts'), OUT)
}

/**
 * Makes a chain in a separate process, since it takes the engine that is measured afterwards.
 * @param {'writeHostile' | 'writeTraffic'} writer function of test/bench/chain-files.ts
 * @param {string} folder where its files go @param {object} chain as that function takes it
 */
export function writeChain(writer, folder, chain) {
  const module = pathToFileURL(join(OUT, 'chain-files.mjs')).href
  const args = [folder, chain].map((arg) => JSON.stringify(arg)).join(', ')
  const script = `import(${JSON.stringify(module)}).then((files) => files.${writer}(${args}))`
  execFileSync(process.execPath, ['-e', script], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] })
}

/**
 * Both programs import the chain in `folder`, in turn.
 * @param {string} folder with the chain's files; the data folders go there, too
 * @param {{ reference: string | null, runs: number, files?: readonly string[] }} options `reference`: its path; `files`: of blocks, in `folder`
 * @returns {{ ours: Import[], theirs: Import[] }} `theirs` is empty without a reference
 */
export function importInTurn(folder, { reference, runs, files = ['chain.rlp'] }) {
  const genesis = join(folder, 'genesis.json')
  const chain = files.map((name) => join(folder, name))
  const seen = { ours: [], theirs: [] }
  for (let run = 0; run < runs; run++) {
    const data = join(folder, `ours-${run}`)
    measured([process.execPath, DOOR, 'init', '--datadir', data, genesis])
    seen.ours.push(measured([process.execPath, DOOR, 'import', '--fakepow', '--datadir', data, ...chain]))
    rmSync(data, { recursive: true, force: true })
    if (reference === null) continue
    const place = ['--datadir', join(folder, `theirs-${run}`)]
    measured([reference, ...place, 'init', genesis])
    const words = ['--fakepow', '--nocompaction', '--syncmode', 'full', 'import', ...chain]
    seen.theirs.push(measured([reference, ...place, ...words]))
    rmSync(place[1], { recursive: true, force: true })
  }
  return seen
}

/** @returns {Import} */
function measured(words) {
  const folder = mkdtempSync(join(tmpdir(), 'headframe-measured-'))
  const output = join(folder, 'output')
  try {
    const { status, stdout, stderr } = spawnSync('python3', ['-c', MEASURE, output, ...words], { encoding: 'utf8' })
    if (status !== 0) throw new ToolError(`python3 could not measure ${words[0]}: ${stderr.trim()}`)
    const { code, ...used } = JSON.parse(stdout)
    if (code !== 0) throw new ToolError(`${words.join(' ')} failed:\n${readFileSync(output, 'utf8').slice(-2_000)}`)
    return used
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
