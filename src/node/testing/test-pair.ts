// For tests: two connections to each other over loopback, one end wrapped as a peer.
import { randomBytes } from 'node:crypto'
import { connect, createServer, type Socket } from 'node:net'
import { type Clock, systemClock } from '../../base/time'
import { Peer } from '../p2p/peer/peer'
import { Connection } from '../p2p/rlpx/connection'
import { publicKeyOf } from '../p2p/rlpx/handshake'

const random = (length: number): Uint8Array => new Uint8Array(randomBytes(length))

/** @param clock the peer's; its connection uses the system's time */
export async function peerPair(clock: Clock = systemClock()) {
  const server = createServer()
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  const dialled = connect({ host: '127.0.0.1', port: address.port })
  const socket = await accepted
  server.close()
  const [ourKey, theirKey] = [random(32), random(32)]
  const optionsOf = (staticKey: Uint8Array, remoteId: Uint8Array | null) => {
    const hello = { p2pVersion: 5, clientId: 'test', listenPort: 0, nodeId: publicKeyOf(staticKey), capabilities: [] }
    return { staticKey, remoteId, hello, maxMessageBytes: 10 * 1024 * 1024 }
  }
  const deps = { clock: systemClock(), randomBytes: random }
  const ours = new Connection(socket, optionsOf(ourKey, null), deps)
  const theirs = new Connection(dialled, optionsOf(theirKey, publicKeyOf(ourKey)), deps)
  await Promise.all([ours.open(), theirs.open()])
  const info = { direction: 'inbound', host: '127.0.0.1', port: 1, trusted: false, isStatic: false } as const
  const peer = new Peer(ours, info, { totalDifficulty: 1n, head: new Uint8Array(32) }, clock)
  const end = (): void => {
    socket.destroy()
    dialled.destroy()
  }
  return { peer, theirs, end }
}
