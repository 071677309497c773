// JSON-RPC over WebSocket: the upgrade with its Origin rule, pings, and text messages.
import type { IncomingMessage } from 'node:http'
import { hostname } from 'node:os'
import type { Duplex } from 'node:stream'
import { type RawData, WebSocket, WebSocketServer } from 'ws'
import type { Disposable } from '../../../base/disposable'
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import { originForm } from '../../../net/json-http-rules'
import type { Dispatcher } from '../dispatch/dispatch'
import { callerOf } from '../dispatch/method'
import { DuplexSession, type MessageWriter } from './duplex-session'
import { originAllowed, type UpgradeHandler } from './http-listener'
import type { TransportLimits } from './limits'

const TOO_MUCH = 1013
const UNSUPPORTED = 1007

/** Accepts upgrades and runs a session on each. */
export class WebSocketEndpoint {
  readonly #server: WebSocketServer
  readonly #live = new Set<WebSocket>()

  /** @param options.origins see `originAllowed` */
  constructor(
    private readonly options: { readonly origins: readonly string[]; readonly limits: TransportLimits },
    private readonly deps: { readonly dispatcher: Dispatcher; readonly clock: Clock; readonly log: Logger },
  ) {
    this.#server = new WebSocketServer({ noServer: true, maxPayload: options.limits.maxMessageBytes })
  }

  readonly onUpgrade: UpgradeHandler = (request, socket, head, mark) => {
    socket.on('error', () => socket.destroy())
    const path = originForm(request.url).split('?')[0]
    const isAllowed = originAllowed(request.headers.origin, this.options.origins, hostname())
    if (path !== '/') refuseUpgrade(socket, '404 Not Found')
    else if (!isAllowed) refuseUpgrade(socket, '403 Forbidden')
    else this.#server.handleUpgrade(request, socket, head, (client) => this.#serve(client, request, mark))
  }

  stop(): void {
    for (const client of this.#live) client.terminate()
  }

  #serve(client: WebSocket, request: IncomingMessage, mark: (isBusy: boolean) => void): void {
    const { limits } = this.options
    const { dispatcher, clock, log } = this.deps
    const session = new DuplexSession({
      transport: 'ws',
      who: () => callerOf('ws', request),
      share: null,
      dispatcher,
      writer: writerOf(client),
      limits,
      log,
      hangUp: (reason) => client.close(TOO_MUCH, reason),
      setReading: (isReading) => client[isReading ? 'resume' : 'pause'](),
      setBusy: mark,
    })
    const pings = keepAlive(client, clock, limits)
    this.#live.add(client)
    client.on('message', (data) => {
      if (!session.take(textOf(data))) client.close(UNSUPPORTED)
    })
    client.on('error', (error) => log.debug('a WebSocket failed', { error: error.message }))
    client.on('close', () => {
      pings.dispose()
      this.#live.delete(client)
      session.close()
    })
  }
}

function refuseUpgrade(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

/** Messages arrive as one Buffer, see `binaryType`. */
function textOf(data: RawData): string {
  if (Buffer.isBuffer(data)) return data.toString('utf8')
  return Buffer.concat(Array.isArray(data) ? data : [Buffer.from(data)]).toString('utf8')
}

function keepAlive(client: WebSocket, clock: Clock, limits: TransportLimits): Disposable {
  let deadline: Disposable | null = null
  const timer = clock.setInterval(() => {
    client.ping()
    deadline ??= clock.setTimeout(() => client.terminate(), limits.pongWithinMs)
  }, limits.pingEveryMs)
  client.on('pong', () => {
    deadline?.dispose()
    deadline = null
  })
  return {
    dispose: () => {
      timer.dispose()
      deadline?.dispose()
    },
  }
}

function writerOf(client: WebSocket): MessageWriter {
  const isOpen = () => client.readyState === WebSocket.OPEN
  return {
    isOpen,
    write: (data, fin) =>
      new Promise((resolve) => {
        if (!isOpen()) return resolve()
        client.send(data, { fin, binary: false }, () => resolve())
      }),
  }
}
