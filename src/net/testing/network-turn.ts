// Waits until this process has read everything previously written to its own sockets, however busy the computer is.
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/** Exchanges; the first alone takes one turn to connect, one to be accepted and two to be answered. */
const EXCHANGES = 3

/**
 * Resolves after exchanges over a connection of its own: by then, what was written earlier to other loopback sockets of this
 * process has been read, which no fixed delay can guarantee when the process is stalled.
 */
export async function networkTurn(): Promise<void> {
  const server = createServer((socket) => void socket.pipe(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const client = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1')
  await once(client, 'connect')
  for (let turn = 0; turn < EXCHANGES; turn++) {
    client.write('.')
    await once(client, 'data')
  }
  client.destroy()
  server.close()
  await once(server, 'close')
}
