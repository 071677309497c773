// Dialing over real sockets, on a clock that stands still.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { createLogger } from '../../../base/logger'
import { FakeClock } from '../../../base/testing/fake-clock'
import { netRestrict } from '../../identity/ip-address'
import { publicKeyOf } from '../rlpx/handshake'
import { PeerServer } from './peer-server'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Its output, in order. */
async function started(): Promise<{ server: PeerServer; clock: FakeClock; said: readonly string[] }> {
  const said: string[] = []
  const clock = new FakeClock()
  const log = createLogger('p2p', {
    sink: { write: ({ message }) => said.push(message) },
    minLevel: 'debug',
    now: () => clock.now(),
  })
  const ownStatus = () => Promise.reject(new Error('nobody comes that far'))
  const server = new PeerServer(
    {
      staticKey: new Uint8Array(32).fill(1),
      listen: { host: '127.0.0.1', port: 0 },
      maxPeers: 5,
      clientId: 'headframe/test',
      restrict: netRestrict([]),
    },
    { clock, log, randomBytes, ownStatus },
  )
  await server.start()
  ends.push(() => server.stop())
  return { server, clock, said }
}

it('dials at once after the computer slept, however far off the next attempt was', async () => {
  const far = createServer((socket) => socket.destroy())
  far.listen(0, '127.0.0.1')
  await once(far, 'listening')
  ends.push(() => far.close())
  const address = far.address()
  const tcpPort = typeof address === 'object' && address !== null ? address.port : 0
  const { server, said } = await started()
  server.addStatic({ id: publicKeyOf(new Uint8Array(32).fill(2)), host: '127.0.0.1', tcpPort, udpPort: 0 })
  await expect.poll(() => said, { timeout: 240_000 }).toContain('peer not reached')
  const dialled = once(far, 'connection')

  server.wake()

  expect(await dialled).toHaveLength(1)
})

it('greets a node that it never met every two minutes while all places are taken', async () => {
  const far = createServer((socket) => socket.destroy())
  far.listen(0, '127.0.0.1')
  await once(far, 'listening')
  ends.push(() => far.close())
  const address = far.address()
  const tcpPort = typeof address === 'object' && address !== null ? address.port : 0
  const { server, clock, said } = await started()
  vi.spyOn(server.peers, 'roomToDial').mockReturnValue(0)
  server.queue.found({ id: publicKeyOf(new Uint8Array(32).fill(2)), host: '127.0.0.1', tcpPort, udpPort: 0 })
  let greeted = 0
  far.on('connection', () => greeted++)

  clock.advance(119_000)
  expect(said).not.toContain('node does not answer')
  clock.advance(1_000)

  await expect.poll(() => said, { timeout: 240_000 }).toContain('node does not answer')
  expect(greeted).toBe(1)
})
