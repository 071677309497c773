import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../../base/testing/fake-clock'
import { verifyAudit } from './audit-check'
import type { AuditEntry } from './audit-entry'
import { fullFiles } from './audit-files'
import { readHead } from './audit-head'
import { AuditLog } from './audit-log'

const key = randomBytes(32)
let folder = ''
let file = ''
let headFile = ''
let marksFile = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audit-marks-'))
  file = join(folder, 'audit.jsonl')
  headFile = join(folder, 'head.json')
  marksFile = `${headFile}.marks`
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const entry = (id: number): AuditEntry => ({
  type: 'decision',
  id: String(id),
  kind: 'listing',
  contentHash: '00',
  decision: 'approve',
})

/** One run of a signer that writes so many records; a checkpoint every 4. */
async function run(count: number, { isOpen = true, fullBytes = 1_000_000 } = {}): Promise<void> {
  const log = new AuditLog({ file, headFile, fullBytes, markEvery: 4 }, { clock: new FakeClock() })
  if (isOpen) log.sealWith(key)
  await log.open()
  for (let id = 0; id < count; id++) await log.append(entry(id))
  await log.close()
}

const marks = async () => (await readFile(marksFile, 'utf8')).trimEnd().split('\n')
const damages = async (): Promise<string[]> =>
  (await readFile(file, 'utf8'))
    .split('\n')
    .flatMap((line) => (line.includes('"damaged"') ? [JSON.parse(line).reason] : []))
/** Of the first record, which only a reading from the beginning meets. */
async function spoilFirst(path = file): Promise<void> {
  await writeFile(path, (await readFile(path, 'utf8')).replace('"approve"', '"APPROVE"'))
}
const whole = () => verifyAudit(file, { head: readHead(headFile), key, isDamageKnown: true })

describe('checkpoints of an audit log', () => {
  it('stand every so many records, wherever their file is', async () => {
    await run(10)
    await run(3, { fullBytes: 1_500 })
    await run(7)

    expect((await marks()).map((line) => JSON.parse(line).records)).toEqual([4, 8, 12, 16, 20])
    expect(new Set((await marks()).map((line) => JSON.parse(line).file)).size).toBe(2)
    expect(await whole()).toMatchObject({ ok: true, records: 20 })
  })

  it('save reading what is before them, which Verify still reads', async () => {
    await run(10)
    await spoilFirst()
    await run(1)

    expect(await damages()).toEqual([])
    expect(await whole()).toMatchObject({ ok: false, record: 0 })
  })

  it('save it also in full files', async () => {
    await run(10, { fullBytes: 900 })
    const [first = ''] = await fullFiles(file)
    await spoilFirst(first)
    await run(1)

    expect(await damages()).toEqual([])
    expect(await whole()).toMatchObject({ ok: false, record: 0 })
  })

  it('that are not sealed do not spare the vault its proof, which then seals one', async () => {
    await run(10, { isOpen: false })
    await run(1)
    expect((await marks()).map((line) => JSON.parse(line).mac !== null)).toEqual([false, false])
    await run(5)
    await spoilFirst()
    await run(1)

    expect(await damages()).toEqual([])
    const sealed = (await marks()).filter((line) => JSON.parse(line).mac !== null)
    expect(sealed.length).toBeGreaterThan(0)
  })

  it.each<[string, (lines: string[]) => string[], string]>([
    ['changed', (lines) => lines.map((line) => line.replace('"records":8', '"records":9')), "isn't one of it"],
    ['unreadable', (lines) => ['{}', ...lines], "can't be read"],
    ['swapped', (lines) => [...lines].reverse(), 'out of order'],
    ['older', (lines) => lines.slice(0, 1), 'older'],
    [
      'of another vault',
      (lines) => lines.map((line) => line.replace(/"mac":"[0-9a-f]{64}/, `"mac":"${'0'.repeat(64)}`)),
      'was changed',
    ],
  ])('that are %s are not used, and that is said', async (_how, tamper, reason) => {
    await run(10)
    await writeFile(marksFile, `${tamper(await marks()).join('\n')}\n`)
    await run(1)

    expect(await damages()).toEqual([expect.stringContaining(reason)])
    await run(1)
    expect(await damages()).toHaveLength(1)
    expect(await whole()).toMatchObject({ ok: true })
  })

  it('that name a record which is not there are not used, and that is said', async () => {
    await run(10, { isOpen: false })
    const lines = (await marks()).map((line) => line.replace(/"hash":"[0-9a-f]{64}/, `"hash":"${'1'.repeat(64)}`))
    await writeFile(marksFile, `${lines.join('\n')}\n`)
    await run(1, { isOpen: false })

    expect(await damages()).toEqual([expect.stringContaining("isn't one of it")])
  })

  it('that are missing cost a reading of all, as before there were any', async () => {
    await run(10)
    await rm(marksFile)
    await spoilFirst()

    await expect(run(1)).rejects.toMatchObject({ code: 'SIGNER_AUDIT_BROKEN' })
  })
})
