import { readdirSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { KeyFolder, keyFileName } from './folder'
import { keyClaim } from './testing/key-claim'

const A = '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f'
const B = '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826'

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

  it('finds a file written in place among many, looking at forty per poll', async () => {
    clock = new FakeClock(Date.now() + 60_000)
    folder = new KeyFolder({ path, pollMs: 1_000 }, { clock, log: silentLogger, randomBytes: zeros })
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
