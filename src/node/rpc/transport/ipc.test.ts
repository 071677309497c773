import { linkSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { testFront } from '../../testing/test-front'
import type { RpcFront } from '../rpc-front'
import { TRANSPORT_LIMITS } from './limits'

const signal = new AbortController().signal

describe.skipIf(process.platform === 'win32')('JSON-RPC over a local socket', () => {
  let folder: string
  let path: string
  let front: RpcFront
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'headframe-ipc-'))
    path = join(folder, 'headframe.ipc')
    front = testFront({ http: null, ipcPath: path, limits: { ...TRANSPORT_LIMITS, maxMessageBytes: 1_000 } })
  })
  afterEach(async () => {
    await front.stop()
    rmSync(folder, { recursive: true })
  })

  const open = () =>
    new Promise<Socket>((resolve, reject) => {
      const socket = connect(path, () => resolve(socket))
      socket.once('error', reject)
    })
  /** Everything received until there are `count` lines. */
  const lines = (socket: Socket, count: number) =>
    new Promise<unknown[]>((resolve) => {
      let text = ''
      socket.on('data', (part) => {
        text += part
        const found = text.split('\n').slice(0, -1)
        if (found.length >= count) resolve(found.map((line) => JSON.parse(line)))
      })
    })

  it('is open to this user only', async () => {
    const before = process.umask(0)
    await front.start(signal).finally(() => process.umask(before))

    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('reads consecutive values, split anywhere, and serves every namespace', async () => {
    await front.start(signal)
    const socket = await open()
    const answers = lines(socket, 3)
    socket.write('{"id":1,"method":"eth_chainId"}{"id":2,"met')
    socket.write('hod":"rpc_modules"}\n[{"id":3,"method":"net_version"}]')

    expect(await answers).toMatchObject([
      { id: 1, result: '0x539' },
      { id: 2, result: { admin: '1.0', eth: '1.0', txpool: '1.0' } },
      [{ id: 3, result: '1337' }],
    ])
    socket.destroy()
  })

  it("accepts no more requests from a client that doesn't read its answers, and resumes when it reads", async () => {
    const limits = { ...TRANSPORT_LIMITS, maxUnreadBytes: 200_000 }
    front = testFront({ http: null, ipcPath: path, limits })
    await front.start(signal)
    const socket = await open()
    const question = '{"id":1,"method":"eth_chainId"}'.repeat(2_000)
    let flushed = 0
    for (let round = 0; round < 25; round++) socket.write(question, () => flushed++)
    await vi.waitFor(() => expect(flushed).toBeGreaterThan(2), 240_000)
    for (let before = -1; before !== flushed; ) {
      before = flushed
      await new Promise((resolve) => setTimeout(resolve, 50))
    }

    expect(flushed).toBeLessThan(25)
    let answers = 0
    socket.on('data', (part) => {
      answers += part.toString().split('\n').length - 1
    })
    await vi.waitFor(() => expect(answers).toBe(50_000), { timeout: 240_000 })
    socket.destroy()
  })

  it.each(['{"a":}', '}', ' ,'])("says that %j isn't JSON and hangs up", async (text) => {
    await front.start(signal)
    const socket = await open()
    const answers = lines(socket, 1)
    const ended = new Promise((resolve) => socket.once('end', resolve))
    socket.write(text)

    expect(await answers).toMatchObject([{ id: null, error: { code: -32700 } }])
    await ended
  })

  it('hangs up on a value that is too long', async () => {
    await front.start(signal)
    const socket = await open()
    const ended = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => undefined).resume()
    socket.write(`"${'x'.repeat(2_000)}`)
    await ended
  })

  it('replaces a socket that a killed run left, and removes its own', async () => {
    const killed = createServer()
    await new Promise<void>((resolve) => killed.listen(path, resolve))
    linkSync(path, `${path}.kept`) // closing removes the file; a killed program would not
    await new Promise<void>((resolve) => killed.close(() => resolve()))
    renameSync(`${path}.kept`, path)

    await front.start(signal)
    const socket = await open()
    socket.destroy()
    await front.stop()

    expect(() => statSync(path)).toThrow()
  })

  it('leaves a socket alone that another program answers on', async () => {
    await front.start(signal)
    const second = testFront({ http: null, ipcPath: path })

    await expect(second.start(signal)).rejects.toMatchObject({ code: 'RPC_IPC_IN_USE', data: { path } })
    await second.stop()
    const socket = await open()
    socket.destroy()
  })

  it("never removes a file that isn't a socket", async () => {
    writeFileSync(path, 'precious')

    await expect(front.start(signal)).rejects.toMatchObject({ code: 'RPC_IPC_FAILED' })
    expect(statSync(path).size).toBe(8)
  })

  it('names a path that is too long', async () => {
    const long = testFront({ http: null, ipcPath: join(folder, 'x'.repeat(120)) })
    await expect(long.start(signal)).rejects.toThrow(/longer than 10[37] bytes/)
  })
})
