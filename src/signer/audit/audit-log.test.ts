import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../../base/fake-clock'
import { verifyAudit } from './audit-check'
import { type AuditEntry, AuditLog } from './audit-log'

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
  it('keeps the order of its entries and goes on where it stopped', async () => {
    await write('a', 'b')
    await write('c')

    const records = (await linesOf()).map((line) => JSON.parse(line))
    expect(records.map((record) => [record.seq, record.id])).toEqual([
      [0, 'a'],
      [1, 'b'],
      [2, 'c'],
    ])
    expect(await verifyAudit(file)).toEqual({ ok: true, records: 3, lastHash: records[2].hash })
  })

  it.each([
    ['changed', (lines: string[]) => lines.map((line, i) => (i === 1 ? line.replace('"b"', '"x"') : line)), 1],
    ['removed', (lines: string[]) => lines.filter((_, i) => i !== 1), 1],
    ['swapped', (lines: string[]) => [lines[0], lines[2], lines[1]], 1],
    ['removed at the start', (lines: string[]) => lines.slice(1), 0],
    ['replaced by text', (lines: string[]) => [lines[0], lines[1], 'hello'], 2],
  ] as const)('shows a record that was %s', async (_how, tamper, record) => {
    await write('a', 'b', 'c')
    await writeFile(file, `${tamper(await linesOf()).join('\n')}\n`)

    expect(await verifyAudit(file)).toMatchObject({ ok: false, record })
    await expect(write('d')).rejects.toMatchObject({ code: 'SIGNER_AUDIT_BROKEN' })
  })

  it('cuts off what a crash left half written, and records that', async () => {
    await write('a')
    await appendFile(file, '{"seq":1,"half')
    expect(await verifyAudit(file)).toMatchObject({ ok: false, record: 1 })

    await write('b')

    const records = (await linesOf()).map((line) => JSON.parse(line))
    expect(records.map((record) => record.type)).toEqual(['decision', 'repaired', 'decision'])
    expect(records[1].cutBytes).toBe(14)
    expect(await verifyAudit(file)).toMatchObject({ ok: true, records: 3 })
  })

  it('takes nothing before it is opened or after it was closed', async () => {
    const log = new AuditLog({ file }, { clock: new FakeClock() })

    await expect(log.append(entry('a'))).rejects.toMatchObject({ code: 'SIGNER_NOT_RUNNING' })
  })

  it('that cannot be written is an error that names it', async () => {
    const log = new AuditLog({ file: join(folder, 'missing', 'audit.jsonl') }, { clock: new FakeClock() })

    await expect(log.open()).rejects.toMatchObject({ code: 'SIGNER_AUDIT_UNWRITABLE' })
  })
})
