// What both kinds of package are tried with: how they are installed, a version before, keys that stay.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

export const INSTALL = ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', '-o', 'Dpkg::Use-Pty=0']
/** Non-interactive. */
export const QUIET = { DEBIAN_FRONTEND: 'noninteractive' }

/**
 * The same files under a version before.
 * @param {string} deb the package @param {string} folder where the other one comes to lie @param {string} version of it
 * @returns {string} its name
 */
export function olderPackage(deb, folder, version) {
  const parts = join(folder, 'old')
  execFileSync('dpkg-deb', ['-R', deb, parts])
  const control = join(parts, 'DEBIAN/control')
  writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, `Version: ${version}`))
  const inside = join(parts, 'usr/lib/headframe/package.json')
  if (existsSync(inside))
    writeFileSync(inside, JSON.stringify({ ...JSON.parse(readFileSync(inside, 'utf8')), version }))
  const file = join(folder, `old-${basename(deb)}`)
  execFileSync('dpkg-deb', ['--build', '--root-owner-group', '-Zgzip', '-z1', parts, file], { stdio: 'ignore' })
  rmSync(parts, { recursive: true })
  return basename(file)
}

/** @param {string} data the data directory */
export function hasKey(data, address) {
  const names = readdirSync(join(data, 'keystore'))
  return names.some((name) => name.toLowerCase().includes(address.slice(2).toLowerCase()))
}
