// Two thousand malformed requests: every one is answered, none is signed, and the signer works as before.
import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ACCOUNT_A, ACCOUNT_B, Harness, PASSWORD_A, TRANSFER } from './harness'

const members = [
  ...Object.keys(TRANSFER),
  'maxFeePerGas',
  'maxPriorityFeePerGas',
  'data',
  'input',
  'accessList',
  'chainId',
]

const oddValue = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom('', '0x', '0x0', '0x00', '0X1', '-0x1', '0xzz', '1e3', ACCOUNT_A, ACCOUNT_B.toLowerCase()),
  fc.string({ maxLength: 50 }).map((text) => `0x${text}`),
  fc.bigInt({ min: 0n, max: 2n ** 260n }).map((value) => `0x${value.toString(16)}`),
)

/** A good transaction with one to three members replaced. */
const almostGood = fc
  .array(fc.tuple(fc.constantFrom(...members), oddValue), { minLength: 1, maxLength: 3 })
  .map((changes) => ({ ...TRANSFER, ...Object.fromEntries(changes) }))

const oddCall = fc.oneof(
  fc.record({ id: fc.jsonValue(), method: fc.constant('account_signTransaction'), params: fc.tuple(almostGood) }),
  fc.record({ id: fc.integer(), method: fc.constant('account_signTransaction'), params: fc.jsonValue() }),
  fc.record({ id: fc.jsonValue(), method: fc.string(), params: fc.jsonValue() }),
)

const oddBody = fc.oneof(
  { weight: 6, arbitrary: oddCall.map((call) => JSON.stringify(call)) },
  { weight: 1, arbitrary: fc.array(oddCall, { maxLength: 3 }).map((calls) => JSON.stringify(calls)) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
  { weight: 1, arbitrary: oddCall.map((call) => JSON.stringify(call).slice(0, -5)) },
)

describe('malformed requests', () => {
  let harness: Harness

  beforeAll(async () => {
    harness = await Harness.start()
    // What is well-formed by chance waits for the user, who rejects everything.
    harness.service.events.on('requestsChanged', (requests) => {
      for (const request of requests) if (request.state === 'waiting') harness.reject(request).catch(() => undefined)
    })
  })

  afterAll(() => harness.end())

  it('are all answered with JSON and never with a signature', async () => {
    await fc.assert(
      fc.asyncProperty(oddBody, async (body) => {
        const answer = await harness.http({ body, headers: { 'content-type': 'application/json' } })

        expect(answer.status).toBe(200)
        expect(answer.text === '' || typeof JSON.parse(answer.text) === 'object').toBe(true)
        expect(answer.text).not.toContain('"raw"')
      }),
      { numRuns: 2_000 },
    )

    const record = await readFile(harness.auditFile, 'utf8')
    expect(record).not.toContain('"decision":"approve"')
    expect(record).not.toContain('"state":"signed"')
  })

  it('leave the signer working', async () => {
    const fresh = await Harness.start()

    const answer = fresh.call('account_signTransaction', [TRANSFER])
    await fresh.approve(await fresh.nextRequest(), { password: PASSWORD_A })

    expect((await answer).result).toBeDefined()
    expect((await harness.call('account_version')).result).toBe('6.1.0')
    await fresh.end()
  })
})
