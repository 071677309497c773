// The log's end, stored apart from it: reveals what was cut off or recomputed.
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, open, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../../base/testing/fake-clock'
import { type AuditVerdict, verifyAudit } from './audit-check'
import type { AuditEntry } from './audit-entry'
import { FIRST_LINK } from './audit-files'
import { headFileOf, readHead } from './audit-head'
import { AuditLog } from './audit-log'

const KEY = new Uint8Array(32).fill(7)
const OTHER_KEY = new Uint8Array(32).fill(8)
const IDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']
let folder = ''
let file = ''
let headFile = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audit-head-'))
  file = join(folder, 'audit.log')
  headFile = headFileOf(join(folder, 'vault'), file)
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

async function write(key: Uint8Array | null, ...ids: readonly string[]): Promise<void> {
  const log = new AuditLog({ file, headFile }, { clock: new FakeClock() })
  log.sealWith(key)
  await log.open()
  for (const id of ids) await log.append(entry(id))
  await log.close()
}

const linesOf = async (): Promise<string[]> => (await readFile(file, 'utf8')).trimEnd().split('\n')
const putLines = (lines: readonly string[]): Promise<void> => writeFile(file, `${lines.join('\n')}\n`)
const verdict = (key: Uint8Array | null = null): Promise<AuditVerdict> =>
  verifyAudit(file, { head: readHead(headFile), key })

/** What someone with the file, but without the vault, can do: another chain with valid hashes. */
async function computeAgain(change: (records: Record<string, unknown>[]) => Record<string, unknown>[]): Promise<void> {
  const records = change((await linesOf()).map((line) => JSON.parse(line) as Record<string, unknown>))
  let previous = FIRST_LINK
  const lines = records.map(({ hash: _old, ...record }, seq) => {
    const body = JSON.stringify({ ...record, seq, previous })
    previous = createHash('sha256').update(body).digest('hex')
    return `${body.slice(0, -1)},"hash":"${previous}"}`
  })
  await putLines(lines)
}

/** In the previous form: one JSON text. */
const writeOldHead = (head: unknown): Promise<void> => writeFile(headFile, JSON.stringify(head))

/** The same person also writes the head that needs no key. */
async function forgeHead(): Promise<void> {
  const last = JSON.parse((await linesOf()).at(-1) ?? '{}') as { readonly seq: number; readonly hash: string }
  await writeOldHead({ records: last.seq + 1, hash: last.hash, sealed: readHead(headFile)?.sealed ?? null })
}

