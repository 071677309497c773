// From a caller on HTTP to a signature and back: nothing is signed without a recorded approval, for a caller that has
// left, after a denial, or with a wrong password; and no secret shows anywhere.
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { checksumAddress } from '../../src/base/checksum-address'
import { hasCode } from '../../src/base/errors'
import { FakeClock } from '../../src/base/testing/fake-clock'
import { requestSchema } from '../../src/contract/signer'
import { verifyAudit } from '../../src/signer/audit/audit-check'
import type { SignerRequest } from '../../src/signer/model/request'
import { QUEUE_LIMITS } from '../../src/signer/requests/queue-limits'
import { ACCOUNT_B, decisionOn, Harness, type HarnessOptions, PASSWORD_A, TRANSFER } from './harness'

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

/** The next request to finish. */
function settled(harness: Harness): Promise<SignerRequest> {
  return new Promise((resolve) => {
    const handle = harness.service.events.on('requestSettled', (request) => {
      handle.dispose()
      resolve(request)
    })
  })
}

async function auditOf(harness: Harness): Promise<Record<string, unknown>[]> {
  const text = await readFile(harness.auditFile, 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

describe('a signing request', () => {
  it('shows the user what will be signed and by which caller', async () => {
    const harness = await start()

    const answer = harness.call('account_signTransaction', [{ ...TRANSFER, data: '0x9f3b7c01' }], {
      'user-agent': 'Tester/1.0 <b>',
      origin: 'https://dapp.example',
    })
    const request = await harness.nextRequest()
    await harness.reject(request)
    await answer

    expect(request).toMatchObject({
      kind: 'signTransaction',
      state: 'waiting',
      expiresAt: null,
      triesLeft: 3,
      lastError: '',
      accounts: null,
      caller: {
        transport: 'http',
        local: `127.0.0.1:${harness.port}`,
        userAgent: 'Tester/1.0 <b>',
        origin: 'https://dapp.example',
      },
      transaction: {
        from: TRANSFER.from,
        to: TRANSFER.to,
        value: '1',
        gas: '21000',
        gasPrice: '1000000000',
        maxFeePerGas: null,
        maxPriorityFeePerGas: null,
        nonce: '0',
        data: '0x9f3b7c01',
        chainId: 2110,
        maximumFee: '21000000000000',
      },
      findings: [
        {
          severity: 'WARNING',
          message: 'Transaction contains data, but the ABI signature could not be found: signature 9f3b7c01 not found',
        },
        {
          severity: 'WARNING',
          message: `Not understood: the method 0x9f3b7c01 of ${checksumAddress(TRANSFER.to)}. The other facts shown are only part of what it does`,
        },
      ],
    })
    expect(request.caller.remote).toMatch(/^127\.0\.0\.1:\d+$/)
    expect(JSON.parse(request.transaction?.raw ?? '')).toEqual([{ ...TRANSFER, data: '0x9f3b7c01' }])
  })

  it('is signed the same way twice', async () => {
    const harness = await start()
    const results: unknown[] = []

    for (let i = 0; i < 2; i++) {
      const answer = sign(harness)
      await harness.approve(await harness.nextRequest(), { password: PASSWORD_A })
      results.push((await answer).result)
    }

    expect(results[0]).toBeDefined()
    expect(results[1]).toEqual(results[0])
  })

  it('allows a retry after a wrong password, and returns the signature for the right one', async () => {
    const clock = new FakeClock()
    const harness = await start({ clock })

    const answer = sign(harness)
    const request = await harness.nextRequest()
    const wrong = await harness.approve(request, { password: 'correct horse B2' })
    const again = harness.approve(request, { password: PASSWORD_A })
    await untilPending(clock, 3) // with the audit log's lock, which is kept for a moment
    clock.advance(1_000)
    const right = await again

    expect(wrong).toEqual({ state: 'waiting', error: 'could not decrypt key with given password' })
    expect(right).toEqual({ state: 'signed', error: '' })
    expect((await answer).result).toBeDefined()
  })

  it('without a password counts as a wrong password', async () => {
    const harness = await start()

    const answer = sign(harness)
    const request = await harness.nextRequest()
    const outcome = await harness.approve(request)
    await harness.reject(request)
    await answer

    expect(outcome).toEqual({ state: 'waiting', error: 'could not decrypt key with given password' })
  })

  it('for an unknown account is asked like any other, and only then refused', async () => {
    const harness = await start()

    const answer = sign(harness, { from: '0x00000000000000000000000000000000000000aa' })
    const request = await harness.nextRequest()
    const outcome = await harness.approve(request, { password: PASSWORD_A })

    expect(outcome).toEqual({ state: 'failed', error: 'unknown account' })
    expect((await answer).error).toEqual({ code: -32000, message: 'unknown account' })
  })

  it('tells the user and the caller what is wrong with a key file', async () => {
    const harness = await start({ keystore: 'odd' })
    const file = harness.service.accounts().accounts.find((account) => account.address === TRANSFER.from)?.file ?? ''
    await writeFile(`${harness.keystore}/${file}`, JSON.stringify({ address: TRANSFER.from, version: 3 }))

    const answer = sign(harness)
    const outcome = await harness.approve(await harness.nextRequest(), { password: PASSWORD_A })

    expect(outcome).toEqual({ state: 'failed', error: 'key file is not valid: no crypto section' })
    expect((await answer).error).toEqual({ code: -32000, message: 'key file is not valid: no crypto section' })
  })

  it('without a sender is rejected at once', async () => {
    const harness = await start()

    const { error } = await sign(harness, { from: null })

    expect(error).toEqual({ code: -32602, message: "invalid argument 0: missing required field 'from'" })
  })

  it('to "0x" creates a contract', async () => {
    const harness = await start()

    const answer = sign(harness, { to: '0x', data: `0x${'60'.repeat(40)}` })
    const request = await harness.nextRequest()
    await harness.reject(request)
    await answer

    expect(request.transaction?.to).toBeNull()
    expect(request.findings.map(({ message }) => message)).toEqual([
      'Not understood: what the code of the new contract does. The other facts shown are only part of what it does',
    ])
  })

  it("of a type that the network doesn't know says so", async () => {
    const harness = await start()
    const fees = { gasPrice: null, maxFeePerGas: '0x2', maxPriorityFeePerGas: '0x1' }

    const answer = sign(harness, fees)
    const request = await harness.nextRequest()
    await harness.reject(request)
    await answer

    expect(request.findings).toEqual([
      { severity: 'Info', message: expect.stringContaining('does not accept dynamic fee transactions') },
    ])
  })

  it("with the largest numbers still fits the UI's limits", async () => {
    const harness = await start()
    const most = `0x${'f'.repeat(64)}`

    const answer = sign(harness, {
      gas: '0xffffffffffffffff',
      nonce: '0xffffffffffffffff',
      gasPrice: most,
      value: most,
    })
    const request = await harness.nextRequest()
    await harness.reject(request)
    await answer

    expect(requestSchema.safeParse(request).error).toBeUndefined()
    expect(request.transaction).toMatchObject({ gas: '18446744073709551615', nonce: '18446744073709551615' })
    expect((await sign(harness, { gas: '0x10000000000000000' })).error?.code).toBe(-32602)
  })
})

describe('an edit', () => {
  it("of price and nonce is signed, and one of another field isn't accepted", async () => {
    const harness = await start()

    const answer = sign(harness)
    const request = await harness.nextRequest()
    const edits = { gasPrice: '7', nonce: '9', to: ACCOUNT_B.toLowerCase(), value: '99' }
    await harness.service.decide({ ...decisionOn(request, 'approve', { password: PASSWORD_A }), edits })

    const { result } = (await answer) as { result: { tx: Record<string, unknown> } }
    expect(result.tx).toMatchObject({ gasPrice: '0x7', nonce: '0x9', gas: TRANSFER.gas, value: TRANSFER.value })
  })

  it.each([{ gas: '-1' }, { nonce: '18446744073709551616' }, { maxFeePerGas: '1' }, { gasPrice: '0x1' }])(
    "that isn't well-formed (%j) is rejected and costs no attempt",
    async (edits) => {
      const harness = await start()

      const answer = sign(harness)
      const request = await harness.nextRequest()
      const decided = harness.service.decide({ ...decisionOn(request, 'approve', { password: PASSWORD_A }), edits })

      await expect(decided).rejects.toMatchObject({ code: 'SIGNER_DECISION_REFUSED' })
      expect((await harness.nextRequest()).triesLeft).toBe(3)
      harness.service.rejectAll()
      await answer
    },
  )
})

describe('a disconnecting caller', () => {
  it('takes its waiting request along', async () => {
    const harness = await start()
    const leaving = new AbortController()
    const end = settled(harness)

    const call = harness.http({ ...rpc('account_list'), signal: leaving.signal }).catch((error: unknown) => error)
    await harness.nextRequest()
    leaving.abort()

    expect((await end).state).toBe('withdrawn')
    expect(await call).toBeInstanceOf(Error)
    expect(harness.service.requests()).toEqual([])
  })

  it('gets no signature if it leaves while the key is derived', async () => {
    const harness = await start({ keystore: 'kdf' })
    const leaving = new AbortController()
    const end = settled(harness)
    const from = '0xcC4489447e235d0f8a6beE5E06c8f4A515DCeC83'

    const call = harness
      .http({ ...rpc('account_signTransaction', [{ ...TRANSFER, from }]), signal: leaving.signal })
      .catch((error: unknown) => error)
    const request = await harness.nextRequest()
    const deciding = harness.approve(request, { password: 'standard scrypt key' })
    leaving.abort()
    const outcome = await deciding

    expect(outcome.state).toBe('withdrawn')
    expect((await end).state).toBe('withdrawn')
    expect(await call).toBeInstanceOf(Error)
    const states = (await auditOf(harness)).flatMap((record) => (record.type === 'result' ? [record.state] : []))
    expect(states).toEqual(['withdrawn'])
  })
})

describe("the signer's stop", () => {
  it('denies what waits, and the callers still read it', async () => {
    const harness = await start()

    const answer = sign(harness)
    await harness.nextRequest()
    await harness.service.stop()

    expect((await answer).error).toEqual({ code: -32000, message: 'request denied' })
    expect(harness.service.httpAddress()).toBeNull()
  })

  it('can be followed by another start, which continues the audit log', async () => {
    const harness = await start()
    const first = sign(harness)
    await harness.reject(await harness.nextRequest())
    await first

    await harness.service.stop()
    await harness.service.stop()
    await harness.service.start(new AbortController().signal)
    const second = sign(harness)
    await harness.approve(await harness.nextRequest(), { password: PASSWORD_A })

    expect((await second).result).toBeDefined()
    expect(await verifyAudit(harness.auditFile)).toMatchObject({ ok: true, records: 10 })
  })

  it('leaves no timer behind', async () => {
    const clock = new FakeClock()
    const harness = await start({ clock, service: { approvalTimeoutMs: 60_000 } })
    const answer = sign(harness)
    await harness.nextRequest()

    const stopped = harness.service.stop()
    await answer
    await stopped

    expect(clock.pending).toBe(0)
  })
})

describe('a time-out', () => {
  it('denies, and a later decision is rejected', async () => {
    const clock = new FakeClock()
    const harness = await start({ clock, service: { approvalTimeoutMs: 30_000 } })

    const answer = sign(harness)
    const request = await harness.nextRequest()
    clock.advance(30_000)

    expect((await answer).error).toEqual({ code: -32000, message: 'request denied' })
    expect(request.expiresAt).toBe(request.createdAt + 30_000)
    const late = await harness.approve(request, { password: PASSWORD_A }).catch((error: unknown) => error)
    expect(hasCode(late, 'SIGNER_DECISION_REFUSED')).toBe(true)
  })
})

describe('many requests of one caller', () => {
  it('wait in line behind the shown ones, and all get their answer', async () => {
    const harness = await start()
    const calls = Array.from({ length: 100 }, () => harness.call('account_list'))

    await vi.waitFor(() => expect(harness.service.queue.waitingCount).toBe(100), 240_000)
    // Each is shown once its record is written.
    await vi.waitFor(() => expect(harness.service.requests()).toHaveLength(QUEUE_LIMITS.shownPerCaller), 240_000)
    expect(harness.metrics.counts.get('signer_refused_total queue')).toBeUndefined()
    expect(harness.service.rejectAll()).toBe(100)
    const answers = await Promise.all(calls)
    expect(answers.every(({ error }) => error?.message === 'request denied')).toBe(true)
    expect(harness.service.queue.waitingCount).toBe(0)
  })
})

describe('the port', () => {
  it('in use gives an error that names it', async () => {
    const blocker = createServer()
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve))
    const bound = blocker.address()
    const port = typeof bound === 'object' && bound !== null ? bound.port : 0
    const http = { host: '127.0.0.1', port, vhosts: ['localhost'] }

    const harness = await Harness.prepare({ service: { http } })
    running.push(harness)
    const error = await harness.service.start(new AbortController().signal).catch((reason: unknown) => reason)
    await new Promise((resolve) => blocker.close(resolve))

    expect(hasCode(error, 'SIGNER_PORT_IN_USE')).toBe(true)
    expect(String(error)).toContain('--signer.http.port')
    expect(String(error)).toContain(String(port))
  })
})

function rpc(method: string, params?: unknown) {
  return {
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    headers: { 'content-type': 'application/json' },
  }
}

/** Waits, on the real event loop, until the fake clock holds so many timers. */
async function untilPending(clock: FakeClock, count: number): Promise<void> {
  while (clock.pending < count) await new Promise((resolve) => setImmediate(resolve))
}
