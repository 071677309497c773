// The external API on a local socket: one JSON value after another in, one answer a line out (signer.md 2.1). Only
// this user can connect: the socket has mode 0600, and its folder is the user's own.
import { lstat, mkdir, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { messageOf } from '../../base/errors'
import { endOfValue } from '../../base/json-text'
import type { Logger } from '../../base/logger'
import { SignerError } from '../errors'
import type { Caller } from '../requests/request'
import { answerBody, type CallHandler, isJson, parseErrorText } from './json-rpc'

export interface SignerIpcOptions {
  /** Absolute path of the socket; on Windows the name of a pipe. */
  readonly path: string
  readonly isWindows: boolean
}

const MOST_PENDING_TEXT = 5 * 1024 * 1024
const MOST_CONNECTIONS = 64
/** Of one connection: calls that wait for their turn, and their characters together. Whoever sends more is cut off. */
const MOST_WAITING_CALLS = 1_000
const MOST_WAITING_TEXT = 4 * MOST_PENDING_TEXT
/** Everything but reading and writing by the owner is taken away while the socket is made. */
const OWNER_MASK = 0o177

/** Nothing of a caller on a local socket is known. */
const IPC_CALLER: Caller = { transport: 'ipc', remote: 'NA', local: 'NA', userAgent: '', origin: '' }

export class SignerIpc {
  readonly #options: SignerIpcOptions
  readonly #deps: { readonly handle: CallHandler; readonly log: Logger }
  readonly #sockets = new Set<Socket>()
  #server: Server | null = null

  constructor(options: SignerIpcOptions, deps: { readonly handle: CallHandler; readonly log: Logger }) {
    this.#options = options
    this.#deps = deps
  }

  /** The socket's path; null when it does not listen. */
  path(): string | null {
    return this.#server === null ? null : this.#options.path
  }

  /** @throws SignerError SIGNER_IPC_FAILED */
  async start(): Promise<void> {
    const { path, isWindows } = this.#options
    try {
      if (!isWindows) await makeWay(path)
      this.#server = await listen(path, isWindows, (socket) => this.#serve(socket))
    } catch (cause) {
      throw new SignerError('SIGNER_IPC_FAILED', { path, reason: messageOf(cause) }, { cause })
    }
  }

  /** Whoever waits must have been denied before. */
  async stop(): Promise<void> {
    const server = this.#server
    if (server === null) return
    this.#server = null
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const socket of this.#sockets) socket.destroySoon()
    await closed
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket)
    const gone = new AbortController()
    socket.on('error', (error) => this.#deps.log.debug('local caller failed', { error: messageOf(error) }))
    socket.once('close', () => {
      this.#sockets.delete(socket)
      gone.abort(new SignerError('SIGNER_REQUEST_DENIED', undefined))
    })
    const reader = new ValueReader()
    let answered: Promise<void> = Promise.resolve()
    const waiting = { calls: 0, length: 0 }
    const take = (text: string | null): void => {
      const length = text?.length ?? 0
      waiting.calls += 1
      waiting.length += length
      // One after the other, as they came. What waits for a person holds up only its own connection.
      answered = answered.then(async () => {
        await this.#answer(socket, text, gone.signal)
        waiting.calls -= 1
        waiting.length -= length
      })
    }
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      reader.read(chunk).forEach(take)
      // Not paused: that would hide that the caller hangs up.
      if (waiting.calls > MOST_WAITING_CALLS || waiting.length > MOST_WAITING_TEXT) socket.destroy()
    })
  }

  async #answer(socket: Socket, text: string | null, callerGone: AbortSignal): Promise<void> {
    if (callerGone.aborted) return
    if (text === null || !isJson(text)) {
      socket.end(`${parseErrorText()}\n`)
      return
    }
    const answer = await answerBody(text, { caller: IPC_CALLER, callerGone, handle: this.#deps.handle })
    if (answer !== '' && !callerGone.aborted) await written(socket, `${answer}\n`)
  }
}

/** Cuts a stream into JSON texts. A text that cannot be one is handed out as it is, what is too long as null. */
class ValueReader {
  #rest = ''
  #isOver = false

  read(chunk: string): readonly (string | null)[] {
    if (this.#isOver) return []
    this.#rest += chunk
    const out: (string | null)[] = []
    for (;;) {
      this.#rest = this.#rest.trimStart()
      const end = this.#end()
      if (end < 0) break
      out.push(this.#rest.slice(0, end))
      this.#rest = this.#rest.slice(end)
    }
    if (this.#rest.length > MOST_PENDING_TEXT) {
      this.#isOver = true
      out.push(null)
    }
    return out
  }

  /** End of the first value, -1 while it may still go on. */
  #end(): number {
    const text = this.#rest
    if (text === '') return -1
    const end = endOfValue(text, 0)
    if (/^[[{"]/.test(text)) return end >= 0 || !hasBrokenString(text) ? end : text.length
    // A bare word ends where something else begins; at the end of what came it may go on.
    if (end < 0) return 1
    return end < text.length ? end : -1
  }
}

/** A line break inside a string is no JSON, whatever follows. */
function hasBrokenString(text: string): boolean {
  const line = text.split('\n', 1)[0] ?? ''
  if (line.length === text.length) return false
  const quotes = line.replace(/\\./g, '').match(/"/g)?.length ?? 0
  return quotes % 2 === 1
}

/** Removes a socket that nobody listens on any more; a living one, or another kind of file, is left and is an error. */
async function makeWay(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const stat = await lstat(path).catch(() => null)
  if (stat === null) return
  if (!stat.isSocket()) throw new Error('a file that is no socket is in the way')
  if (await isAlive(path)) throw new Error('another program listens there')
  await rm(path, { force: true })
}

/** Only a refused connection shows that nobody is there; a busy listener, or one of another user, fails otherwise. */
function isAlive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', (error) => resolve(!('code' in error && error.code === 'ECONNREFUSED')))
  })
}

function listen(path: string, isWindows: boolean, onSocket: (socket: Socket) => void): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(onSocket)
    server.maxConnections = MOST_CONNECTIONS
    server.once('error', reject)
    server.once('listening', () => {
      server.off('error', reject)
      resolve(server)
    })
    if (isWindows) server.listen(path)
    else listenPrivately(server, path)
  })
}

/** The file must never be open to others, not even between its making and a later change of its mode. */
function listenPrivately(server: Server, path: string): void {
  const before = process.umask(OWNER_MASK)
  try {
    server.listen(path) // binds before it returns
  } finally {
    process.umask(before)
  }
}

/** Resolves when the system has taken it, or the connection ended: what a caller does not read is not made in advance. */
function written(socket: Socket, text: string): Promise<void> {
  return new Promise((resolve) => {
    socket.write(text, () => resolve())
  })
}
