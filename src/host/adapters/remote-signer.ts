// A signer in another process (`--signer URL|IPC`): JSON-RPC over HTTP, or over a local socket one connection a call, so that
// hanging up withdraws exactly that call. Source: rpc.md 7
import { type ClientRequest, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { connect } from 'node:net'
import { z } from 'zod'
import { messageOf } from '../../base/errors'
import { endOfValue } from '../../base/json-text'
import { RpcFault } from '../../node/rpc/errors'
import type { SignerCall } from './signer-call'

/** More than any answer of the external API. */
const MOST_ANSWER_BYTES = 16 * 1024 * 1024

const answerSchema = z.object({
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
})

const failed = (reason: string) => new RpcFault('RPC_FAILED', { reason })

/** @param target `http://...`, `https://...`, or the path of a socket */
export function remoteSigner(target: string): SignerCall {
  const exchange = /^https?:\/\//i.test(target) ? overHttp(new URL(target)) : overSocket(target)
  return async (method, params, { signal }) => {
    signal.throwIfAborted()
    const text = await exchange(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), signal)
    const answer = answerSchema.safeParse(parsed(text))
    if (!answer.success) throw failed(`the signer at ${shown(target)} did not answer with JSON-RPC`)
    if (answer.data.error !== undefined) throw failed(answer.data.error.message)
    return answer.data.result ?? null
  }
}

type Exchange = (body: string, signal: AbortSignal) => Promise<string>

function overHttp(url: URL): Exchange {
  return (body, signal) =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
      const options: RequestOptions = { method: 'POST', headers, agent: false, signal }
      const sent: ClientRequest = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, (response) => {
        const collected = new Collected()
        response.on('data', (part: Buffer) => {
          if (!collected.add(part)) response.destroy(new Error('the answer is too long'))
        })
        response.on('end', () => resolve(collected.text()))
        response.on('error', (error) => reject(unreachable(url.href, error)))
      })
      sent.on('error', (error) => reject(signal.aborted ? signal.reason : unreachable(url.href, error)))
      sent.end(body)
    })
}

function overSocket(path: string): Exchange {
  return (body, signal) =>
    new Promise((resolve, reject) => {
      const socket = connect(path)
      const collected = new Collected()
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

/** Parts of an answer, up to the most that is taken. */
class Collected {
  readonly #parts: Buffer[] = []
  #length = 0

  /** False when it became too long. */
  add(part: Buffer): boolean {
    this.#parts.push(part)
    this.#length += part.length
    return this.#length <= MOST_ANSWER_BYTES
  }

  text(): string {
    return Buffer.concat(this.#parts).toString('utf8')
  }
}

function unreachable(target: string, error: unknown): Error {
  return failed(`signer ${shown(target)} cannot be reached: ${messageOf(error)}`)
}

/** Without what may be a secret in a URL. */
function shown(target: string): string {
  if (!/^https?:\/\//i.test(target)) return target
  const { protocol, host } = new URL(target)
  return `${protocol}//${host}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // the schema says what is wrong
  }
}
