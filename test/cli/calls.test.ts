// Commands that end immediately: what is printed where, and the exit code.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { called } from '../../src/cli/testing/called'
import { completionScript } from '../../src/config/help/completion'
import { newKey, signer } from '../host/release-key'
import { peerProgram } from '../peer-programs'
import { QUICK_START } from '../quick-start'
import { call, DOOR, IS_BUILT, temporaryFolder } from './program'

const folder = temporaryFolder()
afterAll(folder.remove)

function file(name: string, text: string): string {
  const path = join(folder.path, name)
  writeFileSync(path, text)
  return path
}

const clef = peerProgram('clef')
/** Its titles, in order. */
const titlesOf = (markdown: string): readonly string[] => markdown.split('\n').filter((line) => line.startsWith('### '))

/** A module that makes its process report at exit how many bytes of modules it loaded. */
const LOADED_BYTES = `process.on('exit', () => {
  const sizes = Object.keys(require.cache).map((name) => require('node:fs').statSync(name).size)
  process.stderr.write(String(sizes.reduce((sum, size) => sum + size, 0)))
})`

describe.skipIf(!IS_BUILT)('a command that only prints', () => {
  it.skipIf(clef === null)('describes the UI API in the same parts as clef', async () => {
    const theirs = spawnSync(clef ?? '', ['gendoc'], { encoding: 'utf8' }).stdout
    const { code, stdout, stderr } = await call(['signer', 'gendoc'])

    expect([code, stderr]).toEqual([0, ''])
    expect(titlesOf(stdout)).toEqual(titlesOf(theirs))
    expect(titlesOf(stdout)).toHaveLength(11)
  })

  it('shows the version on standard output', async () => {
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync('package.json', 'utf8')))

    expect(await call(['version'])).toEqual({ code: 0, stdout: `headframe ${version}\n`, stderr: '' })
  })

  it.each(['version', 'help', 'config', 'completion bash'])('loads a small part of the program for %s', (words) => {
    const loaded = file('loaded.cjs', LOADED_BYTES)
    const { status, stderr } = spawnSync(process.execPath, ['--require', loaded, DOOR, ...words.split(' ')], {
      encoding: 'utf8',
    })

    expect([status, Number(stderr) > 100_000, Number(stderr) < 800_000], stderr).toEqual([0, true, true])
  })

  it('prints all of it to a reader that is slower', async () => {
    const { stdout, code } = await new Promise<{ readonly stdout: string; readonly code: number | null }>((done) => {
      const child = spawn(process.execPath, [DOOR, 'completion', 'fish'], { stdio: ['ignore', 'pipe', 'inherit'] })
      const parts: Buffer[] = []
      child.once('close', (exit) => done({ stdout: Buffer.concat(parts).toString('utf8'), code: exit }))
      // Paused until the pipe is full: then the program waits, or has ended without the rest.
      child.stdout.once('readable', () => {
        setImmediate(() => child.stdout.on('data', (part: Buffer) => void parts.push(part)))
      })
    })

    expect([code, stdout]).toEqual([0, completionScript('fish')])
  })

  it('ends at a signal beside a reader that is stuck', async () => {
    const words = ['node', '--practice', '--port', '0', '--http=false', '--datadir', join(folder.path, 'stuck')]
    const stuck = spawn(process.execPath, [...QUICK_START, DOOR, ...words], { stdio: ['ignore', 'ignore', 'pipe'] })
    const ended = new Promise<number | null>((done) => void stuck.once('exit', done))
    await new Promise((seen) => stuck.stderr.once('readable', seen))
    stuck.kill('SIGTERM')

    expect(await ended).toBe(0)
  })

  it.each([
    [['--help'], 'Usage: headframe [command] [options]'],
    [
      ['help', 'signer'],
      'Usage: headframe signer [init|attest SHA256 [LAX [SIGNATURES]]|setpw ADDRESS|delpw ADDRESS|newaccount|gendoc|restore|descriptors LIST [--key FILE] [--older]] [options]',
    ],
    [['node', '--help'], 'Usage: headframe node [options]'],
  ])('shows help for %j', async (args, head) => {
    const { code, stdout, stderr } = await called(args)

    expect([code, stdout.split('\n')[0], stderr]).toEqual([0, head, ''])
  })

  it('shows the effective settings with their sources, secrets masked', async () => {
    const config = file('good.toml', '[miner]\ncpu-threads = 2\n')
    const environment = { HEADFRAME_HTTP_PORT: '7', HEADFRAME_API_TOKEN: 'token-of-more-than-16' }

    const { code, stdout } = await call(['config', '--config', config, '--log.json', '--datadir', folder.path], {
      environment,
    })

    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`^miner\\.cpu-threads +2 +file ${config}:2$`, 'm'))
    expect(stdout).toMatch(/^node\.http-port +7 +environment HEADFRAME_HTTP_PORT$/m)
    expect(stdout).toMatch(/^app\.log-json +true +command line --log\.json$/m)
    expect(stdout).toMatch(/^api\.token +\*\*\* +environment HEADFRAME_API_TOKEN$/m)
  })

  it('shows the devices as JSON', async () => {
    const { code, stdout } = await call(['devices', '--json', '--datadir', folder.path])

    expect(code).toBe(0)
    const devices = z.array(z.object({ backend: z.string(), select: z.string(), selected: z.boolean() }))
    expect(devices.parse(JSON.parse(stdout))).toContainEqual({ backend: 'cpu', select: 'cpu', selected: true })
  })

  it('says why there are no GPUs', async () => {
    const words = ['devices', '--datadir', folder.path]
    const [blind, simulated] = [
      await call(words, { environment: { HEADFRAME_NO_ADDON: '1' } }),
      await call([...words, '--simulated-gpus', '1', '--practice']),
    ]

    for (const backend of ['cuda', 'opencl'])
      expect(blind.stderr).toContain(`headframe: note: no ${backend} devices: the native addon is not loaded`)
    expect(simulated.stderr).not.toContain('note: no ')
  })

  it('shows the same devices as a table with miner --list-devices, where the CPU may be omitted', async () => {
    const words = ['miner', '--list-devices', '--simulated-gpus', '1', '--practice', '--devices=all,-cpu']
    const { code, stdout } = await called([...words, '--datadir', folder.path])

    expect(code).toBe(0)
    const [head, ...rows] = stdout.trim().split('\n')
    expect(head).toMatch(/^# +KIND +--devices +NAME +MEMORY +EPOCH 0 +EPOCH 1 +MINES/)
    expect(rows.find((row) => /^\d+ +cpu +cpu /.test(row))).toMatch(/ fits +fits +no /)
    expect(rows.find((row) => row.includes('f000:01:00.0'))).toMatch(/Simulated GPU .* fits +fits +yes /)
  })
})

