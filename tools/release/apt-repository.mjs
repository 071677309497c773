// A signed apt repository as static files: any web server, or a folder, can be the place that apt installs from. Times come from the
// release, so that the same packages give the same index. Needs dpkg-deb, and gpg for the signature.
//   node tools/release/apt-repository.mjs --key FILE [--out FOLDER] DEB...
//   --key FILE  secret OpenPGP key that only signs this repository, as gpg --export-secret-keys writes it. Its password: HEADFRAME_APT_PASSWORD
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ROOT, runTool, ToolError } from '../lib/project.mjs'
import { sourceDate } from './fixed-tree.mjs'

const SUITE = 'stable'
const COMPONENT = 'main'
const ARCHITECTURES = ['amd64', 'arm64']
/** What a user's sources name as Signed-By. */
export const KEYRING = 'headframe-archive-keyring.gpg'
export const SOURCES = 'headframe.sources'

/**
 * Writes the repository.
 * @param {{ debs: readonly string[], out: string, key: string, password?: string, date: number, url: string | null }} options `key`: the
 *   secret key's file; `date`: seconds since 1970; `url`: where it will be served, null = not known: its sources file is left out
 * @returns {string[]} the index files, relative to `out`
 */
export function aptRepository({ debs, out, key, password = '', date, url }) {
  if (debs.length === 0) throw new ToolError('an apt repository needs a package')
  rmSync(out, { recursive: true, force: true })
  const packages = debs.map((deb) => taken(deb, out))
  const indexes = ARCHITECTURES.flatMap((architecture) => {
    const own = packages.filter((each) => each.architecture === architecture || each.architecture === 'all')
    const text = Buffer.from(own.map(({ entry }) => `${entry}\n`).join(''))
    const name = `${COMPONENT}/binary-${architecture}/Packages`
    return [
      { name, bytes: text },
      { name: `${name}.gz`, bytes: gzipSync(text, { level: 9 }) },
    ]
  })
  const suite = join(out, 'dists', SUITE)
  for (const { name, bytes } of indexes) {
    mkdirSync(dirname(join(suite, name)), { recursive: true })
    writeFileSync(join(suite, name), bytes)
  }
  writeFileSync(join(suite, 'Release'), releaseText(indexes, date))
  sign({ suite, out, key, password, date })
  if (url !== null) writeFileSync(join(out, SOURCES), sourcesText(url))
  return ['Release', 'InRelease', 'Release.gpg', ...indexes.map(({ name }) => name)].map(
    (name) => `dists/${SUITE}/${name}`,
  )
}

/** Into the pool; its entry is its own control text with place and hashes. */
function taken(deb, out) {
  const control = execFileSync('dpkg-deb', ['--field', deb], { encoding: 'utf8' }).trimEnd()
  const field = (name) => new RegExp(`^${name}: (.+)$`, 'm').exec(control)?.[1] ?? ''
  const bytes = readFileSync(deb)
  const place = `pool/${COMPONENT}/${field('Package')}/${basename(deb)}`
  mkdirSync(dirname(join(out, place)), { recursive: true })
  copyFileSync(deb, join(out, place))
  const entry = [
    control,
    `Filename: ${place}`,
    `Size: ${statSync(deb).size}`,
    `SHA256: ${createHash('sha256').update(bytes).digest('hex')}`,
    `SHA512: ${createHash('sha512').update(bytes).digest('hex')}`,
    '',
  ]
  return { architecture: field('Architecture'), entry: entry.join('\n') }
}

function releaseText(indexes, date) {
  const hashes = ['sha256', 'sha512'].flatMap((algorithm) => [
    `${algorithm.toUpperCase()}:`,
    ...indexes.map(
      ({ name, bytes }) => ` ${createHash(algorithm).update(bytes).digest('hex')} ${bytes.length} ${name}`,
    ),
  ])
  return `${[
    'Origin: Headframe',
    'Label: Headframe',
    `Suite: ${SUITE}`,
    `Codename: ${SUITE}`,
    `Date: ${new Date(date * 1_000).toUTCString().replace('GMT', 'UTC')}`,
    `Architectures: ${ARCHITECTURES.join(' ')}`,
    `Components: ${COMPONENT}`,
    'Description: Miner, chain node and signer for the Parallax proof-of-work chain',
    ...hashes,
  ].join('\n')}\n`
}

/** In a home of its own: neither the user's keys nor their settings take part. */
function sign({ suite, out, key, password, date }) {
  const home = mkdtempSync(join(tmpdir(), 'headframe-gpg-'))
  const gpg = (words, input) => {
    const fixed = [
      '--homedir',
      home,
      '--batch',
      '--yes',
      '--no-tty',
      '--pinentry-mode',
      'loopback',
      '--passphrase-fd',
      '0',
    ]
    const { status, stderr } = spawnSync('gpg', [...fixed, '--faked-system-time', `${date}!`, ...words], {
      input: `${input}\n`,
    })
    if (status !== 0) throw new ToolError(`gpg ${words[0]} failed: ${String(stderr).trim().split('\n').at(-1)}`)
  }
  try {
    gpg(['--import', key], password)
    const release = join(suite, 'Release')
    const digest = ['--digest-algo', 'SHA512']
    gpg(['--clearsign', ...digest, '--output', join(suite, 'InRelease'), release], password)
    gpg(['--detach-sign', '--armor', ...digest, '--output', `${release}.gpg`, release], password)
    gpg(['--export', '--output', join(out, KEYRING)], '')
  } finally {
    spawnSync('gpgconf', ['--homedir', home, '--kill', 'all'])
    rmSync(home, { recursive: true, force: true })
  }
}

/** For /etc/apt/sources.list.d/: the key counts for this repository only. */
function sourcesText(url) {
  const fields = ['Types: deb', `URIs: ${url}`, `Suites: ${SUITE}`, `Components: ${COMPONENT}`]
  return `${[...fields, `Signed-By: /usr/share/keyrings/${KEYRING}`].join('\n')}\n`
}

if (process.argv[1]?.endsWith('apt-repository.mjs')) {
  await runTool(async () => {
    const words = process.argv.slice(2)
    const valueAfter = (flag) => (words.includes(flag) ? words.splice(words.indexOf(flag), 2)[1] : undefined)
    const [key, out, url] = [valueAfter('--key'), valueAfter('--out') ?? join(ROOT, 'dist/apt'), valueAfter('--url')]
    if (key === undefined || words.some((word) => word.startsWith('-')))
      throw new ToolError('accepted: --key FILE [--out FOLDER] [--url URL] DEB...')
    const password = process.env.HEADFRAME_APT_PASSWORD
    const debs = words.map((word) => resolve(word))
    for (const name of aptRepository({ debs, out: resolve(out), key, password, date: sourceDate(), url: url ?? null }))
      console.log(join(out, name))
  })
}
