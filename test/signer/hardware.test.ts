// Accounts in devices through the whole signer: external API, queue, audit log.
import { readFile } from 'node:fs/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { SimulatedDevice } from '../../src/signer/hardware/testing/simulated-device'
import type { SignerRequest } from '../../src/signer/model/request'
import { Harness } from './harness'

const SIGN = 0x04
const PATH = "m/44'/60'/0'/0/0"
const NEVER = new AbortController().signal
const AMOUNT = {
  to: `0x${'11'.repeat(20)}`,
  gas: '0x186a0',
  gasPrice: '0x3b9aca00',
  nonce: '0x7',
  value: '0x14d1120d7b160000',
}

describe('an account in a device', () => {
  let harness: Harness
  const device = new SimulatedDevice(7)
  const start = async (): Promise<void> => {
    device.answers = () => null
    device.isPlugged = true
    device.asked.length = 0
    harness = await Harness.start({ devices: device })
    await harness.service.hardware?.add(PATH, NEVER)
    device.asked.length = 0
  }
  const sending = (change = {}) =>
    harness.call('account_signTransaction', [{ from: device.address, ...AMOUNT, ...change }])
  const records = async (): Promise<Record<string, unknown>[]> =>
    (await readFile(harness.auditFile, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ type }) => type !== 'call')
  const approved = async (request: SignerRequest) => harness.approve(request)

  afterEach(() => harness.end())

  it('is among the accounts, even while it is unplugged', async () => {
    await start()
    device.isPlugged = false
    const listing = harness.call('account_list')
    const request = await harness.nextRequest()
    expect(request.accounts?.at(-1)?.address.toLowerCase()).toBe(device.address)
    await harness.approve(request, { accounts: [device.address] })

    expect(await listing).toMatchObject({ result: [device.address] })
    expect(harness.service.accounts().accounts.at(-1)).toMatchObject({
      file: '',
      device: { kind: 'ledger', path: PATH },
    })
    expect(device.asked).toEqual([])
  })

  it('signs after both have approved, without a password, and both steps are on record', async () => {
    await start()
    const answer = sending()
    const request = await harness.nextRequest()
    expect(device.asked).toEqual([])
    expect(request.device).toEqual({ kind: 'ledger', path: PATH, isBlind: false })
    expect(request.findings.map(({ message }) => message).join()).toContain('"Amount 1.5 ???" and "Network 2110"')

    expect(await approved(request)).toEqual({ state: 'signed', error: '' })
    expect((await answer).result).toHaveProperty('raw')
    const steps = (await records()).map(({ type, state, decision }) => [type, decision ?? state])
    expect(steps.slice(-5)).toEqual([
      ['request', undefined],
      ['decision', 'approve'],
      ['device', 'asked'],
      ['device', 'signed'],
      ['result', 'signed'],
    ])
  })

  it('is never asked for what was rejected here', async () => {
    await start()
    const answer = sending()
    await harness.reject(await harness.nextRequest())

    expect(await answer).toMatchObject({ error: { message: 'request denied' } })
    expect(device.asked).toEqual([])
  })

  it('whose owner refuses counts as a denial', async () => {
    await start()
    device.answers = (instruction) => (instruction === SIGN ? 0x6985 : null)
    const answer = sending()

    expect(await approved(await harness.nextRequest())).toMatchObject({ state: 'rejected' })
    expect(await answer).toMatchObject({ error: { message: 'request denied' } })
    expect((await records()).find(({ state }) => state === 'failed')).toMatchObject({ error: 'refused on the Ledger' })
  })

  it('that is unplugged, locked or in another app says so and waits to be approved again', async () => {
    await start()
    const answer = sending()
    const request = await harness.nextRequest()
    device.isPlugged = false
    expect((await approved(request)).error).toContain('plug it in')
    device.isPlugged = true
    device.answers = () => 0x5515
    expect((await approved(request)).error).toContain('PIN')
    device.answers = () => 0x6d00
    for (let time = 0; time < 5; time++) {
      expect((await approved(request)).error).toContain('open its Ethereum app')
    }
    device.answers = () => null

    expect(await approved(request)).toMatchObject({ state: 'signed' })
    expect((await answer).result).toHaveProperty('raw')
  })

  it('that must sign blindly gives a warning, and says what to switch on', async () => {
    await start()
    device.answers = (instruction) => (instruction === SIGN ? 0x6a80 : null)
    const answer = sending({ data: '0xdeadbeef' })
    const request = await harness.nextRequest()

    expect(request.device?.isBlind).toBe(true)
    expect(request.findings.find(({ message }) => message.includes('Blind signing ahead'))?.severity).toBe('WARNING')
    expect((await approved(request)).error).toContain('switch on "Blind signing"')
    await harness.reject(request)
    expect(await answer).toHaveProperty('error')
  })

  it('is released if the caller leaves while its owner decides', async () => {
    await start()
    device.answers = (instruction) => (instruction === SIGN ? 'silent' : null)
    const gone = new AbortController()
    const call = { method: 'account_signTransaction', params: [{ from: device.address, ...AMOUNT }] }
    const caller = { transport: 'app', remote: 'NA', local: 'NA', userAgent: '', origin: '' } as const
    const answer = expect(harness.service.submit(call, { caller, callerGone: gone.signal })).rejects.toThrow('denied')
    const deciding = approved(await harness.nextRequest())
    await expect.poll(() => device.asked).toContain(SIGN)
    gone.abort()

    await answer
    expect(await deciding).toMatchObject({ state: 'withdrawn' })
    await expect.poll(() => device.open).toBe(0)
  })

  it("signs texts, and says that it can't sign what is neither text nor document", async () => {
    await start()
    const text = harness.call('account_signData', ['text/plain', device.address, '0x48656c6c6f'])
    await approved(await harness.nextRequest())
    expect(await text).toMatchObject({ result: expect.stringMatching(/^0x[0-9a-f]{128}1[bc]$/) })

    const validator = { address: AMOUNT.to, message: '0x01' }
    const data = harness.call('account_signData', ['data/validator', device.address, validator])
    await approved(await harness.nextRequest())
    expect(await data).toMatchObject({ error: { message: expect.stringContaining('cannot sign data/validator') } })
  })

  it('is unknown if USB is off, like any other address', async () => {
    harness = await Harness.start()
    const answer = sending()
    const request = await harness.nextRequest()
    expect(request.device).toBeUndefined()
    await harness.approve(request)

    expect(await answer).toMatchObject({ error: { message: 'unknown account' } })
  })
})
