// The server packages: their files, what the services may do, and the texts that dpkg reads.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'

const ROOT = resolve(import.meta.dirname, '../..')
const load = (path: string): Promise<unknown> => import(pathToFileURL(join(ROOT, 'tools/server', path)).href)

const { stageProgram } = z
  .object({ stageProgram: z.custom<(options: object) => readonly string[]>() })
  .parse(await load('staged-program.mjs'))
const texts = z
  .object({
    debianVersion: z.custom<(version: string) => string>(),
    maintainer: z.custom<(environment: NodeJS.ProcessEnv) => { text: string; isNamed: boolean }>(),
    libraryNeeds: z.custom<(natives: readonly Uint8Array[]) => readonly string[]>(),
    controlText: z.custom<(facts: object) => string>(),
    changelogText: z.custom<(date: number) => string>(),
  })
  .parse(await load('debian-texts.mjs'))
const { RPM_SCRIPTS, ...debianScripts } = z
  .object({
    POSTINST: z.string(),
    PRERM: z.string(),
    POSTRM: z.string(),
    RPM_SCRIPTS: z.record(z.string(), z.string()),
  })
  .parse(await load('maintainer-scripts.mjs'))

/** Unpacked, in bytes, without its Node: a tenth more than the present size, of which 4.7 MB are Chinese letters. */
const UNPACKED_LIMIT = 27_400_000

describe.skipIf(process.platform !== 'linux')('the staged program', () => {
  let folder = ''
  let files: readonly string[] = []

  beforeAll(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'headframe-staged-')), 'program')
    // In place of the Node that packages bring: says that it runs, and what.
    const node = join(dirname(folder), 'a-node')
    writeFileSync(node, '#!/bin/sh\necho own "$0" "$@"\n', { mode: 0o755 })
    files = stageProgram({ folder, arch: process.arch, node: { program: node, license: join(ROOT, 'LICENSE') } })
  })
  afterAll(() => rmSync(dirname(folder), { recursive: true, force: true }))

  it('contains what Node needs, its pages, data, services and licenses', () => {
    for (const path of [
      'bin/headframe.mjs',
      'headframe',
      'node',
      'LICENSE.node.txt',
      'out/main/cli.cjs',
      'out/renderer/index.html',
      `native/prebuilds/linux-${process.arch}/headframe.node`,
      `node_modules/classic-level/prebuilds/linux-${process.arch}/classic-level.node`,
      'resources/engine/headframe-engine.wasm',
      'resources/genesis/main.json',
      'resources/selectors/4bytes.json',
      'server/systemd/headframe-signer.service',
      'server/Dockerfile',
      'LICENSE',
      'LICENSES.third-party.txt',
      'package.json',
    ])
      expect(files, path).toContain(path)
    const workers = readdirSync(join(ROOT, 'src/host/workers')).filter((name) => /^[a-z]+-worker\.ts$/.test(name))
    expect(workers).not.toEqual([])
    for (const worker of workers) expect(files).toContain(`out/main/${worker.replace('.ts', '.cjs')}`)
  })

  it("excludes the window, sources, tests, and other systems' natives", () => {
    const foreign = /^(?:src|test|e2e|tools)\/|\.test\.|\.map$|main\/index\.cjs$|out\/preload|musl|darwin|win32|android/

    expect(files.filter((path) => foreign.test(path))).toEqual([])
  })

  it('contains every file that its files load, and needs no Electron', () => {
    const host = files.filter((path) => path.startsWith('out/main/'))
    const loads = host.flatMap((path) => {
      const text = readFileSync(join(folder, path), 'utf8')
      return [...text.matchAll(/require\(["']([^"']+)["']\)/g)].map(([, name = '']) => ({ path, name }))
    })
    const missing = loads
      .filter(({ name }) => name.startsWith('.'))
      .filter(({ path, name }) => !files.includes(normalize(join(dirname(path), name))))

    expect(loads.map(({ name }) => name)).toContain('classic-level')
    expect(missing).toEqual([])
    expect(loads.filter(({ name }) => name === 'electron')).toEqual([])
  })

  it.each(['headframe', 'a-link'])('runs on its own Node, whatever PATH has, called as %s', (name) => {
    const link = join(dirname(folder), 'a-link')
    if (name === 'a-link') symlinkSync(join(folder, 'headframe'), link)
    const door = name === 'a-link' ? link : join(folder, name)
    const said = execFileSync(door, ['a b', 'version'], { encoding: 'utf8', env: { PATH: '/usr/bin:/bin' } })

    expect(said).toBe(`own ${folder}/node ${folder}/bin/headframe.mjs a b version\n`)
  })

  it('has a limited size and runs', () => {
    const own = files.filter((path) => path !== 'node' && path !== 'LICENSE.node.txt')
    const bytes = own.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0)
    const said = execFileSync(process.execPath, [join(folder, 'bin/headframe.mjs'), 'version'], { encoding: 'utf8' })

    expect(bytes).toBeLessThan(UNPACKED_LIMIT)
    expect(said).toMatch(/^headframe \d+\.\d+\.\d+/)
  })
})

