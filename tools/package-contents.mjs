// What goes into the packaged program: the build, the natives of one platform with the packages that load them, and data.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, ToolError } from './lib/project.mjs'

/** Natives are opened by the system, and data is read by native code, so neither may lie inside the archive. */
export const isUnpacked = (path) => /\.(?:node|so|dll|dylib)$/.test(path) || path.startsWith('resources/')

/** Of a package that holds a native: what runs, no sources and no other platform's binaries. */
const NOT_RUN = /(?:^|\/)(?:src|deps|test|docs|\.github)\/|\.(?:cc|h|gyp|gypi|md|map|ts)$/i
const RESOURCES = ['genesis', 'kernels', 'monitoring', 'selectors']

/** @returns {{ path: string, source: string }[]} for the archive; throws ToolError when something is not built */
export function appFiles({ platform = process.platform, arch = process.arch } = {}) {
  const built = filesBelow('out')
  if (!built.some(({ path }) => path === 'out/main/index.cjs')) throw new ToolError('not built yet: npm run build')
  return [
    at('package.json'),
    ...built,
    addon(platform, arch),
    ...filesBelow('native/kernels'),
    ...RESOURCES.flatMap((name) => filesBelow(`resources/${name}`)).filter(({ path }) => !path.includes('.test.')),
    ...filesBelow('resources/icons').filter(({ path }) => path.endsWith('.png')),
    ...packageNames(runtimeDependencies()).flatMap((folder) => packageFiles(folder, `${platform}-${arch}`)),
  ]
}

/** Folders below node_modules of these packages and of all that they need. @param {readonly string[]} names */
export function packageNames(names) {
  const found = new Set()
  const add = (name, from) => {
    const folder = resolvePackage(name, from)
    if (folder === null) return
    if (found.has(folder)) return
    found.add(folder)
    const { dependencies = {} } = manifest(folder)
    for (const needed of Object.keys(dependencies)) add(needed, folder)
  }
  for (const name of names) add(name, '')
  return [...found].sort()
}

/** @param {string} folder below the project's */
export function manifest(folder) {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
}

function runtimeDependencies() {
  return Object.keys(manifest('.').dependencies)
}

/** As Node looks for it: beside the asking package's own, then further up. */
function resolvePackage(name, from) {
  const inside = from === '' ? null : `${from}/node_modules/${name}`
  if (inside !== null && existsSync(join(ROOT, inside))) return inside
  const top = `node_modules/${name}`
  return existsSync(join(ROOT, top)) ? top : null
}

function addon(platform, arch) {
  const prebuilt = `native/prebuilds/${platform}-${arch}/headframe.node`
  if (existsSync(join(ROOT, prebuilt))) return at(prebuilt)
  const own = platform === process.platform && arch === process.arch
  if (!own) throw new ToolError(`${prebuilt} is missing: build the addon on that platform first`)
  return at('native/build/Release/headframe.node')
}

function packageFiles(folder, target) {
  return filesBelow(folder).filter(({ path }) => {
    const inside = path.slice(folder.length + 1)
    if (inside.startsWith('node_modules/') || NOT_RUN.test(inside)) return false
    const binary = /^prebuilds\/([^/]+)\//.exec(inside)?.[1]
    return binary === undefined || binary === target || (binary.includes('+') && prebuildFits(binary, target))
  })
}

/** `darwin-x64+arm64` is one binary for both. */
function prebuildFits(binary, target) {
  const [platform, archs = ''] = binary.split('-')
  return archs.split('+').some((arch) => `${platform}-${arch}` === target)
}

function filesBelow(folder) {
  if (!existsSync(join(ROOT, folder))) return []
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? filesBelow(path) : [at(path)]
  })
}

function at(path) {
  return { path, source: join(ROOT, path) }
}
