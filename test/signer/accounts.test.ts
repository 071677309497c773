// account_new and account_list with real files: the caller learns what the user decides.
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import keythereum from 'keythereum'
import { afterEach, describe, expect, it } from 'vitest'
import { hasCode } from '../../src/base/errors'
import { ACCOUNT_A, ACCOUNT_B, decisionOn, Harness, type HarnessOptions } from './harness'

const running: Harness[] = []

async function start(options?: HarnessOptions): Promise<Harness> {
  const harness = await Harness.start(options)
  running.push(harness)
  return harness
}

afterEach(async () => {
  for (const harness of running.splice(0)) await harness.end()
})

describe('account_version and rpc_modules', () => {
  it('answers without asking anyone', async () => {
    const harness = await start()

    expect((await harness.call('account_version')).result).toBe('6.1.0')
    expect((await harness.call('account_version', [])).result).toBe('6.1.0')
    expect((await harness.call('rpc_modules')).result).toEqual({ account: '1.0', rpc: '1.0' })
    expect(harness.service.requests()).toEqual([])
  })
})

describe('account_list', () => {
  it('gives the ticked addresses in the order of the answer, in lower case', async () => {
    const harness = await start()

    const answer = harness.call('account_list')
    const request = await harness.nextRequest()
    const outcome = await harness.approve(request, { accounts: [ACCOUNT_B, ACCOUNT_A] })

    expect(request.accounts?.map((account) => account.address)).toEqual([
      ACCOUNT_A,
      ACCOUNT_B,
      '0xf17EE06e07Cb7D588cF90FaeE0A102F0b49b6e72',
    ])
    expect(outcome).toEqual({ state: 'approved', error: '' })
    expect((await answer).result).toEqual([ACCOUNT_B.toLowerCase(), ACCOUNT_A.toLowerCase()])
  })

  it("gives an empty list if nothing is ticked, which isn't a denial", async () => {
    const harness = await start()

    const answer = harness.call('account_list', [])
    await harness.approve(await harness.nextRequest(), { accounts: [] })

    expect((await answer).result).toEqual([])
  })

  it('treats an approval without a list as a denial', async () => {
    const harness = await start()

    const answer = harness.call('account_list')
    const outcome = await harness.approve(await harness.nextRequest())

    expect(outcome.state).toBe('rejected')
    expect((await answer).error).toEqual({ code: -32000, message: 'request denied' })
  })

  it('asks even if there is no account', async () => {
    const harness = await start({ keystore: 'none' })

    const answer = harness.call('account_list')
    const request = await harness.nextRequest()
    await harness.approve(request, { accounts: [] })

    expect(request.accounts).toEqual([])
    expect((await answer).result).toEqual([])
  })

  it("rejects a decision that names an address that wasn't offered, and keeps waiting", async () => {
    const harness = await start({ keystore: 'one' })

    const answer = harness.call('account_list')
    const request = await harness.nextRequest()
    const wrong = await harness.approve(request, { accounts: [ACCOUNT_B] }).catch((error: unknown) => error)
    await harness.approve(request, { accounts: [ACCOUNT_A] })

    expect(hasCode(wrong, 'SIGNER_DECISION_REFUSED')).toBe(true)
    expect((await answer).result).toEqual([ACCOUNT_A.toLowerCase()])
  })

  it("counts files by their address whatever their name, and names those that aren't keys", async () => {
    const harness = await start({ keystore: 'odd' })

    const { accounts, problems } = harness.service.accounts()

    expect(accounts.map((account) => [account.file, account.address, account.files])).toEqual([
      [
        'UTC--2024-03-01T00-00-00.000000000Z--2835d8d9e47208f250208e5f52a4ef9c937866a2',
        '0x2835D8d9e47208f250208e5f52A4eF9c937866A2',
        1,
      ],
      ['mykey.json', ACCOUNT_A, 1],
    ])
    expect(problems.map((problem) => problem.file)).toEqual(['broken.json', 'notes.txt'])
  })

  it('warns of each broken key file at startup, without its content', async () => {
    const harness = await start({ keystore: 'odd' })

    const warnings = harness.logs.filter((record) => record.level === 'warn' && record.message.includes('key file'))

    expect(warnings.map((record) => record.fields)).toEqual([
      { file: 'broken.json', reason: expect.stringContaining('key file is not valid') },
      { file: 'notes.txt', reason: expect.stringContaining('key file is not valid') },
    ])
  })

  it('reports its listening address as host and port', async () => {
    const harness = await start({ keystore: 'one' })

    const ready = harness.logs.find((record) => record.message === 'signer is ready')

    expect(ready?.fields).toMatchObject({ http: `127.0.0.1:${harness.port}` })
  })

  it('accepts no arguments', async () => {
    const harness = await start({ keystore: 'one' })

    const { error } = await harness.call('account_list', [1])

    expect(error).toEqual({ code: -32602, message: 'too many arguments, want at most 0' })
  })
})

