// Updates over real HTTP, from a host that lies, stalls, cuts off and replays; and a package taking the program's place.
import { spawn, spawnSync } from 'node:child_process'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { silentLogger } from '../../src/base/logger'
import { FakeClock } from '../../src/base/testing/fake-clock'
import { systemClock } from '../../src/base/time'
import { ownPackage } from '../../src/host/update/own-package'
import { placeWaiting } from '../../src/host/update/place-update'
import { othersIn } from '../../src/host/update/processes-in'
import { Updates, type UpdatesOptions } from '../../src/host/update/updates'
import { pathExchange } from '../../src/native/system-calls'

interface SecretKey {
  readonly id: Buffer
  readonly seed: Buffer
  readonly publicKey: Buffer
}
const tools = async (name: string): Promise<object> => ({
  ...(await import(pathToFileURL(`tools/release/${name}.mjs`).href)),
})
const signer = z
  .object({
    publicKeyLine: z.custom<(key: SecretKey) => string>(),
    signatureText: z.custom<(bytes: Buffer, options: { key: SecretKey; comment: string }) => string>(),
  })
  .parse(await tools('minisign'))
const maker = z
  .object({
    updateNotice: z.custom<(release: object) => string>(),
    updateComment: z.custom<(seconds: number) => string>(),
  })
  .parse(await tools('update-notice'))

const NAME = `headframe-server-0.2.0-linux-${process.arch}.tar.gz`
const RUNNING = '0.1.0'
const LATER = 1_790_000_000
const signal = new AbortController().signal
const isLinux = process.platform === 'linux'

function newKey(): SecretKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const [d, x] = [privateKey, publicKey].map((key) => key.export({ format: 'jwk' }))
  const bytes = (text: string | undefined): Buffer => Buffer.from(text ?? '', 'base64url')
  return { id: Buffer.from('RELEASE1'), seed: bytes(d?.d), publicKey: bytes(x?.x) }
}
const right = newKey()
const wrong = newKey() // with the id of the right one

let base = ''
let server: Server
let url = ''
/** What the host answers; missing = 404. */
let answers: Record<string, Buffer | ((answer: ServerResponse) => void)> = {}
let asked: string[] = []
const program = (): string => join(base, 'opt/headframe')
const isOf = (version: string): boolean => readFileSync(join(program(), 'version'), 'utf8') === version

beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), 'update-'))
  answers = {}
  asked = []
  mkdirSync(join(base, 'data'))
  makeProgram(program(), RUNNING)
  writeFileSync(join(base, 'release.pub'), signer.publicKeyLine(right))
  server = createServer((request, answer) => {
    const name = decodeURIComponent((request.url ?? '').slice(1))
    asked.push(name)
    const found = answers[name]
    if (found === undefined) answer.writeHead(404).end()
    else if (Buffer.isBuffer(found)) answer.writeHead(200, { 'content-length': found.length }).end(found)
    else found(answer)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = z.object({ port: z.number() }).parse(server.address())
  url = `http://127.0.0.1:${address.port}/update.json`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
  rmSync(base, { recursive: true, force: true })
})

function makeProgram(folder: string, version: string, kind = 'server-archive'): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package-kind'), `${kind}\n`)
  writeFileSync(join(folder, 'version'), version)
}

/** A release as the tool makes it: package, sums, notice, signatures. */
function release(version = '0.2.0', { key = right, seconds = LATER, kind = 'server-archive' } = {}): void {
  const made = join(base, 'made')
  rmSync(made, { recursive: true, force: true })
  makeProgram(join(made, 'headframe-server'), version, kind)
  expect(spawnSync('tar', ['-czf', join(made, NAME), '-C', made, 'headframe-server']).status).toBe(0)
  const tarball = readFileSync(join(made, NAME))
  const sums = Buffer.from(`${createHash('sha256').update(tarball).digest('hex')}  ${NAME}\n`)
  const changelog = `# Changelog\n\n## ${version}\n\n### Fixed\n- One thing,\n  on two lines.\n- Another.\n`
  const notice = Buffer.from(maker.updateNotice({ version, folder: made, names: [NAME], changelog }))
  const sign = (bytes: Buffer, comment: string): Buffer => Buffer.from(signer.signatureText(bytes, { key, comment }))
  answers = {
    [NAME]: tarball,
    SHA256SUMS: sums,
    'SHA256SUMS.minisig': sign(sums, `headframe ${version} ${seconds}`),
    'update.json': notice,
    'update.json.minisig': sign(notice, maker.updateComment(seconds)),
  }
}

