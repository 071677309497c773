// npm run package:windows: the program without Electron for Windows x64, with its own Node, as zip and as installer, below dist/. Needs
// mingw-w64, zip and NSIS.
//   npm run package:windows [-- --if-possible]   where a tool is missing: says which, and ends with 0
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { hasProgram } from '../lib/debian.mjs'
import { ensureNode } from '../lib/node-program.mjs'
import { checkPackageSize } from '../lib/package-size.mjs'
import { manifest } from '../lib/packages.mjs'
import { ROOT, runTool, ToolError } from '../lib/project.mjs'
import { ensureApp, ensurePackages } from '../lib/set-up.mjs'
import { sizeOf } from '../package-desktop.mjs'
import { fixTree, sourceDate } from '../release/fixed-tree.mjs'
import { filesBelow, stageProgram } from '../server/staged-program.mjs'
import { ensureWindowsAddon, mingw } from './windows-addon.mjs'

const KIBIBYTE = 1024

/** @returns {string | null} what is missing to make them */
export function whyNoWindowsPackages() {
  if (process.platform !== 'linux') return 'packages for Windows are made on Linux'
  if (mingw() === null) return 'mingw-w64 is not installed (Debian: apt install g++-mingw-w64-x86-64-posix)'
  const missing = ['zip', 'makensis'].find((name) => !hasProgram(name))
  return missing === undefined ? null : `${missing} is not installed (Debian: apt install zip nsis)`
}

/**
 * Makes both; the same files give the same bytes. The program must be built already.
 * @param {{ out?: string, log?: (line: string) => void, isQuick?: boolean }} [options] `isQuick`: larger ones, for tests
 * @returns {Promise<{ installer: string, zip: string }>} their absolute paths
 * @throws ToolError when a part is missing or a package is too large
 */
export async function packWindows({ out = join(ROOT, 'dist'), log = () => {}, isQuick = false } = {}) {
  const { version } = manifest('.')
  await ensureWindowsAddon(log)
  const node = await ensureNode('win-x64', log)
  const name = `headframe-${version}-windows-x64`
  const folder = join(out, '.windows', name)
  stageProgram({ folder, arch: 'x64', platform: 'win32', node })
  tellKind(folder, 'windows-archive')
  const kibibytes = Math.ceil(sizeOf(folder) / KIBIBYTE)
  const zip = join(out, `${name}.zip`)
  makeZip(zip, folder, isQuick ? '-1' : '-9')
  tellKind(folder, 'windows-setup')
  const installer = join(out, `${name}-setup.exe`)
  const icon = join(ROOT, 'resources/icons/icon.ico')
  const facts = { VERSION: version, SOURCE: folder, OUT: installer, SIZE: kibibytes, ICON: icon }
  const defines = Object.entries(facts).map(([key, value]) => `-D${key}=${value}`)
  if (isQuick) defines.push('-DQUICK')
  must('makensis', ['-V2', '-NOCD', ...defines, join(import.meta.dirname, 'installer.nsi')])
  rmSync(dirname(folder), { recursive: true })
  if (isQuick) return { installer, zip }
  checkPackageSize(zip, 'windows-zip', log)
  checkPackageSize(installer, 'windows-installer', log)
  return { installer, zip }
}

/** What an update has to be: src/host/update/own-package.ts. */
function tellKind(folder, kind) {
  writeFileSync(join(folder, 'package-kind'), `${kind}\n`)
  fixTree(folder)
}

/** In an order of names that no file system decides. */
function makeZip(file, folder, level) {
  rmSync(file, { force: true })
  const names = filesBelow(folder).map((path) => join(basename(folder), path))
  must('zip', ['-X', '-q', level, '-@', file], { cwd: dirname(folder), input: `${names.join('\n')}\n` })
}

/** Times in a zip are local ones, without a zone. */
function must(program, words, { input, cwd = ROOT } = {}) {
  const env = { ...process.env, TZ: 'UTC', LC_ALL: 'C.UTF-8', SOURCE_DATE_EPOCH: String(sourceDate()) }
  const { status, stdout, stderr, error } = spawnSync(program, words, { env, cwd, input, encoding: 'utf8' })
  if (status === 0) return
  throw new ToolError(`${program} ended with ${status}: ${error?.message ?? `${stdout}${stderr}`.trim()}`)
}

if (process.argv[1]?.endsWith('package-windows.mjs')) {
  const log = (line) => console.log(line)
  await runTool(async () => {
    const words = process.argv.slice(2)
    const unknown = words.find((word) => word !== '--if-possible')
    if (unknown !== undefined)
      throw new ToolError(`npm run package:windows: ${unknown} is not accepted; accepted: --if-possible`)
    const why = whyNoWindowsPackages()
    if (why !== null && words.length > 0) return log(`no packages for Windows: ${why}`)
    if (why !== null) throw new ToolError(why)
    await ensurePackages(log)
    await ensureApp(log)
    await packWindows({ log })
    return 0
  })
}
