// One RLPx connection over a socket: handshake, Hello, then messages both ways, with a limit on everything the other side
// may make us wait for or hold.
import type { Socket } from 'node:net'
import { equalBytes } from '../../../base/bytes'
import { Emitter } from '../../../base/events'
import { Disposables } from '../../../base/lifecycle'
import { type Clock, sleep } from '../../../base/time'
import { P2pError } from '../../errors'
import {
  BASE_CODES,
  DISCONNECT,
  type DisconnectReason,
  decodeDisconnect,
  decodeHello,
  encodeDisconnect,
  encodeHello,
  FIRST_CAPABILITY_CODE,
  type Hello,
  MOST_HELLO_BYTES,
  P2P_VERSION,
} from '../wire/base-messages'
import { ByteQueue } from './byte-queue'
import { newSecretKey, type RandomBytes } from './ecies'
import { bodyBytes, FRAME_HEAD_BYTES, FRAME_LIMIT, FrameCodec } from './frame-codec'
import { ackPacket, authPacket, frameSecrets, type HandshakeSide, readAck, readAuth } from './handshake'
import { snappy, unsnappy } from './snappy'

export interface ConnectionOptions {
  /** 32 bytes: our node key */
  readonly staticKey: Uint8Array
  /** 64 bytes: who is dialled; null = they dialled us */
  readonly remoteId: Uint8Array | null
  readonly hello: Hello
  /** Bigger messages end the connection, bytes after unpacking. */
  readonly mostMessageBytes: number
}

export interface ConnectionDeps {
  readonly clock: Clock
  readonly randomBytes: RandomBytes
}

export interface ConnectionEvents {
  closed: { readonly reason: string }
}

/** Codes of the base protocol are not among them. */
export interface Message {
  readonly code: number
  readonly payload: Uint8Array
}

const HANDSHAKE_MS = 5_000
const HELLO_MS = 5_000
const SILENCE_MS = 30_000
const PING_MS = 15_000
const LINGER_MS = 1_000
/** Leading bytes of a packet before its length says how many follow. */
const MOST_HANDSHAKE_BYTES = 2_048
/** What a peer that does not read may leave waiting here. */
const MOST_UNSENT_BYTES = 24 * 1024 * 1024
/** Base messages (pings) a peer may send within one ping interval. */
const MOST_BASE_MESSAGES = 100
const EMPTY_LIST = Uint8Array.of(0xc0)

export class Connection {
  readonly events = new Emitter<ConnectionEvents>()
  readonly #socket: Socket
  readonly #options: ConnectionOptions
  readonly #deps: ConnectionDeps
  readonly #queue = new ByteQueue()
  readonly #held = new Disposables()
  #wake: (() => void) | null = null
  #codec: FrameCodec | null = null
  #frameSize: number | null = null
  #packs = false
  #closed: string | null = null
  #receiver: ((message: Message) => void) | null = null
  #beating = false
  #baseMessages = 0
  #heardAt = 0
  #remoteId: Uint8Array = new Uint8Array(64)
  #hello: Hello | null = null

