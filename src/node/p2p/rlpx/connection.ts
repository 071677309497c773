// One RLPx connection over a socket: handshake, Hello, messages. Whatever the peer makes us wait for or hold is bounded.
import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { Socket } from 'node:net'
import { equalBytes } from '../../../base/bytes'
import type { Disposable } from '../../../base/disposable'
import { Emitter } from '../../../base/events'
import { bracketed } from '../../../base/ip-address'
import { type Clock, within } from '../../../base/time'
import { snappy, unsnappy } from '../../codec/snappy'
import { P2pError } from '../../errors'
import { newSecretKey } from '../../identity/node-key'
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
  MAX_HELLO_BYTES,
  P2P_VERSION,
} from '../../protocol/base-messages'
import { type BudgetShare, ByteQueue, type MemoryBudget, readInTurns } from './byte-queue'
import {
  ackPacket,
  authPacket,
  type FrameSecrets,
  frameSecrets,
  type HandshakeSide,
  type MacState,
  type RandomBytes,
  readAck,
  readAuth,
} from './handshake'

interface KeepAliveDeps {
  readonly clock: Clock
  readonly send: (code: number) => void
  readonly disconnect: (reason: DisconnectReason) => void
  /** Closes without a message: it wouldn't be read. */
  readonly cut: (reason: string) => void
  /** Bytes passed to the socket so far, and how many of them are unsent. */
  readonly output: () => { readonly written: number; readonly unsent: number }
}

const SILENCE_MS = 30_000
const PING_MS = 15_000
/** Time for an answer after this computer slept; its network may need a moment to recover. */
const WAKE_MS = 10_000
/** Base protocol messages that a peer may send between two of our pings. */
const MAX_MESSAGES = 100
/** Number of our pings within which some unsent data must be sent; prlx allows a frame 20 s. */
const MAX_STUCK_BEATS = 3

/** Times in ms on the monotonic clock; keeps the last ping's round trip. */
export class KeepAlive {
  #timer: Disposable | null = null
  #doubt: Disposable | null = null
  #messages = 0
  #heardAt = 0
  /** When the unanswered ping was sent. */
  #pingedAt: number | null = null
  #latencyMs: number | null = null
  /** Bytes sent as of the last ping. */
  #gone = 0
  #stuckBeats = 0

  constructor(private readonly deps: KeepAliveDeps) {}

  /** Round trip of the last answered ping, ms; null before the first. */
  get latencyMs(): number | null {
    return this.#latencyMs
  }

