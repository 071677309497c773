// Builds native/build/Release/headframe.node when its sources changed; does nothing, quickly, when they did not.
// Needs no download: the headers come from the package node-api-headers. Usage: node tools/build-native.mjs [--force]
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { withProgress } from './lib/progress.mjs'
import { runAttached } from './lib/project.mjs'
import { alone } from './lib/stamp.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const native = join(root, 'native')
const build = join(native, 'build')
const output = join(build, 'Release', 'headframe.node')
const stampFile = join(build, 'headframe.stamp')
const logFile = join(build, 'build.log')
const require = createRequire(import.meta.url)

/** The settings that node's own headers would bring; see node-gyp's --nodedir. */
const COMMON_GYPI = `{'variables': {'configuring_node%': 0, 'visibility%': 'hidden'}, 'target_defaults': {
  'default_configuration': 'Release',
  'configurations': {'Debug': {}, 'Release': {'cflags': ['-O3']}},
  'cflags': ['-fPIC'],
  'conditions': [['OS=="mac"', {'xcode_settings': {'OTHER_LDFLAGS': ['-undefined dynamic_lookup']}}]]}}
`

/** What the addon is compiled from besides its own sources. */
const PACKAGES = ['node-addon-api', 'node-api-headers']

/**
 * Builds the addon if its sources changed.
 * @param {{ log?: (message: string) => void, force?: boolean }} [options]
 * @returns {Promise<{ built: boolean, path: string, ms: number }>}
 * Throws an Error with a one-line message when something is missing or does not compile.
 */
export async function buildNative({ log = () => {}, force = false } = {}) {
  const startedAt = performance.now()
  const done = (built) => ({ built, path: output, ms: Math.round(performance.now() - startedAt) })
  const stamp = sourceStamp()
  if (!force && isCurrent(stamp)) return done(false)
  const work = async () => {
    if (!force && isCurrent(stamp)) return done(false) // another process has built it meanwhile
    mkdirSync(build, { recursive: true })
    checkTools()
    log('building native/build/Release/headframe.node (a minute, longer on a busy computer)')
    await withProgress({ name: 'the addon', log, howFar: compiledFiles }, runNodeGyp)
    writeFileSync(stampFile, stamp)
    return done(true)
  }
  return alone('addon', work, log)
}

/** Folder of the object files, laid out as the sources; null unless today's sources were built here. */
export function builtObjects() {
  const folder = join(build, 'Release', 'obj.target', 'headframe')
  return existsSync(join(folder, 'src')) && isCurrent(sourceStamp()) ? folder : null
}

function isCurrent(stamp) {
  return existsSync(output) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp
}

