import { createServer, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { FakeClock } from '../../../base/testing/fake-clock'
import { LineSocket } from './line-socket'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** Connected to a scripted pool; no time passes for either side. */
async function connected(accept: (socket: Socket) => void) {
  const taken: Socket[] = []
  const server = createServer((socket) => {
    taken.push(socket)
    socket.on('error', () => undefined)
    accept(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const place = server.address()
  const port = typeof place === 'object' && place !== null ? place.port : 0
  const options = {
    host: '127.0.0.1',
    port,
    tls: false,
    verify: true,
    certificates: null,
    connectMs: 60_000,
    proxy: null,
  }
  const socket = new LineSocket(options, new FakeClock())
  closers.push(() => {
    socket.close('test over')
    for (const each of taken) each.destroy()
    server.close()
  })
  const ended = new Promise<string>((resolve) => void socket.events.on('closed', ({ reason }) => resolve(reason)))
  await new Promise<void>((resolve) => {
    socket.events.on('connected', resolve)
    socket.connect()
  })
  return { socket, ended }
}

it("closes on a pool that doesn't read, before buffering much", async () => {
  const { socket, ended } = await connected((pool) => void pool.pause())
  const line = 'x'.repeat(64 * 1024)
  let lines = 0
  while (lines < 1_000 && socket.send(line)) lines++

  expect(lines).toBeLessThan(1_000)
  expect(await ended).toBe('the pool stopped reading')
})

it('closes on a pool that never stops sending', async () => {
  const { socket, ended } = await connected((pool) => void pool.write('{}\n'.repeat(30_000)))
  let lines = 0
  socket.events.on('line', () => {
    lines += 1
  })

  expect(await ended).toBe('more than 10000 lines within a second')
  expect(lines).toBeLessThanOrEqual(10_000)
})
