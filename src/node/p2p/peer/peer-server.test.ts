// Dialling over real sockets, on a clock that stands still.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { FakeClock } from '../../../base/fake-clock'
import { createLogger } from '../../../base/logger'
import { netRestrict } from '../netrestrict'
import { publicKeyOf } from '../rlpx/ecies'
import { PeerServer } from './peer-server'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** What it said, in order. */
async function started(): Promise<{ server: PeerServer; said: readonly string[] }> {
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
  return { server, said }
}

it('dials at once after a sleep of the computer, however long the next try was put off', async () => {
  const far = createServer((socket) => socket.destroy())
  far.listen(0, '127.0.0.1')
  await once(far, 'listening')
  ends.push(() => far.close())
  const address = far.address()
  const tcpPort = typeof address === 'object' && address !== null ? address.port : 0
  const { server, said } = await started()
  server.addStatic({ id: publicKeyOf(new Uint8Array(32).fill(2)), host: '127.0.0.1', tcpPort, udpPort: 0 })
  await expect.poll(() => said, { timeout: 60_000 }).toContain('peer not reached')
  const dialled = once(far, 'connection')

  server.wake()

  expect(await dialled).toHaveLength(1)
}, 120_000)
