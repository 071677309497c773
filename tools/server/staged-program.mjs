// The program without Electron, put together in one folder: what Node needs to run it, that Node, and nothing else.
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { stripSymbols } from '../lib/node-program.mjs'
import { manifest, packageNames } from '../lib/packages.mjs'
import { ROOT, ToolError } from '../lib/project.mjs'
import { thirdPartyLicences } from '../package-licences.mjs'

/** Entry of the window's side; it and what only it imports stay out. */
const WINDOW_ENTRY = 'index.cjs'
/** Packages with natives, which no bundle holds. The second is optional: without it there are no accounts in devices. */
const EXTERNAL = ['classic-level', 'node-hid']
const DATA = ['cuda', 'engine', 'genesis', 'monitoring', 'opencl', 'selectors']
/** What belongs to Linux' server package alone: units, config files, the Dockerfile. */
const SERVER_FILES = 'resources/server'
/** The page that a package carries with it: from, and its name there. */
const PAGES = {
  linux: ['docs/guide/server.md', 'SERVER.md'],
  win32: ['docs/guide/windows.md', 'WINDOWS.md'],
  darwin: ['docs/guide/macos.md', 'MACOS.md'],
}
const PACKAGE_FILE = /(?:^|\/)(?:package\.json|[^/]+\.(?:c?js|node))$/i
/** Tests, and what the shipped PTX files are built from. */
const BUILT_FROM = /\.test\.|resources\/cuda\/[^/]+\.(?:cuh?|md)$/
/** Sources, tests, and what builds a native where no built one fits. Licenses are in one text for all. */
const NOT_RUN =
  /\/(?:(?:src|deps|test|tests|docs|hidapi)\/|(?:node-gyp-build|pkg-prebuilds)\/(?:bin|optional|build-test)\.js$)|node-addon-api\//

/** Starts the program from wherever it is called; on Linux also by a link, and in the place of the shell, so that signals reach it. */
const LAUNCHERS = {
  linux: [
    'headframe',
    '#!/bin/sh\nhere=$(dirname "$(readlink -f "$0")")\nexec "$here/node" "$here/bin/headframe.mjs" "$@"\n',
  ],
  darwin: ['headframe', '#!/bin/sh\nexec node "$(cd "$(dirname "$0")" && pwd)/bin/headframe.mjs" "$@"\n'],
  win32: ['headframe.cmd', '@"%~dp0node.exe" "%~dp0bin\\headframe.mjs" %*\r\n'],
}

/**
 * Puts the program into `folder`, which is emptied first. Everything must be built already.
 * @param {{ folder: string, arch: string, platform?: string, node: { program: string, license: string } | null }} options Node's names:
 *   `x64` or `arm64`, `linux`, `win32` or `darwin`; `node`: paths of the Node that goes with it, null where there is one
 * @returns {readonly string[]} the paths below `folder`, sorted
 * @throws ToolError when a part is not built
 */
export function stageProgram({ folder, arch, platform = 'linux', node }) {
  const target = `${platform}-${arch}`
  const isHere = target === `${process.platform}-${process.arch}`
  rmSync(folder, { recursive: true, force: true })
  const put = (from, to = from) => {
    mkdirSync(dirname(join(folder, to)), { recursive: true })
    cpSync(join(ROOT, from), join(folder, to), { recursive: true, filter: (path) => !BUILT_FROM.test(path) })
  }
  for (const file of hostFiles()) put(file)
  put('out/renderer')
  const addon = `native/prebuilds/${target}/headframe.node`
  put(addonFile(addon, isHere), addon)
  if (isHere) stripSymbols(join(folder, addon))
  chmodSync(join(folder, addon), 0o644)
  for (const file of packageFiles(target)) put(file)
  for (const name of DATA) put(`resources/${name}`)
  if (platform === 'linux') put(SERVER_FILES, 'server')
  put('LICENSE')
  put('CHANGELOG.md')
  put(...PAGES[platform])
  if (platform === 'linux') writeFileSync(join(folder, 'package-kind'), 'server-archive\n')
  writeFileSync(join(folder, 'LICENSES.third-party.txt'), thirdPartyLicences().text)
  const { name, version, description, license, engines } = manifest('.')
  const own = { name, version, description, license, private: true, type: 'module', engines }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(own, null, 2)}\n`)
  putDoor({ folder, platform, node })
  return filesBelow(folder)
}

/** The launcher, and what it starts, which no other Node is to run. */
function putDoor({ folder, platform, node }) {
  const door = readFileSync(join(ROOT, 'bin/headframe.mjs'), 'utf8')
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/headframe.mjs'), door.replace(/^#!.*\n/, ''))
  const [name, text] = LAUNCHERS[platform]
  writeFileSync(join(folder, name), text, { mode: 0o755 })
  if (node === null) return
  const program = join(folder, platform === 'win32' ? 'node.exe' : 'node')
  cpSync(node.program, program)
  chmodSync(program, 0o755)
  cpSync(node.license, join(folder, 'LICENSE.node.txt'))
}

/** The built entries but the window's, and the chunks that they load, from one to the next. */
function hostFiles() {
  const main = join(ROOT, 'out/main')
  if (!existsSync(join(main, 'cli.cjs'))) throw new ToolError('not built yet: npm run build')
  const waiting = readdirSync(main).filter((name) => name.endsWith('.cjs') && name !== WINDOW_ENTRY)
  const found = new Set()
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue
    found.add(path)
    const text = readFileSync(join(main, path), 'utf8')
    if (/require\(["']electron["']\)/.test(text)) throw new ToolError(`out/main/${path} needs Electron`)
    for (const [, target] of text.matchAll(/require\(["'](\.{1,2}\/[^"']+\.cjs)["']\)/g))
      waiting.push(relative(main, join(main, dirname(path), target)))
  }
  return [...found].sort().map((path) => join('out/main', path))
}

function addonFile(prebuilt, isHere) {
  const places = [prebuilt, ...(isHere ? ['native/build/Release/headframe.node'] : [])]
  const place = places.find((path) => existsSync(join(ROOT, path)))
  if (place === undefined)
    throw new ToolError(`the addon is not built yet: ${isHere ? 'npm run build:native' : prebuilt}`)
  return place
}

/** Of each package what runs, with the natives of the target, `platform-arch`, and of the C library of Debian. */
function packageFiles(target) {
  const folders = packageNames(EXTERNAL)
  if (!folders.includes('node_modules/classic-level')) throw new ToolError('packages are missing: npm ci')
  return folders.flatMap((folder) =>
    filesBelow(join(ROOT, folder))
      .map((path) => `${folder}/${path}`)
      .filter((path) => PACKAGE_FILE.test(path) && !NOT_RUN.test(path))
      .filter((path) => !path.endsWith('.node') || isFor(path, target)),
  )
}

function isFor(path, target) {
  const platform = /\/prebuilds\/([^/]+)\//.exec(path)?.[1]
  const [system, arch] = target.split('-')
  // Some have one file for two processors: darwin-x64+arm64.
  const [, name, processors = ''] = /(?:^|-)([a-z0-9]+)-([^-]+)$/.exec(platform ?? target) ?? []
  const isOfSystem = name === system && processors.split('+').includes(arch)
  return isOfSystem && !basename(path).includes('musl')
}

/** Paths of all files below, relative and sorted; links don't count. */
export function filesBelow(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((path) => lstatSync(join(folder, path)).isFile())
    .sort()
}
