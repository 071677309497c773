import { describe, expect, it } from 'vitest'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import type { Transport } from '../../base/wire/define'
import { memoryTransportPair } from '../../base/wire/memory'
import { DescriptorFolder } from '../descriptors/descriptor-folder'
import { SelectorDatabase } from '../selectors/selector-database'
import { CHECK_LIMITS, CheckWorker, serveChecks } from './check-worker'
import { type EXAMINED_METHODS, examine } from './examine'
import { answerBody, bodyOfLong, readLongBody } from './json-rpc'

const ACCOUNT = '0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F'
const TO = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'
const PLACE = { origin: 'https://shop.example', chainId: 2110n, now: 1_700_000_000_000 }
const SETTINGS = { strict: false, london: false, builtin: 'full', descriptors: null } as const
const never = new AbortController().signal

/** What the signer's end sent, with a thread that answers when the test says so. */
class ScriptedThread {
  readonly calls: { readonly id: number; readonly name: string; readonly params: { readonly text: string } }[] = []
  isClosed = false
  #deliver: (message: unknown) => void = () => undefined
  readonly #closed: ((reason: string) => void)[] = []

  readonly transport: Transport = {
    send: (message) => this.calls.push(message as (typeof this.calls)[number]),
    onMessage: (listener) => {
      this.#deliver = listener
    },
    onClose: (listener) => void this.#closed.push(listener),
    close: () => this.die(),
  }

  answer(result: unknown): void {
    this.#deliver({ t: 'result', id: this.calls.at(-1)?.id, result })
  }