describe.skipIf(!IS_BUILT)('wrong usage', () => {
  it('exits with 2 and one line', async () => {
    const outcome = await call(['nod', '--datadir', folder.path])

    expect(outcome).toEqual({
      code: 2,
      stdout: '',
      stderr: 'headframe: unknown command nod; did you mean node?\n',
    })
  })

  it('names file, line and column of a broken config file', async () => {
    const config = file('broken.toml', '[node]\nhttp-port = = 1\n')

    const { code, stderr } = await called(['run', '--config', config, '--datadir', folder.path])

    expect(code).toBe(2)
    expect(stderr).toMatch(new RegExp(`^headframe: ${config}:2:\\d+: not TOML: .+\n$`))
  })

  it('names file, line and key of a config value of the wrong type', async () => {
    const config = file('typed.toml', '[node]\nhttp-port = "many"\n')

    const { code, stderr } = await called(['run', '--config', config, '--datadir', folder.path])

    expect([code, stderr]).toEqual([2, `headframe: ${config}:2: node.http-port: "many" is not in 0..65535\n`])
  })

  it("names a config file that isn't there", async () => {
    const missing = join(folder.path, 'missing.toml')

    const { code, stderr } = await called(['config', '--config', missing])

    expect([code, stderr]).toEqual([2, `headframe: --config: ${missing} does not exist\n`])
  })

  it('reports it as an object with --log.json', async () => {
    const { code, stderr } = await call(['--cpu-threads', '0', '--log.json'])

    expect(code).toBe(2)
    expect(JSON.parse(stderr)).toEqual({
      level: 'error',
      module: 'cli',
      message: '--cpu-threads: 0 is not in 1..256',
      fields: { code: 'CONFIG_VALUE_INVALID' },
    })
  })
})

