// Whole programs that import a chain file into a new data folder, ours and the reference: CPU seconds of all threads, seconds by the
// clock, and highest memory, startup included.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ROOT, ToolError } from '../../lib/project.mjs'

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

/** @param {{ genesis: string, chain: string, data: string }} files `data`: a folder that isn't there yet @returns {Import} */
export function importOurs({ genesis, chain, data }) {
  measured([process.execPath, DOOR, 'init', '--datadir', data, genesis])
  return measured([process.execPath, DOOR, 'import', '--fakepow', '--datadir', data, chain])
}

/** @param {string} program @param {{ genesis: string, chain: string, data: string }} files @returns {Import} */
export function importReference(program, { genesis, chain, data }) {
  measured([program, '--datadir', data, 'init', genesis])
  return measured([program, '--datadir', data, '--fakepow', '--nocompaction', '--syncmode', 'full', 'import', chain])
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