describe('the services', () => {
  const unit = (trade: string): string =>
    readFileSync(join(ROOT, `resources/server/systemd/headframe-${trade}.service`), 'utf8')

  it.each(['node', 'miner', 'signer'])('of the %s run confined, as their own user, and are watched', (trade) => {
    const lines = unit(trade).split('\n')

    for (const line of [
      'Type=notify',
      `User=headframe-${trade}`,
      `StateDirectory=headframe-${trade}`,
      'StateDirectoryMode=0700',
      'UMask=0077',
      'Restart=on-failure',
      'CapabilityBoundingSet=',
      'NoNewPrivileges=yes',
      'PrivateTmp=yes',
      'ProtectHome=yes',
      'ProtectSystem=strict',
      'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK',
      'SystemCallFilter=@system-service',
    ])
      expect(lines).toContain(line)
    expect(unit(trade)).toMatch(/^WatchdogSec=\d+$/m)
    expect(unit(trade)).toMatch(
      new RegExp(`^ExecStart=/usr/bin/headframe ${trade} --datadir /var/lib/headframe-${trade} `, 'm'),
    )
  })

  it('give devices to the miner alone, and expose the signer to nobody outside', () => {
    expect(['node', 'signer'].map((trade) => /^PrivateDevices=yes$/m.test(unit(trade)))).toEqual([true, true])
    expect(unit('miner')).not.toContain('PrivateDevices')
    expect(unit('signer')).toMatch(/^IPAddressDeny=any$/m)
    expect(unit('signer')).toMatch(/^LimitCORE=0$/m)
  })

  it.each(['node', 'miner', 'signer'])('of the %s have a config file that is accepted', (trade) => {
    const file = join(ROOT, `resources/server/config/${trade}.toml`)
    const words = [join(ROOT, 'bin/headframe.mjs'), 'config', '--config', file, '--datadir', join(tmpdir(), 'none')]
    const text = execFileSync(process.execPath, [...words, '--json'], { encoding: 'utf8' })
    const settings = z.array(z.object({ key: z.string(), value: z.unknown() })).parse(JSON.parse(text))

    expect(settings.find(({ key }) => key === 'api.bind')?.value).toMatch(/^127\.0\.0\.1:333[345]$/)
  })
})

describe('the Debian package', () => {
  it.each([
    ['1.2.3', '1.2.3'],
    ['1.2.3-rc.1', '1.2.3~rc.1'],
    ['1.2.3-test-2', '1.2.3~test.2'],
  ])('of version %s has version %s', (version, debian) => {
    expect(texts.debianVersion(version)).toBe(debian)
  })

  it('requires the C libraries that its natives name, and rejects an unknown one', () => {
    const native = (text: string): Uint8Array => Buffer.from(text)
    const natives = [native('\0GLIBC_2.14\0GLIBC_2.9\0GLIBCXX_3.4.21\0'), native('\0GLIBC_2.34\0GLIBCXX_3.4.30\0')]

    expect(texts.libraryNeeds(natives)).toEqual(['libc6 (>= 2.34)', 'libgcc-s1 (>= 3.0)', 'libstdc++6 (>= 12)'])
    expect(() => texts.libraryNeeds([native('GLIBC_2.34 GLIBCXX_3.4.99')])).toThrow('GLIBCXX_3.4.99')
  })

  it('requires no Node, since it brings one, and nothing of a desktop', () => {
    const control = texts.controlText({ architecture: 'amd64', kibibytes: 7, needs: ['libc6 (>= 2.34)'] })

    expect(control).toMatch(/^Depends: adduser, .*, libc6 \(>= 2\.34\)$/m)
    expect(control).not.toMatch(/gtk|x11|libnss|xdg/i)
    expect(control.split('\n').filter((line) => line.startsWith(' ') && line.length > 80)).toEqual([])
  })

  it('names its packager, and dates the change', () => {
    expect(texts.maintainer({ DEBFULLNAME: 'Ada', DEBEMAIL: 'ada@example.org' })).toEqual({
      text: 'Ada <ada@example.org>',
      isNamed: true,
    })
    expect(texts.maintainer({}).isNamed).toBe(false)
    expect(texts.changelogText(1_700_000_000)).toContain('  Tue, 14 Nov 2023 22:13:20 +0000\n')
  })

  it.each(Object.entries({ ...debianScripts, ...RPM_SCRIPTS }))('has a %s that a POSIX shell parses', (_name, text) => {
    expect(() => execFileSync('sh', ['-n'], { input: text })).not.toThrow()
  })
})

describe('npm run test:packages', () => {
  it.each(['--only desk', '--only', 'desktop', '--only rigs more'])('names the kinds that it accepts: %s', (words) => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(ROOT, 'tools/server/test-packages.mjs'), ...words.split(' ')],
      { encoding: 'utf8' },
    )

    expect([status, stderr]).toEqual([
      1,
      'npm run test:packages accepts --only, then one or more of rigs,server,desktop\n',
    ])
  })
})
