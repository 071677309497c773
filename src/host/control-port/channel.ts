// The application's own WebSocket: the first message identifies the client, then it is a transport like any other.
import type { IncomingHttpHeaders } from 'node:http'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import type { Disposable } from '../../base/disposable'
import type { Clock } from '../../base/time'
import type { Transport } from '../../base/wire/define'
import type { AccessGuard, ViewLinkFinder, ViewScope } from './access-guard'
import { type ChannelPeer, peerOf } from './channel-peer'

export const MAX_MESSAGE_BYTES = 1_048_576
const MAX_QUEUED_BYTES = 1_048_576
const HELLO_LIMIT_MS = 2_000
const HEARTBEAT_MS = 30_000
/** between our close and the forced end when the other side doesn't answer it */
const CUT_MS = 2_000

/** Our close codes; the first digits correspond to HTTP statuses. */
const CLOSE = { badHello: 4_400, wrongToken: 4_401, lateHello: 4_408, tooManyAttempts: 4_429, slow: 4_413 } as const

export interface ChannelAccess {
  readonly control: boolean
  /** decides requests: only a local peer that presented the right token */
  readonly approve: boolean
  readonly peer: ChannelPeer
  /** It presented the program's token. */
  readonly hasToken: boolean
  /** It uses a read-only link, limited to what the link shows. */
  readonly view: ViewScope | null
}

export type OnChannel = (transport: Transport, access: ChannelAccess) => void

const helloSchema = z.object({
  t: z.literal('hello'),
  token: z.string().max(512).nullable(),
  /** It takes messages that leave together as one array: each message alone costs a page more than what is in it. */
  batches: z.boolean().optional(),
})

interface ChannelDeps {
  readonly guard: AccessGuard
  readonly clock: Clock
  readonly remoteAddress: string
  /** of the request that opened it */
  readonly headers: IncomingHttpHeaders
  readonly onChannel: OnChannel
  /** null: links are disabled */
  readonly links: Pick<ViewLinkFinder, 'onEnded'> | null
}

/** Awaits the hello, then answers `welcome` and hands the transport over, or closes. */
export function openChannel(socket: WebSocket, deps: ChannelDeps): void {
  const { clock } = deps
  const limit = clock.setTimeout(() => socket.close(CLOSE.lateHello, 'no hello within 2 s'), HELLO_LIMIT_MS)
  socket.on('close', () => limit.dispose())
  socket.on('error', () => undefined) // ws closes by itself after an error, with the code that says why
  socket.once('message', (data, isBinary) => {
    limit.dispose()
    if (socket.readyState !== socket.OPEN) return // it arrived after the limit: the close is already in progress
    const hello = helloSchema.safeParse(isBinary ? null : parseMessage(String(data)))
    if (!hello.success) return socket.close(CLOSE.badHello, 'the first message must be a hello')
    const access = accessOf(hello.data.token, deps)
    if (typeof access === 'number') return socket.close(access, 'token missing or wrong')
    const { control, approve, view } = access
    socket.send(JSON.stringify({ t: 'welcome', access: { control, approve } }))
    const transport = new SocketTransport(socket, { clock, hasBatches: hello.data.batches === true })
    if (view !== null) endWithLink(socket, transport, view, deps)
    deps.onChannel(transport, access)
  })
}

/** The transport of a connection whose peer the system has identified: it needs no hello. */
export function ownChannel(socket: WebSocket, clock: Clock): Transport {
  socket.on('error', () => undefined) // ws closes by itself after an error, with the code that says why
  return new SocketTransport(socket, { clock, hasBatches: false })
}

/** A close code when the token isn't accepted. */
function accessOf(token: string | null, { guard, remoteAddress, headers }: ChannelDeps): ChannelAccess | number {
  const { token: check, view } = guard.identify(remoteAddress, token)
  const peer = peerOf(remoteAddress, headers)
  if (view !== null) return { control: false, approve: false, peer, hasToken: false, view }
  if (check === 'limited') return CLOSE.tooManyAttempts
  if (check === 'wrong' || (check === 'none' && guard.readNeedsToken)) return CLOSE.wrongToken
  return {
    // what needs no token locally needs one through a proxy, whose connections only seem local
    control: guard.mayControlInUi(remoteAddress, check) && (check === 'right' || peer.isLocal),
    approve: check === 'right' && peer.isLocal,
    peer,
    hasToken: check === 'right',
    view: null,
  }
}

