// Standard input that leaves nothing behind: into one place, wiped after each read; a stream's buffers would keep it.
import { Socket } from 'node:net'
import { wipe } from '../base/bytes'

/** Bytes of one read. */
const READ_BYTES = 64 * 1024

/** What reads it. */
export interface InputListener {
  /** @param bytes wiped after the call */
  readonly onBytes: (bytes: Uint8Array) => void
  /** Closed, or failed. */
  readonly onEnd: () => void
}

/** Reads; `close` stops that. */
export interface InputReader {
  close(): void
}

/** @param lock keeps the place out of swap space @throws Error for a terminal or a file, which can't be read like this */
export function readWiped({ onBytes, onEnd }: InputListener, lock: (place: Uint8Array) => void): InputReader {
  const place = Buffer.allocUnsafeSlow(READ_BYTES)
  const take = (length: number): boolean => {
    const read = place.subarray(0, length)
    onBytes(read)
    wipe(read)
    return true
  }
  // Node's types know `onread` of connections only.
  const options = { fd: 0, readable: true, writable: false, onread: { buffer: place, callback: take } }
  const input = new Socket(options)
  lock(place)
  for (const event of ['end', 'close', 'error']) input.on(event, onEnd)
  return { close: () => void input.pause() }
}

/** Any standard input; a terminal or a file by the stream, whose buffers nobody wipes. */
export function readStandardInput(listener: InputListener, lock: (place: Uint8Array) => void): InputReader {
  try {
    return readWiped(listener, lock)
  } catch {
    return readStream(process.stdin, listener)
  }
}

/** @param input what it hands out is wiped */
export function readStream(input: NodeJS.ReadableStream, { onBytes, onEnd }: InputListener): InputReader {
  const take = (chunk: Buffer | string): void => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    onBytes(bytes)
    wipe(bytes)
  }
  input.on('data', take)
  input.on('end', onEnd)
  input.on('error', onEnd)
  return {
    close: () => {
      input.removeListener('data', take)
      input.pause()
    },
  }
}
