import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { presentFolder } from '../../config/sources/moved-folder'
import { headFileOf } from '../../signer/audit/audit-head'
import { DataDirLock } from '../system/lock'
import { dataConfig } from '../testing/data-config'
import { type ChangeDeps, settleDataFolder } from './change-at-start'
import { folderChange } from './folder-records'

/** Every file of a data folder, with its folders. */
const FILES: Readonly<Record<string, string>> = {
  'config.toml': '[miner]\ncpu-threads = 1\n',
  'keystore/UTC--key': 'a key',
  'audit.log': '{"seq":0}\n',
  'main/chain/000005.log': 'blocks'.repeat(1_000),
  'signer/vault.json': '{}',
  'logs/headframe.log': 'lines\n',
}
/** Where a start could be killed, in order. */
const STEPS = ['claimed', 'copied', 'whole', 'both', 'switched', 'emptied'] as const
const isRoot = process.getuid?.() === 0

class Killed extends Error {}

describe('moving the data folder', () => {
  let root = ''
  let old = ''
  /** Mounted; empty = none. */
  let disk = ''
  const made: string[] = []
  const said: string[] = []

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'headframe-move-'))
    old = join(root, 'old')
    made.push(root)
    fill(old)
  })
  afterEach(() => {
    if (disk !== '') execFileSync('umount', [disk])
    disk = ''
    for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
    said.length = 0
  })

  /** Like a start with this folder. @returns the folder that it then uses */
  const start = async (named: string, extra: Partial<ChangeDeps> = {}): Promise<string> => {
    const load = () => dataConfig(named)
    const signal = new AbortController().signal
    const deps = { load, say: (line: string) => void said.push(line), signal, ...extra }
    const { config } = await settleDataFolder(load(), deps)
    return config.app.dataDir
  }
  /** The process dies at a step: nothing is undone, since nothing runs anymore. */
  const killAt = async (named: string, step: string): Promise<void> => {
    const end = new AbortController()
    const onStep = (at: string): void => {
      if (at !== step) return
      end.abort(new Killed())
      throw new Killed()
    }
    await expect(start(named, { onStep, signal: end.signal })).rejects.toThrow(Killed)
  }
  const ask = (to: string, kind: 'move' | 'use' = 'move') => folderChange.write(old, { to, kind, failed: '' })
  const otherDisk = (): string => {
    const folder = mkdtempSync('/dev/shm/headframe-move-')
    made.push(folder)
    return folder
  }

  it('moves everything, and leaves a file that leads there', async () => {
    const to = join(root, 'deep', 'new')
    await ask(to)

    expect(await start(old)).toBe(to)

    expect(contentOf(to)).toMatchObject(FILES)
    expect(readdirSync(old)).toEqual(['moved-to.json'])
    expect(statSync(to).mode & 0o777).toBe(0o700)
    expect(await start(old)).toBe(to)
    expect(await start(to)).toBe(to)
    expect(readdirSync(to)).not.toContain('moved-from.json')
  })

  it.skipIf(!existsSync('/dev/shm'))('copies to another disk and verifies the copy', async () => {
    const to = join(otherDisk(), 'new')
    await ask(to)
    const shares: number[] = []

    expect(await start(old, { onShare: (share) => void shares.push(share) })).toBe(to)

    expect(contentOf(to)).toMatchObject(FILES)
    expect(statSync(join(to, 'keystore')).mode).toBe(statSync(join(to, 'signer')).mode)
    expect(readdirSync(old)).toEqual(['moved-to.json'])
    expect(shares.at(-1)).toBe(1)
  })

  const disks = existsSync('/dev/shm') ? (['the same disk', 'another disk'] as const) : (['the same disk'] as const)
  it.each(disks.flatMap((disk) => STEPS.map((step) => [disk, step] as const)))(
    'on %s: killed at "%s", the next start finds one complete folder and finishes the move',
    async (disk, step) => {
      const to = disk === 'the same disk' ? join(root, 'new') : join(otherDisk(), 'new')
      await ask(to)

      await killAt(old, step)

      expect(contentOf(dataConfig(old).app.dataDir)).toMatchObject(FILES)
      expect(contentOf(dataConfig(to).app.dataDir)).toMatchObject(FILES)
      expect(await start(old)).toBe(to)
      expect(contentOf(to)).toMatchObject(FILES)
      expect(readdirSync(old)).toEqual(['moved-to.json'])
      expect(readdirSync(to)).not.toContain('moved-from.json')
    },
  )

  it.each(STEPS)('killed at "%s", a start in the new folder also finds a complete one', async (step) => {
    const to = join(root, 'new')
    await ask(to)

    await killAt(old, step)

    expect(await start(to)).toBe(to)
    expect(contentOf(to)).toMatchObject(FILES)
    expect(dataConfig(old).app.dataDir).toBe(to)
  })

  it.skipIf(!existsSync('/dev/shm'))('killed while moving files, it starts over', async () => {
    const to = join(otherDisk(), 'new')
    await ask(to)
    const end = new AbortController()
    const onShare = (): void => end.abort(new Killed())

    await expect(start(old, { onShare, signal: end.signal })).rejects.toThrow(Killed)

    expect(dataConfig(to).app.dataDir).toBe(old)
    expect(await start(old)).toBe(to)
    expect(contentOf(to)).toMatchObject(FILES)
  })

  it('moves back, and round three places', async () => {
    const [second, third] = [join(root, 'second'), join(root, 'third')]
    await ask(second)
    await start(old)
    await folderChange.write(second, { to: third, kind: 'move', failed: '' })
    expect(await start(old)).toBe(third)
    expect(dataConfig(second).app.dataDir).toBe(third)

    await folderChange.write(third, { to: old, kind: 'move', failed: '' })
    expect(await start(old)).toBe(old)

    expect(contentOf(old)).toMatchObject(FILES)
    expect([second, third].map((folder) => dataConfig(folder).app.dataDir)).toEqual([old, old])
  })

  it.each(STEPS)('killed at "%s" on the way back, the named folder is never empty', async (step) => {
    const second = join(root, 'second')
    await ask(second)
    await start(old)
    await folderChange.write(second, { to: old, kind: 'move', failed: '' })

    await killAt(old, step)

    expect(contentOf(dataConfig(old).app.dataDir)).toMatchObject(FILES)
    expect(await start(old)).toBe(old)
    expect(contentOf(old)).toMatchObject(FILES)
  })

  it('keeps what another program writes into the old folder in the meantime', async () => {
    const to = join(root, 'new')
    await ask(to)
    const onStep = (step: string): void => {
      if (step === 'switched') writeFileSync(join(old, 'keystore', 'UTC--late'), 'a late key')
    }

    await start(old, { onStep })

    expect(readFileSync(join(old, 'keystore', 'UTC--late'), 'utf8')).toBe('a late key')
    expect(said.join('\n')).toContain('UTC--late')
  })

  it('copies what arrived while the other files were copied', async () => {
    const to = join(root, 'new')
    await ask(to)
    const onStep = (step: string): void => {
      if (step === 'claimed') writeFileSync(join(old, 'keystore', 'UTC--late'), 'a late key')
    }

    await start(old, { onStep })

    expect(readFileSync(join(to, 'keystore', 'UTC--late'), 'utf8')).toBe('a late key')
    expect(readdirSync(old)).toEqual(['moved-to.json'])
  })

  it('moves the kept end of the audit log to its new name', async () => {
    const to = join(root, 'new')
    const head = headFileOf(join(old, 'signer'), join(old, 'audit.log'))
    writeFileSync(head, 'the end')
    await ask(to)

    await start(old)

    expect(readFileSync(headFileOf(join(to, 'signer'), join(to, 'audit.log')), 'utf8')).toBe('the end')
  })

  describe.skipIf(!isRoot || process.platform !== 'linux')('onto a small disk (needs root)', () => {
    const mount = (size: string): void => {
      disk = join(root, 'small')
      mkdirSync(disk)
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'none', disk])
    }

    it("says in advance that there isn't enough space", async () => {
      mount('60m')
      await ask(join(disk, 'new'))

      expect(await start(old)).toBe(old)

      expect(folderChange.read(old)?.failed).toMatch(/too little room/)
      expect(readdirSync(disk)).toEqual([])
    })

    it('leaves everything as it was if the disk fills up on the way', async () => {
      mount('66m')
      await ask(join(disk, 'new'))
      const ballast = join(disk, 'ballast')
      const onStep = (step: string): void => {
        const fill = (): void => appendFileSync(ballast, Buffer.alloc(2 ** 16))
        if (step === 'claimed') expect(() => [...Array(2_000)].forEach(fill)).toThrow('ENOSPC')
      }

      expect(await start(old, { onStep })).toBe(old)

      expect(folderChange.read(old)?.failed).toContain('ENOSPC')
      expect(contentOf(old)).toMatchObject(FILES)
      expect(readdirSync(disk)).toEqual(['ballast'])
      rmSync(ballast)
      await ask(join(disk, 'new'))
      expect(await start(old)).toBe(join(disk, 'new'))
      expect(contentOf(join(disk, 'new'))).toMatchObject(FILES)
    })
  })

  it('is refused onto someone else’s files, into itself, and onto itself', async () => {
    const foreign = join(root, 'foreign')
    mkdirSync(foreign)
    writeFileSync(join(foreign, 'letter.txt'), 'dear')
    const loop = join(root, 'loop')
    symlinkSync(old, loop)
    for (const to of [foreign, join(old, 'inner'), old, loop, join(loop, 'inner'), join(root, 'letter')]) {
      if (to.endsWith('letter')) writeFileSync(to, 'a file')
      await ask(to)
      expect(await start(old)).toBe(old)
      expect(folderChange.read(old)?.failed).not.toBe('')
    }
    expect(contentOf(foreign)).toEqual({ 'letter.txt': 'dear' })
    expect(contentOf(old)).toMatchObject(FILES)
  })

  it('is refused for a link that would lead elsewhere, and moves one to another disk as is', async () => {
    symlinkSync('/somewhere/ancient', join(old, 'ancient'))
    await ask(join(root, 'new'))
    await start(old)
    expect(said.at(-1)).toContain('from now on')

    symlinkSync('../elsewhere', join(root, 'new', 'relative'))
    await folderChange.write(join(root, 'new'), { to: join(root, 'third'), kind: 'move', failed: '' })
    await start(old)
    expect(folderChange.read(join(root, 'new'))?.failed).toContain('relative')
  })

  it('waits while another program uses the folder', async () => {
    await ask(join(root, 'new'))
    const lock = new DataDirLock({ dir: old, file: join(old, 'headframe.lock'), pid: process.ppid })
    await lock.start()

    await expect(start(old)).rejects.toThrow('is in use by process')

    expect(contentOf(old)).toMatchObject(FILES)
    await lock.stop()
  })

  it('uses an existing data folder, keeps the previous one, and returns to it', async () => {
    const other = join(root, 'other')
    fill(other, { 'keystore/UTC--key': 'another key' })
    await ask(other, 'use')
    expect(await start(old)).toBe(other)
    expect(contentOf(old)).toMatchObject(FILES)
    expect(readFileSync(join(other, 'keystore', 'UTC--key'), 'utf8')).toBe('another key')

    await folderChange.write(other, { to: old, kind: 'use', failed: '' })
    expect(await start(old)).toBe(old)
    expect(readFileSync(join(old, 'keystore', 'UTC--key'), 'utf8')).toBe('a key')
    expect(readFileSync(join(other, 'keystore', 'UTC--key'), 'utf8')).toBe('another key')
  })

  it('never moves onto a folder that was used before, though it leads here', async () => {
    const other = join(root, 'other')
    fill(other, { 'keystore/UTC--key': 'another key' })
    await ask(other, 'use')
    await start(old)

    await folderChange.write(other, { to: old, kind: 'move', failed: '' })
    expect(await start(old)).toBe(other)

    expect(contentOf(old)).toMatchObject(FILES)
    expect(folderChange.read(other)?.failed).toContain('another one')
  })

  it("returns if the other folder doesn't start", async () => {
    const other = join(root, 'other')
    fill(other, { 'config.toml': 'nonsense = ' })
    await ask(other, 'use')

    expect(await start(old)).toBe(old)

    expect(folderChange.read(old)?.failed).toContain('not TOML')
    expect(dataConfig(old).app.dataDir).toBe(old)
  })

  it('reports a disk that is not connected instead of starting with an empty folder', async () => {
    const to = join(root, 'new')
    await ask(to)
    await start(old)
    rmSync(to, { recursive: true })

    expect(() => dataConfig(old)).toThrow(/new, which is not there; connect its disk/)
    mkdirSync(to)
    expect(() => dataConfig(old)).toThrow('not there')
  })

  it('never follows folders in a circle', () => {
    const files: Record<string, string> = {
      '/a/moved-to.json': JSON.stringify({ to: '/b', id: 'x' }),
      '/b/moved-to.json': JSON.stringify({ to: '/a', id: 'x' }),
    }
    const readFile = (path: string) => (path in files ? { text: files[path] ?? '' } : ({ missing: true } as const))

    expect(() => presentFolder('/a', { platform: 'linux', readFile })).toThrow('circle')
  })
})

function fill(folder: string, other: Readonly<Record<string, string>> = {}): void {
  for (const [path, text] of Object.entries({ ...FILES, ...other })) {
    mkdirSync(join(folder, path, '..'), { recursive: true, mode: 0o700 })
    writeFileSync(join(folder, path), text)
  }
}

/** Text of every file below a folder, by its path. */
function contentOf(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = paths.filter((path) => statSync(join(folder, path), { throwIfNoEntry: false })?.isFile() === true)
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}
