// What package managers get: each text is read as it is there (bash, YAML), and all of them name the same files.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'

const { releaseRecord, manifests } = z
  .object({
    releaseRecord: z.custom<(options: { folder: string; url: string; date: number }) => object>(),
    manifests: z.custom<(record: object) => Readonly<Record<string, string>>>(),
  })
  .parse(await import(pathToFileURL(resolve(import.meta.dirname, '../../tools/release/manifests.mjs')).href))

const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync('package.json', 'utf8')))
const folder = mkdtempSync(join(tmpdir(), 'headframe-manifests-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const URL_BASE = 'https://files.example/headframe'
const ARCHIVE = `headframe-server-${version}-linux-x64.tar.gz`
const SETUP = `headframe-${version}-windows-x64-setup.exe`
writeFileSync(join(folder, ARCHIVE), 'an archive')
writeFileSync(join(folder, SETUP), 'an installer')
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
const texts = manifests(releaseRecord({ folder, url: `${URL_BASE}/`, date: 1_790_000_000 }))

/** Of YAML that has a member per line with a value in JSON, which is YAML too. */
function membersOf(text: string): unknown {
  const lines = text
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('#'))
  return Object.fromEntries(
    lines.map((line) => {
      const [, key = '', value = ''] = /^([A-Z][A-Za-z0-9]*): (.+)$/.exec(line) ?? []
      return [key, JSON.parse(value)]
    }),
  )
}

describe('the manifests of a release', () => {
  it('are bash that names the archive, and puts the program in its place (Arch)', () => {
    const pkgdir = join(folder, 'pkg')
    const srcdir = join(folder, 'src')
    mkdirSync(join(srcdir, `headframe-server-${version}`), { recursive: true })
    writeFileSync(join(srcdir, `headframe-server-${version}`, 'headframe'), '')
    writeFileSync(join(folder, 'PKGBUILD'), texts['arch/PKGBUILD'] ?? '')
    const script =
      'set -euo pipefail; source PKGBUILD; package; printf "%s\\n" "$pkgname" "$pkgver" "$source" "$sha256sums" "$license" "$pkgdesc"'
    const printed = execFileSync('bash', ['-c', script], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, pkgdir, srcdir },
    })

    const [name, shown, source, sum, license, description] = printed.split('\n')
    expect([name, shown, license]).toEqual(['headframe-bin', version, 'Apache-2.0'])
    expect([source, sum]).toEqual([`${URL_BASE}/${ARCHIVE}`, hashOf('an archive')])
    expect(description).toMatch(/^Miner, chain node and signer/)
    expect(readlinkSync(join(pkgdir, 'usr/bin/headframe'))).toBe('/opt/headframe/headframe')
    expect(existsSync(join(pkgdir, 'opt/headframe/headframe'))).toBe(true)
  })

  it('are a formula whose blocks close, with the same archive (Homebrew)', () => {
    const text = texts['homebrew/headframe.rb'] ?? ''
    const opened = text.match(/^\s*(?:class|def) |\bdo$/gm)?.length
    const closed = text.match(/^\s*end$/gm)?.length

    expect([opened, closed]).toEqual([3, 3])
    expect(text).toContain(`url "${URL_BASE}/${ARCHIVE}"\n  version "${version}"\n  sha256 "${hashOf('an archive')}"\n`)
  })

  it.skipIf(spawnSync('ruby', ['--version']).status !== 0)('are a formula that Ruby reads', () => {
    const { status, stdout } = spawnSync('ruby', ['-c'], { input: texts['homebrew/headframe.rb'], encoding: 'utf8' })

    expect([status, stdout.trim()]).toEqual([0, 'Syntax OK'])
  })

  it("are three files of YAML with winget's required members", () => {
    const common = {
      PackageIdentifier: z.string().regex(/^[^.\s]{1,32}(\.[^.\s]{1,32}){1,7}$/),
      PackageVersion: z.literal(version),
      ManifestVersion: z.literal('1.6.0'),
    }
    const schemas = {
      '.yaml': z.strictObject({ ...common, ManifestType: z.literal('version'), DefaultLocale: z.literal('en-US') }),
      '.installer.yaml': z.strictObject({
        ...common,
        ManifestType: z.literal('installer'),
        InstallerType: z.enum(['nullsoft', 'zip', 'exe', 'msi']),
        Scope: z.enum(['user', 'machine']),
        ReleaseDate: z.string().regex(/^\d{4}-\d\d-\d\d$/),
        Installers: z.tuple([
          z.strictObject({
            Architecture: z.literal('x64'),
            InstallerUrl: z.literal(`${URL_BASE}/${SETUP}`),
            InstallerSha256: z.literal(hashOf('an installer').toUpperCase()),
          }),
        ]),
      }),
      '.locale.en-US.yaml': z.strictObject({
        ...common,
        ManifestType: z.literal('defaultLocale'),
        PackageLocale: z.literal('en-US'),
        Publisher: z.string(),
        PackageName: z.string(),
        License: z.literal('Apache-2.0'),
        ShortDescription: z.string().min(3).max(256),
        Moniker: z.string(),
      }),
    }
    for (const [end, schema] of Object.entries(schemas)) {
      const read = membersOf(texts[`winget/Headframe.Headframe${end}`] ?? '')
      expect(schema.parse(read)).toEqual(read)
    }
  })

  it('are not made for an address that a shell would read otherwise, nor without the files', () => {
    for (const url of ['http://files.example', "https://files.example/'", 'https://files.example/$(id)', 'files'])
      expect(() => releaseRecord({ folder, url, date: 0 })).toThrow('want https://')
    expect(() => releaseRecord({ folder: join(folder, 'none'), url: URL_BASE, date: 0 })).toThrow(
      'make the release first',
    )
  })
})
