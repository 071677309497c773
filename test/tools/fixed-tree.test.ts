// Two archives of the same files are equal bit by bit, whatever time, mode and order the files were created in.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

const tool = pathToFileURL(resolve(import.meta.dirname, '../../tools/release/fixed-tree.mjs')).href
const { sourceDate, fixTree, writeTarball, writeDeb } = z
  .object({
    sourceDate: z.custom<() => number>(),
    fixTree: z.custom<(folder: string, seconds: number) => void>(),
    writeTarball: z.custom<(file: string, words: readonly string[]) => Promise<void>>(),
    writeDeb: z.custom<(file: string, folder: string) => Promise<void>>(),
  })
  .parse({ ...(await import(tool)) })

const hasDpkg = spawnSync('dpkg-deb', ['--version']).status === 0
const SECONDS = 1_790_000_000
const CONTROL = 'Package: x\nVersion: 1\nArchitecture: all\nMaintainer: X <x@localhost>\nDescription: x\n'
const FILES = [
  { path: 'DEBIAN/control', text: CONTROL, isRunnable: false },
  { path: 'opt/b', text: 'second', isRunnable: true },
  { path: 'opt/a', text: 'first', isRunnable: false },
  { path: 'opt/Z/é', text: 'third', isRunnable: false },
]
/** Each with what it must not leave in an archive: order, times, the user's mask. */
const MAKERS = [
  { folder: 'one', files: FILES, mask: 0o000, at: 1_000 },
  { folder: 'two', files: [...FILES].reverse(), mask: 0o077, at: 1_900_000_000 },
]

let base = ''
const given = process.env.SOURCE_DATE_EPOCH
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'fixed-'))
  process.env.SOURCE_DATE_EPOCH = String(SECONDS)
  for (const maker of MAKERS) make(maker)
})
afterEach(() => {
  rmSync(base, { recursive: true, force: true })
  if (given === undefined) delete process.env.SOURCE_DATE_EPOCH
  else process.env.SOURCE_DATE_EPOCH = given
})

function make({ folder, files, mask, at }: (typeof MAKERS)[number]): void {
  for (const { path, text, isRunnable } of files) {
    const file = join(base, folder, path)
    mkdirSync(dirname(file), { recursive: true, mode: 0o777 & ~mask })
    writeFileSync(file, text)
    chmodSync(file, (isRunnable ? 0o777 : 0o666) & ~mask)
    utimesSync(file, at, at)
  }
  symlinkSync('a', join(base, folder, 'opt/link'))
}

const hashOf = (file: string): string =>
  createHash('sha256')
    .update(readFileSync(join(base, file)))
    .digest('hex')
const list = (file: string): string[] =>
  spawnSync('tar', ['-tvzf', join(base, file)], { encoding: 'utf8', env: { ...process.env, TZ: 'UTC' } }).stdout.split(
    '\n',
  )

describe('a tarball', () => {
  it('depends on names and contents alone', async () => {
    for (const { folder } of MAKERS)
      await writeTarball(join(base, `${folder}.tar.gz`), ['-C', join(base, folder), 'opt'])

    expect(hashOf('one.tar.gz')).toBe(hashOf('two.tar.gz'))
    expect(list('one.tar.gz').slice(1, 2)).toEqual([
      expect.stringMatching(/^drwxr-xr-x 0\/0 .* 2026-09-21 .* opt\/Z\/$/),
    ])
    writeFileSync(join(base, 'two/opt/a'), 'First')
    await writeTarball(join(base, 'two.tar.gz'), ['-C', join(base, 'two'), 'opt'])
    expect(hashOf('one.tar.gz')).not.toBe(hashOf('two.tar.gz'))
  })
})

describe.skipIf(!hasDpkg)(`a Debian package${hasDpkg ? '' : ' (skipped: no dpkg-deb)'}`, () => {
  it('depends on names and contents alone', async () => {
    for (const { folder } of MAKERS) await writeDeb(join(base, `${folder}.deb`), join(base, folder))

    expect(hashOf('one.deb')).toBe(hashOf('two.deb'))
    chmodSync(join(base, 'two/opt/a'), 0o755)
    await writeDeb(join(base, 'two.deb'), join(base, 'two'))
    expect(hashOf('one.deb')).not.toBe(hashOf('two.deb'))
  })

  it("that can't be built gives the reason", async () => {
    rmSync(join(base, 'one/DEBIAN/control'))

    await expect(writeDeb(join(base, 'one.deb'), join(base, 'one'))).rejects.toThrow(
      /dpkg-deb could not make the archive: .*control/,
    )
  })
})

describe('a tree', () => {
  it('keeps what is executable, and which user it runs as', () => {
    chmodSync(join(base, 'two/opt/b'), 0o4711)

    fixTree(join(base, 'two'), SECONDS)

    const modes = ['opt', 'opt/a', 'opt/b'].map((path) =>
      (lstatSync(join(base, 'two', path)).mode & 0o7777).toString(8),
    )
    expect(modes).toEqual(['755', '644', '4755'])
    expect(lstatSync(join(base, 'two/opt/link')).mtimeMs).toBe(SECONDS * 1000)
  })

  it.each(['yesterday', '-1', '1e9'])("isn't dated %s", (text) => {
    process.env.SOURCE_DATE_EPOCH = text

    expect(() => sourceDate()).toThrow(`not a time in seconds: ${text}`)
  })

  it('is dated by the commit by default', () => {
    delete process.env.SOURCE_DATE_EPOCH
    const { stdout, status } = spawnSync('git', ['log', '-1', '--format=%ct'], { encoding: 'utf8' })

    expect(sourceDate()).toBe(status === 0 && stdout !== '' ? Number(stdout) : 315_532_800)
  })
})
