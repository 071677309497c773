// A program that keeps running: where it listens, what keeps it from starting, and how it stops.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { called } from '../../src/cli/testing/called'
import { call, DOOR, FREE_PORTS, IS_BUILT, NO_MINING, Program, temporaryFolder } from './program'

const HAS_PROC = process.platform === 'linux'

describe.skipIf(!IS_BUILT)('a running program', () => {
  const folder = temporaryFolder()
  const readyFile = join(folder.path, 'ready.json')
  const program = { current: null as Program | null }

  beforeAll(async () => {
    program.current = new Program([
      'run',
      '--headless',
      '--datadir',
      folder.path,
      '--ready-file',
      readyFile,
      ...FREE_PORTS,
    ])
    await program.current.ready(readyFile)
  })
  afterAll(async () => {
    await program.current?.stop()
    folder.remove()
  })

  it('locks its data directory: a second start names its pid and exits with 1', async () => {
    const outcome = await call(['run', '--headless', '--datadir', folder.path, ...FREE_PORTS])

    expect(outcome).toEqual({
      code: 1,
      stdout: '',
      stderr: `headframe: data directory ${folder.path} is in use by process ${program.current?.child.pid}: stop that one or choose another --datadir\n`,
    })
  })

  it('prints the dashboard without its token, which is in an owner-only file, and keeps standard output empty', async () => {
    const { dashboard } = (await program.current?.ready(readyFile)) ?? { dashboard: '' }
    const linkFile = join(folder.path, 'dashboard-link')
    await program.current?.says(linkFile)

    expect(program.current?.stderr).toContain(`dashboard: ${dashboard}\n`)
    expect(program.current?.stderr).not.toContain('#token=')
    expect(program.current?.stdout).toBe('')
    expect(readFileSync(linkFile, 'utf8')).toMatch(new RegExp(`^${dashboard}#token=\\S{40,}\\n$`))
    expect([linkFile, readyFile].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600])
  })

  it('gives its link to its owner over a local socket, as lines and as JSON, and to no other user', async () => {
    const { dashboard } = (await program.current?.ready(readyFile)) ?? { dashboard: '' }
    const words = ['link', '--datadir', folder.path]
    const [lines, json, elsewhere] = await Promise.all([
      call(words),
      called([...words, '--json']),
      called(['link', '--datadir', join(folder.path, 'none')]),
    ])

    expect(lines.code, lines.stderr).toBe(0)
    expect(lines.stdout).toBe(readFileSync(join(folder.path, 'dashboard-link'), 'utf8'))
    expect(JSON.parse(json.stdout)).toEqual({ pid: program.current?.child.pid, links: [lines.stdout.trim()] })
    expect(lines.stdout.startsWith(`${dashboard}#token=`)).toBe(true)
    expect(elsewhere).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('Headframe is not running with'),
    })
    expect(existsSync(join(folder.path, 'none'))).toBe(false)
    if (process.getuid?.() !== 0) return
    const foreign = spawnSync(process.execPath, [DOOR, ...words], { encoding: 'utf8', uid: 65_534, gid: 65_534 })
    expect(foreign).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('belongs to another user') })
  })

  it('stops cleanly at SIGTERM with 0', async () => {
    const outcome = await program.current?.stop('SIGTERM')

    expect(outcome?.code).toBe(0)
    expect(existsSync(join(folder.path, 'dashboard-link'))).toBe(false)
  })
})

