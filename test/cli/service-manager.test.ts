// The program under a service manager, over a real datagram socket: which states it reports, and that a hung main loop
// feeds no watchdog.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { addonCandidates } from '../../src/native/loader'
import { IS_BUILT, NO_MINING, Program, temporaryFolder } from './program'

/** Prints each datagram as a line; Node has no sockets of this kind. */
const RECEIVER = `
import socket, sys
receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.bind(sys.argv[1])
print("bound", flush=True)
while True:
    print(receiver.recv(4096).decode(), flush=True)
`
/** Blocks the main loop at SIGUSR2 for ten times the watchdog period, and marks both ends among the datagrams. */
const HANG = `
process.on('SIGUSR2', () => {
  const { sendNotice } = require(process.env.ADDON)
  sendNotice(process.env.NOTIFY_SOCKET, 'X_HUNG=1')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000)
  sendNotice(process.env.NOTIFY_SOCKET, 'X_HUNG=0')
})
`
const WATCHDOG_MICROS = '200000'

const addon = addonCandidates(resolve(import.meta.dirname, '../..')).find((path) => existsSync(path)) ?? ''
const hasPython = spawnSync('python3', ['--version']).status === 0
const reason = IS_BUILT
  ? process.platform === 'win32'
    ? 'not on Windows'
    : hasPython
      ? null
      : 'no python3'
  : 'not built'

describe.skipIf(reason !== null)(`a service manager${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  const folder = temporaryFolder()
  const socket = join(folder.path, 'notify')
  const told: string[] = []
  let receiver: ChildProcess
  let program: Program

  /** What arrived after the first `from` datagrams, once it satisfies the condition. */
  async function heard(wanted: (after: readonly string[]) => boolean, from = 0): Promise<readonly string[]> {
    await expect
      .poll(() => wanted(told.slice(from)), { message: `told: ${told.join(', ')}; said: ${program.stderr}` })
      .toBe(true)
    return told.slice(from)
  }

  beforeAll(async () => {
    receiver = spawn('python3', ['-c', RECEIVER, socket], { stdio: ['ignore', 'pipe', 'inherit'] })
    let rest = ''
    receiver.stdout?.on('data', (part: Buffer) => {
      const lines = (rest + part.toString('utf8')).split('\n')
      rest = lines.pop() ?? ''
      told.push(...lines)
    })
    await vi.waitFor(() => expect(told).toEqual(['bound']), 240_000)
    told.length = 0
    const preload = join(folder.path, 'hang.cjs')
    writeFileSync(preload, HANG)
    const environment = {
      NOTIFY_SOCKET: socket,
      WATCHDOG_USEC: WATCHDOG_MICROS,
      NODE_OPTIONS: `--require=${preload}`,
      ADDON: addon,
    }
    program = new Program(
      ['signer', '--datadir', join(folder.path, 'data'), '--api-bind', '127.0.0.1:0', '--http=false'],
      {
        environment,
      },
    )
  })
  afterAll(async () => {
    const { stderr } = await program.stop()
    receiver.kill()
    folder.remove()
    expect(stderr).not.toContain("can't be told")
  })

  it('is asked for more time, then notified that the program is ready and where, and its watchdog is fed', async () => {
    const all = await heard((lines) => lines.filter((line) => line === 'WATCHDOG=1').length > 2)

    expect(all[0]).toBe('EXTEND_TIMEOUT_USEC=60000000')
    expect(all.filter((line) => line === 'READY=1')).toHaveLength(1)
    expect(all.indexOf('READY=1')).toBeLessThan(all.indexOf('WATCHDOG=1'))
    expect(all.find((line) => line.startsWith('STATUS='))).toMatch(
      /^STATUS=Running on practice, dashboard http:\/\/127\.0\.0\.1:\d+\/$/,
    )
  })

  it('feeds no watchdog while the main loop hangs, and feeds it again afterwards', async () => {
    const from = told.length
    program.child.kill('SIGUSR2')

    const lines = await heard(
      (after) => after.slice(after.indexOf('X_HUNG=0') + 1).includes('WATCHDOG=1') && after.includes('X_HUNG=0'),
      from,
    )

    expect(lines[lines.indexOf('X_HUNG=1') + 1]).toBe('X_HUNG=0')
  })

  it('is notified before the program stops', async () => {
    const from = told.length
    const { code } = await program.stop()

    expect(code).toBe(0)
    await heard((after) => after.includes('STOPPING=1'), from)
  })

  it('hears which service has failed while the others run', async () => {
    const from = told.length
    const datadir = join(folder.path, 'failing')
    mkdirSync(join(datadir, 'practice'), { recursive: true })
    writeFileSync(join(datadir, 'practice', 'chain'), 'no folder')
    const words = ['run', '--headless', '--practice', '--datadir', datadir, ...NO_MINING]
    const failing = new Program(words, { environment: { NOTIFY_SOCKET: socket } })

    await heard((after) => after.some((line) => /^STATUS=Running on practice, node failed(?:,|$)/.test(line)), from)
    await failing.stop()
  })
})
