// The key worker as the program runs it: in a separate process. What it can reach, and what happens to it and its
// callers when it is killed, left without its parent, or compromised.
import { spawn } from 'node:child_process'
import { webcrypto } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type ApprovalToken, changeText, type SealedPassword } from '../../../src/base/approvals'
import { HeadframeError } from '../../../src/base/errors'
import { createLogger, type LogRecord } from '../../../src/base/logger'
import { FakeClock } from '../../../src/base/testing/fake-clock'
import { type Clock, systemClock } from '../../../src/base/time'
import { createWireClient } from '../../../src/base/wire/client'
import { call } from '../../../src/base/wire/define'
import { ApprovalKeys, type PageCrypto } from '../../../src/contract/approval/approval-keys'
import { ownEnvironment, type StartProcess, startOwnProcess } from '../../../src/host/system/own-process'
import { type Confinement, openKeyProcess } from '../../../src/host/workers/key-process'
import { loadAddon } from '../../../src/native/loader'
import { textData } from '../../../src/signer/data/sign-data'
import { dataToSign, readContent } from '../../../src/signer/keystore/content-digest'
import { KeyClient } from '../../../src/signer/keystore/key-client'
import { keysWire } from '../../../src/signer/keystore/keys-wire'
import { recoverAddress } from '../../../src/signer/keystore/secret-key'
import { textToSign } from '../../../src/signer/keystore/testing/contents'
import type { ToSign } from '../../../src/signer/model/signed-content'
import { aPolicy, aTransfer, META } from '../../../src/signer/rules/testing/policy-samples'
import { sampleMaster, sampleSeedText } from '../../../src/signer/testing/local-vault'
import { plainPassword } from '../../../src/signer/vault-wire'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const WHAT = textToSign(0x11)
const PASSWORD = new TextEncoder().encode('a fine password')
const ADDRESS = '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f'
const SECRET = new Uint8Array(32).fill(0x46)

const isConfinable = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)
const noAddon = 'error' in loadAddon({ searchFrom: ROOT })
const cannot = isConfinable && !noAddon ? '' : ` (skipped: ${isConfinable ? 'no addon' : 'not Linux'})`

/** Binaries of other releases, whose event loops differ: NODE_22=FILE and so on, or what packages have fetched. */
const runtimes = [
  { name: 'this Node', program: process.execPath, missing: '' },
  ...[20, 22, 24, 26].map((major) => {
    const name = `NODE_${major}`
    const program = process.env[name] ?? ''
    return { name: `Node ${major}`, program, missing: program === '' ? ` (skipped: ${name} names no program)` : '' }
  }),
]

let folder = ''
const entry = (name: string): string => join(folder, `${name}.cjs`)

beforeAll(async () => {
  const cache = join(ROOT, '.cache')
  mkdirSync(cache, { recursive: true })
  folder = mkdtempSync(join(cache, 'key-process-')) // the addon is found from here, as from the program
  // One after another: built together, one entry would take parts from the other.
  await bundle('worker', join(ROOT, 'src/host/workers/key-worker.ts'))
  await bundle('hostile', join(import.meta.dirname, 'hostile-worker.ts'))
})

/** One file, as in the program's own build. */
async function bundle(name: string, from: string): Promise<void> {
  const { build } = await import('vite')
  const output = { format: 'cjs', entryFileNames: `${name}.cjs` } as const
  await build({
    configFile: false,
    logLevel: 'error',
    build: { ssr: from, outDir: folder, emptyOutDir: false, rollupOptions: { output } },
    ssr: { noExternal: true },
  })
}

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function opened(name: string, start: StartProcess = startOwnProcess, clock: Clock = systemClock()) {
  const confinements: Confinement[] = []
  const records: LogRecord[] = []
  const sink = { write: (record: LogRecord) => void records.push(record) }
  const log = createLogger('', { minLevel: 'info', now: () => 0, sink })
  const onConfined = (confinement: Confinement): void => void confinements.push(confinement)
  const open = () => openKeyProcess({ entry: entry(name), searchFrom: ROOT, start, log, clock, onConfined })
  return { open, confinements, records, said: () => records.map(({ message }) => message) }
}

/** Exposes the processes that it starts. */
function watched() {
  const started: ReturnType<StartProcess>[] = []
  const start: StartProcess = (path, args) => {
    const child = startOwnProcess(path, args)
    started.push(child)
    return child
  }
  return { started, start }
}

