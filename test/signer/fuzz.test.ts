// Malformed requests and answers, two thousand or (npm run test:deep) twenty thousand: every request is answered,
// nothing is approved or signed, and the signer works as before.
import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anyCharacter } from '../../src/base/testing/any-character'
import type { LineChannel } from '../../src/signer/ui-api/line-ui'
import { byDepth } from '../depth'
import { ACCOUNT_A, ACCOUNT_B, Harness, PASSWORD_A, TRANSFER } from './harness'

const RUNS = byDepth({ external: 1_400, answers: 600 }, { external: 14_000, answers: 6_000 })

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

/** A valid transaction with one to three members replaced. */
const almostGood = fc
  .array(fc.tuple(fc.constantFrom(...members), oddValue), { minLength: 1, maxLength: 3 })
  .map((changes) => ({ ...TRANSFER, ...Object.fromEntries(changes) }))

const oddDocument = fc.record({
  types: fc.oneof(
    fc.jsonValue(),
    fc.dictionary(
      fc.constantFrom('EIP712Domain', 'Box', 'box', ''),
      fc.array(
        fc.record({
          name: fc.constantFrom('name', 'v', '', 'a b'),
          type: fc.constantFrom('Box', 'Box[]', 'uint8', 'string', 'bytes32[2][]', 'x'),
        }),
      ),
    ),
  ),
  primaryType: fc.constantFrom('Box', 'EIP712Domain', ''),
  domain: fc.oneof(fc.jsonValue(), fc.constant({ name: 'x' })),
  message: fc.jsonValue(),
})

const method = fc.constantFrom(
  'account_signTransaction',
  'account_signData',
  'account_signTypedData',
  'account_ecRecover',
  'account_signGnosisSafeTx',
)

const oddCall = fc.oneof(
  fc.record({
    id: fc.jsonValue(),
    method: fc.constant('account_signTransaction'),
    params: fc.tuple(almostGood, oddValue),
  }),
  fc.record({
    id: fc.integer(),
    method: fc.constant('account_signTypedData'),
    params: fc.tuple(fc.constant(ACCOUNT_A), oddDocument),
  }),
  fc.record({
    id: fc.integer(),
    method: fc.constant('account_signData'),
    params: fc.tuple(
      fc.constantFrom('text/plain', 'data/validator', 'application/clique', '', '/'),
      oddValue,
      oddValue,
    ),
  }),
  fc.record({ id: fc.integer(), method, params: fc.jsonValue() }),
  fc.record({ id: fc.jsonValue(), method: fc.string(), params: fc.jsonValue() }),
)

const oddBody = fc.oneof(
  { weight: 6, arbitrary: oddCall.map((call) => JSON.stringify(call)) },
  { weight: 1, arbitrary: fc.array(oddCall, { maxLength: 3 }).map((calls) => JSON.stringify(calls)) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 200 }) },
  { weight: 1, arbitrary: oddCall.map((call) => JSON.stringify(call).slice(0, -5)) },
)

/** Everything but an approval: `approved` is never true in it. */
const noApproval = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('true'))
const oddAnswer = fc.oneof(
  fc.record({ result: noApproval }),
  fc.record({ result: fc.record({ approved: noApproval, transaction: noApproval }) }),
  fc.record({ error: noApproval }),
  fc.record({ error: fc.record({ code: fc.integer(), message: fc.string(), data: noApproval }) }),
  fc.constant({}),
)
const oddLine = fc.oneof(
  {
    weight: 4,
    arbitrary: oddAnswer.map((answer) => (id: number) => JSON.stringify({ jsonrpc: '2.0', id, ...answer })),
  },
  {
    weight: 1,
    arbitrary: fc.string({ unit: anyCharacter, maxLength: 100 }).map((text) => () => text.replaceAll('\n', ' ')),
  },
  {
    weight: 1,
    arbitrary: fc.record({ method: fc.string(), params: fc.jsonValue() }).map((call) => () => JSON.stringify(call)),
  },
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
        expect(answer.text).not.toMatch(/0x[0-9a-f]{130}/)
      }),
      { numRuns: RUNS.external },
    )

    await expectNothingApproved(harness)
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

describe('malformed answers on standard input', () => {
  it('count as rejections, whatever they are', async () => {
    const lines = new OddProgram()
    const harness = await Harness.start({ lines })
    const caller = { transport: 'app', remote: 'NA', local: 'NA', userAgent: '', origin: '' } as const
    const origin = { caller, callerGone: new AbortController().signal }
    const text = { method: 'account_signData', params: ['text/plain', ACCOUNT_A, '0x00'] }
    const call = fc.constantFrom(text, { method: 'account_signTransaction', params: [TRANSFER] })

    await fc.assert(
      fc.asyncProperty(call, oddLine, async (one, line) => {
        lines.next = line
        const outcome = await harness.service.submit(one, origin).then(
          () => 'signed',
          () => 'refused',
        )

        expect(outcome).toBe('refused')
      }),
      { numRuns: RUNS.answers },
    )

    await expectNothingApproved(harness)
    await harness.end()
  })
})

/** Answers every request with the given line, and then with a denial, for lines that answer nothing. */
class OddProgram implements LineChannel {
  next: (id: number) => string = () => ''
  #onLine: (line: string) => void = () => undefined

  open({ onLine }: Parameters<LineChannel['open']>[0]): void {
    this.#onLine = onLine
  }

  close(): void {
    this.#onLine = () => undefined
  }

  send(sent: string): void {
    const { id } = JSON.parse(sent) as { id?: unknown }
    if (typeof id !== 'number') return
    setImmediate(() => {
      this.#onLine(this.next(id))
      this.#onLine(JSON.stringify({ id, result: { approved: false } }))
    })
  }
}

async function expectNothingApproved(harness: Harness): Promise<void> {
  const record = await readFile(harness.auditFile, 'utf8')
  expect(record).not.toContain('"decision":"approve"')
  expect(record).not.toContain('"state":"signed"')
}
