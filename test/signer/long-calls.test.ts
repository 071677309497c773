// Long calls over the real front with a real thread: others are answered meanwhile, whatever is sent and however it ends.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { Logger } from '../../src/base/logger'
import type { Transport } from '../../src/base/wire/define'
import { openWorker } from '../../src/host/workers/worker-host'
import { ACCOUNT_A, ACCOUNT_B, Harness, type RpcAnswer, TRANSFER } from './harness'

const ROOT = resolve(import.meta.dirname, '../..')
const BUILT = join(ROOT, 'out', 'main', 'checks-worker.cjs')
const folder = mkdtempSync(join(tmpdir(), 'headframe-checks-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Answers its start, and loops for ever at the first long call. */
const HUNG = join(folder, 'hung.cjs')
writeFileSync(
  HUNG,
  `const { parentPort } = require('node:worker_threads')
const thread = Number(require('node:fs').readlinkSync('/proc/thread-self').split('/').at(-1))
parentPort.on('message', ({ id, name }) => {
  if (name === 'open') return parentPort.postMessage({ t: 'result', id, result: { thread } })
  for (;;) {}
})
`,
)
/** Dies at the first long call. */
const DYING = join(folder, 'dying.cjs')
writeFileSync(
  DYING,
  `const { parentPort } = require('node:worker_threads')
parentPort.on('message', ({ id, name }) => {
  if (name === 'open') return parentPort.postMessage({ t: 'result', id, result: { thread: null } })
  process.exit(3)
})
`,
)

const running: Harness[] = []
afterEach(async () => {
  for (const harness of running.splice(0)) await harness.end()
})

async function start(entries: readonly string[]): Promise<Harness> {
  const left = [...entries]
  const checks = (log: Logger): Transport =>
    openWorker({
      name: 'checks',
      entry: left.shift() ?? BUILT,
      searchFrom: ROOT,
      log,
      sink: { write: () => undefined },
      minLevel: 'info',
      onLost: () => undefined,
    })
  const harness = await Harness.start({ checks })
  running.push(harness)
  return harness
}

const numbers = (count: number) => ({
  types: { EIP712Domain: [{ name: 'name', type: 'string' }], A: [{ name: 'v', type: 'uint256[]' }] },
  primaryType: 'A',
  domain: { name: 'A' },
  message: { v: Array<number>(count).fill(1) },
})
const LONG_TRANSFER = { ...TRANSFER, gas: '0xf4240', data: `0x26121ff0${'00'.repeat(20_000)}` }

describe('while long calls are checked', () => {
  it.runIf(process.platform === 'linux')(
    'others are answered, and one that never ends is refused with its bound',
    async () => {
      const harness = await start([HUNG])
      let isOver = false
      const hung = harness.call('account_signTypedData', [ACCOUNT_A, numbers(10_000)]).finally(() => {
        isOver = true
      })
      const answered: unknown[] = []
      for (let count = 0; count < 50; count++) {
        answered.push((await harness.call('account_version')).result)
        if (isOver) break
      }

      expect([answered.length, isOver, new Set(answered)]).toEqual([50, false, new Set(['6.1.0'])])
      expect((await hung).error).toMatchObject({ code: -32_000, message: expect.stringMatching(/more than (2|60) s/) })
      expect((await harness.call('account_signTypedData', [ACCOUNT_A, numbers(10_000)])).error?.message).toContain(
        'want at most',
      )
    },
    120_000,
  )

  it('one whose thread dies is refused, and the next is checked', async () => {
    const harness = await start([DYING])
    const lost = await harness.call('account_signTransaction', [LONG_TRANSFER])
    const next = harness.call('account_signTransaction', [LONG_TRANSFER])
    const request = await harness.nextRequest()
    await harness.reject(request)

    expect(lost.error?.message).toContain('could not be checked')
    expect(request.findings.map(({ severity }) => severity)).toContain('WARNING')
    expect((await next).error?.message).toBe('request denied')
    expect(await harness.auditText()).toContain('msg=Unread')
  }, 60_000)

  it('400,000 values, 4,000 structs, 1.6 million objects and 600 kB of nested calls end without stopping anybody', async () => {
    const harness = await start([])
    const structs = {
      types: {
        EIP712Domain: [{ name: 'name', type: 'string' }],
        S: [{ name: 'spender', type: 'address' }],
        A: [{ name: 'v', type: 'S[]' }],
      },
      primaryType: 'A',
      domain: { name: 'A' },
      message: { v: Array(4_000).fill({ spender: ACCOUNT_B }) },
    }
    const objects = `{"jsonrpc":"2.0","id":1,"method":"account_signData","params":[${'{},'.repeat(1_600_000)}1]}`
    const nested = { ...TRANSFER, gas: '0xf4240', data: `0xac9650d8${'ac9650d8'.repeat(150_000)}` }
    const json = { 'content-type': 'application/json' }
    const hostile: Promise<RpcAnswer>[] = [
      harness.call('account_signTypedData', [ACCOUNT_A, numbers(400_000)]),
      harness.call('account_signTypedData', [ACCOUNT_A, structs]),
      harness.http({ body: objects, headers: json }).then(({ text }) => JSON.parse(text) as RpcAnswer),
    ]
    const asked = harness.call('account_signTransaction', [nested])
    const request = await harness.nextRequest()
    await harness.reject(request)
    const errors = (await Promise.all(hostile)).map(({ error }) => error?.message)

    expect(errors).toEqual([
      'a request has at most 200000 JSON values',
      expect.stringContaining('want at most'),
      'a request has at most 200000 JSON values',
    ])
    expect(request.notUnderstood).not.toEqual([])
    expect((await asked).error?.message).toBe('request denied')
  }, 120_000)
})
