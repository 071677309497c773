// JSON-RPC over a local socket that only this user may open: consecutive JSON values in both directions.
import { createServer, type Server, type Socket } from 'node:net'
import { messageOf } from '../../../base/errors'
import type { Logger } from '../../../base/logger'
import { protectPipe } from '../../../native/system/owner-pipe'
import { peerPrograms } from '../../../native/system/peer-process'
import { ConnectionLimit } from '../../../net/connection-limit'
import { ValueSplitter } from '../../../net/json-rpc/value-splitter'
import { listenLocal, localSocketName } from '../../../net/listen'
import { RpcError } from '../../errors'
import type { Dispatcher } from '../dispatch/dispatch'
import { DuplexSession, type MessageWriter } from './duplex-session'
import type { TransportLimits } from './limits'

export class IpcListener {
  readonly path: string
  readonly #connections: ConnectionLimit
  #served = 0
  #server: Server | null = null

  /** @param options.path absolute; on Windows any name, which becomes a pipe's */
  constructor(
    private readonly options: { readonly path: string; readonly limits: TransportLimits },
    private readonly deps: { readonly dispatcher: Dispatcher; readonly log: Logger },
  ) {
    this.path = localSocketName(options.path)
    const { maxConnections: max, maxPerProgram } = options.limits
    this.#connections = new ConnectionLimit({ max, maxPerAddress: max, maxPerProgram }, peerPrograms())
  }

  /** @throws RpcError RPC_IPC_IN_USE, RPC_IPC_FAILED */
  async start(): Promise<void> {
    const { path } = this
    const server = createServer((socket) => this.#serve(socket))
    const failure = await listenLocal(server, path, protectPipe)
    if (failure !== null) {
      const { kind, reason, cause } = failure
      if (kind === 'in-use') throw new RpcError('RPC_IPC_IN_USE', { path }, { cause })
      throw new RpcError('RPC_IPC_FAILED', { path, reason }, { cause })
    }
    server.on('error', (error) => this.deps.log.error('IPC listener failed', { error: messageOf(error) }))
    this.#server = server
  }

  async stop(): Promise<void> {
    const server = this.#server
    this.#server = null
    if (server === null) return
    const closed = new Promise<void>((resolve) => server.close(() => resolve())) // also removes the socket file
    for (const socket of this.#connections.sockets()) socket.destroy()
    await closed
  }

  #serve(socket: Socket): void {
    if (!this.#connections.admit(socket)) return
    const { limits } = this.options
    const { dispatcher, log } = this.deps
    const splitter = new ValueSplitter(limits.maxMessageBytes)
    const session = new DuplexSession({
      transport: 'ipc',
      who: () => ({ transport: 'ipc', remote: 'NA', local: this.path, userAgent: '', origin: '' }),
      share: `ipc ${++this.#served}`, // callers are anonymous: each connection has its own share
      dispatcher,
      writer: writerOf(socket),
      limits,
      log,
      hangUp: () => socket.destroy(),
      setReading: (isReading) => socket[isReading ? 'resume' : 'pause'](),
      setBusy: (isBusy) => this.#connections[isBusy ? 'busy' : 'idle'](socket),
    })
    socket.on('data', (chunk) => {
      const values = splitter.push(chunk)
      if (splitter.isOver) return void socket.destroy()
      if (values.some((text) => !session.take(text))) socket.end()
    })
    socket.on('error', (error) => log.debug('an IPC connection failed', { error: error.message }))
    socket.on('close', () => session.close())
  }
}

function writerOf(socket: Socket): MessageWriter {
  return {
    isOpen: () => !socket.destroyed,
    write: (data, isEnd) =>
      new Promise((resolve) => {
        if (socket.destroyed || !socket.writable) return resolve()
        socket.write(isEnd ? `${data}\n` : data, () => resolve())
      }),
  }
}
