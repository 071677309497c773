// One HTTP connection between socket and Node's code: whole requests in order, and time limits with its own timers.
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { Clock } from '../../base/time'
import { closingAnswer, failure } from './answer'
import { type HttpFault, HttpFraming, type HttpPiece } from './http-framing'

const HEAD_LIMIT_MS = 10_000
const REQUEST_LIMIT_MS = 20_000
const IDLE_LIMIT_MS = 15_000
const MAX_REQUESTS = 1_000
/** unread answers */
export const MAX_QUEUED_BYTES = 1_048_576
const STALLED_LIMIT_MS = 20_000
/** how long a refused client may keep sending before the socket is cut, so that it can read why */
const LINGER_MS = 2_000

interface HttpConnectionOptions {
  readonly upgradePath: string
  readonly clock: Clock
  readonly remoteAddress: string
}

/** Node's HTTP server takes it for the client's socket. */
export class HttpConnection extends Duplex {
  readonly remoteAddress: string
  readonly #socket: Socket
  readonly #clock: Clock
  readonly #framing: HttpFraming
  #pieces: HttpPiece[] = []
  /** the HTTP server has an unanswered request */
  #busy = false
  #requests = 0
  #upgraded = false
  #clientDone = false
  #phaseSince: number
  #requestSince: number
  /** the last answer was sent; further input is read and dropped */
  #closingAt: number | null = null
  readonly #stall: StallWatch

  constructor(socket: Socket, { upgradePath, clock, remoteAddress }: HttpConnectionOptions) {
    super()
    this.remoteAddress = remoteAddress
    this.#socket = socket
    this.#clock = clock
    this.#framing = new HttpFraming({ upgradePath })
    this.#phaseSince = clock.monotonic()
    this.#requestSince = this.#phaseSince
    this.#stall = new StallWatch(socket, clock)
    socket.on('data', (chunk: Buffer) => this.#received(chunk))
    socket.on('end', () => this.#ended())
    socket.on('close', () => this.destroy())
    socket.on('error', () => this.destroy())
  }

  /** The TCP socket that carries it. */
  get carrier(): Socket {
    return this.#socket
  }

  /** Call it when the answer to the current request is complete. */
  answered(): void {
    this.#busy = false
    this.#phaseSince = this.#clock.monotonic()
    this.#requestSince = this.#phaseSince
    this.#pump()
  }

  /** True when this is the last request on the connection. */
  get lastRequest(): boolean {
    return this.#upgraded || this.#requests >= MAX_REQUESTS
  }

  /** Enforces the time limits; call it about twice a second. */
  sweep(): void {
    // the channel limits unsent data for a page (channel.ts): one message can be larger
    if (this.#upgraded ? this.#stall.stuck() : this.#stall.broken()) {
      this.destroy()
      return
    }
    const now = this.#clock.monotonic()
    // a refused upgrade: the answer was sent, and nothing else will end the connection
    if (this.#upgraded && this.writableEnded) this.#closingAt ??= now
    if (this.#closingAt !== null) {
      if (now - this.#closingAt >= LINGER_MS) this.destroy()
      return
    }
    if (this.#busy || this.#upgraded) return
    const { phase } = this.#framing
    if (phase === 'idle' && now - this.#phaseSince >= IDLE_LIMIT_MS) this.destroy()
    if (phase === 'head' && now - this.#requestSince >= HEAD_LIMIT_MS) this.#refuse(late('headers', HEAD_LIMIT_MS))
    if (phase === 'body' && now - this.#requestSince >= REQUEST_LIMIT_MS) this.#refuse(late('body', REQUEST_LIMIT_MS))
  }

  override _read(): void {
    if (this.#upgraded) this.#socket.resume()
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, encoding, (error) => done(error ?? null))
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(() => done())
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy()
    done(error)
  }

  #received(chunk: Buffer): void {
    if (this.#closingAt !== null) return
    if (this.#upgraded) {
      if (!this.push(chunk)) this.#socket.pause()
      return
    }
    const wasIdle = this.#framing.phase === 'idle'
    this.#pieces.push(...this.#framing.push(chunk))
    if (wasIdle && this.#framing.phase !== 'idle') this.#requestSince = this.#clock.monotonic()
    this.#pump()
  }

  #ended(): void {
    this.#clientDone = true
    if (this.#upgraded) this.push(null)
    else this.#pump()
  }

  #pump(): void {
    // the HTTP server has ended its side after a last answer
    if (this.writableEnded) this.#closingAt ??= this.#clock.monotonic()
    while (!this.#busy && !this.destroyed && this.#closingAt === null) {
      const piece = this.#pieces.shift()
      if (piece === undefined) break
      if (piece.kind === 'continue') this.#socket.write('HTTP/1.1 100 Continue\r\n\r\n')
      if (piece.kind === 'fault') this.#refuse(piece.fault)
      if (piece.kind === 'request') this.#handOver(piece.bytes)
      if (piece.kind === 'upgrade') this.#upgrade(piece.bytes, piece.rest)
    }
    if (this.#upgraded || this.destroyed) return
    // nothing is read ahead of the answers: pipelining is limited by the client's own reading
    if (this.#busy) this.#socket.pause()
    else if (this.#clientDone && this.#closingAt === null) this.#close()
    else this.#socket.resume()
  }

  #handOver(request: Buffer): void {
    this.#busy = true
    this.#requests += 1
    this.push(request)
  }

  #upgrade(head: Buffer, rest: Buffer): void {
    this.#upgraded = true
    this.push(head)
    if (rest.length > 0) this.push(rest)
    if (this.#clientDone) this.push(null)
  }

  #close(): void {
    this.#closingAt = this.#clock.monotonic()
    this.end()
  }

  #refuse({ status, error }: HttpFault): void {
    this.#closingAt = this.#clock.monotonic()
    const answer = failure(status, error, status === 405 ? { Allow: 'GET, POST' } : {})
    this.#socket.end(closingAnswer(answer))
    this.#socket.resume()
  }
}

/** Detects a client that doesn't read. */
export class StallWatch {
  #taken = -1
  #takenAt: number

  constructor(
    private readonly socket: Socket,
    private readonly clock: Clock,
  ) {
    this.#takenAt = clock.monotonic()
  }

  /** True when more than 1 MiB is unsent, or nothing moved for 20 s although data is unsent. */
  broken(): boolean {
    const stuck = this.stuck()
    return stuck || this.socket.writableLength > MAX_QUEUED_BYTES
  }

  /** True when nothing moved for 20 s although data is unsent. */
  stuck(): boolean {
    const { writableLength, bytesWritten } = this.socket
    const taken = bytesWritten - writableLength
    const now = this.clock.monotonic()
    if (writableLength === 0 || taken !== this.#taken) {
      this.#taken = taken
      this.#takenAt = now
    }
    return now - this.#takenAt >= STALLED_LIMIT_MS
  }
}

function late(what: string, limitMs: number): HttpFault {
  return { status: 408, error: `${what} took longer than ${limitMs / 1_000} s` }
}