describe('the kept head', () => {
  it('shows that three of nine records were cut off, with and without the vault', async () => {
    await write(KEY, ...IDS)
    expect(await verdict(KEY)).toMatchObject({ ok: true, records: 9, sealed: 9 })
    await putLines((await linesOf()).slice(0, 6))

    expect(await verifyAudit(file)).toMatchObject({ ok: true, records: 6 }) // the file alone can't reveal it
    expect(await verdict()).toEqual({
      ok: false,
      record: 6,
      reason: 'the log ends here, but the sealed head names 9 records',
    })
    expect(await verdict(KEY)).toMatchObject({ ok: false, record: 6 })
  })

  it.each([
    ['with records left out', (records: Record<string, unknown>[]) => records.filter((_, i) => i !== 3 && i !== 4)],
    [
      'with a record changed',
      (records: Record<string, unknown>[]) => records.map((r, i) => (i === 2 ? { ...r, id: 'x' } : r)),
    ],
    [
      'with one exchanged at the end',
      (records: Record<string, unknown>[]) => [...records.slice(0, 8), { ...records[8], id: 'x' }],
    ],
  ])('reveals a recomputed chain, %s, even if its open part was forged', async (_how, change) => {
    await write(KEY, ...IDS)
    await computeAgain(change)
    await forgeHead()

    expect(await verifyAudit(file)).toMatchObject({ ok: true })
    expect(await verdict(KEY)).toMatchObject({ ok: false, reason: expect.stringContaining('the sealed head names') })
  })

  it("can't be sealed with another vault", async () => {
    await write(OTHER_KEY, ...IDS)

    expect(await verdict(KEY)).toMatchObject({ ok: false, reason: "the kept head wasn't sealed by this vault" })
  })

  it('is missed if it was removed and the vault is queried', async () => {
    await write(KEY, ...IDS)
    await rm(headFile)

    expect(await verdict(KEY)).toMatchObject({ ok: false, reason: 'no head sealed by this vault is kept for this log' })
  })

  it('follows a process without the vault, whose records it keeps unvouched', async () => {
    await write(KEY, 'a', 'b')
    await write(null, 'c')

    expect(await verdict(KEY)).toMatchObject({ ok: true, records: 3, sealed: 2 })
    await putLines((await linesOf()).slice(0, 2))
    expect(await verdict()).toMatchObject({ ok: false, reason: 'the log ends here, but the kept head names 3 records' })
  })

  it('that names more than exists is recorded when the log is opened and when it is sealed, not at each opening, and verifying reports it', async () => {
    await write(KEY, ...IDS)
    await putLines((await linesOf()).slice(0, 6))
    await write(KEY, 'j')
    await write(KEY, 'k')

    const types = (await linesOf()).map((line) => (JSON.parse(line) as { readonly type: string }).type)
    expect(types.filter((type) => type === 'damaged')).toHaveLength(2)
    expect(await verdict(KEY)).toMatchObject({
      ok: false,
      record: 6,
      reason: expect.stringContaining('names 9 records'),
    })
  })

  it("isn't sealed over a forged chain without a record", async () => {
    await write(KEY, ...IDS)
    await computeAgain((records) => records.slice(0, 5))
    await forgeHead()
    await write(null, 'by a process without the vault')
    await write(KEY, 'j')

    expect(await verdict(KEY)).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/damage before it: record \d/),
    })
  })

  it("that is behind, because a process died before writing it, isn't a contradiction", async () => {
    await write(KEY, 'a', 'b')
    const before = await readFile(headFile, 'utf8')
    await write(KEY, 'c')
    await writeFile(headFile, before)
    expect(await verdict(KEY)).toMatchObject({ ok: true, records: 3, sealed: 2 })

    await write(KEY, 'd')
    expect(await verdict(KEY)).toMatchObject({ ok: true, records: 4, sealed: 4 })
  })

  it('survives a write that ends at any byte', async () => {
    await write(KEY, 'a')
    const [before, older] = [await readFile(headFile), readHead(headFile)]
    await write(KEY, 'b')
    const [after, newer] = [await readFile(headFile), readHead(headFile)]

    expect([older?.sealed?.records, newer?.sealed?.records, after.length]).toEqual([1, 2, before.length])
    const handle = await open(headFile, 'r+')
    for (let end = 0; end <= after.length; end++) {
      await handle.write(Buffer.concat([after.subarray(0, end), before.subarray(end)]), 0, after.length, 0)
      expect([older, newer]).toContainEqual(readHead(headFile))
    }
    await handle.close()
  })

  it.each([0, 511, 512, 1_023])('with a byte damaged at %i is restored from its other copy', async (at) => {
    await write(KEY, 'a', 'b')
    const whole = await readFile(headFile)
    const damaged = Buffer.from(whole)
    damaged[at] = (damaged[at] ?? 0) ^ 1
    await writeFile(headFile, damaged)

    expect(await verdict(KEY)).toMatchObject({ ok: true, records: 2, sealed: 2 })
    await write(null, 'c')
    expect(readHead(headFile)).toMatchObject({ records: 3, sealed: { records: 2 } })
    const [first, second] = [await readFile(headFile, 'latin1')].flatMap((text) => [
      text.slice(0, 512),
      text.slice(512),
    ])
    expect(first).toBe(second)
  })

  it('without an intact copy stops the log instead of silently starting over', async () => {
    await write(KEY, 'a')
    await writeFile(headFile, (await readFile(headFile)).fill('x', 100, 110).fill('x', 600, 610))

    await expect(write(KEY, 'b')).rejects.toMatchObject({ code: 'SIGNER_AUDIT_UNWRITABLE', data: { file: headFile } })
  })

  it('leaves nothing older to roll back to once it is written', async () => {
    await write(KEY, ...IDS)
    const text = await readFile(headFile, 'latin1')
    const before = JSON.parse((await linesOf()).at(-2) ?? '{}') as { readonly hash: string }

    expect(text).not.toContain(before.hash)
  })

  it.each([null, KEY])('in the previous format continues from what it says (key %s)', async (key) => {
    await write(KEY, ...IDS)
    const kept = readHead(headFile)
    await writeOldHead(kept)
    expect(await verdict(KEY)).toMatchObject({ ok: true, records: 9, sealed: 9 })

    await write(key, 'j')
    expect(readHead(headFile)?.sealed?.records).toBe(key === null ? 9 : 10)
    expect(await verdict(KEY)).toMatchObject({ ok: true, records: 10 })
  })

  it('in the previous form still shows what was cut off since', async () => {
    await write(KEY, ...IDS)
    await writeOldHead(readHead(headFile))
    await putLines((await linesOf()).slice(0, 6))
    await write(null, 'j')

    expect(await verdict(KEY)).toMatchObject({ ok: false, record: 6 })
  })

  it('is continued by two writers in turn, with and without the vault', async () => {
    const opened = async (key: Uint8Array | null): Promise<AuditLog> => {
      const log = new AuditLog({ file, headFile }, { clock: new FakeClock() })
      log.sealWith(key)
      await log.open()
      return log
    }
    const [withVault, without] = [await opened(KEY), await opened(null)]
    for (const id of IDS) {
      await without.append(entry(id))
      expect(readHead(headFile)?.records).toBe(without.head.records)
      await withVault.append(entry(id))
      expect(readHead(headFile)?.sealed?.records).toBe(withVault.head.records)
    }
    await without.append(entry('last'))
    await Promise.all([withVault.close(), without.close()])

    expect(await verdict(KEY)).toMatchObject({ ok: true, records: 19, sealed: 18 })
  })

  it('lets an old log without one be opened, and protects it from then on', async () => {
    const old = new AuditLog({ file }, { clock: new FakeClock() })
    await old.open()
    await old.append(entry('old'))
    await old.close()
    await write(KEY, 'new')

    expect(await verdict(KEY)).toMatchObject({ ok: true, records: 2, sealed: 2 })
  })

  it("that can't be written fails the record, and nothing counts as recorded", async () => {
    await write(KEY, 'a')
    await rm(headFile)
    await mkdir(headFile)
    const log = new AuditLog({ file, headFile }, { clock: new FakeClock() })

    await expect(log.open()).rejects.toMatchObject({ code: 'SIGNER_AUDIT_UNWRITABLE', data: { file: headFile } })
  })

  it("matches a recorded end, or doesn't", async () => {
    await write(null, ...IDS)
    const hashes = (await linesOf()).map((line) => (JSON.parse(line) as { readonly hash: string }).hash)
    const anchored = (records: number, hash = hashes[records - 1] ?? '') =>
      verifyAudit(file, { anchor: { records, hash } })

    expect(await anchored(4)).toMatchObject({ ok: true })
    expect(await anchored(9)).toMatchObject({ ok: true })
    expect(await anchored(10, '0'.repeat(64))).toMatchObject({ ok: false, record: 9 })
    expect(await anchored(4, hashes[2])).toEqual({
      ok: false,
      record: 3,
      reason: "it isn't the record that the anchor names",
    })
  })
})

it('is read before the lock is taken, so that others write meanwhile', async () => {
  await write(KEY, 'a', 'b')
  const whole = await readFile(file)
  const clock = new FakeClock()
  const log = new AuditLog({ file, headFile }, { clock })
  await log.open()
  log.sealWith(KEY)
  // Another process holds the lock, and the log is damaged as long as it does.
  await writeFile(`${file}.lock`, '')
  await utimes(`${file}.lock`, clock.now() / 1_000, clock.now() / 1_000)
  await writeFile(file, whole.toString().replace('"id":"a"', '"id":"x"'))
  const written = log.append(entry('c'))
  await expect.poll(() => clock.pending).toBeGreaterThan(0)
  await writeFile(file, whole)
  await rm(`${file}.lock`)
  clock.advance(5)
  await written
  await log.close()

  // The damage was seen although the lock was never free while it was there.
  expect((await linesOf()).some((line) => line.includes('"type":"damaged"') && line.includes('record 0'))).toBe(true)
})
