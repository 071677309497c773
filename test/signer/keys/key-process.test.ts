// The key worker as the program runs it: in a separate process. What it can reach, and what happens to it and its
// callers when it is killed, orphaned, or compromised.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { HeadframeError } from '../../../src/base/errors'
import { createLogger, type LogRecord } from '../../../src/base/logger'
import { FakeClock } from '../../../src/base/testing/fake-clock'
import { type Clock, systemClock } from '../../../src/base/time'
import { createWireClient } from '../../../src/base/wire/client'
import { call } from '../../../src/base/wire/define'
import { ownEnvironment, type StartProcess, startOwnProcess } from '../../../src/host/system/own-process'
import { type Confinement, openKeyProcess } from '../../../src/host/workers/key-process'
import { loadAddon } from '../../../src/native/loader'
import { textData } from '../../../src/signer/data/sign-data'
import { dataToSign } from '../../../src/signer/keystore/content-digest'
import { KeyClient } from '../../../src/signer/keystore/key-client'
import { recoverAddress } from '../../../src/signer/keystore/secret-key'
import { textToSign } from '../../../src/signer/keystore/testing/contents'

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
    build: { ssr: from, outDir: folder, emptyOutDir: false, target: 'node16', rollupOptions: { output } },
    ssr: { noExternal: true },
  })
}

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function opened(name: string, start: StartProcess = startOwnProcess, clock: Clock = systemClock({ unref: true })) {
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
