import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { KeyFolder, keyFileName } from './folder'

const A = '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f'
const B = '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826'

let root = ''
let path = ''
let clock = new FakeClock()
let folder = new KeyFolder({ path: '', pollMs: 1_000 }, { clock, log: silentLogger, randomBytes: zeros })

function zeros(length: number): Uint8Array {
  return new Uint8Array(length)
}

/** Looks like a key file as far as the scan can tell. */
const claim = (address: string): string =>
  JSON.stringify({
    address,
    version: 3,
    crypto: {
      cipher: 'aes-128-ctr',
      ciphertext: '00'.repeat(32),
      cipherparams: { iv: '00'.repeat(16) },
      mac: '00'.repeat(32),
      kdf: 'scrypt',
      kdfparams: { n: 2, r: 8, p: 1, dklen: 32, salt: '00' },
    },
  })

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
  it('takes regular files with an address, in order of their names, and leaves out what is none', async () => {
    await writeFile(join(path, 'b'), claim(B))
    await writeFile(join(path, 'a'), claim(A.slice(2).toUpperCase()))
    await writeFile(join(path, '.hidden'), claim(A))
    await writeFile(join(path, 'backup~'), claim(A))
    await writeFile(join(root, 'outside'), claim(A))
    await symlink(join(root, 'outside'), join(path, 'link'))
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

  it('names files that are not keys, and lists one with a broken inside as well', async () => {
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

  it('gives every file of an address', async () => {
    await writeFile(join(path, 'one'), claim(A))
    await writeFile(join(path, 'two'), claim(A))

    await folder.start()

    expect(folder.filesOf(A)).toEqual(['one', 'two'])
    expect(folder.filesOf(B)).toEqual([])
  })

  it('follows additions, changes and removals from outside', async () => {
    await writeFile(join(path, 'a'), claim(A))
    await folder.start()
    const seen: string[][] = []
    folder.events.on('contentChanged', ({ keys }) => void seen.push(keys.map((key) => key.address)))

    await writeFile(join(path, 'b'), claim(B))
    await folder.refresh()
    await writeFile(join(path, 'a'), claim(B))
    await utimes(join(path, 'a'), 1, 1)
    await folder.refresh()
    await rm(join(path, 'a'))
    await folder.refresh()
    await folder.refresh()

    expect(seen).toEqual([[A, B], [B, B], [B]])
  })

  it('keeps what it knew, and says so, while the folder cannot be read', async () => {
    await writeFile(join(path, 'a'), claim(A))
    await folder.start()

    await rm(path, { recursive: true })
    await folder.refresh()

    expect(folder.content().keys).toEqual([{ address: A, file: 'a' }])
    expect(folder.content().problems).toMatchObject([{ file: '', reason: expect.stringContaining('ENOENT') }])
  })

  it('polls by the clock until it is stopped', async () => {
    await folder.start()
    expect(clock.pending).toBe(1)

    await writeFile(join(path, 'a'), claim(A))
    const changed = new Promise((resolve) => folder.events.on('contentChanged', resolve))
    clock.advance(1_000)
    await changed
    await folder.stop()

    expect(folder.filesOf(A)).toEqual(['a'])
    expect(clock.pending).toBe(0)
  })
})

describe('a new file', () => {
  it('is proved from the disk before it gets its name', async () => {
    await folder.start()
    let during: string[] = []
    let readBack = ''

    const file = await folder.add(A, claim(A), async (text) => {
      readBack = text
      during = await readdir(path)
    })

    expect(readBack).toBe(claim(A))
    expect(during).toEqual([`.${file}.tmp00000000`])
    expect(await readdir(path)).toEqual([file])
    expect(await readFile(join(path, file), 'utf8')).toBe(claim(A))
    expect((await stat(join(path, file))).mode & 0o777).toBe(0o600)
    expect(folder.filesOf(A)).toEqual([file])
  })

  it('that fails its proof leaves nothing', async () => {
    await folder.start()

    const added = folder.add(A, claim(A), () => Promise.reject(new Error('does not open')))

    await expect(added).rejects.toThrow('does not open')
    expect(await readdir(path)).toEqual([])
  })

  it('that cannot be written is an error that names it', async () => {
    await folder.start()
    await rm(path, { recursive: true })

    await expect(folder.add(A, claim(A), async () => undefined)).rejects.toMatchObject({
      code: 'KEYSTORE_WRITE_FAILED',
    })
  })

  it('has the name of the family', () => {
    expect(keyFileName(A, Date.UTC(2024, 0, 2, 3, 4, 5, 6), Uint8Array.of(0, 0, 7))).toBe(
      `UTC--2024-01-02T03-04-05.006000007Z--${A.slice(2)}`,
    )
  })
})