  die(): void {
    if (this.isClosed) return
    this.isClosed = true
    for (const listener of this.#closed) listener('gone')
  }
}

function scripted(cpuMs: (thread: number) => number | null = () => null) {
  const threads: ScriptedThread[] = []
  const clock = new FakeClock()
  const names = new SelectorDatabase({ builtin: 'minimal', customFile: null }, { log: silentLogger })
  const open = (): Transport => {
    const thread = new ScriptedThread()
    threads.push(thread)
    return thread.transport
  }
  const checks = new CheckWorker(SETTINGS, { open, clock, log: silentLogger, names, cpuMs })
  const thread = (): ScriptedThread => threads.at(-1) as ScriptedThread
  return { checks, clock, threads, thread }
}

/** Until everything that is ready has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve))
const texts = ({ calls }: ScriptedThread) => calls.flatMap(({ name, params }) => (name === 'open' ? [] : [params.text]))
const READ = { kind: 'nothing' }

async function started(cpuMs?: (thread: number) => number | null) {
  const all = scripted(cpuMs)
  const first = all.checks.read('first', { key: 'first', callerGone: never })
  await settled()
  all.thread().answer({ thread: 7 })
  await settled()
  return { ...all, first }
}

describe('long calls', () => {
  it('of one caller leave every second turn to another', async () => {
    const { checks, thread, first } = await started()
    const all = [first, ...['a1', 'a2', 'a3'].map((text) => checks.read(text, { key: 'a', callerGone: never }))]
    all.push(checks.read('b1', { key: 'b', callerGone: never }))
    for (const _ of all) {
      thread().answer(READ)
      await settled()
    }

    expect(texts(thread())).toEqual(['first', 'a1', 'b1', 'a2', 'a3'])
    expect(await Promise.all(all)).toHaveLength(5)
  })

  it('of one caller wait up to half of all, and those of others still have room', async () => {
    const { checks, first } = await started()
    const half = CHECK_LIMITS.waiting / 2
    const waiting = Array.from({ length: half }, (_, n) => checks.read(`a${n}`, { key: 'a', callerGone: never }))
    const over = checks.read('one more', { key: 'a', callerGone: never })
    const other = checks.read('b', { key: 'b', callerGone: never })
    const ends = Promise.allSettled([first, ...waiting, other])

    await expect(over).rejects.toMatchObject({ code: 'SIGNER_CHECK_BUSY' })
    checks.close()
    expect(new Set((await ends).map((end) => end.status === 'rejected' && end.reason.code))).toEqual(
      new Set(['SIGNER_NOT_RUNNING']),
    )
  })

  it('end with their caller: a waiting one at once, the running one with its thread', async () => {
    const { checks, clock, threads, first } = await started()
    const [one, two] = [new AbortController(), new AbortController()]
    threads[0]?.answer(READ)
    await first
    const running = checks.read('running', { key: 'a', callerGone: one.signal })
    const waiting = checks.read('waiting', { key: 'a', callerGone: two.signal })
    const next = checks.read('next', { key: 'b', callerGone: never })
    await settled()
    two.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'SIGNER_REQUEST_DENIED' })
    one.abort()
    clock.advance(CHECK_LIMITS.leftMs)
    await expect(running).rejects.toMatchObject({ code: 'SIGNER_REQUEST_DENIED' })
    await settled()
    threads[1]?.answer({ thread: 8 })
    await settled()
    threads[1]?.answer(READ)

    expect(await next).toEqual(READ)
    expect([threads[0]?.isClosed, texts(threads[1] as ScriptedThread)]).toEqual([true, ['next']])
  })

  it('that are nearly done when their caller leaves keep their thread', async () => {
    const { checks, clock, threads, first } = await started()
    threads[0]?.answer(READ)
    await first
    const leaving = new AbortController()
    const done = checks.read('short', { key: 'a', callerGone: leaving.signal })
    await settled()
    leaving.abort()
    threads[0]?.answer(READ)
    await done
    await settled()
    clock.advance(CHECK_LIMITS.leftMs)

    expect(threads.map(({ isClosed }) => isClosed)).toEqual([false])
  })

  it('are refused with their bound after 2 s of CPU time, however fast the clock runs', async () => {
    let used = 0
    const { checks, clock, threads, first } = await started(() => used)
    threads[0]?.answer(READ)
    await first
    const long = checks.read('long', { key: 'a', callerGone: never })
    const failed = long.catch((error: unknown) => error)
    await settled()
    clock.advance(15_000)
    expect(threads[0]?.isClosed).toBe(false)
    used = CHECK_LIMITS.cpuMs + 1
    clock.advance(CHECK_LIMITS.lookMs)

    expect(await failed).toMatchObject({ code: 'SIGNER_CHECK_BOUND', message: expect.stringContaining('2 s') })
    expect(threads[0]?.isClosed).toBe(true)
  })

  it('end in any case: with a thread that never starts, and where no CPU time is known', async () => {
    const { checks, clock, thread } = scripted()
    const unborn = checks.read('x', { key: 'a', callerGone: never }).catch((error: unknown) => error)
    await settled()
    clock.advance(CHECK_LIMITS.wallMs + 2 * CHECK_LIMITS.lookMs)

    expect(await unborn).toMatchObject({ code: 'SIGNER_CHECK_BOUND' })
    expect(thread().isClosed).toBe(true)
  })

  it('lose only the running one when their thread dies', async () => {
    const { checks, threads, first } = await started()
    const next = checks.read('next', { key: 'a', callerGone: never })
    threads[0]?.die()
    await expect(first).rejects.toMatchObject({ code: 'SIGNER_CHECK_LOST' })
    await settled()
    threads[1]?.answer({ thread: 8 })
    await settled()
    threads[1]?.answer(READ)

    expect(await next).toEqual(READ)
  })

  it('leave no thread behind after a minute without work', async () => {
    const { clock, threads, first } = await started()
    threads[0]?.answer(READ)
    await first
    await settled()
    clock.advance(CHECK_LIMITS.idleMs)

    expect(threads[0]?.isClosed).toBe(true)
  })
})

const LONG = 'ab'.repeat(10_000)
const MAIL = {
  types: { EIP712Domain: [{ name: 'name', type: 'string' }], Mail: [{ name: 'text', type: 'string' }] },
  primaryType: 'Mail',
  domain: { name: 'Mail' },
  message: { text: LONG },
}
const CALLS: readonly (readonly [(typeof EXAMINED_METHODS)[number], readonly unknown[]])[] = [
  [
    'account_signTransaction',
    [{ from: ACCOUNT, to: TO, gas: '0x1', gasPrice: '0x1', value: '0x0', nonce: '0x0', data: `0xaabbccdd${LONG}` }],
  ],
  ['account_signTransaction', [{ from: ACCOUNT, gas: '0x1', data: LONG }]],
  [
    'account_signTransaction',
    [
      {
        from: ACCOUNT,
        to: TO,
        gas: '0x1',
        gasPrice: '0x1',
        value: '0x0',
        nonce: '0x0',
        data: `0x26121ff0${'00'.repeat(32)}`,
      },
      'f(uint256)',
    ],
  ],
  ['account_signData', ['text/plain', ACCOUNT, `0x${LONG}`]],
  ['account_signTypedData', [ACCOUNT, MAIL]],
  ['account_signTypedData', [ACCOUNT, { ...MAIL, message: { text: 1 } }]],
  ['account_signGnosisSafeTx', [ACCOUNT, { safe: TO, to: TO, value: '1', data: `0x${LONG}`, nonce: 1 }]],
  ['account_ecRecover', [`0x${LONG}`, `0x${'11'.repeat(64)}1b`]],
]

describe('the check worker', () => {
  it('finds what the signer finds on its own thread, for sound calls and bad ones', async () => {
    const names = new SelectorDatabase({ builtin: 'full', customFile: null }, { log: silentLogger })
    const descriptors = new DescriptorFolder(null, { log: silentLogger })
    await names.load()
    await descriptors.load()
    const open = (): Transport => {
      const [ours, theirs] = memoryTransportPair()
      serveChecks(
        { ...theirs, send: (message) => theirs.send(structuredClone(message)) },
        { log: silentLogger, thread: null },
      )
      return ours
    }
    const checks = new CheckWorker(SETTINGS, {
      open,
      clock: new FakeClock(),
      log: silentLogger,
      names,
      cpuMs: () => null,
    })
    for (const [method, params] of CALLS) {
      const text = JSON.stringify(params)
      const here = examine({ method, params, text }, PLACE, { ...SETTINGS, selectors: names, descriptors })
      const there = await checks.examine({ method, text }, PLACE, { key: '', callerGone: never })
      const told = ({ outcome }: typeof here) =>
        'error' in outcome ? { ...(outcome.error as { code: string; message: string }) } : outcome.examined

      expect(there.line).toEqual(here.line)
      expect(told(there)).toEqual(told(here))
    }
    checks.close()
  })

  it.each([
    '{"jsonrpc":"2.0","id":1.50,"method":"m","params":[1,{"a":2}]}',
    '[{"id":1,"method":"m","params":[1]},7,{"method":"m"},{"id":"x","method":"n","params":{"a":1}}]',
    '[]',
    '{"id":1,"method":"m","params":null}',
    ' ',
    '{"id":1,',
  ])('reads %s as the signer does', async (body) => {
    const origin = { transport: 'http', remote: '', local: '', userAgent: '', origin: '' } as const
    const seen: unknown[] = []
    const context = {
      caller: origin,
      callerGone: never,
      connection: {},
      handle: async ({ method, parameters }: { method: string; parameters: unknown }) => {
        seen.push([method, parameters])
        return method
      },
    }
    const padded = `${body}${' '.repeat(9_000)}`
    const here = await answerBody(padded, context)
    const seenHere = seen.splice(0)
    const there = await answerBody(padded, {
      ...context,
      readLong: async (text) => bodyOfLong(structuredClone(readLongBody(text))),
    })

    expect([there, seen]).toEqual([here, seenHere])
  })
})
