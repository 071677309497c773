// Cuts a connection's bytes into whole HTTP/1 requests and rejects malformed or oversized ones before Node's parser
// sees them. Node's own limits don't work on handed-over sockets, and it accepts some invalid syntax; here a request is
// either complete and clean or a fault.
import { METHODS } from 'node:http'

const MAX_HEAD_BYTES = 16_384
const MAX_HEADERS = 100
const MAX_BODY_BYTES = 65_536
/** For a chunked body including its size lines: no real client sends one-byte chunks */
const MAX_RAW_BODY_BYTES = 2 * MAX_BODY_BYTES
/** for a chunk's size line, and for all trailers together */
const MAX_CHUNK_LINE_BYTES = 1_024

const CR = 0x0d
const LF = 0x0a
const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) ([\x21-\x7e]+) HTTP\/(\d+(?:\.\d+)?)$/
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t\x20-\x7e\x80-\xff]*)$/

export interface HttpFault {
  readonly status: 400 | 405 | 408 | 413 | 431 | 505
  readonly error: string
}

/** In processing order. */
export type HttpPiece =
  | { readonly kind: 'request'; readonly bytes: Buffer }
  /** the client waits for `100 Continue` before it sends the body */
  | { readonly kind: 'continue' }
  | { readonly kind: 'fault'; readonly fault: HttpFault }
  /** an upgrade of the channel: the bytes after it belong to the new protocol */
  | { readonly kind: 'upgrade'; readonly bytes: Buffer; readonly rest: Buffer }

interface HttpFramingOptions {
  /** the only path on which a WebSocket upgrade is kept in the request; elsewhere the header is removed */
  readonly upgradePath: string
}

interface Head {
  readonly bytes: Buffer
  readonly body: 'none' | 'chunked' | number
  readonly expectsContinue: boolean
  readonly upgrade: boolean
}

/** Parsing state of the current request. */
type FramingPhase = 'idle' | 'head' | 'body' | 'ended'

export class HttpFraming {
  #phase: FramingPhase = 'idle'
  #buffer: Buffer = Buffer.alloc(0)
  /** bytes of the buffer already scanned for invalid line ends */
  #scanned = 0
  #head: Head | null = null
  #chunks = new ChunkScanner()

  constructor(private readonly options: HttpFramingOptions) {}

  get phase(): FramingPhase {
    return this.#phase
  }

  /** After a fault or an upgrade further input is ignored. */
  push(chunk: Buffer): HttpPiece[] {
    const pieces: HttpPiece[] = []
    if (this.#phase === 'ended') return pieces
    this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk])
    for (let piece = this.#next(); piece !== null; piece = this.#next()) {
      pieces.push(piece)
      if (this.#ended(piece)) break
    }
    return pieces
  }

