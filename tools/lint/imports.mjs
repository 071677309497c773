// Imports of a TypeScript file, and the layer rules of layers.json. Type imports count.
import { existsSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, posix, relative } from 'node:path'
import { ROOT } from '../lib/project.mjs'
import { lineAt, withoutComments } from './source-text.mjs'

const IMPORT =
  /(?:^|[\n;}])\s*(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"]([^'"\n]+)['"]|\bimport\(\s*['"]([^'"\n]+)['"]\s*\)/g
const ENDINGS = ['', '.ts', '.tsx', '.d.ts', '.mjs', '/index.ts', '/index.tsx']
const BUILTINS = new Set(builtinModules)

/** @returns {{ specifier: string, line: number, target: string | null }[]} `target`: path in the project, null for a package */
export function importsOf(path, text) {
  const code = withoutComments(text, { keepStrings: true })
  const bare = withoutComments(text)
  // The word itself must not stand in a string.
  const real = [...code.matchAll(IMPORT)].filter((match) => {
    const at = match.index + match[0].search(/import|export/)
    return bare.slice(at, at + 6) === code.slice(at, at + 6)
  })
  return real.map((match) => {
    const specifier = match[1] ?? match[2]
    const line = lineAt(code, match.index + match[0].lastIndexOf(specifier))
    return { specifier, line, target: specifier.startsWith('.') ? targetOf(path, specifier) : null }
  })
}

/** The layer that a path belongs to; null outside of all. */
export function layerOf(rules, path) {
  return (
    Object.entries(rules.layers).find(([, folders]) => folders.some((folder) => path.startsWith(folder)))?.[0] ?? null
  )
}

/** Findings about the imports of one file. */
export function checkImports(rules, path, imports) {
  const layer = layerOf(rules, path)
  return imports.flatMap((found) => {
    const say = (message) => [{ path, line: found.line, message }]
    const { specifier, target } = found
    if (specifier.startsWith('.') && target === null)
      return specifier.includes('?') ? [] : say(`${specifier} does not exist`)
    if (BUILTINS.has(specifier)) return say(`name Node's own module node:${specifier}`)
    if (layer === null) return []
    // Of no layer: run by the npm scripts, and only deleted with the folder where it lies.
    if (path.endsWith('.mjs') && target?.startsWith('tools/')) return []
    // A test may use the helpers of test/.
    if (target !== null)
      return isTest(path) && target.startsWith('test/') ? [] : checkTarget(rules, { layer, path, target, say })
    const isForbidden = (rules.forbidPackages[layer] ?? []).some((name) => matches(name, specifier))
    // A test of a browser layer runs on Node.
    if (!isForbidden || (isTest(path) && specifier.startsWith('node:'))) return []
    return say(`the layer ${layer} must not name ${specifier}`)
  })
}

function checkTarget(rules, { layer, path, target, say }) {
  const other = layerOf(rules, target)
  if (isTestSupport(target) && !isTestSupport(path) && !isTest(path)) return say(`${target} is for tests`)
  if (other === layer) return checkRoom(rules, { path, target, say })
  if (other === null) {
    return target.startsWith('src/') || /^(e2e|test|tools|bin)\//.test(target)
      ? say(`${target} is in no layer that ${layer} may import`)
      : []
  }
  return rules.allow[layer].includes(other) ? [] : say(`the layer ${layer} must not import ${other} (${target})`)
}

/**
 * The rooms inside a layer: a file of a room may import its own room, the files directly in the layer's folder, and the rooms
 * (or folders of them) that the room names. Tests and what supports them may import all.
 */
function checkRoom(rules, { path, target, say }) {
  const base = Object.keys(rules.rooms).find((folder) => path.startsWith(folder))
  if (base === undefined || isTest(path) || isTestSupport(path) || !target.startsWith(base)) return []
  const [room, ...rest] = path.slice(base.length).split('/')
  const place = target.slice(base.length)
  if (rest.length === 0 || !place.includes('/') || place.startsWith(`${room}/`)) return []
  const allowed = rules.rooms[base][room]
  if (allowed === undefined) return say(`the room ${base}${room} has no rule in layers.json`)
  return allowed.some((name) => place.startsWith(`${name}/`)) ? [] : say(`${base}${room} must not import ${target}`)
}

function isTestSupport(path) {
  return path.includes('/testing/')
}

function targetOf(path, specifier) {
  const bare = specifier.split('?')[0]
  const base = join(dirname(join(ROOT, path)), bare)
  const ending = ENDINGS.find((candidate) => existsSync(base + candidate) && (candidate !== '' || /\.\w+$/.test(bare)))
  return ending === undefined
    ? null
    : relative(ROOT, base + ending)
        .split('\\')
        .join(posix.sep)
}

function matches(pattern, specifier) {
  if (pattern.endsWith('*')) return specifier.startsWith(pattern.slice(0, -1))
  return specifier === pattern || specifier.startsWith(`${pattern}/`)
}

function isTest(path) {
  return /\.test\.tsx?$/.test(path)
}
