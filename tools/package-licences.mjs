// The licences of everything that was built into the program, in one text: what src/ imports, what that needs, the C library
// of the addon and the crates of the engine's module.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { manifest, packageNames } from './lib/packages.mjs'
import { ROOT } from './lib/project.mjs'
import { importsOf } from './lint/imports.mjs'

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice|ofl)(?:[.-].*)?$/i
/** Written beside the engine's module when it is built. */
const ENGINE_LICENCES = 'resources/engine/LICENCES.txt'
/** Of the C library that the addon is built with. */
const SECP256K1_LICENCE = 'native/vendor/libsecp256k1/COPYING'
const RULE = `\n${'-'.repeat(80)}\n`

/** @returns {{ text: string, missing: string[] }} `missing`: packages that carry no licence text of their own */
export function thirdPartyLicences() {
  const missing = []
  const parts = builtInPackages().map((folder) => {
    const { name, version, license } = manifest(folder)
    const texts = readdirSync(join(ROOT, folder)).filter((file) => LICENCE_FILE.test(file))
    if (texts.length === 0) missing.push(name)
    const bodies = texts.map((file) => readFileSync(join(ROOT, folder, file), 'utf8').trim())
    return [`${name} ${version} (${license ?? 'no licence named'})`, ...bodies].join('\n\n')
  })
  parts.push(`libsecp256k1 (MIT)\n\n${readFileSync(join(ROOT, SECP256K1_LICENCE), 'utf8').trim()}`)
  parts.push(readFileSync(join(ROOT, ENGINE_LICENCES), 'utf8').trim())
  return { text: `${parts.join(RULE)}\n`, missing }
}

/** Folders below node_modules of all packages that are built into the program. */
export function builtInPackages() {
  return packageNames(importedPackages())
}

function importedPackages() {
  const names = new Set(Object.keys(manifest('.').dependencies))
  for (const path of sources('src')) {
    for (const specifier of specifiersIn(path)) {
      const name = packageOf(specifier)
      if (name !== null && existsSync(join(ROOT, 'node_modules', name, 'package.json'))) names.add(name)
    }
  }
  names.delete('electron') // it carries its own
  return [...names].sort()
}

/** Of a style: the fonts. */
function specifiersIn(path) {
  const text = readFileSync(join(ROOT, path), 'utf8')
  if (path.endsWith('.css')) return [...text.matchAll(/@import "([^"]+)"/g)].map(([, file]) => file)
  return importsOf(path, text).map(({ specifier }) => specifier)
}

function packageOf(specifier) {
  if (/^(?:\.|node:)/.test(specifier)) return null
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

function sources(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name === 'testing' ? [] : sources(path)
    return /(?<!\.test|\.d)\.(?:tsx?|css)$/.test(path) ? [path] : []
  })
}