function updates(options: Partial<UpdatesOptions> = {}, clock = systemClock()): Updates {
  const own = ownPackage(program())
  const keyFile = join(base, 'release.pub')
  const given = { check: 'manual' as const, url, keyFile, running: RUNNING, own, dataDir: join(base, 'data') }
  return new Updates({ ...given, ...options }, { clock, log: silentLogger })
}

async function lookAndFetch(made = updates()): Promise<string> {
  const notice = await made.look(signal)
  if (notice === null) return 'nothing newer'
  return (await made.fetch(notice, signal)).version
}

function expectNothingKept(): void {
  expect(readdirSync(join(base, 'opt'))).toEqual(['headframe'])
  expect(readdirSync(join(base, 'data')).filter((name) => name !== 'update.json')).toEqual([])
}

describe.skipIf(!isLinux)('an update', () => {
  it('is found, fetched and checked, and says what changed', async () => {
    release()
    const made = updates()

    const notice = await made.look(signal)

    expect(notice).toMatchObject({ version: '0.2.0', changes: ['One thing, on two lines.', 'Another.'] })
    expect(await lookAndFetch(made)).toBe('0.2.0')
    expect(made.waiting).toMatchObject({ version: '0.2.0', file: NAME, older: false })
    expect(made.failure).toBe('')
  })

  it('is not asked for where that is switched off, or no address is known', async () => {
    release()
    await expect(updates({ check: 'never' }).look(signal)).rejects.toMatchObject({ code: 'HOST_UPDATE_OFF' })
    await expect(updates({ url: null }).look(signal)).rejects.toMatchObject({ code: 'HOST_UPDATE_NO_ADDRESS' })
    for (const check of ['never', 'manual'] as const) {
      const made = updates({ check })
      await made.start()
      await made.stop()
    }
    expect(asked).toEqual([])
  })

  it('is looked for once a day where that was asked for, whatever the clock does', async () => {
    release()
    const clock = new FakeClock()
    const made = updates({ check: 'daily' }, clock)
    const looks = () => asked.filter((name) => name === 'update.json').length

    await made.start()
    await expect.poll(() => made.found?.version, { timeout: 240_000 }).toBe('0.2.0')
    clock.advance(23 * 3_600_000)
    expect(looks()).toBe(1)
    clock.advance(2 * 3_600_000)
    await expect.poll(looks, { timeout: 240_000 }).toBe(2)
    await made.stop()
  })

  it('of the same or an older version is none', async () => {
    for (const version of ['0.1.0', '0.0.9']) {
      release(version, { seconds: LATER + 1 })
      expect(await lookAndFetch()).toBe('nothing newer')
    }
    expectNothingKept()
  })

  it('replayed by a host that holds back newer ones is refused, also after a new start', async () => {
    release('0.3.0', { seconds: LATER + 100 })
    await updates().look(signal)
    release('0.2.0')
    await expect(updates().look(signal)).rejects.toMatchObject({ code: 'HOST_UPDATE_REPLAYED' })
  })

  const notFound = (answer: ServerResponse): void => void answer.writeHead(500).end()
  const half = (whole: Buffer) => (answer: ServerResponse) => {
    answer.writeHead(200, { 'content-length': whole.length })
    answer.write(whole.subarray(0, whole.length / 2), () => answer.destroy())
  }
  const endless = (answer: ServerResponse): void => {
    answer.writeHead(200)
    const more = (): void => void answer.write(Buffer.alloc(65_536), (error) => error ?? setImmediate(more))
    more()
  }
  const part = (name: string): Buffer => answers[name] as Buffer
  it.each<[string, () => void, string | RegExp]>([
    ['has no description', () => delete answers['update.json'], 'it answered 404'],
    ['has no signature', () => delete answers['update.json.minisig'], 'it answered 404'],
    ['fails', () => (answers['update.json'] = notFound), 'it answered 500'],
    ['is signed by another key of the same id', () => release('0.2.0', { key: wrong }), /changed after key/],
    ['was changed', () => (answers['update.json'] = Buffer.from(`${part('update.json')} `)), /changed after key/],
    [
      'describes itself by another signed file',
      () => {
        answers['update.json'] = part('SHA256SUMS')
        answers['update.json.minisig'] = part('SHA256SUMS.minisig')
      },
      'another file was signed',
    ],
    ['is cut off in its description', () => (answers['update.json'] = half(part('update.json'))), 'cut off'],
    ['has an endless description', () => (answers['update.json'] = endless), 'more than the 65536 bytes'],
    ['has an endless signature', () => (answers['update.json.minisig'] = endless), 'more than the 1024 bytes'],
    ['is cut off in its package', () => (answers[NAME] = half(part(NAME))), 'cut off'],
    ['has an endless package', () => (answers[NAME] = endless), 'bytes that were announced'],
    [
      'has another package of the same length',
      () => (answers[NAME] = Buffer.alloc(part(NAME).length, 7)),
      'not the file that was released',
    ],
    ['has a shorter package', () => (answers[NAME] = part(NAME).subarray(1)), 'not the file that was released'],
    ['has no sums', () => delete answers.SHA256SUMS, 'it answered 404'],
    [
      'redirects for ever',
      () => (answers['update.json'] = (answer) => void answer.writeHead(302, { location: '/update.json' }).end()),
      'redirected more than 3 times',
    ],
    [
      'redirects into a file',
      () => (answers['update.json'] = (answer) => void answer.writeHead(302, { location: 'file:///etc/passwd' }).end()),
      'not encrypted',
    ],
  ])('from a host that %s is refused, and nothing is left of it', async (_what, spoil, reason) => {
    release()
    spoil()
    await expect(lookAndFetch()).rejects.toThrow(reason)
    expectNothingKept()
  })

  it('of another version than was announced is refused', async () => {
    release('0.2.5')
    const package25 = { ...answers }
    release('0.3.0')
    for (const name of [NAME, 'SHA256SUMS', 'SHA256SUMS.minisig']) answers[name] = package25[name] as Buffer
    const notice = JSON.parse((answers['update.json'] as Buffer).toString('utf8')) as { files: { bytes: number }[] }
    for (const file of notice.files) file.bytes = (answers[NAME] as Buffer).length
    const bytes = Buffer.from(JSON.stringify(notice))
    answers['update.json'] = bytes
    answers['update.json.minisig'] = Buffer.from(
      signer.signatureText(bytes, { key: right, comment: maker.updateComment(LATER) }),
    )
    await expect(lookAndFetch()).rejects.toMatchObject({ code: 'HOST_UPDATE_OTHER_VERSION' })
    expectNothingKept()
  })

  it('of a host that falls silent, or trickles, is given up', async () => {
    release()
    const clock = new FakeClock()
    let heard: () => void = () => undefined
    const reached = new Promise<void>((done) => (heard = done))
    answers['update.json'] = (answer) => {
      answer.writeHead(200)
      answer.write('{', () => heard())
    }
    const silent = updates({}, clock).look(signal)
    const refused = expect(silent).rejects.toThrow(/nothing for 30 s|not complete within/)
    await reached
    // Until it gave up: the answer's first byte may still be on its way to it when the clock is turned.
    const turn = setInterval(() => clock.advance(31_000), 20)
    await refused
    clearInterval(turn)
    expectNothingKept()
  })

  it('ends with the program', async () => {
    release()
    const end = new AbortController()
    answers['update.json'] = () => end.abort(new Error('the program ends'))
    await expect(updates().look(end.signal)).rejects.toThrow('the program ends')
  })
})

