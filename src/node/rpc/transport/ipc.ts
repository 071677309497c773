// JSON-RPC over a local socket that only this user may open: JSON values one after the other in both directions.
import { chmod, lstat, unlink } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { messageOf } from '../../../base/errors'
import type { Logger } from '../../../base/logger'
import { RpcError } from '../../errors'
import type { Dispatcher } from '../dispatch'
import { DuplexSession } from './duplex-session'
import { gathered } from './http-answer'
import { JsonSplitter } from './json-splitter'
import type { TransportLimits } from './limits'
import type { MessageWriter } from './outbox'

const OWNER_ONLY = 0o600
/** Everything but reading and writing by the owner is taken away while the socket is made. */
const OWNER_MASK = 0o177
const PIPE_PREFIX = '\\\\.\\pipe\\'

/** Bytes that the path of a socket may have: `sun_path` without its end mark. */
export function longestSocketPath(): number {
  return process.platform === 'darwin' ? 103 : 107
}

export class IpcListener {
  readonly path: string
  readonly #sockets = new Set<Socket>()
  #server: Server | null = null

  /** @param options.path absolute; on Windows any name, which becomes one of a pipe */
  constructor(
    private readonly options: { readonly path: string; readonly limits: TransportLimits },
    private readonly deps: { readonly dispatcher: Dispatcher; readonly log: Logger },
  ) {
    this.path = process.platform === 'win32' ? pipeName(options.path) : options.path
  }

  /** @throws RpcError RPC_IPC_IN_USE, RPC_IPC_FAILED */
  async start(): Promise<void> {
    const { path } = this
    const isPipe = process.platform === 'win32'
    if (!isPipe && Buffer.byteLength(path) > longestSocketPath())
      throw new RpcError('RPC_IPC_FAILED', { path, reason: `longer than ${longestSocketPath()} bytes` })
    if (!isPipe) await removeStale(path)
    const server = createServer((socket) => this.#serve(socket))
    server.maxConnections = this.options.limits.mostConnections
    const listening = new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => {
        const cause = { cause: error }
        if (error.code === 'EADDRINUSE') reject(new RpcError('RPC_IPC_IN_USE', { path }, cause))
        else reject(new RpcError('RPC_IPC_FAILED', { path, reason: messageOf(error) }, cause))
      })
      server.once('listening', resolve)
    })
    listenPrivately(server, path)
    await listening
    server.on('error', (error) => this.deps.log.error('IPC listener failed', { error: messageOf(error) }))
    this.#server = server
    if (!isPipe) await chmod(path, OWNER_ONLY)
  }

  async stop(): Promise<void> {
    const server = this.#server
    this.#server = null
    if (server === null) return
    const closed = new Promise<void>((resolve) => server.close(() => resolve())) // removes the socket's file
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  #serve(socket: Socket): void {
    const { limits } = this.options
    const { dispatcher, log } = this.deps
    const splitter = new JsonSplitter(limits.mostMessageBytes)
    const session = new DuplexSession({
      transport: 'ipc',
      who: () => ({ transport: 'ipc', remote: 'NA', local: this.path, userAgent: '', origin: '' }),
      dispatcher,
      writer: writerOf(socket),
      limits,
      log,
      hangUp: () => socket.destroy(),
      setReading: (isReading) => (isReading ? socket.resume() : socket.pause()),
    })
    this.#sockets.add(socket)
    socket.on('data', (chunk) => {
      const values = splitter.push(chunk)
      if (values === null) return void socket.destroy()
      if (values.some((text) => !session.take(text))) socket.end()
    })
    socket.on('error', (error) => log.debug('an IPC connection failed', { error: error.message }))
    socket.on('close', () => {
      this.#sockets.delete(socket)
      session.close()
    })
  }
}

function pipeName(path: string): string {
  if (path.startsWith(PIPE_PREFIX)) return path
  return `${PIPE_PREFIX}${path.split(/[\\/]/).pop() ?? path}`
}

/** The file must never be open to others, not even between its making and a later change of its mode. */
function listenPrivately(server: Server, path: string): void {
  if (process.platform === 'win32') return void server.listen(path)
  const before = process.umask(OWNER_MASK)
  try {
    server.listen(path) // binds before it returns
  } finally {
    process.umask(before)
  }
}

/** A socket that nobody listens on is what a killed run left; other files stay. @throws RpcError RPC_IPC_IN_USE, RPC_IPC_FAILED */
async function removeStale(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null)
  if (found === null) return
  if (!found.isSocket())
    throw new RpcError('RPC_IPC_FAILED', { path, reason: 'a file that is no socket is in the way' })
  const outcome = await new Promise<string>((resolve) => {
    const probe = connect(path)
    probe.once('connect', () => {
      probe.destroy()
      resolve('listening')
    })
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
  })
  if (outcome === 'listening') throw new RpcError('RPC_IPC_IN_USE', { path })
  if (outcome === 'ECONNREFUSED') await unlink(path)
}

function writerOf(socket: Socket): MessageWriter {
  const write = (data: string | Buffer): Promise<void> =>
    new Promise((resolve) => {
      if (socket.destroyed || !socket.writable) return resolve()
      socket.write(data, () => resolve())
    })
  return {
    message: (text) => write(`${text}\n`),
    stream: async (chunks) => {
      for await (const piece of gathered(chunks)) {
        if (socket.destroyed) return
        await write(piece)
      }
      await write('\n')
    },
  }
}