/** One hash over everything that determines the output. */
function sourceStamp() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${process.env.CXX ?? ''}\n`)
  for (const name of PACKAGES) {
    hash.update(readFileSync(join(packageDir(name), 'package.json')))
  }
  for (const file of [
    join(native, 'binding.gyp'),
    ...['src', 'vendor'].flatMap((folder) => filesBelow(join(native, folder))),
  ]) {
    hash.update(`${relative(native, file)}\n`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

function filesBelow(folder) {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  return entries.flatMap((e) => (e.isDirectory() ? filesBelow(join(folder, e.name)) : [join(folder, e.name)]))
}

function packageDir(name) {
  const dir = join(root, 'node_modules', name)
  if (!existsSync(dir)) throw new Error(`cannot build the native addon: package ${name} is missing; run: npm ci`)
  return dir
}

/** Reports missing tools helpfully, before node-gyp does so in fifty lines. */
function checkTools() {
  if (process.platform === 'win32') return // node-gyp finds Visual Studio and Python by its own rules
  const { CXX } = process.env
  const needed = [
    {
      names: CXX === undefined ? ['c++', 'g++', 'clang++'] : [CXX],
      what: 'a C++20 compiler (g++ 11 or clang 14 or newer)',
      by: 'g++',
    },
    { names: ['make'], what: 'make', by: 'make' },
    { names: ['python3', 'python'], what: 'Python 3', by: 'python3' },
  ]
  const missing = needed.filter(({ names }) => !names.some(runs))
  if (missing.length === 0) return
  const packages = missing.map(({ by }) => by).join(' ')
  throw new Error(
    `cannot build the native addon: missing ${missing.map(({ what }) => what).join(', ')} (Debian: apt install ${packages})`,
  )
}

function runs(command) {
  return spawnSync(command.split(' ')[0], ['--version'], { stdio: 'ignore' }).status === 0
}

/** make treats a blank as the end of a name: a checkout with a blank in its path is built in a copy elsewhere. */
async function runNodeGyp() {
  if (process.platform === 'win32' || !/\s/.test(root)) return runNodeGypIn(root)
  if (/\s/.test(tmpdir())) {
    throw new Error(
      `cannot build the native addon: blanks in ${root} and in the temporary folder ${tmpdir()}; set TMPDIR`,
    )
  }
  const copy = mkdtempSync(join(tmpdir(), 'headframe-native-'))
  try {
    cpSync(native, join(copy, 'native'), { recursive: true, filter: (path) => path !== build })
    for (const name of PACKAGES) {
      cpSync(packageDir(name), join(copy, 'node_modules', name), { recursive: true, dereference: true })
    }
    mkdirSync(dirname(output), { recursive: true })
    await runNodeGypIn(copy)
    copyFileSync(join(copy, 'native', 'build', 'Release', 'headframe.node'), output)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** Of make's own lines, in what the build has written so far. */
function compiledFiles() {
  const lines = existsSync(logFile) ? readFileSync(logFile, 'utf8').split('\n') : []
  return `${lines.filter((line) => /^ {2}C(?:XX|C)\(target\)/.test(line)).length} files begun`
}

/** @param {string} folder holds `native` and the packages */
async function runNodeGypIn(folder) {
  const sources = join(folder, 'native')
  const args = [nodeGypScript(), 'configure', 'build', '--release', `--jobs=${cpus().length}`, '--directory', sources]
  if (process.platform !== 'win32') args.push(`--nodedir=${makeNodeDir(join(sources, 'build'))}`)
  // The output must not depend on the folder.
  const plainPaths = `-ffile-prefix-map=${folder}=.`
  const logTo = openSync(logFile, 'w')
  // Under npm a user's `nodedir` setting arrives as a variable, and node-gyp prefers it to our own headers.
  const { npm_config_nodedir: _, ...env } = process.env
  // One source is C: whoever names a C++ compiler means its C sibling.
  if (env.CXX !== undefined) env.CC ??= cCompilerOf(env.CXX)
  if (process.platform !== 'win32') {
    for (const name of ['CFLAGS', 'CXXFLAGS']) env[name] = `${env[name] ?? ''} ${plainPaths}`.trim()
  }
  const options = { cwd: sources, env, stdio: ['ignore', logTo, logTo], writesTo: [folder] }
  const { code } = await runAttached(process.execPath, args, options)
  if (code === 0 && existsSync(join(sources, 'build', 'Release', 'headframe.node'))) return
  const lines = readFileSync(logFile, 'utf8').split('\n')
  const first =
    lines.find((line) => /error:|ERR! (?!stack|System|command|cwd|node|not ok)/.test(line)) ?? `exit ${code}`
  throw new Error(`cannot build the native addon: ${first.trim()} (full log: ${relative(process.cwd(), logFile)})`)
}

/** `clang++-16 -m64` -> `clang-16 -m64`; one that is not known compiles C as well. */
export function cCompilerOf(cxx) {
  const siblings = { 'clang++': 'clang', 'g++': 'gcc', 'c++': 'cc' }
  return cxx.replace(/clang\+\+|g\+\+|c\+\+/, (name) => siblings[name])
}

/** A folder that looks to node-gyp like an installed node: headers and common.gypi. */
function makeNodeDir(place) {
  const nodeDir = join(place, 'nodedir')
  const include = join(nodeDir, 'include', 'node')
  mkdirSync(include, { recursive: true })
  const headers = join(packageDir('node-api-headers'), 'include')
  for (const name of readdirSync(headers)) writeFileSync(join(include, name), readFileSync(join(headers, name)))
  writeFileSync(join(include, 'common.gypi'), COMMON_GYPI)
  return nodeDir
}

/** The project's node-gyp, else the one inside npm. */
function nodeGypScript() {
  const candidates = [() => require.resolve('node-gyp/bin/node-gyp.js')]
  const npmRoots = [
    join(dirname(process.execPath), '..', 'lib', 'node_modules'),
    join(dirname(process.execPath), 'node_modules'),
  ]
  for (const dir of npmRoots) {
    candidates.push(() => join(dir, 'npm', 'node_modules', 'node-gyp', 'bin', 'node-gyp.js'))
  }
  for (const candidate of candidates) {
    try {
      const path = candidate()
      if (existsSync(path)) return path
    } catch {
      // not resolvable: the next one
    }
  }
  throw new Error('cannot build the native addon: node-gyp not found; run: npm ci')
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    const { built, path, ms } = await buildNative({ log: console.log, force: process.argv.includes('--force') })
    console.log(`${relative(process.cwd(), path)}: ${built ? 'built' : 'up to date'} (${ms} ms)`)
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
