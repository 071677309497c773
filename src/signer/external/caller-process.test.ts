import { connect, createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { processOf } from './caller-process'

describe.skipIf(process.platform !== 'linux')('processOf', () => {
  it('names the process at the other end of a loopback connection', async () => {
    const server = createServer()
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const bound = server.address()
    const accepted = new Promise<string>((done) =>
      server.once('connection', (socket) => done(`${socket.remoteAddress}:${socket.remotePort}`)),
    )
    const socket = connect(typeof bound === 'object' && bound !== null ? bound.port : 0, '127.0.0.1')

    const found = await processOf(await accepted)

    socket.destroy()
    await new Promise((done) => server.close(done))
    expect(found?.pid).toBe(process.pid)
    expect(found?.name).not.toBe('')
  })

  it.each(['NA', '10.0.0.1:80', '127.0.0.1:1', 'x'])('knows nothing of %s', async (remote) => {
    expect(await processOf(remote)).toBeNull()
  })
})
