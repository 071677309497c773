// The external API on a local socket: consecutive JSON values in, one response per line out. Only
// this user can connect: the socket has mode 0600, and its folder is private.
import { createServer, type Server, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import { protectPipe } from '../../native/system/owner-pipe'
import { peerPrograms } from '../../native/system/peer-process'
import { ConnectionLimit } from '../../net/connection-limit'
import { ValueSplitter } from '../../net/json-rpc/value-splitter'
import { listenLocal } from '../../net/listen'
import { SignerError } from '../errors'
import type { Caller } from '../model/request'
import { answerBody, type CallHandler, type LongReader, PARSE_ERROR_ANSWER } from './json-rpc'

export interface SignerIpcOptions {
  /** Absolute path of the socket; on Windows a pipe's name. */
  readonly path: string
}

const MAX_VALUE_BYTES = 5 * 1024 * 1024
/** Only this user's programs can connect. */
const CONNECTIONS = { max: 128, maxPerAddress: 128, maxPerProgram: 48 }
/** Per connection: waiting calls, and their total characters. Exceeding it closes the connection. */
const MAX_WAITING_CALLS = 1_000
const MAX_WAITING_TEXT = 4 * MAX_VALUE_BYTES

/** A caller on a local socket has no address; which program it is, is asked once it calls. */
const IPC_CALLER: Caller = { transport: 'ipc', remote: 'NA', local: 'NA', userAgent: '', origin: '' }

interface SignerIpcDeps {
  readonly handle: CallHandler
  readonly readLong?: LongReader | undefined
  readonly log: Logger
}

export class SignerIpc {
  readonly #connections = new ConnectionLimit(CONNECTIONS, peerPrograms())
  #server: Server | null = null

  constructor(
    private readonly options: SignerIpcOptions,
    private readonly deps: SignerIpcDeps,
  ) {}

  path(): string | null {
    return this.#server === null ? null : this.options.path
  }

  /** @throws SignerError SIGNER_IPC_FAILED */
  async start(): Promise<void> {
    const { path } = this.options
    const server = createServer((socket) => this.#serve(socket))
    const failure = await listenLocal(server, path, protectPipe)
    if (failure !== null)
      throw new SignerError('SIGNER_IPC_FAILED', { path, reason: failure.reason }, { cause: failure.cause })
    server.on('error', (error) => this.deps.log.error('signer socket failed', { error: messageOf(error) }))
    this.#server = server
  }

  /** Pending requests must have been rejected before. */
  async stop(): Promise<void> {
    const server = this.#server
    if (server === null) return
    this.#server = null
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const socket of this.#connections.sockets()) socket.destroySoon()
    await closed
  }

  #serve(socket: Socket): void {
    if (!this.#connections.admit(socket)) return
    const gone = new AbortController()
    socket.on('error', (error) => this.deps.log.debug('local caller failed', { error: messageOf(error) }))
    socket.once('close', () => {
      gone.abort(new SignerError('SIGNER_REQUEST_DENIED', undefined))
    })
    const splitter = new ValueSplitter(MAX_VALUE_BYTES)
    let answered: Promise<void> = Promise.resolve()
    const waiting = { calls: 0, length: 0 }
    /** @param text null: exceeds the maximum length */
    const take = (text: string | null): void => {
      const length = text?.length ?? 0
      waiting.calls += 1
      this.#connections.busy(socket)
      waiting.length += length
      // In order of arrival. A call that waits for the user only delays its own connection.
      answered = answered.then(async () => {
        await this.#answer(socket, text, gone.signal)
        waiting.calls -= 1
        if (waiting.calls === 0) this.#connections.idle(socket)
        waiting.length -= length
        if (waiting.calls > 0) await setImmediate() // others are heard between the calls of one
      })
    }
    socket.on('data', (chunk) => {
      if (splitter.isOver) return
      splitter.push(chunk).forEach(take)
      if (splitter.isOver) take(null)
      // Not paused: that would hide the caller's disconnecting.
      if (waiting.calls > MAX_WAITING_CALLS || waiting.length > MAX_WAITING_TEXT) socket.destroy()
    })
  }

  async #answer(socket: Socket, text: string | null, callerGone: AbortSignal): Promise<void> {
    if (callerGone.aborted) return
    const { handle, readLong } = this.deps
    const context = { caller: IPC_CALLER, callerGone, connection: socket, handle, readLong }
    const answer = text === null ? PARSE_ERROR_ANSWER : await answerBody(text, context)
    if (answer === PARSE_ERROR_ANSWER) socket.end(`${answer}\n`)
    else if (answer !== '' && !callerGone.aborted) await written(socket, `${answer}\n`)
  }
}

/** Resolves when the system took it, or the connection ended: answers aren't made ahead of what the caller reads. */
function written(socket: Socket, text: string): Promise<void> {
  return new Promise((resolve) => {
    socket.write(text, () => resolve())
  })
}