  constructor(socket: Socket, options: ConnectionOptions, deps: ConnectionDeps) {
    this.#socket = socket
    this.#options = options
    this.#deps = deps
    socket.setNoDelay(true)
    socket.on('data', (chunk) => this.#take(chunk))
    socket.on('error', (error) => this.#end(error.message))
    socket.on('close', () => this.#end('closed by the other side'))
  }

  /** 64 bytes; known once `open` is done. */
  get remoteId(): Uint8Array {
    return this.#remoteId
  }

  get remoteHello(): Hello | null {
    return this.#hello
  }

  get isClosed(): boolean {
    return this.#closed !== null
  }

  /** `HOST:PORT` of our end. */
  get localAddress(): string {
    return `${this.#socket.localAddress ?? ''}:${this.#socket.localPort ?? 0}`
  }

  /** Bytes that the peer has not taken yet. */
  get unsentBytes(): number {
    return this.#socket.writableLength
  }

  /**
   * Handshake and Hello. Messages are held back until `receive`.
   * @throws P2pError P2P_TIMEOUT, P2P_CLOSED, P2P_BAD_DATA, P2P_REFUSED; the socket is closed then
   */
  async open(): Promise<Hello> {
    try {
      this.#codec = await this.#within('handshake', HANDSHAKE_MS, () => this.#handshake())
      const hello = await this.#within('hello', HELLO_MS, () => this.#exchangeHello(this.#options.hello))
      this.#hello = hello
      this.#packs = hello.p2pVersion >= P2P_VERSION
      return hello
    } catch (error: unknown) {
      this.#end('handshake failed')
      throw error
    }
  }

  /** Messages go to `receiver` from now on; null holds them back, unread. */
  receive(receiver: ((message: Message) => void) | null): void {
    if (this.#closed !== null) return
    this.#receiver = receiver
    if (receiver === null) return
    if (!this.#beating) {
      const { clock } = this.#deps
      this.#beating = true
      this.#heardAt = clock.monotonic()
      this.#held.add(clock.setInterval(() => this.#beat(), PING_MS))
    }
    this.#pump()
  }

  /** False when the peer is gone, or does not take what it was sent. @param payload before packing */
  send(code: number, payload: Uint8Array): boolean {
    if (this.#closed !== null) return false
    if (this.#socket.writableLength > MOST_UNSENT_BYTES) {
      this.#end('it does not read what it is sent')
      return false
    }
    return this.#write(code, payload)
  }

  /** Says why and closes. */
  disconnect(reason: DisconnectReason): void {
    if (this.#closed !== null) return
    this.#sendDisconnect(reason)
    this.#finish(`we ended it: reason ${reason}`)
  }

  #take(chunk: Uint8Array): void {
    this.#queue.push(chunk)
    const wake = this.#wake
    this.#wake = null
    wake?.()
    if (this.#receiver !== null) this.#pump()
    else if (this.#codec === null && this.#queue.length > 2 * MOST_HANDSHAKE_BYTES) this.#end('too long a handshake')
    else if (this.#queue.length > FRAME_LIMIT) this.#socket.pause() // until someone listens
  }

  async #bytes(count: number): Promise<Uint8Array> {
    for (;;) {
      if (this.#closed !== null) throw new P2pError('P2P_CLOSED', { reason: this.#closed })
      const bytes = this.#queue.take(count)
      if (bytes !== null) return bytes
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  async #packet(): Promise<Uint8Array> {
    const prefix = await this.#bytes(2)
    const size = ((prefix[0] ?? 0) << 8) | (prefix[1] ?? 0)
    if (size > MOST_HANDSHAKE_BYTES) throw bad('handshake', `a packet of ${size} bytes`)
    return Buffer.concat([prefix, await this.#bytes(size)])
  }

  async #handshake(): Promise<FrameCodec> {
    const { staticKey, remoteId } = this.#options
    const { randomBytes } = this.#deps
    const side: HandshakeSide = {
      ephemeralKey: newSecretKey(randomBytes),
      nonce: new Uint8Array(randomBytes(32)),
    }
    const secrets = await (remoteId === null ? this.#answer(staticKey, side) : this.#ask(staticKey, remoteId, side))
    if (secrets === null) throw bad('handshake', 'an ephemeral key that is none')
    return new FrameCodec(secrets)
  }

  async #ask(staticKey: Uint8Array, remoteId: Uint8Array, side: HandshakeSide) {
    const auth = authPacket(staticKey, remoteId, side, this.#deps.randomBytes)
    this.#socket.write(auth)
    const ack = await this.#packet()
    const remote = readAck(ack, staticKey)
    if (remote === null) throw bad('handshake', 'an answer that is not for us')
    this.#remoteId = remoteId
    return frameSecrets({ isInitiator: true, side, remote, auth, ack })
  }

  async #answer(staticKey: Uint8Array, side: HandshakeSide) {
    const auth = await this.#packet()
    const remote = readAuth(auth, staticKey)
    if (remote === null) throw bad('handshake', 'a packet that is not for us')
    const ack = ackPacket(remote.remoteId, side, this.#deps.randomBytes)
    this.#socket.write(ack)
    this.#remoteId = remote.remoteId
    return frameSecrets({ isInitiator: false, side, remote, auth, ack })
  }

  async #exchangeHello(own: Hello): Promise<Hello> {
    this.#write(BASE_CODES.hello, encodeHello(own))
    const head = this.#codec?.readHead(await this.#bytes(FRAME_HEAD_BYTES)) ?? null
    if (head === null) throw bad('hello', 'wrong MAC')
    if (head > MOST_HELLO_BYTES + 1) throw bad('hello', `${head} bytes`)
    const content = this.#codec?.readBody(await this.#bytes(bodyBytes(head)), head) ?? null
    if (content === null) throw bad('hello', 'wrong MAC')
    const code = codeOf(content)
    if (code === BASE_CODES.disconnect) {
      throw new P2pError('P2P_REFUSED', { reason: decodeDisconnect(content.subarray(1)) })
    }
    const hello = code === BASE_CODES.hello ? decodeHello(content.subarray(1)) : null
    if (hello === null || !hello.ok) {
      this.#sendDisconnect(DISCONNECT.badProtocol)
      throw bad('hello', hello?.error ?? `code ${code} came first`)
    }
    const fault = identityFault(hello.value, this.#remoteId, own.nodeId)
    if (fault === null) return hello.value
    this.#sendDisconnect(fault)
    throw bad('hello', `identity refused with reason ${fault}`)
  }

  /** Gives out whatever is complete. */
  #pump(): void {
    while (this.#closed === null && this.#codec !== null && this.#receiver !== null) {
      if (this.#frameSize === null) {
        const head = this.#queue.take(FRAME_HEAD_BYTES)
        if (head === null) break
        this.#frameSize = this.#codec.readHead(head)
        if (this.#frameSize === null) {
          this.#end('a frame with a wrong MAC')
          return
        }
      }
      const body = this.#queue.take(bodyBytes(this.#frameSize))
      if (body === null) break
      const content = this.#codec.readBody(body, this.#frameSize)
      this.#frameSize = null
      if (content === null) {
        this.#end('a frame with a wrong MAC')
        return
      }
      this.#heardAt = this.#deps.clock.monotonic()
      this.#deliver(content)
    }
    if (this.#receiver !== null && this.#socket.isPaused()) this.#socket.resume()
  }

  #deliver(content: Uint8Array): void {
    const code = codeOf(content)
    if (code === null) {
      this.#end('a message without a code')
      return
    }
    const packed = content.subarray(1)
    const payload = this.#packs ? unsnappy(packed, this.#options.mostMessageBytes) : packed
    // Some nodes send Disconnect without packing it.
    if (code === BASE_CODES.disconnect) {
      this.#end(`the other side ended it: reason ${decodeDisconnect(payload ?? packed)}`)
      return
    }
    if (payload === null || payload.length > this.#options.mostMessageBytes) {
      this.disconnect(DISCONNECT.subprotocol)
      return
    }
    if (code >= FIRST_CAPABILITY_CODE) {
      this.#receiver?.({ code, payload })
      return
    }
    if (++this.#baseMessages > MOST_BASE_MESSAGES) {
      this.disconnect(DISCONNECT.badProtocol)
      return
    }
    if (code === BASE_CODES.ping) this.#write(BASE_CODES.pong, EMPTY_LIST)
  }

  #beat(): void {
    this.#baseMessages = 0
    if (this.#deps.clock.monotonic() - this.#heardAt > SILENCE_MS) {
      this.disconnect(DISCONNECT.readTimeout)
      return
    }
    this.#write(BASE_CODES.ping, EMPTY_LIST)
  }

  #write(code: number, payload: Uint8Array): boolean {
    if (this.#codec === null || this.#closed !== null) return false
    const body = this.#packs ? snappy(payload) : payload
    const content = new Uint8Array(1 + body.length)
    content[0] = code === 0 ? 0x80 : code
    content.set(body, 1)
    this.#socket.write(this.#codec.encode(content))
    return true
  }

  #sendDisconnect(reason: number): void {
    this.#write(BASE_CODES.disconnect, encodeDisconnect(reason, this.#hello === null))
  }

  /** Closes gently, so that what was written last still goes out. */
  #finish(reason: string): void {
    const socket = this.#socket
    socket.end()
    const linger = this.#deps.clock.setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => linger.dispose())
    this.#close(reason)
  }

  #end(reason: string): void {
    this.#socket.destroy()
    this.#close(reason)
  }

  #close(reason: string): void {
    if (this.#closed !== null) return
    this.#closed = reason
    this.#held.dispose()
    this.#receiver = null
    this.#wake?.()
    this.#wake = null
    this.events.emit('closed', { reason })
  }

  async #within<T>(what: string, timeoutMs: number, run: () => Promise<T>): Promise<T> {
    const over = new AbortController()
    const late = sleep(this.#deps.clock, timeoutMs, over.signal).then(() => {
      throw new P2pError('P2P_TIMEOUT', { what, timeoutMs })
    })
    late.catch(() => undefined) // it may lose the race
    try {
      return await Promise.race([run(), late])
    } finally {
      over.abort()
    }
  }
}

/** The code is an RLP integer below 128; null for anything else. */
function codeOf(content: Uint8Array): number | null {
  const first = content[0]
  if (first === 0x80) return 0
  return first === undefined || first === 0 || first > 0x7f ? null : first
}

function identityFault(hello: Hello, remoteId: Uint8Array, ownId: Uint8Array): DisconnectReason | null {
  if (hello.nodeId.length !== 64 || hello.nodeId.every((byte) => byte === 0)) return DISCONNECT.invalidIdentity
  if (!equalBytes(hello.nodeId, remoteId)) return DISCONNECT.unexpectedIdentity
  return equalBytes(hello.nodeId, ownId) ? DISCONNECT.self : null
}

function bad(what: string, reason: string): Error {
  return new P2pError('P2P_BAD_DATA', { what, reason })
}
