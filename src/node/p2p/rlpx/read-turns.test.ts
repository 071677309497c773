import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { readInTurns } from './byte-queue'

const MIB = 1024 * 1024
/** One piece, and one that was on its way. */
const TURN = 128 * 1024
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** Two ends on the loopback interface; input waits until it is read. */
async function pair(): Promise<{ readonly near: Socket; readonly far: Socket }> {
  const server = createServer({ pauseOnConnect: true })
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const far = connect({ host: '127.0.0.1', port: typeof address === 'object' ? (address?.port ?? 0) : 0 })
  const near = await accepted
  server.close()
  ends.push(
    () => far.destroy(),
    () => near.destroy(),
  )
  return { near, far }
}

const written = (socket: Socket, bytes: Uint8Array): Promise<void> =>
  new Promise((done) => socket.write(bytes, () => done()))

describe('reading in turns', () => {
  it('lets a short message overtake an earlier flood', async () => {
    const [flood, quiet] = [await pair(), await pair()]
    flood.far.write(new Uint8Array(16 * MIB))
    await written(quiet.far, Uint8Array.of(1))
    let before = 0
    readInTurns(flood.near, (chunk) => {
      before += chunk.length
    })
    const passed = new Promise<number>((done) => readInTurns(quiet.near, () => done(before)))
    flood.near.resume()
    quiet.near.resume()

    expect(await passed).toBeLessThanOrEqual(TURN)
  })

  it('delivers everything in order to the end', async () => {
    const { near, far } = await pair()
    const sent = Uint8Array.from({ length: 3 * MIB }, (_, at) => at % 251)
    const parts: Uint8Array[] = []
    readInTurns(near, (chunk) => parts.push(chunk))
    far.end(sent)
    near.resume()
    await once(near, 'end')

    expect(Buffer.concat(parts).equals(sent)).toBe(true)
  })

  it('respects a pause by the reader', async () => {
    const { near, far } = await pair()
    const first = new Promise<void>((done) =>
      readInTurns(near, () => {
        near.pause()
        done()
      }),
    )
    far.write(new Uint8Array(MIB))
    near.resume()
    await first
    await new Promise((done) => setImmediate(() => setImmediate(done)))

    expect(near.isPaused()).toBe(true)
  })
})