describe('account_new', () => {
  it("stores a file that the family's other programs open, and lists it at once", async () => {
    const harness = await start({ keystore: 'one' })

    const answer = harness.call('account_new', [])
    const outcome = await harness.approve(await harness.nextRequest(), { password: 'a fine password' })
    const address = String((await answer).result)

    expect(outcome).toEqual({ state: 'approved', error: '' })
    expect(address).toMatch(/^0x[0-9a-f]{40}$/)
    const accounts = harness.service.accounts().accounts
    expect(accounts).toHaveLength(2)
    const file = accounts.find((account) => account.address.toLowerCase() === address)?.file ?? ''
    expect(file).toMatch(/^UTC--\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{9}Z--[0-9a-f]{40}$/)
    expect((await stat(join(harness.keystore, file))).mode & 0o777).toBe(0o600)
    const stored = JSON.parse(await readFile(join(harness.keystore, file), 'utf8'))
    expect(stored.crypto.kdfparams).toMatchObject({ n: 4096, p: 6, r: 8, dklen: 32 })
    expect(stored.version).toBe(3)
    expect(keythereum.recover(Buffer.from('a fine password'), stored)).toHaveLength(32)
  })

  it('creates nothing if denied', async () => {
    const harness = await start({ keystore: 'one' })

    const answer = harness.call('account_new')
    await harness.reject(await harness.nextRequest())

    expect((await answer).error).toEqual({ code: -32000, message: 'request denied' })
    expect(await readdir(harness.keystore)).toHaveLength(1)
  })

  it.each([
    ['123456789', 'password too short (<10 characters)'],
    ['pässwörd is long', 'password contains invalid characters - only 7bit printable ascii allowed'],
    ['back\\slash-password', 'password contains invalid characters - only 7bit printable ascii allowed'],
    ['tab\tinside it', 'password contains invalid characters - only 7bit printable ascii allowed'],
  ])('lets the user try again after the password %j', async (password, reason) => {
    const harness = await start({ keystore: 'none' })

    const answer = harness.call('account_new')
    const request = await harness.nextRequest()
    const first = await harness.approve(request, { password })
    const waiting = await harness.nextRequest()
    await harness.approve(request, { password: '1234567890' })

    expect(first).toEqual({
      state: 'waiting',
      error: `Account creation attempt #1 failed due to password requirements: ${reason}`,
    })
    expect(waiting.triesLeft).toBe(2)
    expect((await answer).result).toMatch(/^0x[0-9a-f]{40}$/)
  })

  it('stops after three bad passwords', async () => {
    const harness = await start({ keystore: 'none' })

    const answer = harness.call('account_new')
    const request = await harness.nextRequest()
    await harness.approve(request, { password: 'short' })
    await harness.approve(request, { password: 'short' })
    const last = await harness.approve(request, { password: 'short' })

    expect(last).toEqual({
      state: 'failed',
      error: 'Account creation attempt #3 failed due to password requirements: password too short (<10 characters)',
    })
    expect((await answer).error).toEqual({ code: -32000, message: 'account creation failed' })
    expect(await readdir(harness.keystore)).toEqual([])
  })

  it("opens a request in the application's own name that is decided like any other", async () => {
    const harness = await start({ keystore: 'none' })
    const caller = { transport: 'app', remote: 'NA', local: 'NA', userAgent: '', origin: '' } as const

    const { id } = harness.service.requestNewAccount(caller)
    const request = await harness.nextRequest()
    const outcome = await harness.approve(request, { password: 'a fine password' })

    expect(request.id).toBe(id)
    expect(request.caller).toEqual(caller)
    expect(outcome.state).toBe('approved')
    expect(harness.service.accounts().accounts).toHaveLength(1)
  })

  it.each([
    ['light', 4_096],
    ['standard', 262_144],
  ] as const)('creates the first account with a %s key on request: n = %i', async (strength, n) => {
    const harness = await start({ keystore: 'none' })

    await harness.service.createAccount(new TextEncoder().encode('generated password 1'), strength)

    const [name = ''] = await readdir(harness.keystore)
    const file = JSON.parse(await readFile(join(harness.keystore, name), 'utf8'))
    expect(file.crypto.kdfparams).toMatchObject({ n })
  })

  it('creates the first account without asking, and wipes its password', async () => {
    const harness = await start({ keystore: 'none' })
    const password = new TextEncoder().encode('generated password 1')

    const address = await harness.service.createAccount(password)

    expect(harness.service.accounts().accounts.map((account) => account.address)).toEqual([address])
    expect(password.every((byte) => byte === 0)).toBe(true)
  })
})