describe.skipIf(!IS_BUILT)('account', () => {
  const datadir = join(folder.path, 'accounts')
  const common = ['--datadir', datadir, '--signer.lightkdf']

  it("creates an account with a password from a file, lists it, and reports a file that isn't a key", async () => {
    const password = file('password.txt', 'a long enough password\nsecond line\n')

    const made = await call(['account', 'new', '--password', password, ...common])
    writeFileSync(join(datadir, 'keystore', 'UTC--broken'), '{"address":')
    const listed = await call(['account', 'list', ...common])

    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(made.stdout).toMatch(/^0x[0-9a-fA-F]{40}\n$/)
    expect(listed.code).toBe(0)
    expect(listed.stdout).toMatch(new RegExp(`^${made.stdout.trim()}  UTC--\\S+\n$`))
    expect(listed.stderr).toBe('headframe: note: UTC--broken: key file is not valid: not JSON\n')
  })

  it('rejects a password that is too short with 1', async () => {
    const password = file('short.txt', 'short\n')

    const { code, stdout, stderr } = await call(['account', 'new', '--password', password, ...common])

    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^headframe: password requirements not met: .+\n$/)
  })

  it('backs an account up, verifies the copy, removes the account and restores it from the copy', async () => {
    const own = ['--datadir', join(folder.path, 'backed-up'), '--signer.lightkdf']
    const password = ['--password', file('backup-password.txt', 'a long enough password\n')]
    const wrong = ['--password', file('wrong-password.txt', 'another long password\n')]
    const both = ['--password', file('both-passwords.txt', 'a long enough password\na long enough password\n')]
    const copy = join(folder.path, 'copy.json')
    const address = (await called(['account', 'new', ...password, ...own])).stdout.trim()

    const refused = await called(['account', 'backup', address, copy, ...wrong, ...own])
    expect([refused.code, refused.stderr]).toEqual([1, 'headframe: could not decrypt key with given password\n'])
    expect(existsSync(copy)).toBe(false)
    const backedUp = await called(['account', 'backup', address, copy, ...password, ...own])
    expect(backedUp).toMatchObject({ code: 0, stdout: `${address} is in ${copy}; the copy opens with this password\n` })
    const anchor = /note: audit anchor (\d+:[0-9a-f]{64})\n/.exec(backedUp.stderr)?.[1] ?? ''
    expect((await called(['audit', 'verify', '--anchor', anchor, ...own])).code).toBe(0)
    expect((await called(['account', 'backup', address, copy, ...password, ...own])).stderr).toContain(
      'cannot be written: there is a file of this name',
    )
    expect((await called(['account', 'export', address, ...password, ...own])).stdout.trimEnd()).toBe(
      readFileSync(copy, 'utf8').trimEnd(),
    )

    expect(await called(['account', 'verify', address, ...password, ...own])).toMatchObject({ code: 0 })
    expect(await called(['account', 'verify', address, copy, ...password, ...own])).toMatchObject({ code: 0 })
    expect(await called(['account', 'verify', address, copy, ...wrong, ...own])).toMatchObject({ code: 1 })

    const forgotten = await called(['account', 'forget', address, ...own])
    expect(forgotten.stdout).toMatch(/was removed from the keystore; its file was moved to forgotten\/UTC--/)
    const empty = await called(['account', 'list', ...own])
    expect([empty.stdout, empty.stderr]).toEqual([
      '',
      expect.stringMatching(/^headframe: note: no accounts in \S+keystore; /),
    ])
    expect((await called(['account', 'list', '--json', ...own])).stdout).toBe('[]\n')
    const restored = await called(['account', 'import', copy, ...both, ...own])
    expect(restored).toMatchObject({ code: 0, stdout: `${address}\n` })
    const audited = await called(['audit', 'verify', '--json', ...own])
    expect(JSON.parse(audited.stdout)).toMatchObject({ ok: true, records: expect.any(Number), sealed: null })
  })

  it('imports the account of a seed phrase, the first one or that of a path', async () => {
    const own = ['--datadir', join(folder.path, 'phrase'), '--signer.lightkdf']
    const password = ['--password', file('phrase-password.txt', 'a long enough password\n')]
    const phrase = file('phrase.txt', `${'test '.repeat(11)}\njunk\n`)

    const first = await called(['account', 'import', phrase, ...password, ...own])
    const second = await called(['account', 'import', phrase, "m/44'/60'/0'/0/1", ...password, ...own])
    const wrong = await called(['account', 'import', phrase, 'm/x', ...password, ...own])

    expect(first.stdout).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266\n')
    expect(second.stdout).toBe('0x70997970C51812dc3A010C7d01b50e0d17dc79C8\n')
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      "headframe: seed phrase cannot be used: path m/x is not like m/44'/60'/0'/0/0\n",
    ])
  })

  it("fails with 1 on a keystore that isn't a folder", async () => {
    mkdirSync(datadir, { recursive: true })
    const notAFolder = file('keystore-file', '')

    const { code, stderr } = await called(['account', 'list', '--datadir', datadir, '--signer.keystore', notAFolder])

    expect(code).toBe(1)
    expect(stderr).toMatch(new RegExp(`^headframe: keystore ${notAFolder} cannot be used: .+\n$`))
  })
})

