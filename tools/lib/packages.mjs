// Installed packages: their manifests, and what they need in turn.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './project.mjs'

/** @param {string} folder below the project's; `.` is the project itself */
export function manifest(folder) {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
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

/** As Node looks for it: beside the asking package's own, then further up. */
function resolvePackage(name, from) {
  const inside = from === '' ? null : `${from}/node_modules/${name}`
  if (inside !== null && existsSync(join(ROOT, inside))) return inside
  const top = `node_modules/${name}`
  return existsSync(join(ROOT, top)) ? top : null
}
