import { appendFile, mkdtemp, readdir, readFile, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../../base/testing/fake-clock'
import { systemClock } from '../../base/time'
import { auditLines, verifyAudit } from './audit-check'
import type { AuditEntry } from './audit-entry'
import { fullFiles } from './audit-files'
import { AuditLog } from './audit-log'

let folder = ''
let file = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audit-'))
  file = join(folder, 'audit.jsonl')
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

const entry = (id: string): AuditEntry => ({
  type: 'decision',
  id,
  kind: 'listing',
  contentHash: '00',
  decision: 'approve',
})

async function write(...ids: readonly string[]): Promise<void> {
  const log = new AuditLog({ file }, { clock: new FakeClock() })
  await log.open()
  await Promise.all(ids.map((id) => log.append(entry(id))))
  await log.close()
}

const linesOf = async (): Promise<string[]> => (await readFile(file, 'utf8')).trimEnd().split('\n')

describe('the audit log', () => {
  it('keeps the order of its entries and continues where it stopped', async () => {
    await write('a', 'b')
    await write('c')

    const records = (await linesOf()).map((line) => JSON.parse(line))
    expect(records.map((record) => [record.seq, record.id])).toEqual([
      [0, 'a'],
      [1, 'b'],
      [2, 'c'],
    ])
    expect(await verifyAudit(file)).toEqual({
      ok: true,
      records: 3,
      lastHash: records[2].hash,
      sealed: null,
    })
  })

  it.each([
    ['changed', (lines: string[]) => lines.map((line, i) => (i === 1 ? line.replace('"b"', '"x"') : line)), 1],
    ['removed', (lines: string[]) => lines.filter((_, i) => i !== 1), 1],
    ['swapped', (lines: string[]) => [lines[0], lines[2], lines[1]], 1],
    ['removed at the start', (lines: string[]) => lines.slice(1), 0],
    ['replaced by text', (lines: string[]) => [lines[0], lines[1], 'hello'], 2],
  ] as const)('reveals a record that was %s', async (_how, tamper, record) => {
    await write('a', 'b', 'c')
    await writeFile(file, `${tamper(await linesOf()).join('\n')}\n`)

    expect(await verifyAudit(file)).toMatchObject({ ok: false, record })
    await expect(write('d')).rejects.toMatchObject({ code: 'SIGNER_AUDIT_BROKEN' })
  })

  it.each([
    ["a text log's first lines", 't=2026-11-29T20:14:28+0000 lvl=info msg=Configured\nt=2026-11-29T20:14:31+0000\n'],
    ['a key file without a line end', '{"address":"00a329c0648769a73afac7f9381e08fb43dbea72","version":3}'],
    ['one letter', 'x'],
    ['records behind an empty line', '\n{"seq":0,"time":0}\n'],
  ])('leaves another program’s file alone: %s', async (_what, content) => {
    await writeFile(file, content)

    await expect(write('a')).rejects.toMatchObject({ code: 'SIGNER_AUDIT_FOREIGN', data: { file } })

    expect(await readFile(file, 'utf8')).toBe(content)
    expect((await readdir(folder)).filter((name) => name.includes('torn'))).toEqual([])
    expect(await verifyAudit(file)).toMatchObject({ ok: false, record: 0 })
  })

  it.each([
    ['less than a record’s start', '{"se'],
    ['zeros of a power cut', '\0'.repeat(20)],
  ])('continues after %s', async (_what, content) => {
    await writeFile(file, content)

    await write('a')

    expect((await linesOf()).map((line) => JSON.parse(line).type)).toEqual(['repaired', 'decision'])
  })

  it('starts another file when one is full; the chain continues, and Verify walks all of them', async () => {
    const log = new AuditLog({ file, fullBytes: 500 }, { clock: new FakeClock() })
    await log.open()
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) await log.append(entry(id))
    await log.close()
    await write('i')

    const full = await fullFiles(file)
    expect(full.length).toBeGreaterThan(1)
    expect((await linesOf()).length).toBeLessThan(4)
    expect(await verifyAudit(file)).toMatchObject({ ok: true, records: 9 })
    const seen: string[] = []
    for await (const { text } of auditLines(file)) seen.push(JSON.parse(text).id)
    expect(seen.join('')).toBe('abcdefghi')

    const [first = ''] = full
    await writeFile(first, (await readFile(first, 'utf8')).replace('"b"', '"x"'))
    expect(await verifyAudit(file)).toMatchObject({ ok: false, record: 1 })
  })

  it('reveals a missing full file between others', async () => {
    const log = new AuditLog({ file, fullBytes: 1 }, { clock: new FakeClock() })
    await log.open()
    for (const id of ['a', 'b', 'c', 'd']) await log.append(entry(id))
    await log.close()
    await rm((await fullFiles(file))[1] ?? '')

    expect(await verifyAudit(file)).toMatchObject({ ok: false, record: 1 })
  })

  it('follows another process that started a new file, however many times', async () => {
    const options = { file, fullBytes: 400 }
    const one = new AuditLog(options, { clock: systemClock() })
    const other = new AuditLog(options, { clock: systemClock() })
    await one.open()
    await other.open()
    await one.append(entry('a'))
    for (const id of ['b', 'c', 'd', 'e', 'f', 'g']) await other.append(entry(id))
    await Promise.all(['h', 'i', 'j', 'k'].map((id, at) => (at % 2 === 0 ? one : other).append(entry(id))))
    await one.close()
    await other.close()

    expect(await verifyAudit(file)).toMatchObject({ ok: true, records: 11 })
    expect((await fullFiles(file)).length).toBeGreaterThan(1)
  })

  it('continues after a crash between moving a file aside and starting the next', async () => {
    await write('a', 'b')
    await rename(file, `${file}.0001`)
    expect(await verifyAudit(file)).toMatchObject({ ok: true, records: 2 })

    await write('c')

    expect(await verifyAudit(file)).toMatchObject({ ok: true, records: 3 })
    expect((await linesOf()).map((line) => JSON.parse(line).seq)).toEqual([2])
  })

  it('moves a half-written record of a crash to a separate file, and records that', async () => {
    await write('a')
    await appendFile(file, '{"seq":1,"half')
    expect(await verifyAudit(file)).toMatchObject({ ok: false, record: 1 })

    await write('b')

    const records = (await linesOf()).map((line) => JSON.parse(line))
    expect(records.map((record) => record.type)).toEqual(['decision', 'repaired', 'decision'])
    expect(records[1].cutBytes).toBe(14)
    expect(await readFile(join(folder, records[1].keptIn), 'utf8')).toBe('{"seq":1,"half')
    expect(await verifyAudit(file)).toMatchObject({ ok: true, records: 3 })
  })

  it('treats an end of zero bytes, as left by a power failure, as half written', async () => {
    await write('a')
    await appendFile(file, Buffer.alloc(4096))

    await write('b')

    expect(await verifyAudit(file)).toMatchObject({ ok: true, records: 3 })
  })

  it('stays one chain when two processes append to it', async () => {
    const [one, two] = [0, 1].map(() => new AuditLog({ file }, { clock: systemClock() }))
    await one?.open()
    await two?.open()
    for (let i = 0; i < 20; i++) await Promise.all([one?.append(entry(`one ${i}`)), two?.append(entry(`two ${i}`))])
    await one?.close()
    await two?.close()

    expect(await verifyAudit(file)).toMatchObject({ ok: true, records: 40 })
    expect((await readdir(folder)).sort()).toEqual(['audit.jsonl'])
  })

  it("isn't blocked forever by a dead process's lock", async () => {
    await writeFile(`${file}.lock`, '')
    await utimes(`${file}.lock`, 1, 1)

    await write('a')

    expect(await verifyAudit(file)).toMatchObject({ ok: true, records: 1 })
  })

  it('refuses to continue after a file that was truncated', async () => {
    const log = new AuditLog({ file }, { clock: new FakeClock() })
    await log.open()
    await log.append(entry('a'))
    await truncate(file, 10)

    await expect(log.append(entry('b'))).rejects.toMatchObject({ code: 'SIGNER_AUDIT_BROKEN', data: { record: 1 } })
    await log.close()
  })

  it('accepts nothing before it is opened or after it was closed', async () => {
    const log = new AuditLog({ file }, { clock: new FakeClock() })

    await expect(log.append(entry('a'))).rejects.toMatchObject({ code: 'SIGNER_NOT_RUNNING' })
  })

  it("that can't be written is an error that names it", async () => {
    const log = new AuditLog({ file: join(folder, 'missing', 'audit.jsonl') }, { clock: new FakeClock() })

    await expect(log.open()).rejects.toMatchObject({ code: 'SIGNER_AUDIT_UNWRITABLE' })
  })
})
