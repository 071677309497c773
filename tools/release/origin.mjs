// The statement of a release's origin (in-toto Statement 1, SLSA Provenance 1): which files, from which commit, by which tools. It is signed
// with the list of sums that names it. The same commit gives the same text: no time and no number of a run.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { manifest } from '../lib/packages.mjs'
import { ROOT, ToolError } from '../lib/project.mjs'

/** What decides the bytes beside the sources, and is part of them. */
const LOCKED = ['package-lock.json', 'native/engine/Cargo.lock', 'native/vendor/libsecp256k1.json']

/** @param {{ folder: string, names: readonly string[] }} release `names`: of the files in `folder` @returns {string} JSON */
export function originText({ folder, names }) {
  const { name, version, repository } = manifest('.')
  const subject = names.map((each) => ({ name: each, digest: digestOf(join(folder, each)) }))
  const locked = LOCKED.map((path) => ({ uri: `file:${path}`, digest: digestOf(join(ROOT, path)) }))
  const source = { uri: repository?.url ?? `git:${name}`, digest: { gitCommit: headCommit() } }
  const buildDefinition = {
    buildType: 'file:tools/release/release.mjs',
    externalParameters: { name, version },
    internalParameters: { node: process.versions.node, system: `${process.platform}-${process.arch}` },
    resolvedDependencies: [source, ...locked],
  }
  const predicate = { buildDefinition, runDetails: { builder: { id: 'npm run release' } } }
  const type = { _type: 'https://in-toto.io/Statement/v1', predicateType: 'https://slsa.dev/provenance/v1' }
  return `${JSON.stringify({ ...type, subject, predicate }, null, 2)}\n`
}

function digestOf(path) {
  return { sha256: createHash('sha256').update(readFileSync(path)).digest('hex') }
}

/** @returns {string} of the checked-out commit @throws ToolError outside a repository */
export function headCommit() {
  const { status, stdout, stderr } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new ToolError(`git rev-parse: ${stderr.trim()}`)
  return stdout.trim()
}
