// Calls that are answered without asking anyone: wrong parameters, the checks of strict mode, and the protocol itself,
// as recorded from clef.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Harness, VECTORS } from './harness'
import { mismatch } from './match'

interface Op {
  readonly do?: string
  readonly see?: string
  readonly id?: string
  readonly of?: string
  readonly method?: string
  readonly path?: string
  readonly body?: unknown
  readonly text?: string
  readonly repeat?: { readonly unit: string; readonly times: number }
  readonly headers?: Readonly<Record<string, string | null>>
  readonly status?: number
  readonly json?: unknown
  readonly orClosed?: boolean
}

interface Case {
  readonly id: string
  readonly tags?: readonly string[]
  readonly launch?: { readonly flags?: readonly string[] }
  readonly ops: readonly Op[]
}

function casesOf(group: string): Case[] {
  const { cases } = JSON.parse(readFileSync(join(VECTORS, `${group}.json`), 'utf8')) as { cases: Case[] }
  return cases.filter((vector) => !vector.tags?.includes('clef-only') && vector.ops.every((op) => op.see !== 'ui'))
}

async function play(harness: Harness, vector: Case): Promise<void> {
  for (const seen of vector.ops.filter((op) => op.see === 'response')) {
    const sent = vector.ops.find((op) => op.do === 'request' && op.id === seen.of)
    const body = sent?.text ?? sent?.repeat?.unit.repeat(sent.repeat.times) ?? JSON.stringify(sent?.body)
    const headers = sent?.headers ?? { 'Content-Type': 'application/json' }
    const answer = await harness
      .http({
        ...(sent?.method === undefined ? {} : { method: sent.method }),
        ...(sent?.path === undefined ? {} : { path: sent.path }),
        ...(body === undefined ? {} : { body }),
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [
            name,
            String(value).replace('{{http_port}}', String(harness.port)),
          ]),
        ),
      })
      .catch((error: unknown) => error)

    if (answer instanceof Error) expect(seen.orClosed, answer.message).toBe(true)
    else expectAnswer(seen, answer as Awaited<ReturnType<Harness['http']>>)
  }
}

function expectAnswer(seen: Op, answer: Awaited<ReturnType<Harness['http']>>): void {
  expect(answer.status).toBe(seen.status)
  if ('json' in seen) expect(mismatch(seen.json, JSON.parse(answer.text))).toBeNull()
  if (seen.text !== undefined) expect(answer.text.trim()).toBe(seen.text)
  for (const [name, value] of Object.entries(seen.headers ?? {})) {
    expect(answer.headers[name] ?? null).toBe(value)
  }
}

describe.each(['tx-refuse', 'tx-params', 'protocol'])('%s in strict mode', (group) => {
  const harnesses = new Map<string, Harness>()

  beforeAll(async () => {
    for (const vhosts of [['localhost'], ['signer.example', 'other.example'], ['*']]) {
      const service = { strict: true, http: { host: '127.0.0.1', port: 0, vhosts } }
      harnesses.set(vhosts.join(','), await Harness.start({ service }))
    }
  })

  afterAll(async () => {
    for (const harness of harnesses.values()) await harness.end()
  })

  it.each(casesOf(group).map((vector) => [vector.id, vector] as const))(
    'answers as recorded: %s',
    async (_id, vector) => {
      const harness = harnesses.get(vector.launch?.flags?.[1] ?? 'localhost')
      expect(harness).toBeDefined()
      if (harness === undefined) return

      await play(harness, vector)

      expect(harness.service.requests()).toEqual([])
    },
  )
})
