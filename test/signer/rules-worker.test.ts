// The rules worker as built, with scripts that its interpreter can't interrupt: the limit ends the thread, and the next
// script gets a new one.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../src/base/logger'
import { FakeClock } from '../../src/base/testing/fake-clock'
import { parseFrame, type Transport } from '../../src/base/wire/define'
import { openWorker } from '../../src/host/workers/worker-host'
import { RulesClient } from '../../src/signer/rules/rules'
import type { RuleTask } from '../../src/signer/rules/rules-wire'

const ROOT = join(import.meta.dirname, '../..')
const ENTRY = join(ROOT, 'out', 'main', 'rules-worker.cjs')
const LIMIT_MS = 10_000

/** 2^53 steps within one instruction of the script. */
const ENDLESS = {
  sort: 'Array.prototype.sort.call({ length: 2 ** 53 - 1 })',
  indexOf: 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)',
}

const task = (body: string): RuleTask => ({
  source: `function ApproveTx(r) { ${body}\n return "Approve" }`,
  run: 'ApproveTx',
  argument: '{}',
  storage: [],
  now: 0,
})

describe.skipIf(!existsSync(ENTRY))('the rules worker', () => {
  const clock = new FakeClock()
  const opened: { ended: Promise<unknown> | null }[] = []
  let asked = (): void => undefined
  const aClient = () =>
    new RulesClient(
      () => {
        const transport = openWorker({
          name: 'rules',
          entry: ENTRY,
          searchFrom: ROOT,
          log: silentLogger,
          sink: { write: () => undefined },
          minLevel: 'error' as const,
          onLost: () => undefined,
        })
        const entry = { ended: null as Promise<unknown> | null }
        opened.push(entry)
        const close: Transport['close'] = () => {
          entry.ended ??= Promise.resolve(transport.close())
          return entry.ended
        }
        const send: Transport['send'] = (message) => {
          transport.send(message)
          if (parseFrame(message)?.t === 'call') asked()
        }
        return { ...transport, send, close }
      },
      { clock },
    )
  let client: RulesClient
  beforeEach(() => {
    client = aClient()
  })
  afterEach(async () => {
    client.close()
    await Promise.all(opened.map(({ ended }) => ended))
    opened.length = 0
  })

  it.each(Object.entries(ENDLESS))('is ended in an endless %s, and the next script is answered', async (_, body) => {
    await client.warm()
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve
    })
    const outcome = client.evaluate(task(body)).catch((error: unknown) => error)
    await isAsked
    clock.advance(LIMIT_MS)

    expect(await outcome).toMatchObject({
      code: 'SIGNER_RULES_FAILED',
      message: expect.stringContaining('no answer within 10000 ms'),
    })
    await opened[0]?.ended
    expect(await client.evaluate(task(''))).toMatchObject({ answer: 'Approve', failure: '' })
    expect(opened).toHaveLength(2)
  })
})
