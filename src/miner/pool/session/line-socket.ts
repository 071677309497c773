// A TCP or TLS connection for lines, with limits on their length and rate. Independent of mining.
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Disposable } from '../../../base/disposable'
import { messageOf } from '../../../base/errors'
import { Emitter } from '../../../base/events'
import type { Clock } from '../../../base/time'
import type { SocksProxy } from '../../../config/values/pool-url'
import { connectionTrouble, type PoolTrouble, strangeBytes } from '../../pool-trouble'
import { openProxied } from './socks-proxy'

const MAX_LINE_BYTES = 256 * 1024
/** Unsent data above this means that the other side doesn't read. */
const MAX_UNSENT_BYTES = 1024 * 1024
/** No pool sends this much; one that does would keep the program from its work. */
const MAX_LINES_A_SECOND = 10_000
const LINE_FEED = 10
/** First bytes kept to recognize what speaks at the port. */
const HEARD_BYTES = 64
const TLS_ALERT = 0x15

interface LineSocketOptions {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  /** certificate and host name are verified */
  readonly verify: boolean
  /** PEM texts that replace the system's authorities */
  readonly certificates: string | null
  readonly connectMs: number
  /** null: a direct connection */
  readonly proxy: SocksProxy | null
}

interface LineSocketEvents {
  connected: undefined
  /** without its line end; never blank */
  line: string
  /** last event */
  closed: { readonly reason: string; readonly trouble: PoolTrouble }
}

/** A line connection. */
export class LineSocket {
  readonly events = new Emitter<LineSocketEvents>()
  /** Bytes that aren't UTF-8 are replaced: a pool's message may be in any encoding. */
  readonly #decoder = new TextDecoder('utf-8')
  #socket: Socket | null = null
  #parts: Buffer[] = []
  #partBytes = 0
  #lines = { since: 0, count: 0 }
  #isReached = false
  #isOpen = false
  #heard: Uint8Array = new Uint8Array()
  #closed = false

  constructor(
    private readonly options: LineSocketOptions,
    private readonly clock: Clock,
  ) {}

  connect(): void {
    const { connectMs, proxy } = this.options
    const limit = this.clock.setTimeout(() => {
      const isProxySilent = proxy !== null && !this.#isReached
      this.#end(`no connection within ${connectMs / 1_000} s`, isProxySilent ? 'EPROXYUNREACHED' : '')
    }, connectMs)
    if (proxy === null) this.#use(this.#open(null), limit, false)
    else this.#connectThrough(proxy, limit)
  }

  /** The limit covers the proxy's connection, too. */
  #connectThrough(proxy: SocksProxy, limit: Disposable): void {
    const { socket, ready } = openProxied(proxy, this.options)
    this.#socket = socket
    ready.then(
      () => {
        this.#isReached = true
        if (!this.#closed) this.#use(this.#open(socket), limit, !this.options.tls)
      },
      (error: unknown) => {
        limit.dispose()
        this.#end(messageOf(error), error instanceof Error ? codeOf(error) : '')
      },
    )
  }

  /** @param through a connection with the pool that exists already; null: a new one */
  #open(through: Socket | null): Socket {
    const { host, port, tls } = this.options
    return tls ? this.#openTls(through) : (through ?? connectTcp({ host, port }))
  }

  #use(socket: Socket, limit: Disposable, isConnected: boolean): void {
    const onConnected = (): void => {
      limit.dispose()
      this.#isOpen = true
      if (!this.#closed) this.events.emit('connected', undefined)
    }
    this.#socket = socket
    socket.setNoDelay(true)
    socket.once('connect', () => {
      this.#isReached = true
    })
    if (!isConnected) socket.once(this.options.tls ? 'secureConnect' : 'connect', onConnected)
    socket.on('data', (chunk: Buffer) => this.#hear(chunk))
    socket.on('error', (error) => this.#end(messageOf(error), codeOf(error)))
    socket.on('end', () => this.#end('the pool closed the connection'))
    socket.on('close', () => {
      limit.dispose()
      this.#end('the pool closed the connection')
    })
    if (isConnected) onConnected()
  }

  /** False: the connection has ended and nothing was sent. @param onFailed called later if it couldn't be sent */
  send(line: string, onFailed: () => void = () => undefined): boolean {
    if (this.#closed || this.#socket === null || !this.#socket.writable) return false
    if (this.#socket.writableLength > MAX_UNSENT_BYTES) {
      this.#end('the pool stopped reading')
      return false
    }
    this.#socket.write(`${line}\n`, (error) => {
      if (error) onFailed()
    })
    return true
  }

  /** Idempotent. */
  close(reason: string): void {
    this.#end(reason)
  }

  #openTls(through: Socket | null): Socket {
    const { host, port, verify, certificates } = this.options
    return connectTls({
      host,
      port,
      minVersion: 'TLSv1.2',
      rejectUnauthorized: verify,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(certificates === null ? {} : { ca: certificates }),
      ...(through === null ? {} : { socket: through }),
    })
  }

  /** What can't be a pool's ends the connection at once: its lines would only be counted as bad ones. */
  #hear(chunk: Buffer): void {
    if (this.#heard.length < HEARD_BYTES)
      this.#heard = Buffer.concat([this.#heard, chunk.subarray(0, HEARD_BYTES - this.#heard.length)])
    if (strangeBytes(this.#heard) === null) {
      this.#take(chunk)
      return
    }
    const text = this.#decoder.decode(this.#heard).split('\n')[0]?.trim() ?? ''
    this.#end(this.#heard[0] === TLS_ALERT ? 'a TLS alert' : text)
  }

  #take(chunk: Buffer): void {
    let from = 0
    while (!this.#closed) {
      const end = chunk.indexOf(LINE_FEED, from)
      const piece = chunk.subarray(from, end < 0 ? chunk.length : end)
      this.#parts.push(piece)
      this.#partBytes += piece.length
      if (this.#partBytes > MAX_LINE_BYTES) this.#end(`a line of more than ${MAX_LINE_BYTES} bytes`)
      if (end < 0 || this.#closed) return
      this.#finishLine()
      from = end + 1
    }
  }

  #finishLine(): void {
    this.#countLine()
    if (this.#closed) return
    const bytes = Buffer.concat(this.#parts)
    this.#parts = []
    this.#partBytes = 0
    const line = this.#decoder.decode(bytes).trim()
    if (line !== '') this.events.emit('line', line)
  }

  #countLine(): void {
    const now = this.clock.monotonic()
    if (now - this.#lines.since >= 1_000) this.#lines = { since: now, count: 0 }
    this.#lines.count += 1
    if (this.#lines.count > MAX_LINES_A_SECOND) this.#end(`more than ${MAX_LINES_A_SECOND} lines within a second`)
  }

  /** @param code of the system or OpenSSL; empty without an error */
  #end(reason: string, code = ''): void {
    if (this.#closed) return
    this.#closed = true
    this.#socket?.destroy()
    const facts = { tls: this.options.tls, isReached: this.#isReached, isOpen: this.#isOpen, heard: this.#heard, code }
    this.events.emit('closed', { reason, trouble: connectionTrouble(facts) })
  }
}

/** Node's or OpenSSL's code of an error; several addresses tried at once have one each. */
export function codeOf(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code
  return error instanceof AggregateError && error.errors[0] instanceof Error ? codeOf(error.errors[0]) : ''
}
