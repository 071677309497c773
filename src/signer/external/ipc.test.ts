import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { hasCode } from '../../base/errors'
import { silentLogger } from '../../base/logger'
import { SignerIpc } from './ipc'
import type { CallHandler } from './json-rpc'

let folder = ''
const running: SignerIpc[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ipc-'))
})

afterEach(async () => {
  for (const ipc of running.splice(0)) await ipc.stop()
  await rm(folder, { recursive: true, force: true })
})

function listener(handle: CallHandler = async ({ method }) => method): SignerIpc {
  const ipc = new SignerIpc({ path: join(folder, 'clef.ipc') }, { handle, log: silentLogger })
  running.push(ipc)
  return ipc
}

/** Everything received until the connection ends, or until there are this many lines. */
function speak(parts: readonly string[], lines: number): Promise<string> {
  return new Promise((done, fail) => {
    const socket = connect(join(folder, 'clef.ipc'))
    let text = ''
    socket.setEncoding('utf8')
    socket.on('error', fail)
    socket.on('close', () => done(text))
    socket.on('data', (part: string) => {
      text += part
      if (text.split('\n').length > lines) socket.end()
    })
    socket.on('connect', () => {
      for (const part of parts) socket.write(part)
    })
  })
}

/** Connects 200 times, asks what is never answered, and reports when all are written. */
const CROWD = `
  let left = 200
  const done = () => --left === 0 && console.log('all')
  for (let i = 0; i < 200; i++) {
    const socket = require('node:net').connect(process.argv[1])
    socket.on('error', () => undefined)
    socket.write('{"jsonrpc":"2.0","id":1,"method":"ask"}', done)
  }`

describe('the local socket', () => {
  it('is for its owner only', async () => {
    await listener().start()

    expect((await stat(join(folder, 'clef.ipc'))).mode & 0o777).toBe(0o600)
  })

  it('answers values that come in pieces or several at once, in order', async () => {
    await listener().start()

    const text = await speak(['{"id":1,"met', 'hod":"a"}{"id":2,"method":"b"}\n', '[{"id":3,"method":"c"}]'], 3)

    expect(text.trim().split('\n')).toEqual([
      '{"jsonrpc":"2.0","id":1,"result":"a"}',
      '{"jsonrpc":"2.0","id":2,"result":"b"}',
      '[{"jsonrpc":"2.0","id":3,"result":"c"}]',
    ])
  })

  it.each(['{"jsonrpc}\n', 'hello \n', '}{\n'])(
    'answers %j with a parse error and ends the connection',
    async (line) => {
      await listener().start()

      expect(await speak([line], 9)).toContain('"code":-32700')
    },
  )

  it('notifies the handler when the caller has gone', async () => {
    let gone: AbortSignal | null = null
    await listener((call) => {
      gone = call.callerGone
      return new Promise(() => undefined)
    }).start()
    const socket = connect(join(folder, 'clef.ipc'))
    socket.write('{"id":1,"method":"a"}\n')
    while (gone === null) await new Promise((done) => setImmediate(done))

    socket.destroy()
    while (!(gone as AbortSignal).aborted) await new Promise((done) => setImmediate(done))

    expect((gone as AbortSignal).aborted).toBe(true)
  })

  it('answers another caller before the last of many calls that one sent at once', async () => {
    const handled: string[] = []
    await listener(async ({ method }) => {
      handled.push(method)
      return method
    }).start()
    const crowd = connect(join(folder, 'clef.ipc')).resume()
    crowd.write('{"id":1,"method":"many"}'.repeat(900))
    while (handled.length === 0) await new Promise((done) => setImmediate(done))

    expect(await speak(['{"id":1,"method":"one"}'], 1)).toContain('"result":"one"')
    expect(handled.indexOf('one')).toBeLessThan(100)
    crowd.destroy()
  })

  it('cuts off a caller that sends more than is ever processed', async () => {
    await listener(() => new Promise(() => undefined)).start()

    expect(await speak(['{"id":1,"method":"a"}'.repeat(1_100)], 1)).toBe('')
  })

  it.skipIf(process.platform === 'win32')(
    'leaves room for other programs beside one whose calls take every connection it gets',
    async () => {
      await listener(({ method }) =>
        method === 'ask' ? new Promise(() => undefined) : Promise.resolve(method),
      ).start()
      const crowd = spawn(process.execPath, ['-e', CROWD, join(folder, 'clef.ipc')])
      await once(crowd.stdout, 'data')

      expect(await speak(['{"jsonrpc":"2.0","id":1,"method":"a"}'], 1)).toContain('"result":"a"')
      crowd.kill('SIGKILL')
      await once(crowd, 'exit')
    },
  )

  it('is never open to others, whatever the process otherwise allows', async () => {
    const before = process.umask(0)
    try {
      const started = listener().start()
      await vi.waitFor(() => stat(join(folder, 'clef.ipc')), { interval: 1, timeout: 240_000 })
      expect((await stat(join(folder, 'clef.ipc'))).mode & 0o777).toBe(0o600)
      await started
      expect(process.umask()).toBe(0)
    } finally {
      process.umask(before)
    }
  })

  it("leaves a live one, and a file that isn't a socket, where they are", async () => {
    await listener().start()
    const second = await listener()
      .start()
      .catch((error: unknown) => error)
    expect(hasCode(second, 'SIGNER_IPC_FAILED')).toBe(true)

    await running[0]?.stop()
    await writeFile(join(folder, 'clef.ipc'), 'precious')
    const third = await listener()
      .start()
      .catch((error: unknown) => error)
    expect(hasCode(third, 'SIGNER_IPC_FAILED')).toBe(true)
  })
})
