// From a fresh clone to a runnable program: packages, addon, application. Completed steps are skipped.
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { buildNative } from '../build-native.mjs'
import { withProgress } from './progress.mjs'
import { checkRoom, packageFile, ROOT, runAttached, runTool, ToolError, withProxies } from './project.mjs'
import { alone, hashOf, isStamped, stamp } from './stamp.mjs'

const INSTALLED = join(ROOT, 'node_modules', '.package-lock.json')
const LOCK_FILE = join(ROOT, 'package-lock.json')

/** What the application is made from. */
const APP_SOURCES = ['src', 'resources', 'tools/window', 'electron.vite.config.ts', 'package.json', 'package-lock.json']
const APP_OUTPUT = ['out/main/cli.cjs', 'out/main/index.cjs', 'out/renderer/index.html']

/** Packages, addon and application in a new copy; npm's cache takes a fifth of it more, where that is. */
const FIRST_START_BYTES = 750e6

/** `npm ci` unless what is installed is what the lock file says. @param {(line: string) => void} log */
export async function ensurePackages(log) {
  if (isInstalled()) return
  accessSync(ROOT, constants.W_OK) // npm says "syscall mkdir"
  await alone('packages', (holders) => (isInstalled() ? undefined : install(holders, log)), log)
}

/**
 * For a tool that imports packages, which Node would look for before the tool's first line: `await packagesFirst()` at the file's top, then
 * `await import('vite')`. Ends the tool with one line if they can't be installed.
 */
export async function packagesFirst() {
  if (existsSync(INSTALLED)) return
  installing ??= runTool(() => ensurePackages((line) => process.stderr.write(`${line}\n`)))
  await installing
  if (process.exitCode !== 0) process.exit()
}
/** Several files of one tool may ask at once. @type {Promise<void> | undefined} */
let installing

/** @param {{ add: (pid: number) => void }} holders @param {(line: string) => void} log */
async function install(holders, log) {
  const cache = process.env.npm_config_cache ?? join(homedir(), '.npm')
  checkCache(cache)
  if (!existsSync(join(ROOT, 'node_modules'))) checkRoom(ROOT, FIRST_START_BYTES)
  log('installing packages (npm ci)')
  const npm = process.env.npm_execpath
  const command = npm === undefined ? 'npm' : process.execPath
  const args = [...(npm === undefined ? [] : [npm]), 'ci', '--no-audit', '--no-fund', '--loglevel=error']
  const { packages } = JSON.parse(readFileSync(LOCK_FILE, 'utf8'))
  const wanted = Object.keys(packages).filter((path) => /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path))
  const howFar = () => {
    // Folders exist before they are filled.
    const unpacked = wanted.filter((path) => existsSync(join(ROOT, path, 'package.json'))).length
    if (unpacked < wanted.length - 60) return `${unpacked} of about ${wanted.length} packages unpacked`
    return 'packages unpacked, running their install scripts'
  }
  const options = { stdio: ['ignore', 'pipe', 'pipe'], env: withProxies(), onStart: holders.add }
  const writesTo = [ROOT, cache]
  const { code, output } = await withProgress({ name: 'npm ci', log, howFar }, () =>
    runAttached(command, args, { ...options, writesTo }),
  )
  if (code === 0) return
  if (/cache folder contains root-owned files/.test(output)) throw cacheError(cache)
  const lines = output.split('\n').map((line) => line.replace(/^npm (error|ERR!)/, '').trim())
  const reason =
    lines.find((line) => line !== '' && !/^(?:npm warn|code|errno|syscall|path|dest)\b/.test(line)) ??
    `exit code ${code}`
  throw new ToolError(`npm can't install the packages: ${reason.replace(/\.$/, '')}. For its full output, run npm ci.`)
}

/** npm itself notices at its end only. @throws ToolError if npm can't write there */
export function checkCache(folder) {
  for (const part of ['', '_cacache', '_cacache/tmp', '_cacache/index-v5', '_cacache/content-v2']) {
    try {
      accessSync(join(folder, part), constants.W_OK)
    } catch (error) {
      if (error.code === 'EACCES') throw cacheError(folder)
    }
  }
}

function cacheError(cache) {
  return new ToolError(
    `npm can't write its cache ${cache}: some files there belong to root. Fix it: sudo chown -R $(id -u) ${cache}`,
  )
}

/** npm leaves a lock file of what it installed; packages for other platforms are not in it. */
function isInstalled() {
  if (!existsSync(INSTALLED)) return false
  const wanted = JSON.parse(readFileSync(LOCK_FILE, 'utf8')).packages
  const installed = JSON.parse(readFileSync(INSTALLED, 'utf8')).packages
  return Object.entries(wanted).every(([path, { version, optional, link }]) => {
    if (path === '' || link === true) return true
    return installed[path] === undefined ? optional === true : installed[path].version === version
  })
}

/** The addon. Throws an Error with one line that says what is missing. */
export async function ensureNative(log) {
  await buildNative({ log })
}

/** `out/`, when a source has changed. */
export async function ensureApp(log) {
  // Asked without the lock first: a copy that somebody else built and this user can't write into starts, too.
  if (isAppBuilt()) return
  await alone(
    'app',
    async () => {
      if (isAppBuilt()) return
      const value = appHash()
      log('building the application')
      const args = [packageFile('electron-vite', 'bin/electron-vite.js'), 'build']
      let last = ''
      const onOutput = (part) => {
        last = part.trim().split('\n').at(-1) ?? last
      }
      const howFar = () => last || 'begun'
      const { code, output } = await withProgress({ name: 'the application', log, howFar }, () =>
        runAttached(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], onOutput, writesTo: [ROOT] }),
      )
      if (code !== 0) {
        process.stderr.write(output)
        throw new ToolError('the application could not be built; the reason is above')
      }
      stamp('app', value)
    },
    log,
  )
}

function appHash() {
  return hashOf(APP_SOURCES, (path) => !/\.test\.tsx?$/.test(path))
}

function isAppBuilt() {
  return isStamped('app', appHash()) && APP_OUTPUT.every((file) => existsSync(join(ROOT, file)))
}