  #ended(piece: HttpPiece): boolean {
    if (piece.kind !== 'fault' && piece.kind !== 'upgrade') return false
    this.#phase = 'ended'
    this.#buffer = Buffer.alloc(0)
    return true
  }

  #next(): HttpPiece | null {
    if (this.#phase === 'idle') this.#skipBlankLines()
    if (this.#phase === 'head') {
      const piece = this.#readHead()
      if (piece !== null) return piece
    }
    return this.#phase === 'body' ? this.#readBody() : null
  }

  #skipBlankLines(): void {
    let at = 0
    while (this.#buffer[at] === CR && this.#buffer[at + 1] === LF) at += 2
    this.#buffer = this.#buffer.subarray(at)
    this.#scanned = 0
    const half = this.#buffer.length === 1 && this.#buffer[0] === CR
    if (this.#buffer.length > 0 && !half) this.#phase = 'head'
  }

  /** Null while incomplete, or when complete and a body follows. */
  #readHead(): HttpPiece | null {
    const end = this.#findHeadEnd()
    if (typeof end === 'object') return { kind: 'fault', fault: end }
    if (end > MAX_HEAD_BYTES || (end < 0 && this.#buffer.length > MAX_HEAD_BYTES)) {
      return fault(431, `request line and headers exceed ${MAX_HEAD_BYTES} bytes`)
    }
    if (end < 0) return null
    const head = parseHead(this.#buffer.subarray(0, end).toString('latin1'), this.options.upgradePath)
    if ('status' in head) return { kind: 'fault', fault: head }
    const rest = this.#buffer.subarray(end)
    if (head.upgrade) return { kind: 'upgrade', bytes: head.bytes, rest }
    this.#buffer = rest
    if (head.body === 'none' || head.body === 0) {
      this.#phase = 'idle'
      return { kind: 'request', bytes: head.bytes }
    }
    this.#head = head
    this.#chunks = new ChunkScanner()
    this.#phase = 'body'
    return head.expectsContinue && rest.length === 0 ? { kind: 'continue' } : null
  }

  /** Position after the empty line; -1 if none yet; a fault for a lone CR or LF, or NUL. */
  #findHeadEnd(): number | HttpFault {
    const buffer = this.#buffer
    for (let i = this.#scanned; i < buffer.length; i++) {
      const byte = buffer[i]
      if (byte === 0) return { status: 400, error: 'NUL in the request head' }
      if (byte === CR && i + 1 === buffer.length) {
        this.#scanned = i
        return -1
      }
      if (byte === CR && buffer[i + 1] !== LF) return { status: 400, error: 'CR without LF in the request head' }
      if (byte !== LF) continue
      if (i === 0 || buffer[i - 1] !== CR) return { status: 400, error: 'LF without CR in the request head' }
      if (i >= 3 && buffer[i - 2] === LF) return i + 1
    }
    this.#scanned = buffer.length
    return -1
  }

  #readBody(): HttpPiece | null {
    const head = this.#head
    if (head === null) return null
    const length = typeof head.body === 'number' ? head.body : this.#chunks.scan(this.#buffer)
    if (typeof length === 'object') return { kind: 'fault', fault: length }
    if (length < 0 || this.#buffer.length < length) return null
    const bytes = Buffer.concat([head.bytes, this.#buffer.subarray(0, length)])
    this.#buffer = this.#buffer.subarray(length)
    this.#head = null
    this.#phase = 'idle'
    return { kind: 'request', bytes }
  }
}

/** Finds the end of a chunked body in a growing buffer; resumes where it stopped. */
class ChunkScanner {
  /** start of the next size line, or of the trailers */
  #at = 0
  #total = 0
  #trailersAt: number | null = null

  /** Length of the whole body from the start of the buffer; -1 while incomplete. */
  scan(buffer: Buffer): number | HttpFault {
    if (buffer.length > MAX_RAW_BODY_BYTES) return tooLarge()
    while (this.#trailersAt === null) {
      const line = lineAt(buffer, this.#at)
      if (typeof line !== 'string') return line ?? -1
      const size = /^([0-9a-fA-F]{1,8})[ \t]*(;[\t\x20-\x7e\x80-\xff]*)?$/.exec(line)?.[1]
      if (size === undefined) return { status: 400, error: 'bad chunk size' }
      const bytes = Number.parseInt(size, 16)
      const dataAt = this.#at + line.length + 2
      if (bytes === 0) {
        this.#trailersAt = dataAt
        this.#at = dataAt
        break
      }
      if (this.#total + bytes > MAX_BODY_BYTES) return tooLarge()
      const end = dataAt + bytes
      if (buffer.length < end + 2) return -1
      if (buffer[end] !== CR || buffer[end + 1] !== LF) return { status: 400, error: 'chunk without its line end' }
      this.#total += bytes
      this.#at = end + 2
    }
    return this.#scanTrailers(buffer, this.#trailersAt)
  }

  #scanTrailers(buffer: Buffer, from: number): number | HttpFault {
    for (;;) {
      if (this.#at - from > MAX_CHUNK_LINE_BYTES) return { status: 431, error: 'trailers too long' }
      const line = lineAt(buffer, this.#at)
      if (typeof line !== 'string') return line ?? -1
      this.#at += line.length + 2
      if (line === '') return this.#at
      if (!HEADER_LINE.test(line)) return { status: 400, error: 'bad trailer' }
    }
  }
}

/** Text up to the next CR LF; null if none yet. */
function lineAt(buffer: Buffer, at: number): string | null | HttpFault {
  const end = buffer.indexOf('\r\n', at, 'latin1')
  const length = (end < 0 ? buffer.length : end) - at
  if (length > MAX_CHUNK_LINE_BYTES) return { status: 400, error: 'chunk line too long' }
  return end < 0 ? null : buffer.subarray(at, end).toString('latin1')
}

function parseHead(text: string, upgradePath: string): Head | HttpFault {
  const [requestLine = '', ...lines] = text.slice(0, -4).split('\r\n')
  const [, method = '', target = '', version = ''] = REQUEST_LINE.exec(requestLine) ?? []
  if (method === '') return { status: 400, error: 'bad request line' }
  if (version !== '1.0' && version !== '1.1') return { status: 505, error: 'HTTP version must be 1.0 or 1.1' }
  if (lines.length > MAX_HEADERS) return { status: 431, error: `more than ${MAX_HEADERS} headers` }
  const headers = new Map<string, string[]>()
  for (const line of lines) {
    const [, name, value = ''] = HEADER_LINE.exec(line) ?? []
    if (name === undefined) return { status: 400, error: 'bad header line' }
    headers.set(name.toLowerCase(), [...(headers.get(name.toLowerCase()) ?? []), value.trim()])
  }
  if (method === 'CONNECT' || !METHODS.includes(method)) return { status: 405, error: 'method must be GET or POST' }
  if ((headers.get('host')?.length ?? 0) > 1) return { status: 400, error: 'more than one Host header' }
  const body = bodyLength(headers, version)
  if (typeof body === 'object') return body
  const expectsContinue = headers.get('expect')?.some((value) => value.toLowerCase() === '100-continue') ?? false
  const websocket = headers.get('upgrade')?.some((value) => value.toLowerCase() === 'websocket') ?? false
  // Node upgrades only requests that say so in Connection too; any other stays a request with its limits
  const tokens = (headers.get('connection') ?? []).flatMap((value) => value.toLowerCase().split(','))
  const asked = websocket && tokens.some((token) => token.trim() === 'upgrade')
  const upgrade = method === 'GET' && asked && target.split('?')[0] === upgradePath && body === 'none'
  const dropped = upgrade ? /^expect:/i : /^(expect|upgrade):/i
  const kept = [requestLine, ...lines.filter((line) => !dropped.test(line))]
  return { bytes: Buffer.from(`${kept.join('\r\n')}\r\n\r\n`, 'latin1'), body, expectsContinue, upgrade }
}

function bodyLength(headers: ReadonlyMap<string, readonly string[]>, version: string): Head['body'] | HttpFault {
  const encodings = headers.get('transfer-encoding')
  const lengths = headers.get('content-length')
  if (encodings !== undefined) {
    if (lengths !== undefined) return { status: 400, error: 'both Content-Length and Transfer-Encoding' }
    const chunked = encodings.length === 1 && encodings[0]?.toLowerCase() === 'chunked' && version === '1.1'
    return chunked ? 'chunked' : { status: 400, error: 'Transfer-Encoding must be chunked' }
  }
  const [length] = lengths ?? []
  if (length === undefined) return 'none'
  if (lengths?.length !== 1 || !/^\d{1,15}$/.test(length)) return { status: 400, error: 'bad Content-Length' }
  return Number(length) > MAX_BODY_BYTES ? tooLarge() : Number(length)
}

function tooLarge(): HttpFault {
  return { status: 413, error: `body exceeds ${MAX_BODY_BYTES} bytes` }
}

function fault(status: HttpFault['status'], error: string): HttpPiece {
  return { kind: 'fault', fault: { status, error } }
}