describe('the keystore folder', () => {
  it('is created for its owner only if it is missing', async () => {
    const harness = await Harness.prepare({ keystore: 'none' })
    running.push(harness)
    await rm(harness.keystore, { recursive: true })

    await harness.service.start(new AbortController().signal)

    expect((await stat(harness.keystore)).mode & 0o777).toBe(0o700)
  })

  it("can't be a file", async () => {
    const harness = await Harness.prepare({ keystore: 'none' })
    running.push(harness)
    await rm(harness.keystore, { recursive: true })
    await writeFile(harness.keystore, 'not a folder')

    const error = await harness.service.start(new AbortController().signal).catch((reason: unknown) => reason)

    expect(hasCode(error, 'KEYSTORE_UNREADABLE')).toBe(true)
  })

  it('notices a file that was added by hand', async () => {
    const harness = await start({ keystore: 'none' })
    const seen = new Promise((resolve) => harness.service.events.on('accountsChanged', resolve))
    const text = JSON.stringify({ address: ACCOUNT_A.slice(2).toLowerCase(), version: 3 })

    await writeFile(join(harness.keystore, 'by-hand'), text)
    await seen

    expect(harness.service.accounts().accounts.map((account) => account.address)).toEqual([ACCOUNT_A])
  })

  it('shows both files of one address and refuses to sign with either', async () => {
    const harness = await start({ keystore: 'dup' })
    const from = '0x9a77Ad6a98e9D0d0AA3be72355447DDe5455B855'

    const answer = harness.call('account_signTransaction', [{ from, to: ACCOUNT_B, gasPrice: '0x1', gas: '0x5208' }])
    const outcome = await harness.approve(await harness.nextRequest(), { password: 'duplicate key pw' })

    expect(harness.service.accounts().accounts.map((account) => account.files)).toEqual([2, 2])
    expect(outcome.state).toBe('failed')
    expect((await answer).error?.message).toMatch(/^multiple keys match address \(.*04-01.*, .*04-02.*\)$/)
  })

  it('rejects a second decision on the same request', async () => {
    const harness = await start({ keystore: 'one' })

    const answer = harness.call('account_list')
    const request = await harness.nextRequest()
    const decisions = await Promise.allSettled([
      harness.service.decide(decisionOn(request, 'approve', { accounts: [] })),
      harness.service.decide(decisionOn(request, 'reject')),
    ])

    expect(decisions.map((decision) => decision.status)).toEqual(['fulfilled', 'rejected'])
    expect((await answer).result).toEqual([])
  })
})
