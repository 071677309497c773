// Where the record ends is told with each question to a program on the standard streams, and not where clef's objects are wanted.
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { verifyAudit } from '../../src/signer/audit/audit-check'
import type { LineChannel } from '../../src/signer/ui-api/line-peer'
import { Harness, TRANSFER } from './harness'

/** Denies everything, and keeps what it was asked. */
class Denying implements LineChannel {
  readonly asked: Record<string, unknown>[] = []
  #onLine: (line: string) => void = () => undefined

  open({ onLine }: Parameters<LineChannel['open']>[0]): void {
    this.#onLine = onLine
  }

  close(): void {
    this.#onLine = () => undefined
  }

  send(sent: string): void {
    const { id, params } = JSON.parse(sent) as { id?: unknown; params: Record<string, unknown>[] }
    if (typeof id !== 'number') return
    this.asked.push(...params)
    setImmediate(() => this.#onLine(JSON.stringify({ id, result: { approved: false } })))
  }
}

describe('a question on the standard streams', () => {
  it('tells where the record ended when it was asked', async () => {
    const lines = new Denying()
    const harness = await Harness.start({ lines })
    await harness.call('account_signTransaction', [TRANSFER])
    await harness.call('account_list')

    for (const { audit } of lines.asked) {
      const anchor = audit as { readonly records: number; readonly hash: string }
      expect(await verifyAudit(harness.auditFile, { anchor })).toMatchObject({ ok: true })
      const asked = (await readFile(harness.auditFile, 'utf8')).split('\n')[anchor.records - 1] ?? ''
      expect(JSON.parse(asked)).toMatchObject({ type: 'request', hash: anchor.hash })
    }
    expect(lines.asked).toHaveLength(2)
    await harness.end()
  })

  it('does not with --strict', async () => {
    const lines = new Denying()
    const harness = await Harness.start({ lines, service: { strict: true } })
    await harness.call('account_list')

    expect(lines.asked).toHaveLength(1)
    expect(lines.asked[0]).not.toHaveProperty('audit')
    await harness.end()
  })
})
