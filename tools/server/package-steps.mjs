// What both kinds of package are tried with: how they are installed, a version before, keys that stay.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { aptRepository, KEYRING, SOURCES } from '../release/apt-repository.mjs'

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

const DATE = 1_790_000_000

/** A signed apt repository in a clean root, which its apt takes packages from; by a key made for it. */
export class ServedRepository {
  /** @param {import('./clean-root.mjs').CleanRoot} root */
  constructor(root) {
    this.root = root
    this.folder = join(root.folder, 'srv/apt')
    this.key = join(root.folder, 'root/apt.key')
    const home = mkdtempSync(join(tmpdir(), 'headframe-gpg-'))
    const gpg = (...words) =>
      execFileSync('gpg', ['--homedir', home, '--batch', '--pinentry-mode', 'loopback', '--passphrase', '', ...words], {
        stdio: ['ignore', 'pipe', 'ignore'],
      })
    gpg('--faked-system-time', `${DATE - 1_000}!`, '--quick-generate-key', 'check', 'ed25519', 'sign', 'never')
    writeFileSync(this.key, gpg('--export-secret-keys'))
    spawnSync('gpgconf', ['--homedir', home, '--kill', 'all'])
    rmSync(home, { recursive: true, force: true })
  }

  /** From now on it has these. @param {readonly string[]} debs paths */
  serve(debs) {
    const { root, folder, key } = this
    aptRepository({ debs, out: folder, key, date: DATE, url: 'file:/srv/apt' })
    for (const [name, place] of [
      [KEYRING, 'usr/share/keyrings'],
      [SOURCES, 'etc/apt/sources.list.d'],
    ])
      cpSync(join(folder, name), join(root.folder, place, name))
    root.call(['apt-get', 'update', '-qq'])
  }
}

/** @param {string} data the data directory */
export function hasKey(data, address) {
  const names = readdirSync(join(data, 'keystore'))
  return names.some((name) => name.toLowerCase().includes(address.slice(2).toLowerCase()))
}
