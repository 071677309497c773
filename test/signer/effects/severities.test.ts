// Dangerous requests in many spellings, some that nobody understands, and harmless ones, each with the severity shown to the user.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Harness } from '../harness'

const row = z.object({
  /** `none`: nothing, or information only. */
  severity: z.enum(['CRITICAL', 'WARNING', 'none']),
  title: z.string(),
  method: z.string(),
  params: z.array(z.unknown()),
  origin: z.string().optional(),
})

const file = join(__dirname, '..', '..', 'vectors', 'severities.json')
const rows = z.array(row).parse(JSON.parse(readFileSync(file, 'utf8')))
const dangerous = rows.filter(({ severity }) => severity !== 'none')
const harmless = rows.filter(({ severity }) => severity === 'none')
let harness: Harness

beforeAll(async () => {
  harness = await Harness.start()
})
afterAll(() => harness.end())

async function shown({ method, params, origin = '' }: z.infer<typeof row>): Promise<string> {
  const answer = harness.call(method, params, origin === '' ? {} : { origin })
  const request = await Promise.race([harness.nextRequest(), answer])
  if (!('nonce' in request)) return `refused: ${request.error?.message}`
  await harness.reject(request)
  await answer
  const found = request.findings.map(({ severity }) => severity).find((severity) => severity !== 'Info')
  return found ?? 'none'
}

describe('what a person is shown', () => {
  it("is fixed for 60 spellings of dangers or of what isn't understood, and 30 harmless requests", () => {
    expect(dangerous.length).toBeGreaterThanOrEqual(60)
    expect(harmless.length).toBeGreaterThanOrEqual(30)
  })

  it.each(dangerous)('warns: $severity $title', async (each) => {
    expect(await shown(each)).toBe(each.severity)
  })

  it.each(harmless)("doesn't warn: $title", async (each) => {
    expect(await shown(each)).toBe('none')
  })
})
