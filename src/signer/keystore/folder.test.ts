import { readdirSync } from 'node:fs'
import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { systemClock } from '../../base/time'
import { KeyFolder, keyFileName } from './folder'
import { keyClaim } from './testing/key-claim'

const A = '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f'
const B = '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826'
const C = '0x0000000000000000000000000000000000000c0c'

let root = ''
let path = ''
let clock = new FakeClock()
let folder = new KeyFolder({ path: '', pollMs: 1_000 }, { clock, log: silentLogger, randomBytes: zeros })

function zeros(length: number): Uint8Array {
  return new Uint8Array(length)
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'folder-'))
  path = join(root, 'keystore')
  clock = new FakeClock()
  folder = new KeyFolder({ path, pollMs: 1_000 }, { clock, log: silentLogger, randomBytes: zeros })
  await mkdir(path)
})

afterEach(async () => {
  await folder.stop()
  await rm(root, { recursive: true, force: true })
})

describe('the scan', () => {
  it.skipIf(process.platform !== 'linux')('names a file whose name is not UTF-8', async () => {
    const odd = (name: string) => Buffer.concat([Buffer.from(`${path}/${name}`), Buffer.from([0xff])])
    await writeFile(odd('key'), keyClaim(A))
    await writeFile(odd('.hidden'), keyClaim(A))
    await mkdir(odd('folder'))
    await writeFile(join(path, 'key\ufffd'), keyClaim(B))

    await folder.start()

    expect(folder.content()).toEqual({
      keys: [{ address: B, file: 'key\ufffd' }],
      problems: [{ file: '0x6b6579ff (not text)', reason: 'its name is not UTF-8, so that it is not read: rename it' }],
    })
  })

  it('takes regular files with an address, ordered by name, and omits others', async () => {
    await writeFile(join(path, 'b'), keyClaim(B))
    await writeFile(join(path, 'a'), keyClaim(A.slice(2).toUpperCase()))
    await writeFile(join(path, '.hidden'), keyClaim(A))
    await writeFile(join(path, 'backup~'), keyClaim(A))
    await writeFile(join(root, 'outside'), keyClaim(A))
    await mkdir(join(path, 'folder'))

    await folder.start()

    expect(folder.content()).toEqual({
      keys: [
        { address: A, file: 'a' },
        { address: B, file: 'b' },
      ],
      problems: [],
    })
  })

  it('reads links to files that only their owner can change, and names all other links', async () => {
    await writeFile(join(root, 'outside'), keyClaim(A), { mode: 0o600 })
    await writeFile(join(root, 'open'), keyClaim(B))
    await chmod(join(root, 'open'), 0o666)
    await mkdir(join(root, '..data'))
    await symlink(join(root, 'outside'), join(path, 'a'))
    await symlink(join(root, 'open'), join(path, 'b'))
    await symlink(join(root, 'nowhere'), join(path, 'c'))
    await symlink(join(root, '..data'), join(path, 'd'))
    await symlink('e', join(path, 'e'))

    await folder.start()

    expect(folder.content()).toMatchObject({
      keys: [{ address: A, file: 'a' }],
      problems: [
        { file: 'b', reason: 'a link that is not read: others may write its file' },
        { file: 'c', reason: expect.stringContaining('no such file') },
        { file: 'e', reason: expect.stringContaining('ELOOP') },
      ],
    })
    expect(await folder.read('a')).toBe(keyClaim(A))
    await expect(folder.read('b')).rejects.toMatchObject({ code: 'KEYSTORE_UNREADABLE' })
  })

  it("names files that aren't keys, and also lists one with broken contents", async () => {
    await writeFile(join(path, 'text'), 'not a key')
    await writeFile(join(path, 'empty'), '')
    await writeFile(join(path, 'huge'), `{"address":"${A}","x":"${'x'.repeat(100_000)}"}`)
    await writeFile(join(path, 'broken'), JSON.stringify({ address: B, version: 3 }))

    await folder.start()

    expect(folder.content().keys).toEqual([{ address: B, file: 'broken' }])
    expect(folder.content().problems).toEqual([
      { file: 'broken', reason: 'key file is not valid: no crypto section' },
      { file: 'empty', reason: 'key file is not valid: not JSON' },
      { file: 'huge', reason: 'key file is not valid: more than 65536 characters' },
      { file: 'text', reason: 'key file is not valid: not JSON' },
    ])
  })

  it('lists every file of an address', async () => {
    await writeFile(join(path, 'one'), keyClaim(A))
    await writeFile(join(path, 'two'), keyClaim(A))

    await folder.start()

    expect(folder.filesOf(A)).toEqual(['one', 'two'])
    expect(folder.filesOf(B)).toEqual([])
  })

  it('follows additions, changes and removals from outside', async () => {
    await writeFile(join(path, 'a'), keyClaim(A))
    await folder.start()
    const seen: string[][] = []
    folder.events.on('contentChanged', ({ keys }) => void seen.push(keys.map((key) => key.address)))

    await writeFile(join(path, 'b'), keyClaim(B))
    await folder.refresh()
    await writeFile(join(path, 'a'), keyClaim(B))
    await utimes(join(path, 'a'), 1, 1)
    await folder.refresh()
    await rm(join(path, 'a'))
    await folder.refresh()
    await folder.refresh()

    expect(seen).toEqual([[A, B], [B, B], [B]])
  })

  it("keeps what it knew, and says so, while the folder can't be read", async () => {
    await writeFile(join(path, 'a'), keyClaim(A))
    await folder.start()

    await rm(path, { recursive: true })
    await folder.refresh()

    expect(folder.content().keys).toEqual([{ address: A, file: 'a' }])
    expect(folder.content().problems).toMatchObject([{ file: '', reason: expect.stringContaining('ENOENT') }])
  })

  it('finds a file written in place among many as the system reports it, before any poll', async () => {
    folder = new KeyFolder({ path, pollMs: 3_600_000 }, { clock: systemClock(), log: silentLogger, randomBytes: zeros })
    await Promise.all(manyNames().map((name) => writeFile(join(path, name), keyClaim(A))))
    await folder.start()
    const changed = new Promise((resolve) => folder.events.on('contentChanged', resolve))
    await writeFile(join(path, 'f299'), keyClaim(B))
    await changed

    expect(folder.filesOf(B)).toEqual(['f299'])
  })

  it('finds a file written in place among many, looking at forty per poll where the system reports nothing', async () => {
    clock = new FakeClock(Date.now() + 60_000)
    const watch = () => {
      throw new Error('ENOSPC')
    }
    folder = new KeyFolder({ path, pollMs: 1_000 }, { clock, log: silentLogger, randomBytes: zeros, watch })
    const names = Array.from({ length: 100 }, (_, n) => `f${String(n).padStart(3, '0')}`)
    await Promise.all(names.map((name) => writeFile(join(path, name), keyClaim(A))))
    await folder.start()
    await writeFile(join(path, 'f099'), keyClaim(B))
    const found: number[] = []
    for (let poll = 0; poll < 3; poll++) {
      clock.advance(1_000)
      await folder.refresh()
      found.push(folder.filesOf(B).length)
    }

    expect(found).toEqual([0, 0, 1])
  })

  it('polls by the clock until stopped', async () => {
    await folder.start()
    expect(clock.pending).toBe(1)

    await writeFile(join(path, 'a'), keyClaim(A))
    const changed = new Promise((resolve) => folder.events.on('contentChanged', resolve))
    clock.advance(1_000)
    await changed
    await folder.stop()

    expect(folder.filesOf(A)).toEqual(['a'])
    expect(clock.pending).toBe(0)
  })
})

