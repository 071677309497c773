// Messages that stop before their end: the total that all connections hold is limited, and the largest holder goes
// first.
import { randomBytes } from 'node:crypto'
import { connect, createServer, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { systemClock } from '../../src/base/time'
import { MemoryBudget } from '../../src/node/p2p/rlpx/byte-queue'
import { Connection } from '../../src/node/p2p/rlpx/connection'
import { publicKeyOf } from '../../src/node/p2p/rlpx/handshake'
import { until } from './p2p-nodes'

const KIB = 1024
const ends: (() => unknown)[] = []

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

interface Pair {
  /** The accepting side, which counts against the budget. */
  readonly ours: Connection
  /** Sends a message except for its last bytes. */
  stall(bytes: number): void
}

async function pairOf(input: MemoryBudget): Promise<Pair> {
  const server = createServer()
  ends.push(() => server.close())
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  const dialled = connect({ host: '127.0.0.1', port: address.port })
  const socket = await accepted
  ends.push(() => [socket.destroy(), dialled.destroy()])
  const deps = { clock: systemClock(), randomBytes }
  const [ourKey, theirKey] = [new Uint8Array(randomBytes(32)), new Uint8Array(randomBytes(32))]
  const optionsOf = (staticKey: Uint8Array, remoteId: Uint8Array | null) => {
    const hello = { p2pVersion: 5, clientId: 'test', listenPort: 0, nodeId: publicKeyOf(staticKey), capabilities: [] }
    return { staticKey, remoteId, hello, maxMessageBytes: 16 * KIB * KIB }
  }
  const ours = new Connection(socket, optionsOf(ourKey, null), { ...deps, input })
  const theirs = new Connection(dialled, optionsOf(theirKey, publicKeyOf(ourKey)), deps)
  await Promise.all([ours.open(), theirs.open()])
  ours.receive(() => undefined)
  theirs.receive(() => undefined)
  return { ours, stall: (bytes) => stall(theirs, dialled, bytes) }
}

function stall(connection: Connection, socket: Socket, bytes: number): void {
  const write = socket.write
  const frames: Uint8Array[] = []
  socket.write = (frame: Uint8Array | string) => frames.push(Buffer.from(frame)) > 0
  connection.send(0x17, new Uint8Array(randomBytes(bytes)))
  socket.write = write
  for (const frame of frames) socket.write(frame.subarray(0, frame.length - 100))
}

it('cuts off the largest holder if all connections hold too much, and keeps the others', async () => {
  const budget = new MemoryBudget(1_000 * KIB)
  const [small, medium, big] = [await pairOf(budget), await pairOf(budget), await pairOf(budget)]
  small.stall(100 * KIB)
  medium.stall(400 * KIB)
  await until('both are half here', () => budget.total > 490 * KIB)
  big.stall(700 * KIB)
  await until('one is cut', () => big.ours.isClosed)

  expect([small.ours.isClosed, medium.ours.isClosed]).toEqual([false, false])
  expect(budget.total).toBeLessThan(510 * KIB)
})
