// What remains: the audit log of requests, decisions and results, and no secret anywhere.
import { readFile, stat, writeFile } from 'node:fs/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { verifyAudit } from '../../src/signer/audit/audit-check'
import { ACCOUNT_B, Harness, type HarnessOptions, KEY_A, PASSWORD_A, TRANSFER } from './harness'

const running: Harness[] = []

async function start(options?: HarnessOptions): Promise<Harness> {
  const harness = await Harness.start(options)
  running.push(harness)
  return harness
}

afterEach(async () => {
  for (const harness of running.splice(0)) await harness.end()
})

const sign = (harness: Harness, change: object = {}) =>
  harness.call('account_signTransaction', [{ ...TRANSFER, ...change }])

async function auditOf(harness: Harness): Promise<Record<string, unknown>[]> {
  const text = await readFile(harness.auditFile, 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

describe('the audit log', () => {
  it('is readable by its owner only, unbroken, and shows request, decision and result in this order', async () => {
    const harness = await start()

    const answer = sign(harness)
    await harness.approve(await harness.nextRequest(), { password: PASSWORD_A })
    await answer

    const records = await auditOf(harness)
    expect((await stat(harness.auditFile)).mode & 0o777).toBe(0o600)
    expect(await verifyAudit(harness.auditFile)).toMatchObject({ ok: true, records: 5 })
    expect(records.map((record) => record.type)).toEqual(['call', 'request', 'decision', 'result', 'call'])
    expect(new Set(records.slice(1, 4).map((record) => record.id)).size).toBe(1)
    expect(records[3]).toMatchObject({ state: 'signed', detail: { hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) } })
  })

  it('records the denial of a request that was open when the signer was lost', async () => {
    const harness = await start()
    const answer = sign(harness).catch(() => undefined)
    await harness.nextRequest()
    // What a lost computer leaves: the audit log as it is now.
    const lost = await readFile(harness.auditFile)
    await harness.service.stop()
    await answer
    await writeFile(harness.auditFile, lost)

    await harness.service.start(new AbortController().signal)

    const records = await auditOf(harness)
    expect(records.at(-1)).toMatchObject({
      type: 'result',
      state: 'rejected',
      error: 'request denied',
      id: records[1]?.id,
    })
    expect(harness.service.requests()).toEqual([])
    expect(await verifyAudit(harness.auditFile)).toMatchObject({ ok: true })
  })

  it('names what strict mode rejected', async () => {
    const harness = await start({ service: { strict: true } })
    const refused = new Promise((resolve) => harness.service.events.on('requestRefused', resolve))

    const { error } = await sign(harness, { to: ACCOUNT_B.toLowerCase() })

    expect(error?.message).toBe('validation failed: Invalid checksum on recipient address')
    expect(await refused).toMatchObject({ findings: [{ severity: 'WARNING' }] })
    expect(harness.logs).toContainEqual(
      expect.objectContaining({ level: 'warn', message: 'request refused automatically' }),
    )
    expect(await auditOf(harness)).toMatchObject([
      { type: 'call' },
      { type: 'refused', method: 'account_signTransaction' },
      { type: 'call' },
    ])
  })
})

describe('secrets', () => {
  it('appear in no log, no audit log, no answer and no snapshot', async () => {
    const harness = await start()
    const snapshots: string[] = []
    harness.service.events.on('requestsChanged', (requests) => void snapshots.push(JSON.stringify(requests)))
    harness.service.events.on('requestSettled', (request) => void snapshots.push(JSON.stringify(request)))

    const first = sign(harness)
    const request = await harness.nextRequest()
    await harness.approve(request, { password: 'a wrong password' })
    await harness.reject(request)
    const second = sign(harness)
    await harness.approve(await harness.nextRequest(), { password: PASSWORD_A })
    const third = harness.call('account_new')
    await harness.approve(await harness.nextRequest(), { password: 'brand new password' })
    const answers = await Promise.all([first, second, third])

    const record = await readFile(harness.auditFile, 'utf8')
    const everything = [record, ...snapshots, JSON.stringify(harness.logs), JSON.stringify(answers)].join('\n')
    expect(harness.logs.length).toBeGreaterThan(0)
    for (const secret of ['a wrong password', PASSWORD_A, 'brand new password', KEY_A]) {
      expect(everything).not.toContain(secret)
      expect(everything).not.toContain(Buffer.from(secret).toString('hex'))
      expect(everything).not.toContain(Buffer.from(secret).toString('base64'))
    }
  })
})