describe('the key worker as a process', () => {
  it('creates, signs, and leaves this thread free meanwhile', async () => {
    const { open, said } = opened('worker')
    const keys = new KeyClient(open)
    const made = await keys.import(SECRET, PASSWORD, 'light')
    const signature = await keys.sign({ ...made, password: PASSWORD }, WHAT)
    let beats = 0
    const heart = setInterval(() => {
      beats += 1
    }, 5)

    await keys.import(SECRET, PASSWORD, 'standard')
    clearInterval(heart)

    expect(made.address).toBe(ADDRESS)
    expect(recoverAddress(WHAT.digest, signature)).toBe(ADDRESS)
    expect(beats).toBeGreaterThan(20)
    expect(said().filter((message) => message.includes('confined')).length).toBe(1)
    keys.close()
  })

  it('fails its calls if it is killed during a signature, and is opened again for the next', async () => {
    const { started, start } = watched()
    const { open, said } = opened('worker', start)
    const keys = new KeyClient(open)
    const made = await keys.import(SECRET, PASSWORD, 'light')

    const lost = keys.sign({ ...made, password: PASSWORD }, WHAT).catch((error: unknown) => error)
    started[0]?.kill()

    expect(await lost).toMatchObject({ code: 'HOST_WORKER_LOST', message: expect.stringContaining('SIGKILL') })
    expect(recoverAddress(WHAT.digest, await keys.sign({ ...made, password: PASSWORD }, WHAT))).toBe(ADDRESS)
    expect(said()).toContain('key worker was lost')
    expect(started).toHaveLength(2)
    keys.close()
  })

  it('answers hundreds of calls at once, each its own', async () => {
    const keys = new KeyClient(opened('worker').open)
    const made = await keys.import(SECRET, PASSWORD, 'light')
    await keys.unlock({ ...made, password: PASSWORD })
    const contents = Array.from({ length: 500 }, (_, index) => textToSign(index % 251))

    const signatures = await Promise.all(contents.map((what) => keys.signUnlocked(made.address, what)))

    expect(signatures.map((signature, index) => recoverAddress((contents[index] ?? WHAT).digest, signature))).toEqual(
      contents.map(() => ADDRESS),
    )
    keys.close()
  })

  it('judges a policy, signs with a stored password, and forgets both when it ends', async () => {
    const { started, start } = watched()
    const keys = new KeyClient(opened('worker', start).open)
    const lost = new Promise<void>((resolve) => {
      keys.onLost = resolve
    })
    const { vault } = keys
    const made = await keys.import(SECRET, PASSWORD, 'light')
    const { address, keyFile } = made
    await vault.call('vaultOpen', { seedFile: await sampleSeedText(), password: sampleMaster() })
    const proven = async (what: object): Promise<string> => {
      const change = changeText(what)
      await vault.call('vaultProve', { change, password: sampleMaster() })
      return change
    }
    const change = await proven({ change: 'store', address })
    const password = plainPassword(Uint8Array.from(PASSWORD))
    const { value } = await vault.call('vaultStore', { change, keyFile, address, password })
    await vault.call('journalRead', { text: '', earlier: null, vouched: 0 })
    const put = await proven({ change: 'put', policy: aPolicy(), was: null })
    await vault.call('policyChange', { change: put, isTrial: false })
    const transaction = Object(aTransfer().body).transaction
    const content = { kind: 'transaction', chainId: '2110', transaction } as const
    const what = { content, digest: readContent(address, content).digest }
    const body = { call_info: null, meta: META }
    const asked = { question: JSON.stringify({ method: 'ui_approveTx', body }), content: JSON.stringify(content) }
    const facts = { nonce: 'absent', standard: null }
    const ruling = await vault.call('policyJudge', { request: 'r', ...asked, address, facts })
    const stored = { value, by: 'rule', request: 'r' } as const
    const signature = await keys.signStored(made, stored, what)
    started[0]?.kill()
    await lost

    expect(ruling).toMatchObject({ policy: { id: 'shop' }, made: { version: 3, isWhole: false } })
    expect(recoverAddress(what.digest, signature)).toBe(ADDRESS)
    await expect(keys.signStored(made, stored, what)).rejects.toMatchObject({ code: 'SIGNER_VAULT_CLOSED' })
    keys.close()
  })

  it('hashes and signs contents as long as a caller may send', async () => {
    const keys = new KeyClient(opened('worker').open)
    const made = await keys.import(SECRET, PASSWORD, 'light')
    const what = dataToSign(textData('text/plain', new Uint8Array(5 * 1024 * 1024).fill(0x61)), null)

    const signature = await keys.sign({ ...made, password: PASSWORD }, what)

    expect(recoverAddress(what.digest, signature)).toBe(ADDRESS)
    keys.close()
  })

  it.skipIf(process.platform === 'win32')(
    'leaves it to the program when to stop, even if both get a signal',
    async () => {
      const worker = spawn(process.execPath, [entry('worker'), JSON.stringify({ searchFrom: ROOT })], {
        env: ownEnvironment(),
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      await once(worker.stdout, 'data')

      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) worker.kill(signal)
      worker.stdin.end()

      expect(await once(worker, 'close')).toEqual([null, 'SIGKILL']) // its own exit, after its input's end
    },
  )

  it('exits when its parent program is killed', async () => {
    const parent = `require('node:child_process').spawn(process.execPath, ${JSON.stringify([entry('worker'), JSON.stringify({ searchFrom: ROOT })])},
      { stdio: ['pipe', 'inherit', 'inherit'] })`
    const program = spawn(process.execPath, ['-e', parent], {
      env: ownEnvironment(),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(program.stdout, 'data') // the worker's first words come through the same pipe

    program.kill('SIGKILL')

    program.stdout.resume()
    await once(program.stdout, 'end') // both ends of it are closed
  })

  it("reports why it doesn't start", async () => {
    const { open, confinements } = opened('nowhere')
    const keys = new KeyClient(open)

    const failure = await keys.create(PASSWORD, 'light').catch((error: unknown) => error)

    expect(failure).toMatchObject({ code: 'HOST_WORKER_LOST', message: expect.stringContaining('nowhere.cjs') })
    expect(confinements).toMatchObject([{ confined: false, reason: expect.stringContaining('nowhere.cjs') }])
  })
})

const probe = { calls: { probe: call(z.object({ place: z.string() }), z.unknown()) }, events: {} }

/** The result of one call, and everything that left the process, with the log. */
async function probed(place: string) {
  const { open, records, said } = opened('hostile')
  const client = createWireClient(probe, open())
  const failure: unknown = await client.call('probe', { place }).catch((error: unknown) => error)
  await client.close()
  const error = failure instanceof HeadframeError ? [failure.message, failure.data] : failure
  return { failure, said: said(), told: JSON.stringify([error, records]) }
}

const startedWith =
  (program: string): StartProcess =>
  (path, args) =>
    startOwnProcess(path, args, program)

/** @param program runs it */
async function attemptsFail(program: string): Promise<void> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const place = join(folder, 'secret.txt')
  writeFileSync(place, 'as it was')
  const wire = {
    calls: { attempt: call(z.object({ place: z.string(), port: z.number() }), z.unknown()) },
    events: {},
  }
  const { open, said } = opened('hostile', startedWith(program))
  const client = createWireClient(wire, open())

  const results = await client.call('attempt', { place, port })

  expect(results).toEqual({
    read: 'EPERM',
    readSystem: 'EPERM',
    list: 'EPERM',
    write: 'EPERM',
    readParent: 'EPERM',
    run: 'EPERM',
    endParent: 'EPERM',
    connect: 'EPERM',
    datagram: 'EPERM',
    thread: 'EPERM',
  })
  expect(readFileSync(place, 'utf8')).toBe('as it was')
  expect(said()).toEqual(['the key worker is confined: no files, no network'])
  await client.close()
  server.close()
}

/** @param program runs it */
async function worksConfined(program: string): Promise<void> {
  const { open, said } = opened('worker', startedWith(program))
  const keys = new KeyClient(open)
  const made = await keys.import(SECRET, PASSWORD, 'light')
  const contents = Array.from({ length: 40 }, (_, index) => textToSign(index))

  const signatures = await Promise.all(contents.map((what) => keys.sign({ ...made, password: PASSWORD }, what)))

  expect(signatures.map((signature, index) => recoverAddress((contents[index] ?? WHAT).digest, signature))).toEqual(
    contents.map(() => ADDRESS),
  )
  expect(said()).toEqual(['the key worker is confined: no files, no network'])
  keys.close()
}

describe('a key worker without the addon', () => {
  it("works, and says that it isn't confined", async () => {
    const start: StartProcess = (path, args) => {
      process.env.HEADFRAME_NO_ADDON = '1'
      try {
        return startOwnProcess(path, args)
      } finally {
        delete process.env.HEADFRAME_NO_ADDON
      }
    }
    const { open, said, confinements } = opened('worker', start)
    const keys = new KeyClient(open)

    const made = await keys.import(SECRET, PASSWORD, 'light')

    expect(made.address).toBe(ADDRESS)
    expect(said()).toEqual(['the key worker is not confined: it could open files and connections'])
    expect(confinements).toEqual([{ confined: false, reason: expect.stringContaining('HEADFRAME_NO_ADDON') }])
    keys.close()
  })
})

describe('a compromised key worker', () => {
  for (const { name, program, missing } of runtimes) {
    const skipped = cannot === '' ? missing : cannot
    it.skipIf(skipped !== '')(`reaches no file, no network and no other program in ${name}${skipped}`, () =>
      attemptsFail(program),
    )
    it.skipIf(skipped !== '')(`does its work confined in ${name}${skipped}`, () => worksConfined(program))
  }

  it('gets no wrong signature out, and is ended', async () => {
    const { open } = opened('hostile')
    const keys = new KeyClient(open)

    const failure = await keys.signUnlocked(ADDRESS, WHAT).catch((error: unknown) => error)

    expect(failure).toMatchObject({ code: 'KEYSTORE_SIGNATURE_WRONG' })
  })

  it.each(['babble', 'garbage', 'again'])('is ended when its answer is %s', async (place) => {
    const { failure, said, told } = await probed(place)

    expect(failure).toMatchObject({ code: 'HOST_WORKER_LOST' })
    expect(said).toContain('key worker was terminated')
    expect(told).not.toContain('4646')
  })

  it.each([
    ['words', 'KEYSTORE_KEY_MISMATCH'],
    ['code', 'CONTRACT_FAILED'],
    ['last words', 'HOST_WORKER_LOST'],
  ])('has no text to hide a key in: %s', async (place, code) => {
    const { failure, told } = await probed(place)

    expect(failure).toMatchObject({ code })
    expect(told).not.toContain('4646')
  })

  it("is ended if it doesn't respond, and the next call gets another one", async () => {
    const clock = new FakeClock()
    const { started, start } = watched()
    const { open, said } = opened('hostile', start, clock)
    const client = createWireClient(probe, open())
    const silent = client.call('probe', { place: 'silence' }).catch((error: unknown) => error)

    clock.advance(300_000)

    expect(await silent).toMatchObject({ code: 'HOST_WORKER_LOST', message: expect.stringContaining('300 s') })
    expect(said()).toContain('key worker was terminated')
    const keys = new KeyClient(open)
    await keys.signUnlocked(ADDRESS, WHAT).catch((error: unknown) => error)
    expect(started).toHaveLength(2)
  })
})

/** A host that was taken over: it has the channel, the key files and all that passed by, but no password. */
describe('a host that is taken over', () => {
  const refusal = (call: Promise<unknown>) =>
    call.then(
      () => 'SIGNED',
      (error: HeadframeError) => error.code,
    )
  const hash = (what: ToSign) => readContent(ADDRESS, what.content).approvalHash()

  /** Opened by the program itself; the page has sealed for it. */
  async function takenOver() {
    const wire = createWireClient(keysWire, opened('worker').open())
    const passwords = [0, 1].map(() => Uint8Array.from(PASSWORD))
    const [password = PASSWORD] = passwords
    const given = { secret: plainPassword(Uint8Array.from(SECRET)), password: plainPassword(password) }
    const made = await wire.call('import', { ...given, strength: 'light' })
    const { receiver } = await wire.call('receiver', {})
    const page = new ApprovalKeys(webcrypto as unknown as PageCrypto)
    page.trust(receiver)
    const sealed = (what: ToSign, keepMinutes = 0) => page.seal(Uint8Array.from(PASSWORD), [hash(what)], keepMinutes)
    const content = (what: ToSign) => JSON.stringify(what.content)
    const signSealed = (what: ToSign, approval: SealedPassword) =>
      wire.call('signSealed', { ...made, sealed: approval, content: content(what), alone: false })
    const signUnlocked = (what: ToSign, token: ApprovalToken | null) =>
      wire.call('signUnlocked', { address: made.address, content: content(what), token })
    return { wire, made, page, sealed, signSealed, signUnlocked }
  }

  it('gets nothing signed with an approval but its content, once', async () => {
    const { wire, made, sealed, signSealed } = await takenOver()
    const [first, second] = [textToSign(1), textToSign(2)]
    const approval = await sealed(first)
    const wider = { ...approval, statement: approval.statement.replace(hash(first), hash(second)) }

    expect(await refusal(signSealed(second, approval))).toBe('KEYSTORE_APPROVAL_OTHER')
    expect(await refusal(signSealed(second, wider))).toBe('KEYSTORE_APPROVAL_UNREADABLE')
    const { signature } = await signSealed(first, approval)
    expect(recoverAddress(first.digest, signature)).toBe(ADDRESS)
    expect(await refusal(signSealed(first, approval))).toBe('KEYSTORE_APPROVAL_USED')
    expect(
      await refusal(wire.call('signUnlocked', { ...made, content: JSON.stringify(first.content), token: null })),
    ).toBe('KEYSTORE_NOT_UNLOCKED')
    await wire.close()
  })

  it('gets nothing from an unlocked account without the page that unlocked it', async () => {
    const { wire, page, sealed, signSealed, signUnlocked } = await takenOver()
    const [first, second, third] = [textToSign(1), textToSign(2), textToSign(3)]
    await signSealed(first, await sealed(first, 5))
    const own = new ApprovalKeys(webcrypto as unknown as PageCrypto)
    own.trust((await wire.call('receiver', {})).receiver)
    const token = await page.token(hash(second))

    expect(await refusal(signUnlocked(second, null))).toBe('KEYSTORE_APPROVAL_OTHER')
    expect(await refusal(signUnlocked(second, await own.token(hash(second))))).toBe('KEYSTORE_APPROVAL_OTHER')
    expect(await refusal(signUnlocked(third, token))).toBe('KEYSTORE_APPROVAL_OTHER')
    expect(recoverAddress(second.digest, (await signUnlocked(second, token)).signature)).toBe(ADDRESS)
    expect(await refusal(signUnlocked(second, token))).toBe('KEYSTORE_APPROVAL_USED')
    await wire.call('lock', { address: null })
    expect(await refusal(signUnlocked(third, await page.token(hash(third))))).toBe('KEYSTORE_NOT_UNLOCKED')
    await wire.close()
  })

  it('gets no signature from any other message, in any order', async () => {
    const { wire, made, sealed } = await takenOver()
    const what = textToSign(7)
    const approval = await sealed(what, 15)
    const content = JSON.stringify(what.content)
    const { address } = made
    const names = ['sign', 'signSealed', 'signUnlocked', 'unlock', 'verify', 'reencrypt', 'import', 'create', 'lock']
    const members = {
      ...made,
      digest: what.digest,
      hash: what.digest,
      content,
      token: null,
      alone: true,
      strength: 'light',
      secret: plainPassword(new Uint8Array(32)),
      sealed: { ...approval, password: approval.password.replace(/^../, '00') },
      page: JSON.parse(approval.statement).page,
      keepMinutes: 15,
    }
    // Every guess of a taken-over host; five wrong passwords are free, then it has to wait.
    const guesses = [new Uint8Array(0), new TextEncoder().encode('password'), approval.password]
    const send = wire.call as (name: string, params: unknown) => Promise<unknown>
    const outcomes: string[] = []
    for (const name of [...names, ...[...names].reverse()]) {
      for (const password of guesses) {
        const isGiven = ['verify', 'reencrypt', 'import', 'create'].includes(name)
        const guess = isGiven && password instanceof Uint8Array ? plainPassword(password) : password
        const newPassword = plainPassword(new Uint8Array(1))
        const params = { ...members, change: 'password', password: guess, newPassword, address }
        const result = await send(name, params).then(
          (answer) => JSON.stringify(Object.keys(Object(answer))),
          (error: HeadframeError) => error.code,
        )
        outcomes.push(`${name}: ${result}`)
      }
    }

    expect(outcomes.filter((text) => text.includes('signature'))).toEqual([])
    expect(outcomes).toContain('verify: KEYSTORE_TOO_MANY_TRIES')
    await wire.close()
  })
})
