// JSON-RPC over HTTP, or a local socket with a connection per call, so that hanging up cancels exactly that call.
import { type ClientRequest, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { connect } from 'node:net'
import { reasonOf } from '../base/errors'
import { onAbort } from '../base/on-abort'
import { ByteGatherer } from './body-reader'
import { ValueSplitter } from './json-rpc/value-splitter'
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
        const gathered = new ByteGatherer()
        response.on('data', (part: Buffer) => {
          gathered.add(part)
          if (gathered.length > maxBytes) response.destroy(new Error('the answer is too long'))
        })
        response.on('end', () => {
          const [text, { statusCode = 0 }] = [gathered.take().toString('utf8'), response]
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
      if (signal.aborted) return reject(signal.reason)
      const socket = connect(localSocketName(path))
      const splitter = new ValueSplitter(maxBytes)
      const end = (act: () => void): void => {
        held.dispose()
        socket.destroy()
        act()
      }
      const held = onAbort(signal, () => end(() => reject(signal.reason)))
      socket.on('error', (error) => end(() => reject(unreachable(path, error))))
      socket.on('close', () => end(() => reject(unreachable(path, new Error('connection closed')))))
      socket.on('data', (part: Buffer) => {
        const [text] = splitter.push(part)
        if (text !== undefined) end(() => resolve(text))
        else if (splitter.isOver) end(() => reject(unreachable(path, new Error('the answer is too long'))))
      })
      socket.write(`${body}\n`)
    })
}

function unreachable(target: string, error: unknown): Error {
  return new Error(`${shownTarget(target)} cannot be reached: ${reasonOf(error)}`)
}