/** The connection doesn't outlive its link: nothing is received or sent from that moment on. */
function endWithLink(
  socket: WebSocket,
  transport: SocketTransport,
  view: ViewScope,
  { links, clock }: ChannelDeps,
): void {
  const watch = links?.onEnded((id) => {
    if (id === view.id) transport.end(CLOSE.wrongToken, 'the link has ended')
  })
  // the timer runs once a second; anything in between is refused here
  transport.refuseIf(() => clock.now() >= view.expiresAt)
  socket.on('close', () => watch?.dispose())
}

/** Far more than a program's events. */
const MAX_EARLY = 1_000

class SocketTransport implements Transport {
  readonly #closeListeners: ((reason: string) => void)[] = []
  readonly #heartbeat: Disposable
  #listener: ((message: unknown) => void) | null = null
  /** Those that came together with the end of the handshake, before anybody listened. */
  readonly #early: unknown[] = []
  #alive = true
  #isOver: () => boolean = () => false
  #cut: Disposable | null = null
  readonly #clock: Clock
  readonly #hasBatches: boolean
  /** JSON of the messages that leave at the end of this turn of the event loop. */
  readonly #leaving: string[] = []

  constructor(
    private readonly socket: WebSocket,
    { clock, hasBatches }: { readonly clock: Clock; readonly hasBatches: boolean },
  ) {
    this.#clock = clock
    this.#hasBatches = hasBatches
    this.#heartbeat = clock.setInterval(() => this.#beat(), HEARTBEAT_MS)
    socket.on('pong', () => {
      this.#alive = true
    })
    socket.on('message', (data, isBinary) => {
      const message = isBinary ? undefined : parseMessage(String(data))
      if (this.#isOver()) {
        this.end(CLOSE.wrongToken, 'the link has ended')
        return
      }
      if (message === undefined) socket.close(1_003, 'messages must be JSON text')
      else if (this.#listener !== null) this.#listener(message)
      else if (this.#early.push(message) > MAX_EARLY) this.#drop()
    })
    socket.on('close', (code, reason) => this.#closed(reason.toString('utf8') || `closed with ${code}`))
  }

  send(message: unknown): void {
    if (this.socket.readyState !== this.socket.OPEN) return
    if (this.#isOver()) {
      this.end(CLOSE.wrongToken, 'the link has ended')
      return
    }
    const text = JSON.stringify(message)
    if (!this.#hasBatches) this.#write(text)
    else if (this.#leaving.push(text) === 1) setImmediate(() => this.#flush())
  }

  #flush(): void {
    const [first, ...others] = this.#leaving.splice(0)
    if (first === undefined || this.#isOver()) return
    this.#write(others.length === 0 ? first : `[${[first, ...others].join(',')}]`)
  }

  /**
   * A page that doesn't read is disconnected and reconnects; its queue isn't ours to keep. The message being sent
   * doesn't count: a single large request must not disconnect the page that could reject it.
   */
  #write(text: string): void {
    if (this.socket.readyState !== this.socket.OPEN) return
    if (this.socket.bufferedAmount > MAX_QUEUED_BYTES) this.#drop()
    else this.socket.send(text)
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#listener = listener
    for (const message of this.#early.splice(0)) listener(message)
  }

  onClose(listener: (reason: string) => void): void {
    this.#closeListeners.push(listener)
  }

  close(): void {
    this.#listener ??= () => undefined
    this.#flush()
    this.socket.close(1_000)
  }

  /** Once this returns true, nothing is received or sent anymore. */
  refuseIf(isOver: () => boolean): void {
    this.#isOver = isOver
  }

  /** Closes with a reason; a page that doesn't answer the close is cut off. */
  end(code: number, reason: string): void {
    this.#listener = null
    this.#isOver = () => true
    if (this.socket.readyState === this.socket.OPEN) this.socket.close(code, reason)
    this.#cut ??= this.#clock.setTimeout(() => this.socket.terminate(), CUT_MS)
  }

  #beat(): void {
    if (this.socket.readyState === this.socket.CONNECTING) return
    if (this.#alive) this.socket.ping()
    else this.socket.terminate()
    this.#alive = false
  }

  #drop(): void {
    this.socket.close(CLOSE.slow, 'messages are not taken')
    this.socket.terminate()
  }

  #closed(reason: string): void {
    this.#heartbeat.dispose()
    this.#cut?.dispose()
    for (const listener of this.#closeListeners.splice(0)) listener(reason)
  }
}

/** Undefined when it isn't JSON. */
function parseMessage(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return undefined // the caller reports it to the other side
  }
}
