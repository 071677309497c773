// A JSON-RPC client over HTTP, or over a local socket with one connection per call, so that hanging up cancels exactly
// that call.
import { type ClientRequest, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { connect } from 'node:net'
import { reasonOf } from '../base/errors'
import { endOfValue } from '../base/json-text'
import { localSocketName } from './listen'

/** Maximum size of an answer. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024

/** @param target `http://...`, `https://...`, or the path of a socket */
export function rpcExchange(target: string, maxBytes = MAX_ANSWER_BYTES): Exchange {
  return /^https?:\/\//i.test(target) ? overHttp(new URL(target), maxBytes) : overSocket(target, maxBytes)
}

/** The target without secrets that a URL may contain. */
export function shownTarget(target: string): string {
  if (!/^https?:\/\//i.test(target)) return target
  const { protocol, host } = new URL(target)
  return `${protocol}//${host}`
}

/** Sends one request and resolves with the text of its answer; rejects with an Error that says what failed. */
type Exchange = (body: string, signal: AbortSignal) => Promise<string>

function overHttp(url: URL, maxBytes: number): Exchange {
  return (body, signal) =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
      const options: RequestOptions = { method: 'POST', headers, agent: false, signal }
      const sent: ClientRequest = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, (response) => {
        const collected = new Collected(maxBytes)
        response.on('data', (part: Buffer) => {
          if (!collected.add(part)) response.destroy(new Error('the answer is too long'))
        })
        response.on('end', () => {
          const [text, { statusCode = 0 }] = [collected.text(), response]
          // A refusal may be JSON-RPC, too.
          if (statusCode < 300 || /^\s*[[{]/.test(text)) resolve(text)
          else reject(unreachable(url.href, new Error(`HTTP ${statusCode}: ${text.trim().slice(0, 200)}`)))
        })
        response.on('error', (error) => reject(unreachable(url.href, error)))
      })
      sent.on('error', (error) => reject(signal.aborted ? signal.reason : unreachable(url.href, error)))
      sent.end(body)
    })
}

function overSocket(path: string, maxBytes: number): Exchange {
  return (body, signal) =>
    new Promise((resolve, reject) => {
      const socket = connect(localSocketName(path))
      const collected = new Collected(maxBytes)
      const end = (act: () => void): void => {
        signal.removeEventListener('abort', onAbort)
        socket.destroy()
        act()
      }
      const onAbort = (): void => end(() => reject(signal.reason))
      signal.addEventListener('abort', onAbort, { once: true })
      socket.on('error', (error) => end(() => reject(unreachable(path, error))))
      socket.on('close', () => end(() => reject(unreachable(path, new Error('connection closed')))))
      socket.on('data', (part: Buffer) => {
        if (!collected.add(part)) return end(() => reject(unreachable(path, new Error('the answer is too long'))))
        const text = collected.text()
        const last = endOfValue(text, 0)
        if (last >= 0) end(() => resolve(text.slice(0, last)))
      })
      socket.write(`${body}\n`)
    })
}

/** Collects an answer's parts, up to the maximum. */
class Collected {
  readonly #parts: Buffer[] = []
  #length = 0

  constructor(private readonly maxBytes: number) {}

  /** False when it exceeds the maximum. */
  add(part: Buffer): boolean {
    this.#parts.push(part)
    this.#length += part.length
    return this.#length <= this.maxBytes
  }

  text(): string {
    return Buffer.concat(this.#parts).toString('utf8')
  }
}

function unreachable(target: string, error: unknown): Error {
  return new Error(`${shownTarget(target)} cannot be reached: ${reasonOf(error)}`)
}
