// Libraries of the desktop that an Electron links and a system without a desktop lacks.
import { spawnSync } from 'node:child_process'

/** Debian's package of each; what GTK itself depends on comes with it. */
const PACKAGES = new Map([
  ['libgtk-3.so.0', 'libgtk-3-0'],
  ['libgdk-3.so.0', 'libgtk-3-0'],
  ['libatk-1.0.so.0', 'libgtk-3-0'],
  ['libatk-bridge-2.0.so.0', 'libgtk-3-0'],
  ['libatspi.so.0', 'libgtk-3-0'],
  ['libcairo.so.2', 'libgtk-3-0'],
  ['libcups.so.2', 'libgtk-3-0'],
  ['libpango-1.0.so.0', 'libgtk-3-0'],
  ['libxkbcommon.so.0', 'libgtk-3-0'],
  ['libnss3.so', 'libnss3'],
  ['libnssutil3.so', 'libnss3'],
  ['libsmime3.so', 'libnss3'],
  ['libnspr4.so', 'libnspr4'],
  ['libgbm.so.1', 'libgbm1'],
  ['libdrm.so.2', 'libdrm2'],
  ['libasound.so.2', 'libasound2'],
])

/** Names of the libraries that the loader doesn't find; none where there is no `ldd`. @param {string} executable */
export function missingLibraries(executable) {
  if (process.platform !== 'linux') return []
  const { stdout } = spawnSync('ldd', [executable], { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } })
  return notFoundIn(stdout ?? '')
}

/** @param {string} listing what `ldd` prints @returns {string[]} */
export function notFoundIn(listing) {
  return [...listing.matchAll(/^\s*(\S+) => not found$/gm)].map(([, name]) => name)
}

/** Debian's packages of these libraries, each once; those it doesn't know are left out. @param {string[]} libraries */
export function packagesOf(libraries) {
  return [...new Set(libraries.flatMap((name) => PACKAGES.get(name) ?? []))]
}

/** In words, with the command that installs them; empty if none is missing. @param {string[]} libraries */
export function lackText(libraries) {
  if (libraries.length === 0) return ''
  const packages = packagesOf(libraries)
  const how = packages.length === 0 ? '' : ` (Debian: apt-get install ${packages.join(' ')})`
  return `Electron needs ${libraries.join(', ')}${how}`
}