  /** Later calls have no effect. */
  start(): void {
    if (this.#timer !== null) return
    const { clock } = this.deps
    this.#heardAt = clock.monotonic()
    this.#timer = clock.setInterval(() => this.#beat(), PING_MS)
  }

  stop(): void {
    this.#timer?.dispose()
    this.#doubt?.dispose()
  }

  /** This computer slept: checks that the other side is still there, with a short timeout. */
  doubt(): void {
    if (this.#timer === null) return
    const { clock, send, cut } = this.deps
    const asked = clock.monotonic()
    this.#pingedAt = asked
    this.#doubt?.dispose()
    this.#doubt = clock.setTimeout(() => {
      if (this.#heardAt <= asked) cut('no answer after a sleep of this computer')
    }, WAKE_MS)
    send(BASE_CODES.ping)
  }

  heard(): void {
    this.#heardAt = this.deps.clock.monotonic()
  }

  /** A base protocol message other than Hello and Disconnect; unknown ones are ignored. */
  take(code: number): void {
    const { clock, send, disconnect } = this.deps
    if (++this.#messages > MAX_MESSAGES) disconnect(DISCONNECT.badProtocol)
    else if (code === BASE_CODES.ping) send(BASE_CODES.pong)
    else if (code === BASE_CODES.pong && this.#pingedAt !== null) {
      this.#latencyMs = clock.monotonic() - this.#pingedAt
      this.#pingedAt = null
    }
  }

  #beat(): void {
    const { clock, send, disconnect, cut } = this.deps
    this.#messages = 0
    const now = clock.monotonic()
    if (now - this.#heardAt > SILENCE_MS) disconnect(DISCONNECT.readTimeout)
    else if (this.#isStuck()) cut('peer stopped reading')
    else {
      this.#pingedAt = now
      send(BASE_CODES.ping)
    }
  }

  #isStuck(): boolean {
    const { written, unsent } = this.deps.output()
    const gone = written - unsent
    this.#stuckBeats = unsent > 0 && gone === this.#gone ? this.#stuckBeats + 1 : 0
    this.#gone = gone
    return this.#stuckBeats >= MAX_STUCK_BEATS
  }
}

const BLOCK = 16
/** Header and its MAC. */
export const FRAME_HEAD_BYTES = 2 * BLOCK
/** Exclusive upper limit of a frame's content. */
const FRAME_LIMIT = 0x1000000

/** Stateful in both directions: encode and decode frames in order; a wrong MAC ends the connection. */
export class FrameCodec {
  readonly #encrypt: ReturnType<typeof createCipheriv>
  readonly #decrypt: ReturnType<typeof createDecipheriv>
  readonly #mac: ReturnType<typeof createCipheriv>
  readonly #egress: MacState
  readonly #ingress: MacState

  constructor({ aes, mac, egress, ingress }: FrameSecrets) {
    this.#encrypt = createCipheriv('aes-256-ctr', aes, new Uint8Array(BLOCK))
    this.#decrypt = createDecipheriv('aes-256-ctr', aes, new Uint8Array(BLOCK))
    this.#mac = createCipheriv('aes-256-ecb', mac, null).setAutoPadding(false)
    this.#egress = egress
    this.#ingress = ingress
  }

  /** One frame, to be written at once. @param content shorter than `FRAME_LIMIT` */
  encode(content: Uint8Array): Uint8Array {
    if (content.length >= FRAME_LIMIT) throw new RangeError(`${content.length} bytes do not fit a frame`)
    const padded = paddedSize(content.length)
    const frame = new Uint8Array(FRAME_HEAD_BYTES + padded + BLOCK)
    const header = new Uint8Array(BLOCK)
    header.set([content.length >>> 16, (content.length >>> 8) & 0xff, content.length & 0xff, 0xc2, 0x80, 0x80])
    frame.set(this.#encrypt.update(header))
    frame.set(this.#fold(this.#egress, frame.subarray(0, BLOCK)), BLOCK)
    frame.set(content, FRAME_HEAD_BYTES)
    const body = frame.subarray(FRAME_HEAD_BYTES, FRAME_HEAD_BYTES + padded)
    body.set(this.#encrypt.update(body))
    frame.set(this.#bodyMac(this.#egress, body), FRAME_HEAD_BYTES + padded)
    return frame
  }

  /** The content size from a 32-byte head; null when its MAC is wrong. */
  readHead(head: Uint8Array): number | null {
    const sealed = head.subarray(0, BLOCK)
    if (!equalBytes(this.#fold(this.#ingress, sealed), head.subarray(BLOCK))) return null
    const header = this.#decrypt.update(sealed)
    return ((header[0] ?? 0) << 16) | ((header[1] ?? 0) << 8) | (header[2] ?? 0)
  }

  /** The content of `size` bytes from a body with its MAC; null when that is wrong. */
  readBody(body: Uint8Array, size: number): Uint8Array | null {
    const sealed = body.subarray(0, body.length - BLOCK)
    if (!equalBytes(this.#bodyMac(this.#ingress, sealed), body.subarray(body.length - BLOCK))) return null
    return this.#decrypt.update(sealed).subarray(0, size)
  }

  #bodyMac(state: MacState, sealed: Uint8Array): Uint8Array {
    state.update(sealed)
    return this.#fold(state, digestOf(state))
  }

  #fold(state: MacState, seed: Uint8Array): Uint8Array {
    const mask = this.#mac.update(digestOf(state))
    state.update(mask.map((byte, index) => byte ^ (seed[index] ?? 0)))
    return digestOf(state)
  }
}

/** Bytes that follow the head of a frame of `size`. */
export function bodyBytes(size: number): number {
  return paddedSize(size) + BLOCK
}

function paddedSize(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK
}

/** The first 16 bytes of the digest so far. */
function digestOf(state: MacState): Uint8Array {
  return state.clone().digest().subarray(0, BLOCK)
}

interface ConnectionOptions {
  /** 32 bytes: our node key */
  readonly staticKey: Uint8Array
  /** 64 bytes: the node dialed; null = inbound */
  readonly remoteId: Uint8Array | null
  readonly hello: Hello
  /** Larger messages end the connection, bytes uncompressed; for all, or by code. */
  readonly maxMessageBytes: number | ((code: number) => number)
}

interface ConnectionDeps {
  readonly clock: Clock
  readonly randomBytes: RandomBytes
  /** For incomplete frames and for unsent data, shared by all connections; absent = only this one's own limits. */
  readonly input?: MemoryBudget
  readonly output?: MemoryBudget
}

/** Excludes the base protocol's codes. */
export interface Message {
  readonly code: number
  readonly payload: Uint8Array
}

const HANDSHAKE_MS = 5_000
const HELLO_MS = 5_000
const LINGER_MS = 1_000
/** Bytes of a handshake packet, whose length prefix comes first. */
const MAX_HANDSHAKE_BYTES = 2_048
/** Maximum unsent data for a peer that doesn't read: one message of maximum size, compressed, and little else. */
const MAX_UNSENT_BYTES = 12 * 1024 * 1024
/** A message of maximum size; incompressible data grows by a sixth. */
const MAX_FRAME_BYTES = 12.5 * 1024 * 1024
const EMPTY_LIST = Uint8Array.of(0xc0)

/** Opens, encrypts and supervises one connection. */
export class Connection {
  readonly events = new Emitter<{ closed: { readonly reason: string } }>()
  readonly #queue = new ByteQueue()
  readonly #pulse: KeepAlive
  readonly #input: BudgetShare | undefined
  readonly #output: BudgetShare | undefined
  #wake: (() => void) | null = null
  #codec: FrameCodec | null = null
  #frameSize: number | null = null
  #packs = false
  #closed: string | null = null
  #receiver: ((message: Message) => void) | null = null
  #remoteId: Uint8Array = new Uint8Array(64)
  #hello: Hello | null = null

  constructor(
    private readonly socket: Socket,
    private readonly options: ConnectionOptions,
    private readonly deps: ConnectionDeps,
  ) {
    this.#pulse = new KeepAlive({
      clock: deps.clock,
      send: (code) => this.#write(code, EMPTY_LIST),
      disconnect: (reason) => this.disconnect(reason),
      cut: (reason) => this.#end(reason),
      output: () => ({ written: socket.bytesWritten, unsent: socket.writableLength }),
    })
    const [held, cut] = [() => this.#queue.length, () => this.#end('incomplete message exceeds the buffer limit')]
    this.#input = deps.input?.join({ held, cut })
    this.#output = deps.output?.join({ held: () => socket.writableLength, cut: () => this.#end('send buffer full') })
    socket.setNoDelay(true)
    readInTurns(socket, (chunk) => this.#take(chunk))
    socket.on('error', (error) => this.#end(error.message))
    socket.on('close', () => this.#end('closed by the other side'))
  }

  /** 64 bytes; available once `open` has resolved. */
  get remoteId(): Uint8Array {
    return this.#remoteId
  }

  get remoteHello(): Hello | null {
    return this.#hello
  }

  get isClosed(): boolean {
    return this.#closed !== null
  }

  /** `HOST:PORT` of our end, an IPv6 address in brackets. */
  get localAddress(): string {
    return `${bracketed(this.socket.localAddress ?? '')}:${this.socket.localPort ?? 0}`
  }

  /** Bytes on the wire so far, including the handshake. */
  get traffic(): { readonly bytesIn: number; readonly bytesOut: number } {
    return { bytesIn: this.socket.bytesRead, bytesOut: this.socket.bytesWritten }
  }

  /** Round trip of the last answered ping, ms; null before the first. */
  get latencyMs(): number | null {
    return this.#pulse.latencyMs
  }

  /** Bytes that the peer hasn't read yet. */
  get unsentBytes(): number {
    return this.socket.writableLength
  }

  /** Messages are held back until `receive`. @throws P2pError P2P_TIMEOUT, _CLOSED, _BAD_DATA, _REFUSED; closed then */
  async open(): Promise<Hello> {
    try {
      this.#codec = await this.#within('handshake', HANDSHAKE_MS, () => this.#handshake())
      const hello = await this.#within('hello', HELLO_MS, () => this.#exchangeHello(this.options.hello))
      this.#hello = hello
      this.#packs = hello.p2pVersion >= P2P_VERSION
      return hello
    } catch (error: unknown) {
      if (this.#codec === null) this.#end('handshake failed')
      else this.#finish('handshake failed') // the last message must arrive
      throw error
    }
  }

  /** Delivers messages to `receiver` from now on; null holds them back, unread. */
  receive(receiver: ((message: Message) => void) | null): void {
    if (this.#closed !== null) return
    this.#receiver = receiver
    if (receiver === null) return
    this.#pulse.start()
    this.#pump()
  }

  /** This computer slept: disconnects a peer that doesn't answer soon. */
  doubt(): void {
    if (this.#closed === null) this.#pulse.doubt()
  }

  /** False when the peer is gone, or doesn't read. @param payload uncompressed */
  send(code: number, payload: Uint8Array): boolean {
    if (this.#closed !== null) return false
    if (this.socket.writableLength > MAX_UNSENT_BYTES) {
      this.#end('peer stopped reading')
      return false
    }
    return this.#write(code, payload)
  }

  disconnect(reason: DisconnectReason): void {
    if (this.#closed !== null) return
    this.#sendDisconnect(reason)
    this.#finish(`we ended it: reason ${reason}`)
  }

  #take(chunk: Uint8Array): void {
    if (this.#closed !== null) return // still read, so that our last message isn't lost
    this.#queue.push(chunk)
    const wake = this.#wake
    this.#wake = null
    wake?.()
    if (this.#receiver !== null) this.#pump()
    else if (this.#codec === null && this.#queue.length > 2 * MAX_HANDSHAKE_BYTES) this.#end('too long a handshake')
    else if (this.#queue.length > FRAME_LIMIT) this.socket.pause() // until there is a listener
    if (this.#closed === null) this.#input?.grown()
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
    if (size > MAX_HANDSHAKE_BYTES) throw bad('handshake', `a packet of ${size} bytes`)
    return Buffer.concat([prefix, await this.#bytes(size)])
  }

  async #handshake(): Promise<FrameCodec> {
    const { staticKey, remoteId } = this.options
    const { randomBytes } = this.deps
    const side: HandshakeSide = { ephemeralKey: newSecretKey(randomBytes), nonce: new Uint8Array(randomBytes(32)) }
    const secrets = await (remoteId === null ? this.#answer(staticKey, side) : this.#ask(staticKey, remoteId, side))
    if (secrets === null) throw bad('handshake', 'invalid ephemeral key')
    return new FrameCodec(secrets)
  }

  async #ask(staticKey: Uint8Array, remoteId: Uint8Array, side: HandshakeSide) {
    const auth = authPacket(staticKey, remoteId, side, this.deps.randomBytes)
    this.socket.write(auth)
    const ack = await this.#packet()
    const remote = readAck(ack, staticKey)
    if (remote === null) throw bad('handshake', 'ack not addressed to us')
    this.#remoteId = remoteId
    return frameSecrets({ isInitiator: true, side, remote, auth, ack })
  }

  async #answer(staticKey: Uint8Array, side: HandshakeSide) {
    const auth = await this.#packet()
    const remote = readAuth(auth, staticKey)
    if (remote === null) throw bad('handshake', 'packet not addressed to us')
    const ack = ackPacket(remote.remoteId, side, this.deps.randomBytes)
    this.socket.write(ack)
    this.#remoteId = remote.remoteId
    return frameSecrets({ isInitiator: false, side, remote, auth, ack })
  }

  async #exchangeHello(own: Hello): Promise<Hello> {
    this.#write(BASE_CODES.hello, encodeHello(own))
    const head = this.#codec?.readHead(await this.#bytes(FRAME_HEAD_BYTES)) ?? null
    if (head === null) throw bad('hello', 'wrong MAC')
    if (head > MAX_HELLO_BYTES + 1) {
      this.#sendDisconnect(DISCONNECT.badProtocol)
      throw bad('hello', `${head} bytes`)
    }
    const content = this.#codec?.readBody(await this.#bytes(bodyBytes(head)), head) ?? null
    if (content === null) throw bad('hello', 'wrong MAC')
    const code = codeOf(content)
    if (code === BASE_CODES.disconnect)
      throw new P2pError('P2P_REFUSED', { reason: decodeDisconnect(content.subarray(1)) })
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
        if (this.#frameSize > MAX_FRAME_BYTES) {
          this.disconnect(DISCONNECT.subprotocol)
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
      this.#pulse.heard()
      this.#deliver(content)
    }
    if (this.#receiver !== null && this.socket.isPaused()) this.socket.resume()
  }

  #deliver(content: Uint8Array): void {
    const code = codeOf(content)
    if (code === null) {
      this.#end('a message without a code')
      return
    }
    const packed = content.subarray(1)
    const { maxMessageBytes } = this.options
    const maxBytes = typeof maxMessageBytes === 'number' ? maxMessageBytes : maxMessageBytes(code)
    const payload = this.#packs ? unsnappy(packed, maxBytes) : packed
    // Some nodes send Disconnect uncompressed.
    if (code === BASE_CODES.disconnect)
      this.#end(`the other side ended it: reason ${decodeDisconnect(payload ?? packed)}`)
    else if (payload === null || payload.length > maxBytes) this.disconnect(DISCONNECT.subprotocol)
    else if (code >= FIRST_CAPABILITY_CODE) this.#receiver?.({ code, payload })
    else this.#pulse.take(code)
  }

  #write(code: number, payload: Uint8Array): boolean {
    if (this.#codec === null || this.#closed !== null) return false
    const body = this.#packs ? snappy(payload) : payload
    const content = new Uint8Array(1 + body.length)
    content[0] = code === 0 ? 0x80 : code
    content.set(body, 1)
    this.socket.write(this.#codec.encode(content))
    this.#output?.grown()
    return this.#closed === null
  }

  #sendDisconnect(reason: number): void {
    this.#write(BASE_CODES.disconnect, encodeDisconnect(reason, this.#hello === null))
  }

  /** Closes gracefully, so that pending writes are still sent. */
  #finish(reason: string): void {
    const socket = this.socket
    socket.resume().end()
    const linger = this.deps.clock.setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => linger.dispose())
    this.#close(reason)
  }

  #end(reason: string): void {
    this.socket.destroy()
    this.#close(reason)
  }

  #close(reason: string): void {
    if (this.#closed !== null) return
    this.#closed = reason
    this.#pulse.stop()
    this.#input?.leave()
    this.#output?.leave()
    this.#receiver = null
    this.#wake?.()
    this.#wake = null
    this.events.emit('closed', { reason })
  }

  async #within<T>(what: string, timeoutMs: number, run: () => Promise<T>): Promise<T> {
    const work = run()
    if (await within(work, timeoutMs, this.deps.clock)) return work
    throw new P2pError('P2P_TIMEOUT', { what, timeoutMs })
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
