import { appendFile, mkdir, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { silentLogger } from '../base/logger'
import { JournalFile } from './journal-file'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headframe-journal-'))
})
afterEach(() => rm(folder, { recursive: true }))

const journalAt = (name: string) => new JournalFile(join(folder, name), silentLogger)

it('gives back what was added, in order, for its owner only', async () => {
  const journal = journalAt('a/b.jsonl')
  expect(await journal.load()).toEqual([])
  await Promise.all([journal.append([{ n: 1 }, { n: 2 }]), journal.append([{ n: 3 }])])
  expect(await journalAt('a/b.jsonl').load()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  expect((await stat(join(folder, 'a/b.jsonl'))).mode & 0o777).toBe(0o600)
  await journal.replace([{ n: 9 }])
  expect(await journal.load()).toEqual([{ n: 9 }])
})

it('loses only the line that was torn, wherever a crash tears the file, and what follows stands alone', async () => {
  const file = join(folder, 'torn.jsonl')
  const records = [{ text: 'a"b\n' }, { text: '€' }, { deep: { n: [1, 2] } }]
  const journal = journalAt('torn.jsonl')
  await journal.append(records)
  const whole = await readFile(file)
  for (let length = 0; length < whole.length; length++) {
    await writeFile(file, whole)
    await truncate(file, length)
    const left = await journal.load()
    expect(records.slice(0, left.length)).toEqual(left)
    await journal.append([{ after: length }])
    expect((await journal.load()).at(-1)).toEqual({ after: length })
  }
})

it('skips zeros that a power cut left', async () => {
  const journal = journalAt('zeros.jsonl')
  await journal.append([{ n: 1 }])
  await appendFile(join(folder, 'zeros.jsonl'), Buffer.alloc(500))
  await journal.append([{ n: 2 }])
  expect(await journal.load()).toEqual([{ n: 1 }, { n: 2 }])
})

it.runIf(process.platform === 'linux')('reports a full disk', async () => {
  await expect(new JournalFile('/dev/full', silentLogger).append([{ n: 1 }])).rejects.toThrow('ENOSPC')
})

it('moves aside what can’t be read', async () => {
  await mkdir(join(folder, 'dir'))
  const journal = journalAt('dir')
  expect(await journal.load()).toEqual([])
})
