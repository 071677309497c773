import { randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../base/time'
import { JournalBook, type JournalPart } from './journal-book'
import { JournalFile } from './journal-file'

const key = randomBytes(32)
let dir = ''
let file = ''

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'journal-'))
  file = join(dir, 'vault', 'policies.log')
})
afterEach(() => rm(dir, { recursive: true, force: true }))

/** A part that collects its records. */
class Words implements JournalPart {
  list: string[] = []
  reset(): void {
    this.list = []
  }
  apply(record: unknown): void {
    this.list.push(String(record))
  }
  snapshot(): unknown {
    return this.list
  }
  restore(snapshot: unknown): void {
    this.list = textsOf(snapshot)
  }
}
const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/** Each is like a process of its own. */
function opened(vouched: () => number | null = () => 0, own: Uint8Array = key) {
  const words = new Words()
  const book = new JournalBook({ key: own, randomBytes, name: 'words', part: words })
  const reader = { read: async (text: string, version: number | null) => book.read(text, version) }
  const journal = new JournalFile({ file, reader, clock: systemClock(), vouched })
  return {
    journal,
    book,
    add: (word: string) => journal.exclusive((write) => write(book.add(word))),
    read: () => journal.exclusive(async () => words.list.join(' ')),
    restore: () => journal.restore(async (text, version) => book.restore(text, version)),
  }
}

const linesOf = (text: string, ...numbers: readonly number[]): string =>
  numbers.map((number) => `${text.split('\n')[number]}\n`).join('')

describe('a sealed journal', () => {
  it('keeps records over a restart, encrypted, for its owner only', async () => {
    const first = opened()
    await first.add('secret')
    await first.add('b')

    expect(await opened().read()).toBe('secret b')
    expect(first.journal.version).toBe(3)
    expect(await readFile(file, 'utf8')).not.toContain('secret')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  it('is settled once everything that was begun is on disk, also what began meanwhile', async () => {
    const { journal, add } = opened()
    const first = add('a')
    const begun = first.then(() => void add('b'))
    await journal.settled()
    await begun
    await journal.settled()

    expect(await opened().read()).toBe('a b')
    expect(await readdir(join(dir, 'vault'))).toEqual(['policies.log'])
  })

  it('has every writer see what the others wrote, whatever the order', async () => {
    const all = [opened(), opened(), opened()]
    await Promise.all(all.flatMap(({ add }, i) => Array.from({ length: 10 }, (_, k) => add(`${i}.${k}`))))

    const text = await opened().read()
    expect(text.split(' ').sort()).toEqual([0, 1, 2].flatMap((i) => [...'0123456789'].map((k) => `${i}.${k}`)))
    for (const { read } of all) expect(await read()).toBe(text)
  })

  it('refuses an older file that is put back while it is open, also a removed one, and never writes to it', async () => {
    const { journal, add, read } = opened()
    await add('a')
    await copyFile(file, join(dir, 'old'))
    await add('b')
    for (const put of [() => copyFile(join(dir, 'old'), file), () => rm(file)]) {
      await put()
      const before = await readFile(file, 'utf8').catch(() => 'none')
      await expect(read()).rejects.toMatchObject({ code: 'SIGNER_VAULT_OLDER' })
      await expect(add('c')).rejects.toMatchObject({ code: 'SIGNER_VAULT_OLDER', data: { wanted: 3 } })
      expect(await readFile(file, 'utf8').catch(() => 'none')).toBe(before)
    }
    expect(journal.version).toBe(3)
  })

  it('refuses an older file at its start if a higher version is vouched for, or none', async () => {
    const { add } = opened()
    for (const word of ['a', 'b']) await add(word)

    await expect(opened(() => 4).read()).rejects.toMatchObject({ code: 'SIGNER_VAULT_OLDER', data: { version: 3 } })
    await expect(opened(() => null).read()).rejects.toMatchObject({ code: 'SIGNER_VAULT_UNVOUCHED' })
    expect(await opened(() => 3).read()).toBe('a b')
  })

  it('accepts a restored file on purpose, which is then the newest: the replaced one is refused', async () => {
    const { add, read } = opened()
    await add('a')
    await copyFile(file, join(dir, 'old'))
    for (const word of ['b', 'c', 'd']) await add(word)
    await copyFile(file, join(dir, 'replaced'))
    await copyFile(join(dir, 'old'), file)
    const restored = opened(() => 5)

    expect(await restored.restore()).toBe(2)

    expect(await restored.read()).toBe('a')
    expect(await read()).toBe('a') // also where the replaced one was open
    expect(restored.journal.version).toBe(1_006)
    expect(await opened(() => 1_006).read()).toBe('a')
    await copyFile(join(dir, 'replaced'), file)
    await expect(opened(() => 1_006).read()).rejects.toMatchObject({ code: 'SIGNER_VAULT_OLDER' })
  })

  it('drops a half-written record, wherever it ends', async () => {
    const { add } = opened()
    for (const word of ['a', 'b']) await add(word)
    const whole = await readFile(file)
    const { length } = whole
    const last = whole.lastIndexOf(10, length - 2) + 1
    for (const end of [last, last + 1, last + 20, (last + length) >> 1, length - 2, length - 1]) {
      await writeFile(file, whole.subarray(0, end))
      const next = opened()
      expect(await next.read()).toBe('a')
      await next.add('c')
      expect(await opened().read()).toBe('a c')
    }
  })

  it.each([
    ['a changed byte', (text: string) => text.replace('"c":"', '"c":"A')],
    ['a missing record', (text: string) => linesOf(text, 0, 2)],
    ['swapped records', (text: string) => linesOf(text, 0, 2, 1)],
    ['a repeated record', (text: string) => `${text}${text.split('\n')[2]}\n`],
    ['foreign lines', (text: string) => `${text}{}\n`],
    ['a renumbered record', (text: string) => text.replace('"n":3', '"n":9')],
    ['no line ends', (text: string) => `${text}${text}`],
  ])('refuses %s', async (_what, change) => {
    const { add } = opened()
    for (const word of ['a', 'b']) await add(word)
    await writeFile(file, change(await readFile(file, 'utf8')))

    await expect(opened().read()).rejects.toMatchObject({ code: 'SIGNER_VAULT_UNUSABLE', data: { file } })
  })

  it('is not opened by another key', async () => {
    await opened().add('a')

    await expect(opened(() => 0, randomBytes(32)).read()).rejects.toMatchObject({ code: 'SIGNER_VAULT_UNUSABLE' })
  })

  it('notices content that was changed in place at the same length', async () => {
    const { add, read } = opened()
    for (const word of ['a', 'b']) await add(word)
    const text = await readFile(file, 'utf8')
    await writeFile(
      file,
      text.replace(/.(?=.{30}\n$)/, (letter) => (letter === 'A' ? 'B' : 'A')),
    )

    await expect(read()).rejects.toMatchObject({ code: 'SIGNER_VAULT_UNUSABLE' })
    await writeFile(file, text)
    expect(await read()).toBe('a b')
  })
})
