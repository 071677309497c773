// New files on file systems with links, and without, like those of memory sticks.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isRunning, placeNewFile } from './durable-file'

const realLink = fs.promises.link
let folder = ''
let path = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'durable-'))
  path = join(folder, 'key.json')
})

afterEach(async () => {
  setLink(realLink)
  await rm(folder, { recursive: true, force: true })
})

function setLink(link: typeof realLink): void {
  fs.promises.link = link
  syncBuiltinESMExports()
}

const refusing = (code: string) => () => Promise.reject(Object.assign(new Error(`${code}: link`), { code }))
const claimOf = (): string => join(folder, '.key.json.claim')
/** No process has this id: the system's are smaller. */
const NOBODY = '999999999\n'

describe.each([
  ['links', realLink],
  ['no links (EPERM)', refusing('EPERM')],
  ['no links (EISDIR)', refusing('EISDIR')],
])('placeNewFile where there are %s', (_title, link) => {
  beforeEach(() => setLink(link))

  it('puts the file in place with its mode, and leaves nothing beside it', async () => {
    await placeNewFile(path, 'text', { mode: 0o400 })

    expect([await readFile(path, 'utf8'), (await stat(path)).mode & 0o777]).toEqual(['text', 0o400])
    expect(await readdir(folder)).toEqual(['key.json'])
  })

  it.each(['a file', 'a link that leads nowhere'])('never replaces %s', async (what) => {
    await (what === 'a file' ? writeFile(path, 'old') : symlink('nowhere', path))

    await expect(placeNewFile(path, 'new')).rejects.toMatchObject({ code: 'EEXIST', syscall: expect.any(String) })
    expect(await readdir(folder)).toEqual(['key.json'])
    if (what === 'a file') expect(await readFile(path, 'utf8')).toBe('old')
  })

  it('lets exactly one of many concurrent writers win, with a complete text', async () => {
    const texts = Array.from({ length: 8 }, (_none, index) => String(index).repeat(10_000))

    const ends = await Promise.allSettled(texts.map((text) => placeNewFile(path, text)))

    const won = ends.flatMap(({ status }, index) => (status === 'fulfilled' ? [texts[index]] : []))
    expect(won).toEqual([await readFile(path, 'utf8')])
    expect(await readdir(folder)).toEqual(['key.json'])
  })

  it('discards a file that the disk returns changed', async () => {
    // Half of a surrogate pair has no bytes of its own: what is read back is U+FFFD.
    await expect(placeNewFile(path, '\ud800')).rejects.toMatchObject({ code: 'EIO', syscall: 'read' })
    expect(await readdir(folder)).toEqual([])
  })
})

describe('claiming a name without hard links', () => {
  beforeEach(() => setLink(refusing('EPERM')))

  it("takes over a dead process's claim", async () => {
    await writeFile(claimOf(), NOBODY)

    await placeNewFile(path, 'text')

    expect(await readdir(folder)).toEqual(['key.json'])
  })

  it('takes over an old claim', async () => {
    await writeFile(claimOf(), '')
    await utimes(claimOf(), 1, 1)

    await placeNewFile(path, 'text')

    expect(await readdir(folder)).toEqual(['key.json'])
  })

  it.each([
    ['of a process that runs', `${process.pid}\n`],
    ['that does not tell its process yet', ''],
    ['that has told half of its process', '9'],
  ])('%s keeps others away', async (_what, text) => {
    await writeFile(claimOf(), text)

    await expect(placeNewFile(path, 'text')).rejects.toMatchObject({ code: 'EEXIST' })
    expect(await readdir(folder)).toEqual(['.key.json.claim'])
  })
})

it('reports any other link failure, and leaves nothing behind', async () => {
  setLink(refusing('EIO'))

  await expect(placeNewFile(path, 'text')).rejects.toMatchObject({ code: 'EIO' })
  expect(await readdir(folder)).toEqual([])
})

describe('a process', () => {
  it.skipIf(process.platform !== 'linux')('no longer runs once it has ended, also before its parent asks', async () => {
    // What it started is never waited for: it ends when `cat` has taken the shell's place.
    const script = '(until grep -q cat /proc/$$/comm; do :; done) & echo $!; exec cat'
    const parent = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'] })
    const [said] = await once(parent.stdout, 'data')

    await expect.poll(() => isRunning(Number(String(said)))).toBe(false)
    expect(() => process.kill(Number(String(said)), 0)).not.toThrow()
    expect([isRunning(process.pid), isRunning(2 ** 22)]).toEqual([true, false])
    parent.stdin.end()
    await once(parent, 'close')
  })
})
