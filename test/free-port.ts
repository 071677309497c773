// A port for a program that needs a number.
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { type EventEmitter, once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ephemeral range, whose ports may be taken before the program starts. */
const FIRST_PORT = 10_240
const END_PORT = 32_768

/** A port of 127.0.0.1 that is free for TCP and UDP, and outside the ephemeral range. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, END_PORT)
    const server = createServer().listen(port, '127.0.0.1')
    const socket = createSocket('udp4').bind(port, '127.0.0.1')
    const [isForTcp, isForUdp] = await Promise.all([isOurs(server), isOurs(socket)])
    if (isForTcp) await new Promise((done) => server.close(done))
    if (isForUdp) await new Promise<void>((done) => socket.close(done))
    if (isForTcp && isForUdp) return port
  }
}

/** False when it is in use. */
async function isOurs(endpoint: EventEmitter): Promise<boolean> {
  try {
    await once(endpoint, 'listening')
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false
    throw error
  }
}