describe.skipIf(!IS_BUILT)('a program told to stop', () => {
  const folder = temporaryFolder()
  afterAll(folder.remove)

  async function started(name: string): Promise<Program> {
    const readyFile = join(folder.path, `${name}.json`)
    rmSync(readyFile, { force: true })
    const args = ['run', '--headless', '--datadir', join(folder.path, name), '--ready-file', readyFile, ...NO_MINING]
    const program = new Program(args)
    await program.ready(readyFile)
    return program
  }

  it("leaves a data directory that the next start can use after kill -9; a terminal's and its parent's signal are one", async () => {
    const killed = await started('again')
    await killed.stop('SIGKILL')

    const program = await started('again')
    program.child.kill('SIGINT')
    program.child.kill('SIGTERM')

    expect((await program.ended).code).toBe(0)
  })

  it.skipIf(process.platform === 'win32').each([
    'signer is ready', // its key worker has just been started
    'practice account created',
    'chain opened',
  ])('stops without an error when Ctrl-C reaches it and its helpers at "%s"', async (line) => {
    const datadir = join(folder.path, line.replaceAll(' ', '-'))
    const words = ['run', '--headless', '--practice', '--datadir', datadir, ...NO_MINING]
    const program = new Program(words, { isGroup: true })
    await program.says(line)

    process.kill(-(program.child.pid ?? 0), 'SIGINT')

    const { code, stderr } = await program.ended
    expect(stderr).not.toMatch(/ (?:error|warn) /)
    expect(code).toBe(0)
  })

  it('prints where it listens as one line with --ready-file -, and removes typed secrets from the process list', async () => {
    const typed = ['--api-token', 'a-token-that-was-typed', '--nodekeyhex', 'ab'.repeat(32)]
    const args = ['run', '--headless', '--datadir', join(folder.path, 'dash'), '--ready-file', '-', ...typed]
    const program = new Program([...args, ...NO_MINING])
    await program.prints('\n')

    const shown = HAS_PROC
      ? readFileSync(`/proc/${program.child.pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      : ''
    const { code, stdout, stderr } = await program.stop()

    expect([code, stdout.split('\n').length]).toEqual([0, 2])
    expect(JSON.parse(stdout)).toMatchObject({ network: 'practice', chainId: 1337, pid: program.child.pid })
    if (HAS_PROC) expect(shown).toBe('headframe run')
    expect(stderr).toContain('--api-token can be read by other users of this computer: prefer --api-token-file\n')
    expect(stderr).toContain('--nodekeyhex can be read by other users of this computer: prefer --nodekey FILE or')
    expect(stderr).not.toContain('a-token-that-was-typed')
  })

  const login = `stratum+tcp://0x${'1'.repeat(40)}.rig:a-password@`
  it.skipIf(process.platform !== 'linux').each<[string, (place: string) => readonly string[]]>([
    ["a rig's token", (place) => ['rigs', 'list', '--rig', `${place}#a-token-that-was-typed`]],
    ["the password of a rig's new pool", (place) => ['rigs', 'set-pool', `${login}p:1`, '--all', '--rig', place]],
    ["a tested pool's password", (place) => ['pool', 'test', `${login}${place}`]],
  ])('removes %s from the process list while it runs', async (_, words) => {
    let shown = ''
    const silent = createServer((socket) => {
      shown = readFileSync(`/proc/${program.child.pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      socket.destroy()
    })
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
    const { port } = silent.address() as AddressInfo
    const call = words(`127.0.0.1:${port}`)
    const program = new Program([...call, '--datadir', join(folder.path, 'rigs')])
    const { code } = await program.ended
    silent.close()

    expect(code).toBe(1)
    expect(shown).toBe(`headframe ${call[0]}`)
  })

  it('logs one object per line with --log.json, and stops cleanly with 0 when its terminal is closed', async () => {
    const readyFile = join(folder.path, 'json.json')
    const args = ['run', '--headless', '--datadir', join(folder.path, 'json'), '--ready-file', readyFile, '--log.json']
    const program = new Program([...args, ...NO_MINING])
    await program.ready(readyFile)
    const { code, stderr } = await program.stop(process.platform === 'win32' ? 'SIGTERM' : 'SIGHUP')

    expect(code).toBe(0)
    for (const line of stderr.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('message')
  })
})

describe.skipIf(!IS_BUILT)('a start that fails', () => {
  const folder = temporaryFolder()
  const blocker = { current: null as Server | null, port: 0 }

  beforeAll(async () => {
    const server = createServer()
    blocker.current = server
    blocker.port = await new Promise((done) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address()
        done(typeof address === 'object' && address !== null ? address.port : 0)
      })
    })
  })
  afterAll(() => {
    blocker.current?.close()
    folder.remove()
  })

  it.each([
    ['--api-bind', (port: number) => `127.0.0.1:${port}`],
    ['--http.port', String],
    ['--signer.http.port', String],
  ])('exits with 1 and names the port if %s is in use', async (flag, value) => {
    const args = ['run', '--headless', '--datadir', join(folder.path, flag), ...NO_MINING, flag, value(blocker.port)]

    const { code, stderr } = await call(args)
    const last = stderr.trimEnd().split('\n').at(-1)

    expect(code).toBe(1)
    expect(last).toMatch(new RegExp(`^headframe: .*${blocker.port}.* in use`))
  })

  it('exits with 1 if the data directory is a file', async () => {
    const path = join(folder.path, 'not-a-folder')
    writeFileSync(path, '')

    const { code, stderr } = await call(['run', '--headless', '--datadir', path, ...NO_MINING])

    expect(code).toBe(1)
    expect(stderr).toMatch(
      new RegExp(
        `^headframe: data directory ${path} cannot be used: .+\\. Check who owns it, or choose another --datadir\n$`,
      ),
    )
  })
})

describe.skipIf(!IS_BUILT)('a data directory with damage', () => {
  const folder = temporaryFolder()
  const datadir = join(folder.path, 'data')
  const readyFile = join(folder.path, 'ready.json')
  const args = ['run', '--headless', '--datadir', datadir, ...NO_MINING]
  afterAll(folder.remove)

  it("starts with a keystore file that isn't a key, which account list also reports", async () => {
    mkdirSync(join(datadir, 'keystore'), { recursive: true, mode: 0o700 })
    writeFileSync(join(datadir, 'keystore', 'UTC--no-key'), 'not a key')
    const program = new Program([...args, '--ready-file', readyFile])
    await program.ready(readyFile)

    const { code, stdout, stderr } = await called(['account', 'list', '--datadir', datadir])
    await program.stop()

    expect([code, stdout.split('\n').length]).toEqual([0, 2])
    expect(stderr).toBe('headframe: note: UTC--no-key: key file is not valid: not JSON\n')
  })

  it('exits with 1 and names the folder if the database is damaged', async () => {
    const chain = join(datadir, 'practice', 'chain')
    for (const name of readdirSync(chain)) if (/^MANIFEST-/.test(name)) writeFileSync(join(chain, name), 'damaged')

    const { code, stderr } = await call(args)
    const last = stderr.trimEnd().split('\n').at(-1)

    expect(existsSync(chain)).toBe(true)
    expect(code).toBe(1)
    expect(last).toMatch(
      new RegExp(`^headframe: the chain database in ${chain} is damaged \\(.+\\): run headframe db repair`),
    )
  })
})