describe.skipIf(!isLinux)('a package on a stick', () => {
  const stick = (): string => join(base, 'stick')
  const file = (): string => join(stick(), NAME)
  beforeEach(() => {
    release()
    mkdirSync(stick())
    for (const name of [NAME, 'SHA256SUMS', 'SHA256SUMS.minisig'])
      writeFileSync(join(stick(), name), answers[name] as Buffer)
  })

  it('is taken without a network, also where that is switched off', async () => {
    expect(await updates({ check: 'never', url: null }).takeFrom(file(), false)).toMatchObject({ version: '0.2.0' })
    expect(asked).toEqual([])
  })

  it('that is not newer needs a word for it', async () => {
    const newer = updates({ running: '0.2.0' })
    await expect(newer.takeFrom(file(), false)).rejects.toMatchObject({ code: 'HOST_UPDATE_NOT_NEWER' })
    const newest = updates({ running: '0.3.0' })
    await expect(newest.takeFrom(file(), false)).rejects.toMatchObject({ code: 'HOST_RELEASE_OLD' })
    expectNothingKept()
    expect(await newest.takeFrom(file(), true)).toMatchObject({ version: '0.2.0', older: true })
  })

  it('that was changed, or has nothing beside it, is refused; what waited before still does', async () => {
    const made = updates()
    await made.takeFrom(file(), false)
    writeFileSync(file(), 'another one')
    await expect(made.takeFrom(file(), false)).rejects.toMatchObject({ code: 'HOST_RELEASE_CHANGED' })
    rmSync(join(stick(), 'SHA256SUMS'))
    await expect(made.takeFrom(file(), false)).rejects.toMatchObject({ code: 'HOST_RELEASE_FILE' })
    expect(made.waiting?.version).toBe('0.2.0')
    made.forget()
    expectNothingKept()
  })
})