function manyNames(): readonly string[] {
  return Array.from({ length: 300 }, (_, n) => `f${String(n).padStart(3, '0')}`)
}

describe('the kept listing', () => {
  /** Later than any timestamp that may be too recent to say anything. */
  const later = () => new FakeClock(Date.now() + 60_000)
  const opened = (listing: string, at = path) =>
    new KeyFolder({ path: at, pollMs: 1_000, listing }, { clock: later(), log: silentLogger, randomBytes: zeros })

  async function kept(): Promise<string> {
    await Promise.all(manyNames().map((name) => writeFile(join(path, name), keyClaim(A))))
    const listing = join(root, 'config', 'key-files.json')
    folder = opened(listing)
    await folder.start()
    await folder.stop()
    return listing
  }

  /** Has every row claim the other address, as only a wrong listing does. */
  async function forge(listing: string): Promise<void> {
    await writeFile(listing, (await readFile(listing, 'utf8')).replaceAll(A, B))
  }

  it('saves the reading of files that are as they were', async () => {
    const listing = await kept()
    await forge(listing)
    folder = opened(listing)
    await folder.start()

    expect(folder.filesOf(B)).toHaveLength(300)
    expect(await folder.read('f000')).toBe(keyClaim(A))
    expect((await stat(listing)).mode & 0o777).toBe(0o600)
  })

  it.each<[string, (file: string) => Promise<void>]>([
    ['changed', (file) => writeFile(file, keyClaim(C))],
    [
      'changed, its older time put back',
      async (file) => {
        const { atime, mtime } = await stat(file)
        await writeFile(file, keyClaim(C))
        await utimes(file, atime, mtime)
      },
    ],
    [
      'replaced',
      async (file) => {
        await writeFile(join(root, 'other'), keyClaim(C))
        await rename(join(root, 'other'), file)
      },
    ],
  ])('says nothing about a file that was %s', async (_what, change) => {
    const listing = await kept()
    await change(join(path, 'f007'))
    folder = opened(listing)
    await folder.start()

    expect(folder.filesOf(C)).toEqual(['f007'])
    expect(folder.filesOf(A)).toHaveLength(299)
  })

  it('says nothing about names that are gone or new', async () => {
    const listing = await kept()
    await rename(join(path, 'f000'), join(path, 'g000'))
    await rm(join(path, 'f001'))
    folder = opened(listing)
    await folder.start()

    expect(folder.content().keys.map(({ file }) => file)).toEqual([...manyNames().slice(2), 'g000'])
  })

  it.each<[string, (listing: string) => Promise<void>]>([
    ['cut', async (listing) => writeFile(listing, (await readFile(listing, 'utf8')).slice(0, -1))],
    ['of another form', (listing) => writeFile(listing, '{"files":[]}')],
    ['of files that were changed while they were read', (listing) => tooRecent(listing)],
  ])('is not believed when it is %s', async (_what, change) => {
    const listing = await kept()
    await forge(listing)
    await change(listing)
    folder = opened(listing)
    await folder.start()

    expect(folder.filesOf(A)).toHaveLength(300)
  })

  it("isn't believed for another folder, also one under the same name", async () => {
    const listing = await kept()
    await forge(listing)
    await rename(path, join(root, 'before'))
    await mkdir(path)
    for (const name of manyNames()) await link(join(root, 'before', name), join(path, name))
    folder = opened(listing)
    await folder.start()

    expect(folder.filesOf(A)).toHaveLength(300)
  })

  /** As written right after the files were. */
  async function tooRecent(listing: string): Promise<void> {
    await rm(listing)
    folder = new KeyFolder(
      { path, pollMs: 1_000, listing },
      { clock: new FakeClock(Date.now()), log: silentLogger, randomBytes: zeros },
    )
    await utimes(path, new Date(), new Date())
    await Promise.all(manyNames().map((name) => writeFile(join(path, name), keyClaim(A))))
    await folder.start()
    await folder.stop()
    expect(JSON.parse(await readFile(listing, 'utf8'))).toMatchObject({ files: [] })
  }
})