describe.skipIf(!IS_BUILT)('keystore and vault from the command line', () => {
  const datadir = join(folder.path, 'vault')
  const common = ['--datadir', datadir, '--signer.lightkdf']
  const audit = ['--signer.auditlog', join(datadir, 'audit.log')]
  const ADDRESS = '0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F'

  it('imports a key, changes its password, and leaves a valid audit log', async () => {
    const key = file('key.hex', `${'46'.repeat(32)}\n`)
    const first = file('first.txt', 'the first password\n')
    const both = file('both.txt', 'the first password\nthe second password\n')

    const made = await call(['account', 'import', key, '--password', first, ...common, ...audit])
    const again = await called(['account', 'import', key, '--password', first, ...common, ...audit])
    const changed = await called(['account', 'update', ADDRESS, '--password', both, ...common, ...audit])
    const wrong = await called(['account', 'update', ADDRESS, '--password', both, ...common, ...audit])
    const verified = await called(['audit', 'verify', join(datadir, 'audit.log')])

    expect(made).toEqual({ code: 0, stdout: `${ADDRESS}\n`, stderr: '' })
    expect([again.code, again.stderr]).toEqual([1, `headframe: account already exists: ${ADDRESS.toLowerCase()}\n`])
    expect([changed.code, changed.stdout]).toEqual([0, `${ADDRESS}\n`])
    expect([wrong.code, wrong.stderr]).toEqual([1, 'headframe: could not decrypt key with given password\n'])
    expect(verified.code).toBe(0)
    expect(verified.stdout).toContain('2 records, all in order')
  })

  it('creates a master seed, stores and removes a password, and attests a script', async () => {
    const secrets = file('secrets.txt', 'the master password\nthe second password\n')
    const wrong = file('wrong.txt', 'the master password\nanother password\n')
    const rules = file('rules.js', 'function ApproveTx() {}\n')
    const run = (...words: readonly string[]) => called([...words, '--password', secrets, ...common, ...audit])

    const outcomes = [
      await run('signer', 'setpw', ADDRESS),
      await run('signer', 'init'),
      await run('signer', 'init'),
      await run('signer', 'setpw', ADDRESS),
      await run('signer', 'delpw', ADDRESS),
      await run('rules', 'attest', rules),
      await run('signer', 'attest', 'ab'.repeat(32)),
      await called(['signer', 'setpw', ADDRESS, '--password', wrong, ...common, ...audit]),
      await run('signer', 'setpw', `0x${'11'.repeat(20)}`),
    ]

    expect(outcomes.map(({ code }) => code)).toEqual([1, 0, 1, 0, 0, 0, 0, 1, 1])
    expect(outcomes[7]?.stderr).toBe('headframe: could not decrypt key with given password\n')
    expect(outcomes[8]?.stderr).toContain('there is no account 0x1111')
    expect(outcomes[0]?.stderr).toContain('no master seed in')
    expect(outcomes[2]?.stderr).toContain('it is never overwritten')
    expect(outcomes[5]?.stdout).toMatch(/^[0-9a-f]{64}\n$/)
  })

  it('accepts a list of descriptors signed by a trusted key, and no other', async () => {
    const [right, other] = [newKey('TRUSTED1'), newKey('STRANGER')]
    const text = '{"version":3,"descriptors":{}}'
    const list = file('list.json', text)
    file('list.json.minisig', signer.signatureText(Buffer.from(text), { key: right, comment: 'a list' }))
    const take = (key: typeof right) =>
      called(['signer', 'descriptors', list, '--key', file('key.pub', signer.publicKeyLine(key)), ...common])

    const refused = await take(other)
    const taken = await take(right)

    expect([refused.code, refused.stdout]).toEqual([1, ''])
    expect(refused.stderr).toContain('is not signed correctly')
    expect([taken.code, taken.stderr]).toEqual([0, ''])
    expect(taken.stdout).toContain('signed-list.json: version 3, 0 descriptors, signed by key')
  })

  it('reads passwords from a pipe, one per line, and says what it did', () => {
    const place = ['--datadir', join(folder.path, 'piped'), '--signer.lightkdf', '--signer.auditlog', '']
    const piped = (input: string, ...words: readonly string[]) =>
      spawnSync(process.execPath, [...QUICK_START, DOOR, ...words, ...place], { input, encoding: 'utf8' })
    const key = file('key.hex', `${'46'.repeat(32)}\n`)

    const made = piped('the first password\nthe first password\n', 'account', 'import', key)
    const master = piped('the master password\nthe master password\n', 'signer', 'init')
    const stored = piped('the master password\nthe first password\nthe first password\n', 'signer', 'setpw', ADDRESS)
    const short = piped('the master password\n', 'signer', 'setpw', ADDRESS)
    const removed = piped('the master password\n', 'signer', 'delpw', ADDRESS)

    expect([made.status, made.stdout]).toEqual([0, `${ADDRESS}\n`])
    expect(master.status).toBe(0)
    expect([stored.status, stored.stdout]).toEqual([0, `stored the password of ${ADDRESS}\n`])
    expect([short.status, short.stderr]).toEqual([2, expect.stringContaining('no terminal to ask for the password')])
    expect([removed.status, removed.stdout]).toEqual([0, `removed the password of ${ADDRESS}\n`])
  })

  it.skipIf(spawnSync('script', ['--version']).status !== 0)(
    'takes no password that was typed before it asked',
    async () => {
      const place = ['--datadir', join(folder.path, 'early'), '--signer.lightkdf', '--signer.auditlog', '']
      const key = file('early.hex', `${'46'.repeat(32)}\n`)
      const mark = join(folder.path, 'begin')
      const words = [process.execPath, ...QUICK_START, DOOR, 'account', 'import', key, ...place].map(
        (word) => `'${word}'`,
      )
      const begun = `until [ -e '${mark}' ]; do sleep 0.02; done; exec ${words.join(' ')}`
      const terminal = spawn('script', ['-qec', begun, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] })
      let said = ''
      let answered = 0
      terminal.stdout.on('data', (part: Buffer) => {
        said += part.toString('utf8')
        // The terminal's echo: it has them.
        if (/too early\r?\n.*too early\r?\n/s.test(said)) writeFileSync(mark, '')
        const asked = said.match(/(?:password|repeat it)[^\n]*: /gi)?.length ?? 0
        for (; answered < asked; answered += 1) terminal.stdin.write('in good time\n')
      })
      const ended = once(terminal, 'close')
      terminal.stdin.write('too early\ntoo early\n')
      await ended

      const verified = (password: string) =>
        called(['account', 'verify', ADDRESS, '--password', file('early-password', `${password}\n`), ...place])
      expect((await verified('in good time')).code, said).toBe(0)
      expect((await verified('too early')).code).not.toBe(0)
    },
  )

  it('imports policies from a file, shows them, and reports what they would have done', async () => {
    const secrets = file('secrets.txt', 'the master password\n')
    const policy = { kind: 'listing', id: 'a', name: 'mine', enabled: true, expiresAt: null, callers: null }
    const policies = file('policies.json', JSON.stringify([{ ...policy, accounts: [ADDRESS] }]))
    const run = (...words: readonly string[]) => called([...words, '--password', secrets, ...common, ...audit])

    const saved = await run('rules', 'policies', policies)
    const shown = await run('rules', 'policies')
    const tried = await run('rules', 'dryrun', policies)
    const refused = await run('rules', 'policies', file('bad.json', '[{"kind":"all"}]'))

    expect([saved.code, tried.code, tried.stdout]).toEqual([0, 0, ''])
    expect(JSON.parse(shown.stdout)).toMatchObject([{ name: 'mine', accounts: [ADDRESS.toLowerCase()] }])
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('policies are not valid: 0.kind')])
  })

  it('names the first bad record of an audit log and exits with 1', async () => {
    const log = join(datadir, 'audit.log')
    writeFileSync(log, readFileSync(log, 'utf8').replace('"imported"', '"exported"'))

    const { code, stdout, stderr } = await call(['audit', 'verify', log])

    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toBe(`headframe: ${log}: record 0 is bad: its content does not match its hash\n`)
    const asJson = await called(['audit', 'verify', log, '--json'])
    expect([asJson.code, JSON.parse(asJson.stdout)]).toEqual([
      1,
      { ok: false, file: log, record: 0, reason: 'its content does not match its hash' },
    ])
  })

  it.each([
    ['none.log', 'no such file or folder'],
    ['.', 'it is a folder'],
  ])("explains why the audit log %s can't be read", async (name, reason) => {
    const log = join(datadir, name)

    expect(await called(['audit', 'verify', log])).toEqual({
      code: 1,
      stdout: '',
      stderr: `headframe: ${log}: ${reason}\n`,
    })
  })
})