const exchange = pathExchange(resolve('.'))
/** Not with an addon that was built before it could. */
const canExchange = isLinux && exchange('/nonexistent/a', '/nonexistent/b') === 'No such file or directory'

describe.skipIf(!canExchange)('an update that waits', () => {
  const said: string[] = []
  const place = (others: readonly number[] = [], running = RUNNING) =>
    placeWaiting(ownPackage(program()), {
      running,
      exchange,
      say: (line) => void said.push(line),
      others: () => others,
    })
  beforeEach(async () => {
    said.length = 0
    release()
    await lookAndFetch()
  })

  it('takes the place of the program, which is kept beside it', async () => {
    await place()

    expect(isOf('0.2.0')).toBe(true)
    expect(readFileSync(join(`${program()}.previous`, 'version'), 'utf8')).toBe(RUNNING)
    expect(readdirSync(join(base, 'opt')).sort()).toEqual(['headframe', 'headframe.previous'])
    expect(said).toEqual([expect.stringContaining('updated to 0.2.0')])
  })

  it('waits on while another process runs from there, a signer with requests for instance', async () => {
    await place([4711])

    expect(isOf(RUNNING)).toBe(true)
    expect(said).toEqual([expect.stringContaining('process 4711 still runs')])
    await place()
    expect(isOf('0.2.0')).toBe(true)
  })

  it('is finished where the step before was the last of a killed start', async () => {
    const waiting = `${program()}.update`
    mkdirSync(join(waiting, 'unpacked'))
    writeFileSync(join(waiting, 'unpacked/version'), RUNNING)
    writeFileSync(join(program(), 'version'), '0.2.0')

    await place([], '0.2.0')

    expect(isOf('0.2.0')).toBe(true)
    expect(readdirSync(join(base, 'opt')).sort()).toEqual(['headframe', 'headframe.previous'])
  })

  it('begins again where a start was killed while it unpacked', async () => {
    mkdirSync(join(`${program()}.update`, 'unpacked/torn'), { recursive: true })
    await place()
    expect(isOf('0.2.0')).toBe(true)
    expect(existsSync(join(program(), 'torn'))).toBe(false)
  })

  it.each<[string, () => void, string]>([
    [
      'was changed meanwhile',
      () => writeFileSync(join(`${program()}.update`, NAME), 'x'),
      'not the file that was released',
    ],
    ['others could write into', () => chmodSync(`${program()}.update`, 0o777), 'owner alone'],
    ['cannot be read', () => writeFileSync(join(`${program()}.update`, 'waiting.json'), '{'), '--forget'],
  ])('that %s is left, and the old program starts', async (_what, spoil, reason) => {
    spoil()
    await place()
    expect(isOf(RUNNING)).toBe(true)
    expect(said).toEqual([expect.stringContaining(reason)])
  })

  it('of another kind of package is left', async () => {
    release('0.2.0', { kind: 'desktop-archive' })
    await lookAndFetch()
    await place()
    expect(isOf(RUNNING)).toBe(true)
    expect(said).toEqual([expect.stringContaining('another kind')])
  })

  it('is of no interest to a program of an older version than was wanted', async () => {
    await place([], '0.3.0')
    expect(isOf(RUNNING)).toBe(true)
    expect(said).toEqual([expect.stringContaining('older than this program')])
  })
})

it.skipIf(!isLinux)(
  'processes that run from a folder are found, by their script too; this one is left out',
  async () => {
    const script = join(program(), 'wait.mjs')
    writeFileSync(script, "process.stdout.write('up'); setInterval(() => undefined, 1e6)")
    const child = spawn(process.execPath, ['wait.mjs', '/nothing'], {
      cwd: program(),
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const other = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'ignore'] })
    await Promise.all([child, other].map((each) => new Promise((up) => each.stdout.once('data', up))))

    expect(othersIn(program())).toContain(other.pid)
    expect(othersIn(program())).not.toContain(process.pid)
    expect(othersIn(join(base, 'elsewhere'))).toEqual([])
    for (const each of [child, other]) each.kill('SIGKILL')
  },
)
