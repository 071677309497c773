// npm run package:rigs: the custom miners for HiveOS and mmpOS, below dist/hiveos/ and dist/mmpos/: the program without a window, as
// the server package has it, with its own Node: a rig has none. x64 only, as the two systems are.
//   npm run package:rigs [-- --if-possible]   where they can't be made: says why, and ends with 0
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ensureNode } from '../lib/node-program.mjs'
import { checkPackageSize } from '../lib/package-size.mjs'
import { manifest } from '../lib/packages.mjs'
import { ROOT, runTool, ToolError } from '../lib/project.mjs'
import { ensureApp, ensureNative, ensurePackages } from '../lib/set-up.mjs'
import { writeTarball } from '../release/fixed-tree.mjs'
import { stageProgram } from './staged-program.mjs'

const SYSTEMS = ['hiveos', 'mmpos']
/** @returns {string | null} what is missing to make them */
function whyNoRigPackages() {
  const isMade = process.platform === 'linux' && process.arch === 'x64'
  return isMade ? null : 'packages for rigs are made on Linux x64 only'
}

/**
 * Makes both; the same files give the same bytes. Everything must be built already.
 * @param {{ out?: string, log?: (line: string) => void }} [options]
 * @returns {Promise<{ hiveos: string, mmpos: string }>} absolute paths
 * @throws ToolError when a part is missing or a package is too large
 */
export async function packRigs({ out = join(ROOT, 'dist'), log = () => {} } = {}) {
  const why = whyNoRigPackages()
  if (why !== null) throw new ToolError(why)
  const folder = join(out, '.rig', 'program')
  stageProgram({ folder, arch: 'x64', node: await ensureNode('linux-x64', log) })
  // The system keeps it up to date, and starts it.
  for (const name of ['package-kind', 'server', 'SERVER.md']) rmSync(join(folder, name), { recursive: true })
  const files = {}
  for (const system of SYSTEMS) files[system] = await makeArchive(system, folder, out)
  rmSync(dirname(folder), { recursive: true })
  for (const file of Object.values(files)) checkPackageSize(file, 'rig', log)
  return files
}

/** HiveOS asks for the miner's name, one hyphen and the version, with all of it in a folder of that name. */
async function makeArchive(system, folder, out) {
  const file = join(out, system, `headframe-${manifest('.').version}.tar.gz`)
  mkdirSync(dirname(file), { recursive: true })
  const renamed = ['--transform=s,^program,headframe/program,', `--transform=s,^${system},headframe,`]
  await writeTarball(file, [...renamed, '-C', dirname(folder), 'program', '-C', join(ROOT, 'resources'), system])
  return file
}

if (process.argv[1]?.endsWith('package-rigs.mjs')) {
  const log = (line) => console.log(line)
  await runTool(async () => {
    const words = process.argv.slice(2)
    const unknown = words.find((word) => word !== '--if-possible')
    if (unknown !== undefined)
      throw new ToolError(`npm run package:rigs: ${unknown} is not accepted; accepted: --if-possible`)
    const why = whyNoRigPackages()
    if (why !== null && words.length > 0) return log(`skipped: ${why}`)
    await ensurePackages(log)
    await ensureNative(log)
    await ensureApp(log)
    await packRigs({ log })
  })
}
