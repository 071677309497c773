// The apt repository that a release makes, with the real apt in a root of its own: what it installs from it, and what it refuses.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'

interface Options {
  readonly debs: readonly string[]
  readonly out: string
  readonly key: string
  readonly password?: string
  readonly date: number
  readonly url: string | null
}

const { aptRepository, KEYRING, SOURCES } = z
  .object({
    aptRepository: z.custom<(options: Options) => readonly string[]>(),
    KEYRING: z.string(),
    SOURCES: z.string(),
  })
  .parse(await import(pathToFileURL(resolve(import.meta.dirname, '../../tools/release/apt-repository.mjs')).href))

const NEEDED = ['/usr/bin/apt-get', '/usr/bin/dpkg-deb', '/usr/bin/gpg', '/usr/bin/gpgv']
const DATE = 1_790_000_000

describe.skipIf(!NEEDED.every((program) => existsSync(program)))('an apt repository', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headframe-apt-'))
  const place = (...names: readonly string[]): string => join(folder, ...names)
  const repository = place('repository')
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** A package with one file. */
  function deb(version: string, architecture: string, depends = ''): string {
    const root = place(`deb-${version}-${architecture}`)
    mkdirSync(join(root, 'DEBIAN'), { recursive: true })
    mkdirSync(join(root, 'usr/share/headframe-server'), { recursive: true })
    writeFileSync(join(root, 'usr/share/headframe-server/version'), version)
    const fields = [
      `Package: headframe-server`,
      `Version: ${version}`,
      `Architecture: ${architecture}`,
      'Maintainer: A <a@localhost>',
    ]
    const more = depends === '' ? [] : [`Depends: ${depends}`]
    writeFileSync(
      join(root, 'DEBIAN/control'),
      `${[...fields, ...more, 'Description: a test', ' of two lines', ' .', ' and more'].join('\n')}\n`,
    )
    const file = place(`headframe-server_${version}_${architecture}.deb`)
    execFileSync('dpkg-deb', ['--root-owner-group', '--build', root, file], { stdio: 'ignore' })
    return file
  }

  function newKey(name: string, password: string): string {
    const home = place(`gpg-${name}`)
    mkdirSync(home, { mode: 0o700 })
    const gpg = (...words: readonly string[]): Buffer =>
      execFileSync(
        'gpg',
        ['--homedir', home, '--batch', '--pinentry-mode', 'loopback', '--passphrase', password, ...words],
        {
          stdio: ['ignore', 'pipe', 'ignore'],
        },
      )
    gpg('--faked-system-time', `${DATE - 1_000}!`, '--quick-generate-key', name, 'ed25519', 'sign', 'never')
    const file = place(`${name}.key`)
    writeFileSync(file, gpg('--export-secret-keys'))
    spawnSync('gpgconf', ['--homedir', home, '--kill', 'all'])
    return file
  }

  /** apt with nothing of this computer: its own lists, cache, status and sources. */
  function apt(from: string, ...words: readonly string[]): { readonly status: number | null; readonly text: string } {
    const root = mkdtempSync(place('root-'))
    for (const part of [
      'etc/apt/sources.list.d',
      'var/lib/apt/lists/partial',
      'var/cache/apt/archives/partial',
      'var/lib/dpkg',
    ])
      mkdirSync(join(root, part), { recursive: true })
    writeFileSync(join(root, 'var/lib/dpkg/status'), '')
    const sources = readFileSync(join(from, SOURCES), 'utf8')
    const text = sources
      .replace(/^URIs: .*$/m, `URIs: file://${from}`)
      .replace(/^Signed-By: .*$/m, `Signed-By: ${join(repository, KEYRING)}`)
    writeFileSync(join(root, 'etc/apt/sources.list.d', SOURCES), text)
    const settings = [
      '-o',
      `Dir=${root}`,
      '-o',
      `Dir::State::status=${root}/var/lib/dpkg/status`,
      '-o',
      'APT::Architecture=amd64',
    ]
    const more = [
      '-o',
      'Dir::Bin::Methods=/usr/lib/apt/methods',
      '-o',
      'APT::Sandbox::User=root',
      '-o',
      'APT::Update::Error-Mode=any',
    ]
    const environment = { ...process.env, APT_CONFIG: '/dev/null', LC_ALL: 'C' }
    const options = { encoding: 'utf8', cwd: root, env: environment } as const
    const update = spawnSync('apt-get', [...settings, ...more, 'update'], options)
    if (update.status !== 0 || words.length === 0)
      return { status: update.status, text: `${update.stdout}${update.stderr}` }
    const { status, stdout, stderr } = spawnSync('apt-get', [...settings, ...more, ...words], options)
    return { status, text: `${stdout}${stderr}` }
  }

  /** A copy with one file changed. */
  function changed(name: string, file: string, change: (text: string) => string): string {
    const copy = place(name)
    cpSync(repository, copy, { recursive: true })
    writeFileSync(join(copy, file), change(readFileSync(join(copy, file), 'latin1')), 'latin1')
    return copy
  }

  const RELEASE = 'dists/stable/Release'
  const INLINE = 'dists/stable/InRelease'
  let debs: readonly string[] = []
  const options = (): Options => ({
    debs,
    out: repository,
    key: place('ours.key'),
    password: 'a password',
    date: DATE,
    url: 'https://packages.example/apt',
  })

  beforeAll(() => {
    debs = [deb('0.1.0', 'amd64'), deb('0.2.0', 'amd64'), deb('0.2.0', 'arm64')]
    newKey('ours', 'a password')
    newKey('theirs', '')
    aptRepository(options())
  })

  it('is taken by apt, which would install the newest version for this architecture', () => {
    const { status, text } = apt(repository, 'install', '--simulate', 'headframe-server')

    expect([status, text]).toEqual([0, expect.stringMatching(/Inst headframe-server \(0\.2\.0 .*\[amd64\]\)/)])
  })

  it('gives the file that it lists', () => {
    const { status, text } = apt(repository, 'download', 'headframe-server=0.1.0')

    expect([status, text]).toEqual([0, expect.not.stringMatching(/^E:/m)])
  })

  it('is the same each time, apart from the randomness of a signature', () => {
    const before = readFileSync(join(repository, RELEASE), 'utf8')
    const again = place('again')
    aptRepository({ ...options(), out: again })

    expect(readFileSync(join(again, RELEASE), 'utf8')).toBe(before)
    expect(readdirSync(again).sort()).toEqual([KEYRING, SOURCES, 'dists', 'pool'].sort())
  })

  it.each([
    [
      'an index with another hash',
      'dists/stable/main/binary-amd64/Packages',
      (text: string) => text.replace('0.2.0', '0.2.9'),
    ],
    ['a signed text that was changed', INLINE, (text: string) => text.replace('Label: Headframe', 'Label: Headfrome')],
    ['no signature', INLINE, (text: string) => text.replace(/-----BEGIN PGP SIGNATURE-----[\s\S]*/, '')],
  ])('with %s is refused', (name, file, change) => {
    const copy = changed(name.replaceAll(' ', '-'), file, change)
    if (file.endsWith('Packages')) rmSync(join(copy, `${file}.gz`))
    if (file === INLINE) rmSync(join(copy, RELEASE))
    const { status, text } = apt(copy)

    expect([status, text]).toEqual([100, expect.stringMatching(/^E: /m)])
  })

  it('with a package of other bytes is refused', () => {
    const copy = changed(
      'other-package',
      'pool/main/headframe-server/headframe-server_0.2.0_amd64.deb',
      (text) => `${text} `,
    )
    const { status, text } = apt(copy, 'download', 'headframe-server')

    expect([status, text]).toEqual([100, expect.stringMatching(/Hash Sum mismatch|unexpected size/)])
  })

  it('signed by another key is refused, even with its own keyring next to it', () => {
    const theirs = place('theirs')
    aptRepository({ ...options(), out: theirs, key: place('theirs.key'), password: '' })
    const { status, text } = apt(theirs)

    expect([status, text]).toEqual([100, expect.stringMatching(/NO_PUBKEY|is not signed/)])
  })

  it('is not made with a wrong password, a key that is none, or no package', () => {
    const out = place('none')
    expect(() => aptRepository({ ...options(), out, password: 'wrong' })).toThrow(/^gpg /)
    writeFileSync(place('no.key'), 'text')
    expect(() => aptRepository({ ...options(), out, key: place('no.key') })).toThrow(/^gpg /)
    expect(() => aptRepository({ ...options(), out, debs: [] })).toThrow('needs a package')
  })
})
