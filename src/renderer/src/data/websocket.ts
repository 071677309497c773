// The browser's way to the backend: one WebSocket to the control port, with a token first and retries afterwards.
import { z } from 'zod'
import type { Disposable } from '../../../base/disposable'
import { jsonOrNull } from '../../../base/json-text'
import type { Clock } from '../../../base/time'
import type { Transport } from '../../../base/wire/define'
import { CHANNEL_PATH } from '../../../contract/contract'
import type { Backend } from './backend'
import { BackendLink } from './link'
import { BACK_OFF_SECONDS } from './reach'
import { utcOf, watchSilence } from './silence'
import type { TokenStore } from './token-store'

/** Close code of a wrong or missing token. */
const CLOSE_SIGNED_OUT = 4401

const welcomeSchema = z.object({ t: z.literal('welcome') })
const textSchema = z.string()

export interface SocketListener {
  onOpen(): void
  onText(data: unknown): void
  onClose(code: number, reason: string): void
}

/** The part of a WebSocket that is used; tests provide their own. */
export interface Socket {
  send(text: string): void
  close(): void
}

type OpenSocket = (listener: SocketListener) => Socket

export interface WebSocketBackendOptions {
  readonly openSocket: OpenSocket
  readonly clock: Clock
  readonly tokens: TokenStore
  /** Seconds before the 1st, 2nd, ... retry; the last value repeats. */
  readonly backOffSeconds?: readonly number[]
  /** Asked before each retry: connects only when something answers. Absent: always connects. */
  readonly isAnswering?: () => Promise<boolean>
}

/** Below the page itself, which a proxy may serve under a path; `wss` behind a TLS proxy. */
export function channelUrl({ protocol, host, pathname }: Pick<Location, 'protocol' | 'host' | 'pathname'>): string {
  const folder = pathname.slice(0, pathname.lastIndexOf('/'))
  return `${protocol === 'https:' ? 'wss' : 'ws'}://${host}${folder}${CHANNEL_PATH}`
}

export function browserSocket(url: string): OpenSocket {
  return (listener) => {
    const socket = new WebSocket(url)
    socket.addEventListener('open', () => listener.onOpen())
    socket.addEventListener('message', (event) => listener.onText(event.data))
    socket.addEventListener('close', (event) => listener.onClose(event.code, event.reason))
    return socket
  }
}

/** Starts connecting immediately. */
export function createWebSocketBackend(options: WebSocketBackendOptions): Backend {
  return new WebSocketBackend(options)
}

class WebSocketBackend implements Backend {
  readonly #options: WebSocketBackendOptions
  readonly #link = new BackendLink()
  #socket: Socket | null = null
  #retryTimer: Disposable | null = null
  #failures = 0
  #lostAt: number | null = null
  #watch: Disposable | null = null
  /** Counts attempts, so that a late answer to an earlier one isn't mistaken for the current one's. */
  #round = 0

  constructor(options: WebSocketBackendOptions) {
    this.#options = options
    this.#connect()
  }

  readonly call: Backend['call'] = (name, params) => this.#link.call(name, params)
  readonly on: Backend['on'] = (name, listener) => this.#link.on(name, listener)
  readonly connection: Backend['connection'] = () => this.#link.connection()
  readonly onConnection: Backend['onConnection'] = (listener) => this.#link.onConnection(listener)
  readonly unread: Backend['unread'] = () => this.#link.unread()
  readonly onUnread: Backend['onUnread'] = (listener) => this.#link.onUnread(listener)

  signIn(token: string, remember: boolean): void {
    this.#options.tokens.write(token, remember)
    this.#failures = 0
    this.#link.setConnection({ kind: 'connecting' })
    this.#reconnect()
  }

  retry(): void {
    if (this.#link.connection().kind === 'lost') this.#reconnect()
  }

  close(): void {
    this.#round += 1
    this.#retryTimer?.dispose()
    this.#watch?.dispose()
    this.#dropSocket()
  }

  #reconnect(): void {
    this.#round += 1
    this.#retryTimer?.dispose()
    this.#dropSocket()
    this.#connect()
  }

