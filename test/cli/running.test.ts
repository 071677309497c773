// Commands for a running program: status, logs, requests, doctor and stop, over the socket that only its owner may use.

import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { called } from '../../src/cli/testing/called'
import type { RequestView } from '../../src/contract/signer'
import { QUICK_START } from '../quick-start'
import {
  asOwner,
  call,
  DOOR,
  FREE_PORTS,
  IS_BUILT,
  NO_MINING,
  Program,
  temporaryFolder,
  waitingRequests,
} from './program'

interface Asking {
  readonly at?: string
  /** What the caller calls itself. */
  readonly agent?: string | undefined
  readonly signal?: AbortSignal
}

/** Gives a program a terminal. */
const HAS_SCRIPT = spawnSync('script', ['--version']).status === 0
const ESCAPES = '0x68690a1b5b324ae280ae6c6c6f'

describe.skipIf(!IS_BUILT || process.platform === 'win32')('a program without a window', () => {
  const folder = temporaryFolder()
  const running: { program: Program | null; signer: string; node: string } = { program: null, signer: '', node: '' }
  const words = (...args: readonly string[]): readonly string[] => [...args, '--datadir', folder.path]
  const practice = (): { readonly address: string; readonly password: string } => {
    const text = readFileSync(join(folder.path, 'practice-account.txt'), 'utf8')
    const of = (name: string): string => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(text)?.[1] ?? ''
    return { address: of('address'), password: of('password') }
  }
  const ask = async (method: string, params: unknown, more: Asking = {}): Promise<unknown> => {
    const { at = running.signer, agent = 'x', signal = null } = more
    const headers = { 'content-type': 'application/json', 'user-agent': agent }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    return (await fetch(`http://${at}`, { method: 'POST', headers, body, signal })).json()
  }
  /** A caller's requests, once there are as many. */
  const waiting = (is: (count: number) => boolean): ReturnType<typeof waitingRequests> =>
    waitingRequests(folder.path, is)
  const oneWaiting = async (): Promise<RequestView> => (await waiting((count) => count === 1))[0] as RequestView
  const denyAll = (): Promise<unknown> => asOwner(folder.path, (client) => client.call('signer.rejectAll', {}))
  const balance = (address: string): Promise<unknown> =>
    ask('eth_getBalance', [address, 'latest'], { at: running.node })
  const typing = async (
    input: string,
    args: readonly string[],
    how: typeof call | typeof called = called,
  ): Promise<{ readonly code: number | null; readonly text: string }> => {
    const { code, stdout, stderr } = await how(args, { input })
    return { code, text: `${stderr}${stdout}` }
  }

  beforeAll(async () => {
    const ready = join(folder.path, 'ready.json')
    running.program = new Program(words('--headless', ...FREE_PORTS, '--ready-file', ready, '--simulated-gpus', '1'))
    const { signer, http } = await running.program.ready(ready)
    running.signer = signer.http
    running.node = http
  }, 240_000)
  afterAll(async () => {
    await running.program?.stop()
    folder.remove()
  })

  it('says what it does on one screen, and as JSON', async () => {
    const [screen, json] = await Promise.all([call(words('status')), called(words('status', '--json'))])

    expect(screen.stdout).toMatch(/^Headframe \S+, practice network, running for /)
    expect(screen.stdout).toMatch(/^mining {4}solo, /m)
    expect(screen.stdout).toMatch(/^node {6}running, block \d+, .*\n {10}(?:in sync|no new block for too long)$/m)
    expect(screen.stdout).toMatch(/^signer {4}nothing waits$/m)
    const node = { state: expect.stringMatching(/^(?:synced|stalled)$/), isCurrent: true }
    expect(JSON.parse(json.stdout)).toMatchObject({ info: { network: 'practice' }, node, incidents: [] })
  })

  it('prints its log', async () => {
    expect((await call(words('logs'))).stdout).toMatch(/^\d{4}-\S+Z INFO {2}host ready network=practice/m)
  })

  it('signs what is approved with the password, and nothing without', async () => {
    const { address, password } = practice()
    const transaction = { from: address, to: address, value: '0x1', gas: '0x5208', gasPrice: '0x1', nonce: '0x0' }
    const answer = ask('account_signTransaction', [transaction])
    const { id } = await oneWaiting()

    const wrong = await typing('wrong\n', words('requests', 'approve', id))
    const right = await typing(`${password}\n`, words('requests', 'approve', id.slice(0, 8)), call)

    expect(wrong).toMatchObject({ code: 1, text: expect.stringMatching(/could not decrypt key.*still waits/) })
    expect(right).toMatchObject({
      code: 0,
      text: expect.stringMatching(/value {6}0\.0+1 LAX[\s\S]*effect {5}succeeded/),
    })
    expect(await answer).toMatchObject({ result: { tx: { value: '0x1', nonce: '0x0' } } })
  })

  it("shows no caller's words as commands of the terminal, and wants more than a password for what is unclear", async () => {
    const { address, password } = practice()
    const answer = ask('account_signData', ['text/plain', address, ESCAPES])
    const { id } = await oneWaiting()

    const { text } = await typing('', words('requests', 'show', id), call)
    const refused = await typing(`${password}\n`, words('requests', 'approve', id))
    const denied = await call(words('requests', 'deny', id))

    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must be missing
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
    expect(text).toContain('not text, shown as hex')
    expect(text).toContain(ESCAPES)
    expect(refused).toMatchObject({ code: 1, text: expect.stringContaining('nothing was signed') })
    expect(denied).toMatchObject({ code: 0, stdout: 'rejected\n' })
    expect(await answer).toMatchObject({ error: { message: 'request denied' } })
  })

  it('sends what is approved, waits for its block, and leaves nothing waiting that was not', async () => {
    const { address, password } = practice()
    const to = `0x${'ab'.repeat(20)}`
    const payment = (...more: readonly string[]): readonly string[] => words('send', address, to, '0.25LAX', ...more)

    const wrong = await typing('wrong\n', payment())
    const nobody = await typing('', payment())
    expect([wrong.code, nobody.code]).toEqual([1, 1])
    expect(wrong.text).toMatch(/not signed: could not decrypt key.*; the request is withdrawn\n$/)
    expect(nobody.text).toMatch(/not approved: nothing was signed, and the request is withdrawn\n$/)
    expect(JSON.parse((await called(words('requests', '--json'))).stdout)).toEqual([])
    expect(await balance(to)).toMatchObject({ result: '0x0' })

    const done = await typing(`${password}\n`, payment('--wait'), call)

    expect(done.text).toMatch(/value {6}0\.25 LAX \(250000000000000000 wei\)/)
    expect(done.text).toMatch(
      /approve\? {3}send 0\.25 LAX to 0x[0-9a-fA-F]{40}, with 0x[0-9a-fA-F]{40}, up to 0\.25\d* LAX in all/,
    )
    expect([done.code, done.text]).toEqual([
      0,
      expect.stringMatching(/done in block \d+, fee 0\.\d+ LAX: 0x[0-9a-f]{64}/),
    ])
    expect(await balance(to)).toMatchObject({ result: '0x3782dace9d90000' })
    const record = readFileSync(join(folder.path, 'audit.log'), 'utf8')
    expect(record).toContain('"by":"command"')
    expect(record).not.toContain('"by":"window"')
    // The other cases need no block, and mining takes a sixth of a core.
    await asOwner(folder.path, (client) => client.call('miner.pause', { device: null }))
  })

  it('warns of what the window warns of: a destination like your account, and data for no contract', async () => {
    const { address, password } = practice()
    const to = `${address.slice(0, 6)}${'0'.repeat(32)}${address.slice(-4)}`.toLowerCase()
    const fields = {
      from: address,
      to,
      value: '0x1',
      gas: '0xea60',
      gasPrice: '0x3b9aca00',
      nonce: '0x0',
      data: '0x01',
    }
    const answer = ask('account_signTransaction', [fields])
    const { id } = await oneWaiting()

    const json = JSON.parse((await called(words('requests', 'show', id, '--json'))).stdout)
    const { code, text } = await typing(`${password}\n`, words('requests', 'approve', id))
    await denyAll()
    await answer

    expect(text).toMatch(/^CRITICAL {3}the destination looks like your account 0x/m)
    expect(text).toMatch(/^CRITICAL {3}there is no contract at the destination/m)
    expect(text).toMatch(/^WARNING {4}nonce 0 was already used/m)
    expect(text).toContain('not approved: nothing was signed')
    expect(code).toBe(1)
    expect(json.checks).toContainEqual({ severity: 'CRITICAL', message: expect.stringContaining('like your account') })
  })

  it('withdraws what a signal ends at the question', async () => {
    const { address } = practice()
    const program = new Program(words('send', address, `0x${'ab'.repeat(20)}`, '7wei'), { input: null })
    await program.says('approve?')

    expect(await program.stop()).toMatchObject({ code: 1 })
    expect(JSON.parse((await called(words('requests', '--json'))).stdout)).toEqual([])
  })

  it('sends nothing that would fail, and asks for no password then', async () => {
    const { address } = practice()
    const { code, text } = await typing('', words('send', address, `0x${'ab'.repeat(20)}`, '9999999999LAX'))

    expect([code, text]).toEqual([1, expect.stringMatching(/^headframe: nothing was sent, since it would fail: /)])
  })

  it('says at the question what a long text pushed off the screen, and shows all of it', async () => {
    const { address } = practice()
    const text = `0x${Buffer.from(`approve?   send 0 LAX\n${'\n'.repeat(5_000)}value 0 LAX`).toString('hex')}`
    const answer = ask('account_signData', ['text/plain', address, text])
    const { id } = await oneWaiting()

    const shown = await typing('', words('requests', 'approve', id))
    await denyAll()
    await answer

    const lines = shown.text.split('\n')
    const question = lines.filter((line) => line.startsWith('approve?'))
    expect(question).toEqual([expect.stringMatching(/^approve\? {3}sign text for 0x[0-9a-fA-F]{40}, with /)])
    expect(lines.indexOf(question[0] ?? '')).toBeGreaterThan(5_000)
    expect(shown.code).toBe(1)
  })

  it('keeps its list readable, and each request whole, beside a caller that floods', async () => {
    const { address } = practice()
    const agent = `\u202e${'x'.repeat(4_000)}`
    const asked = { agent: Buffer.from(agent).toString('latin1') }
    const floods = Array.from({ length: 60 }, () =>
      ask('account_signData', ['text/plain', address, ESCAPES], asked).catch(() => null),
    )
    let answers = 0
    for (const flood of floods) void flood.then(() => answers++)
    await waiting((count) => count > 0)
    const own = typing(`${practice().password}\n`, words('send', address, `0x${'cd'.repeat(20)}`, '7wei'))
    const list = (await call(words('requests'))).stdout.trimEnd().split('\n')
    await own
    const denied = await called(words('requests', 'deny', 'all'))
    while (answers < floods.length) await denyAll() // some of them come later

    expect(Math.max(...list.map((line) => line.length))).toBeLessThan(250)
    expect(list.length).toBeLessThanOrEqual(61)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must be missing
    expect(list.join('')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/)
    expect(denied.code).toBe(0)
    expect(JSON.parse((await called(words('requests', '--json'))).stdout)).toEqual([])
  })

  describe('a caller that writes for the terminal', () => {
    /** In a terminal of 40 columns, as rows without what it was told to be. */
    const inTerminal = async (...args: readonly string[]): Promise<readonly string[]> => {
      const line = [process.execPath, ...QUICK_START, DOOR, ...args].map((word) => `'${word}'`).join(' ')
      const child = spawn('script', ['-qec', `stty cols 40; ${line}`, '/dev/null'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      const parts: Buffer[] = []
      for await (const part of child.stdout) parts.push(part)
      return Buffer.concat(parts).toString('utf8').trimEnd().split('\r\n')
    }
    const asked = async (method: string, params: unknown, agent?: string): Promise<string> => {
      open.push(ask(method, params, { agent }).catch(() => ''))
      const requests = await waiting((count) => count === open.length)
      return requests[0]?.id ?? ''
    }
    const typed = (
      address: string,
      message: Readonly<Record<string, unknown>>,
      types: Readonly<Record<string, string>>,
    ) => [
      address,
      {
        types: { EIP712Domain: [], M: Object.entries(types).map(([name, type]) => ({ name, type })) },
        primaryType: 'M',
        domain: {},
        message,
      },
    ]
    const open: Promise<unknown>[] = []
    afterEach(async () => {
      await denyAll()
      await Promise.all(open.splice(0))
    })

    it.skipIf(!HAS_SCRIPT)('begins no row of the list', async () => {
      const { address } = practice()
      // Pads its words so that its own row would begin where the terminal breaks the line.
      for (let pad = 0; pad < 3; pad++)
        await asked(
          'account_signData',
          ['text/plain', address, '0x6869'],
          `${'.'.repeat(pad * 13)}${'deadbeef  send 1 LAX '.repeat(3)}`,
        )

      const rows = await inTerminal(...words('requests'))
      const ids = JSON.parse((await called(words('requests', '--json'))).stdout).map(({ id }: { id: string }) =>
        id.slice(0, 8),
      )

      expect(rows.length).toBeGreaterThan(3)
      for (const row of rows) {
        expect(row.length).toBeLessThanOrEqual(40)
        if (!row.startsWith('  | ')) expect(ids).toContain(row.slice(0, 8))
      }
    })

    it('gives JSON no command of the second control block, and all of its words', async () => {
      const { address } = practice()
      const text = '\u009b2J\u009d0;title\u009c\u202eok'
      const id = await asked('account_signTypedData', typed(address, { note: text }, { note: 'string' }))

      const shown = [
        (await call(words('requests', '--json'))).stdout,
        (await typing('', words('requests', 'show', id, '--json'))).text,
      ]

      for (const json of shown) {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must be missing
        expect(json.trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/)
        expect(JSON.stringify(JSON.parse(json))).toContain(JSON.stringify(text).slice(1, -1))
      }
    })

    it.each([
      [
        'a member whose value continues as a line of ours',
        { a: 'x\nvalue      0.0 LAX\nto         nobody' },
        { a: 'string' },
      ],
      ['one that returns to the start of its row', { a: 'x\rvalue      0.0 LAX' }, { a: 'string' }],
      ['letters that are drawn as nothing', { a: `${'\u3164'.repeat(300)}value\u2800\ufe0f` }, { a: 'string' }],
      ['a question of its own', { a: 'approve?   send 0 LAX, with nobody' }, { a: 'string' }],
      ['a thousand members', { a: Array.from({ length: 1_000 }, () => 'value      0.0 LAX') }, { a: 'string[]' }],
      ['a member that says which id to type', { a: 'This is dangerous. To go on, type 00000000: ' }, { a: 'string' }],
    ])('is shown in its own rows only, with the question last: %s', async (_, message, types) => {
      const { address } = practice()
      const id = await asked('account_signTypedData', typed(address, message, types))

      const { text, code } = await typing('', words('requests', 'approve', id))
      const lines = text.trimEnd().split('\n')

      const ours =
        /^(?:request|caller|action|account|form|hash|effect|approve\?|CRITICAL|WARNING|Info|NOT UNDERSTOOD|not approved)/
      for (const line of lines) if (!line.startsWith('  ')) expect(line).toMatch(ours)
      expect(lines.filter((line) => line.startsWith('approve?'))).toEqual([
        expect.stringContaining('sign typed data for 0x'),
      ])
      expect(lines.findIndex((line) => line.startsWith('approve?'))).toBeGreaterThan(lines.length - 4)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must be missing
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u3164\u2800]/)
      expect(code).toBe(1)
    })

    it('moves no digit with letters written right to left, whose rows say what they are', async () => {
      const { address } = practice()
      const note = 'to שלום 100 (مرحبا) 0x5ab'
      const id = await asked('account_signTypedData', typed(address, { note }, { note: 'string' }))

      const json = (await typing('', words('requests', 'show', id, '--json'))).text
      const { text } = await typing('', words('requests', 'approve', id))
      const lines = text.trimEnd().split('\n')
      const at = lines.findIndex((line) => line.includes('שלום'))

      expect(json).not.toMatch(/[\u0590-\u08ff]/)
      expect(JSON.stringify(JSON.parse(json))).toContain(note)
      expect(lines.slice(at - 1, at + 4)).toEqual([
        expect.stringMatching(/^ +note \[string\]: to $/),
        '  | right to left: שלום',
        '  |  100 (',
        '  | right to left: مرحبا',
        '  | ) 0x5ab',
      ])
    })

    it('gets nothing for a request that it takes back before the password', async () => {
      const { address, password } = practice()
      const gone = new AbortController()
      const taken = ask('account_signData', ['text/plain', address, '0x6869'], { signal: gone.signal })
      const { id } = await oneWaiting()
      gone.abort()
      await expect(taken).rejects.toThrow('aborted')
      await waiting((count) => count === 0)
      const other = await asked('account_signData', ['text/plain', address, '0x6869'])

      const { text } = await typing(`${password}\n`, words('requests', 'approve', id))

      expect(text).not.toMatch(/^(?:approved|signed)$/m)
      expect(
        JSON.parse((await called(words('requests', '--json'))).stdout).map((each: { id: string }) => each.id),
      ).toContain(other)
    })
  })

  it('refuses a decision about another content than was shown', async () => {
    const { address, password } = practice()
    const answer = ask('account_signData', ['text/plain', address, '0x6869'])
    const request = await oneWaiting()
    const { id, nonce } = request
    const secret = Buffer.from(password).toString('base64')
    const decision = {
      id,
      nonce,
      contentHash: '00'.repeat(32),
      decision: 'approve' as const,
      password: secret,
      accounts: null,
    }

    await expect(asOwner(folder.path, (client) => client.call('signer.decide', decision))).rejects.toThrow()
    expect((await oneWaiting()).id).toBe(id)
    await denyAll()
    expect(await answer).toMatchObject({ error: { message: 'request denied' } })
  })

  it('knows no request by digits that none begins with', async () => {
    expect(await called(words('requests', 'approve', 'zz'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the id of a waiting request'),
    })
  })

  it('is checked by the doctor, and ends when it is told to', async () => {
    const checks = JSON.parse((await called(words('doctor', '--json'))).stdout)
    expect(checks.find(({ name }: { name: string }) => name === 'program')).toMatchObject({ state: 'ok' })

    const { code, stdout } = await call(words('stop'))

    expect([code, stdout]).toEqual([0, 'stopped\n'])
    expect(await running.program?.ended).toMatchObject({ code: 0 })
    expect(await called(words('status'))).toMatchObject({ code: 1, stderr: expect.stringContaining('not running') })
  })
})

describe.skipIf(!IS_BUILT)('a program whose node has failed', () => {
  const folder = temporaryFolder()
  afterAll(() => folder.remove())

  it('has a problem on its screen, and an exit code that says so', async () => {
    const ready = join(folder.path, 'ready.json')
    mkdirSync(join(folder.path, 'practice'))
    writeFileSync(join(folder.path, 'practice', 'chain'), 'no folder')
    const words = ['--practice', '--datadir', folder.path]
    const program = new Program(['run', '--headless', ...words, ...NO_MINING, '--ready-file', ready])
    await program.says('ready network=')

    const { api } = JSON.parse(readFileSync(ready, 'utf8')) as { readonly api: string }
    const metrics = await (await fetch(`http://${api}/metrics`)).text()
    const { code, stdout } = await call(['status', ...words])
    await program.stop()

    expect(metrics).toContain('host_service_failed{service="node"} 1\n')
    expect(metrics).toContain('host_service_failed{service="signer"} 0\n')
    expect(metrics).not.toMatch(/^node_head_/m)

    expect(stdout).toMatch(/^problems {2}node failed: \S/m)
    expect(stdout).not.toMatch(/^problems {2}none$/m)
    expect(code).toBe(1)
  })
})

describe.skipIf(!IS_BUILT || process.platform === 'win32')('a container', () => {
  const file = readFileSync(join(import.meta.dirname, '../../resources/server/Dockerfile'), 'utf8')
  const folder = temporaryFolder()
  afterAll(() => folder.remove())

  it('is healthy while its program runs, also without a dashboard, and only then', async () => {
    const [, check = ''] = /^HEALTHCHECK .* CMD headframe (.*) >\/dev\/null$/m.exec(file) ?? []
    expect(file).toMatch(/^ENV HEADFRAME_DATADIR=\/data$/m)
    const environment = { HEADFRAME_DATADIR: folder.path }
    const health = async () => (await call(check.split(' '), { environment })).code
    expect(await health()).toBe(1)

    const program = new Program(['node', '--practice', '--port', '0', '--http=false'], { environment })
    await program.says('ready network=')
    expect(await health()).toBe(0)
    await program.stop()

    expect(await health()).toBe(1)
  })
})
