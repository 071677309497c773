// Reads a socket in turns with all others. The event loop takes up to 2 MiB from one socket before it looks at the next, which is half a
// second of work where a peer floods: so long a block would wait behind each of them.
import type { Socket } from 'node:net'

/** Less in one piece means that the socket had no more. */
const TURN_BYTES = 32 * 1024

/** Calls `take` with what comes, about 64 KiB in each turn of the event loop. A pause that `take` makes itself is left alone. */
export function readInTurns(socket: Socket, take: (chunk: Uint8Array) => void): void {
  socket.on('data', (chunk) => {
    take(chunk)
    if (chunk.length < TURN_BYTES || socket.isPaused() || socket.destroyed) return
    socket.pause()
    setImmediate(() => socket.resume())
  })
}
