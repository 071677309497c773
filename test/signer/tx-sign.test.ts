// Signed transactions, byte for byte as recorded from clef.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { Harness, VECTORS } from './harness'

interface VectorCase {
  readonly id: string
  readonly title: string
  readonly launch?: { readonly chainid?: number }
  readonly ops: readonly VectorOp[]
}

interface VectorOp {
  readonly do?: string
  readonly see?: string
  readonly id?: string
  readonly of?: string
  readonly body?: { readonly method: string; readonly params: readonly unknown[] }
  readonly result?: { readonly text?: string }
  readonly json?: { readonly result?: unknown }
}

const { cases } = JSON.parse(readFileSync(join(VECTORS, 'tx-sign.json'), 'utf8')) as { cases: VectorCase[] }
const harnesses = new Map<number, Promise<Harness>>()

function harnessFor(chainId: number): Promise<Harness> {
  const known = harnesses.get(chainId) ?? Harness.start({ service: { chainId } })
  harnesses.set(chainId, known)
  return known
}

afterAll(async () => {
  for (const harness of harnesses.values()) await (await harness).end()
})

/** Each signed request of a case with the password that its user types and the answer to its caller. */
function rounds(vector: VectorCase): { body: VectorOp['body']; password: string; expected: unknown }[] {
  const passwords = vector.ops.flatMap((op) => (op.result?.text === undefined ? [] : [op.result.text]))
  const signed = vector.ops.filter((op) => op.see === 'response' && op.json?.result !== undefined)
  return signed.map((op, index) => ({
    body: vector.ops.find((sent) => sent.do === 'request' && sent.id === op.of)?.body,
    password: passwords[index] ?? '',
    expected: op.json?.result,
  }))
}

describe('account_signTransaction', () => {
  it.each(cases.map((vector) => [vector.id, vector] as const))('signs like clef: %s', async (_id, vector) => {
    const harness = await harnessFor(vector.launch?.chainid ?? 2110)
    const signed = rounds(vector)

    expect(signed.length).toBeGreaterThan(0)
    for (const { body, password, expected } of signed) {
      const answer = harness.call(body?.method ?? '', body?.params)
      await harness.approve(await harness.nextRequest(), { password })

      expect((await answer).result).toEqual(expected)
    }
  })
})