describe('a new file', () => {
  it('is read back from disk before it gets its name', async () => {
    await folder.start()
    let during: string[] = []

    const file = await folder.add(A, keyClaim(A), () => {
      during = readdirSync(path)
    })

    expect(during.sort()).toEqual([`.${file}.tmp00000000`, '.headframe.lock'])
    expect(await readdir(path)).toEqual([file])
    expect(await readFile(join(path, file), 'utf8')).toBe(keyClaim(A))
    expect((await stat(join(path, file))).mode & 0o777).toBe(0o600)
    expect(folder.filesOf(A)).toEqual([file])
  })

  it.each([
    ['that is no longer wanted', keyClaim(A), new Error('aborted'), 'aborted'],
    ['that the disk returns changed', '\ud800', null, 'the disk returns something else'],
  ])('%s leaves nothing behind', async (_what, text, error, message) => {
    await folder.start()

    const added = folder.add(A, text, () => {
      if (error !== null) throw error
    })

    await expect(added).rejects.toThrow(message)
    expect(await readdir(path)).toEqual([])
  })

  it("that can't be written is an error that names it", async () => {
    await folder.start()
    await rm(path, { recursive: true })

    await expect(folder.add(A, keyClaim(A))).rejects.toMatchObject({
      code: 'KEYSTORE_WRITE_FAILED',
    })
  })

  it('is named as in the family', () => {
    expect(keyFileName(A, Date.UTC(2024, 0, 2, 3, 4, 5, 6), Uint8Array.of(0, 0, 7))).toBe(
      `UTC--2024-01-02T03-04-05.006000007Z--${A.slice(2)}`,
    )
  })
})
