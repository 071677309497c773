import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { linkSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogger, silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { systemClock } from '../../base/time'
import { dataDirPaths } from '../system/data-dir'
import { DataDirLock } from '../system/lock'
import { askForLinks, OwnerSocket, openOwnerChannel, ownerSocketPath } from './owner-socket'

const LINKS = { pid: 7, links: ['http://127.0.0.1:1/#token=x'] }

describe.skipIf(process.platform === 'win32')("the owner's socket", () => {
  let dir = ''
  const open: { stop(): Promise<void> }[] = []

  const started = async (folder = dir): Promise<OwnerSocket> => {
    const socket = new OwnerSocket(folder, {
      links: () => LINKS,
      onChannel: () => undefined,
      clock: systemClock(),
      log: silentLogger,
    })
    await socket.start()
    open.push(socket)
    return socket
  }
  /** Something else under the same name. */
  const imposter = async (answer: string): Promise<void> => {
    const server: Server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => socket.end(answer))
    })
    await new Promise<void>((done) => server.listen(ownerSocketPath(dir), done))
    open.push({ stop: () => new Promise((done) => server.close(() => done())) })
  }

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'headframe-owner-'))
  })
  afterEach(async () => {
    for (const one of open.splice(0)) await one.stop()
    rmSync(dir, { recursive: true, force: true })
  })

  it('loses nothing that comes in one piece with the end of the handshake', async () => {
    const texts = ['{"t":"event","name":"one"}', '{"t":"event","name":"two"}']
    const frames = texts.map((text) => Buffer.concat([Buffer.of(0x81, text.length), Buffer.from(text)]))
    const server = createServer((peer) =>
      peer.once('data', (asked) => {
        const key = /sec-websocket-key: (.*)\r\n/i.exec(String(asked))?.[1] ?? ''
        const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
        const head = `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`
        peer.write(Buffer.concat([Buffer.from(head), ...frames]))
      }),
    )
    mkdirSync(dirname(ownerSocketPath(dir)), { recursive: true })
    server.listen(ownerSocketPath(dir))
    await once(server, 'listening')
    const transport = await openOwnerChannel(dir, systemClock())
    const heard: unknown[] = []
    await new Promise((resolve) => setImmediate(resolve))
    transport.onMessage((message) => void heard.push(JSON.stringify(message)))
    await expect.poll(() => heard).toEqual(texts)
    await transport.close()
    server.close()
  })

  it('gives links to its owner, and is closed to everyone else', async () => {
    const socket = await started()

    expect(await askForLinks(dir)).toEqual(LINKS)
    expect(statSync(ownerSocketPath(dir)).mode & 0o777).toBe(0o600)

    await socket.stop()
    await expect(askForLinks(dir)).rejects.toMatchObject({ code: 'HOST_NOT_RUNNING' })
  })

  it('that is gone is not a program that does not run', async () => {
    const lock = new DataDirLock({ dir, file: dataDirPaths(dir).lockFile, pid: process.pid })
    await lock.start()
    const running = {
      code: 'HOST_NO_ANSWER',
      message: expect.stringContaining(`process ${process.pid} runs there, but without`),
    }
    await expect(askForLinks(dir)).rejects.toMatchObject(running)
    await expect(openOwnerChannel(dir, systemClock())).rejects.toMatchObject(running)

    await lock.stop()
    await expect(askForLinks(dir)).rejects.toMatchObject({ code: 'HOST_NOT_RUNNING' })
  })

  it('answers despite silent callers, and stops without waiting for them', async () => {
    const socket = await started()
    const silent = Array.from({ length: 20 }, () => connect(ownerSocketPath(dir)))
    const gone = silent.map((one) => once(one, 'close'))
    await Promise.all(silent.map((one) => once(one, 'connect')))

    expect(await askForLinks(dir)).toEqual(LINKS)

    await socket.stop()
    await Promise.all(gone)
  })

  it('replaces one left by a killed run', async () => {
    const left = createServer()
    await new Promise<void>((done) => left.listen(join(dir, 'other'), done))
    linkSync(join(dir, 'other'), ownerSocketPath(dir))
    await new Promise<void>((done) => left.close(() => done()))
    await expect(askForLinks(dir)).rejects.toMatchObject({ code: 'HOST_NOT_RUNNING' })

    await started()

    expect(await askForLinks(dir)).toEqual(LINKS)
  })

  it.each([
    ['a file in its place', (folder: string) => writeFileSync(ownerSocketPath(folder), 'kept'), ''],
    ['a path that is too long', () => undefined, 'x'.repeat(100)],
  ])('is omitted, with a warning, for %s', async (_what, prepare, below) => {
    const said: string[] = []
    prepare(dir)
    const sink = {
      write: ({ level, message }: { level: string; message: string }) => void said.push(`${level} ${message}`),
    }
    const log = createLogger('', { minLevel: 'info', now: () => 0, sink })

    await new OwnerSocket(join(dir, below), {
      links: () => LINKS,
      onChannel: () => undefined,
      clock: systemClock(),
      log,
    }).start()

    expect(said).toEqual(['warn no socket for headframe link'])
  })

  it('is waited for while its program hangs, and says in the end that there was no answer', async () => {
    const clock = new FakeClock()
    const silent = createServer()
    silent.listen(ownerSocketPath(dir))
    const caller = once(silent, 'connection')
    const opening = openOwnerChannel(dir, clock)
    const [socket] = await caller
    clock.advance(60_000) // what an open channel does every 30 s isn't done to one that isn't
    socket.destroy()

    await expect(opening).rejects.toMatchObject({ code: 'HOST_NO_ANSWER' })
    silent.close()
  })

  it.each([
    ['nothing', '', /socket hang up/],
    ['another protocol', 'SSH-2.0\r\n', /Parse Error/],
    ['other JSON', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}', /pid/],
    ['a page', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n<a>', /JSON/],
    ['too much', `HTTP/1.1 200 OK\r\nContent-Length: 70000\r\n\r\n${'x'.repeat(70_000)}`, /too long/],
  ])('answering with %s gives an error that says so', async (_what, answer, message) => {
    await imposter(answer)

    await expect(askForLinks(dir)).rejects.toMatchObject({
      code: 'HOST_NO_ANSWER',
      message: expect.stringMatching(message),
    })
  })
})