  #dropSocket(): void {
    const socket = this.#socket
    this.#socket = null
    this.#watch?.dispose()
    this.#link.detach()
    socket?.close()
  }

  /** Ignores a socket that was replaced. */
  #connect(): void {
    const { openSocket, tokens } = this.#options
    const token = tokens.read()
    const pipe = new SocketPipe()
    const isCurrent = (): boolean => this.#socket === socket
    const socket = openSocket({
      onOpen: () => isCurrent() && socket.send(JSON.stringify({ t: 'hello', token, batches: true })),
      onText: (data) => {
        const message = parseJson(data)
        // A frame may end the connection that the rest of its batch came on.
        for (const frame of Array.isArray(message) ? message : [message])
          if (isCurrent()) this.#onFrame(frame, pipe, socket)
      },
      onClose: (code, reason) => {
        if (!isCurrent()) return
        this.#socket = null
        this.#watch?.dispose()
        pipe.closed(reason)
        if (code === CLOSE_SIGNED_OUT) this.#signedOut(token)
        else this.#tryLater(reason)
      },
    })
    this.#socket = socket
    this.#watch?.dispose()
    this.#watch = this.#watchSilence(pipe)
  }

  #watchSilence(pipe: SocketPipe): Disposable {
    const { clock } = this.#options
    pipe.heardAt = clock.monotonic()
    return watchSilence({
      clock,
      heardAt: () => pipe.heardAt,
      ask: () => {
        if (pipe.isOpen) this.#link.call('app.info', {}).catch(() => undefined) // any answer will do
      },
      onGone: () => {
        this.#dropSocket()
        pipe.closed('silent')
        this.#lostAt ??= utcOf(pipe.heardAt, clock)
        this.#tryLater('silent')
      },
    })
  }

  /** The welcome opens the pipe; everything after it belongs to the wire. */
  #onFrame(frame: unknown, pipe: SocketPipe, socket: Socket): void {
    pipe.heardAt = this.#options.clock.monotonic()
    if (pipe.isOpen) {
      pipe.receive(frame)
      return
    }
    if (!welcomeSchema.safeParse(frame).success) return
    this.#failures = 0
    this.#lostAt = null
    this.#link.attach(pipe.open(socket), () => undefined)
  }

  #signedOut(token: string | null): void {
    if (token !== null) this.#options.tokens.forget(token)
    this.#lostAt = null
    this.#link.setConnection({ kind: 'signedOut', refused: token !== null })
  }

  #tryLater(reason: string): void {
    const { clock, backOffSeconds = BACK_OFF_SECONDS } = this.#options
    const seconds = backOffSeconds[Math.min(this.#failures, backOffSeconds.length - 1)] ?? 30
    this.#failures += 1
    this.#lostAt ??= clock.now()
    this.#link.setConnection({
      kind: 'lost',
      since: this.#lostAt,
      retryAt: clock.now() + seconds * 1000,
      reason,
    })
    this.#round += 1
    const round = this.#round
    this.#retryTimer = clock.setTimeout(() => this.#tryAgain(round, reason), seconds * 1000)
  }

  #tryAgain(round: number, reason: string): void {
    const { isAnswering } = this.#options
    if (isAnswering === undefined) {
      this.#connect()
      return
    }
    void isAnswering().then((isThere) => {
      if (round !== this.#round) return
      if (isThere) this.#connect()
      else this.#tryLater(reason)
    })
  }
}

/** A socket after its welcome, as a transport of whole frames. */
class SocketPipe {
  /** UTC ms of the last frame, or of the start. */
  heardAt = 0
  #isOpen = false
  #onMessage: (message: unknown) => void = () => undefined
  readonly #closeListeners: ((reason: string) => void)[] = []

  get isOpen(): boolean {
    return this.#isOpen
  }

  open(socket: Socket): Transport {
    this.#isOpen = true
    return {
      send: (message) => socket.send(JSON.stringify(message)),
      onMessage: (listener) => {
        this.#onMessage = listener
      },
      onClose: (listener) => void this.#closeListeners.push(listener),
      close: () => socket.close(),
    }
  }

  receive(message: unknown): void {
    this.#onMessage(message)
  }

  closed(reason: string): void {
    for (const listener of this.#closeListeners) listener(reason)
  }
}

/** A frame's JSON, or null if it isn't JSON; the wire client validates the result. */
function parseJson(data: unknown): unknown {
  const text = textSchema.safeParse(data)
  return text.success ? jsonOrNull(text.data) : null
}
