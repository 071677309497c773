// Reads sockets in turns. The event loop takes up to 2 MiB from one socket before it turns to the next, which is half a
// second of work when a peer floods: a block would wait that long behind each of them.
import type { Socket } from 'node:net'

/** A smaller chunk means that the socket had no more. */
const TURN_BYTES = 32 * 1024

/**
 * Calls `take` with incoming data, about 64 KiB per turn of the event loop. A pause made by `take` itself is respected.
 */
export function readInTurns(socket: Socket, take: (chunk: Uint8Array) => void): void {
  socket.on('data', (chunk) => {
    take(chunk)
    if (chunk.length < TURN_BYTES || socket.isPaused() || socket.destroyed) return
    socket.pause()
    setImmediate(() => socket.resume())
  })
}
