// HTTP to a router, bounded: maximum bytes, maximum seconds, no redirects.
import { request } from 'node:http'
import { messageOf } from '../../../base/errors'
import type { Clock } from '../../../base/time'
import { DiscoveryError } from '../../errors'

const MAX_BYTES = 131_072
const TIMEOUT_MS = 3_000

/** One HTTP request to a router. */
interface RouterRequest {
  readonly url: URL
  /** Null = GET. */
  readonly post: { readonly body: string; readonly headers: Readonly<Record<string, string>> } | null
}

/** The complete answer; a truncated one is a failure. */
export interface RouterAnswer {
  readonly status: number
  readonly body: string
  /** Our side of the connection: the address the router knows us by. */
  readonly localHost: string
}

/** @throws DiscoveryError P2P_NAT_FAILED on a connection failure, a timeout or an answer that is too long */
export function askRouter({ url, post }: RouterRequest, clock: Clock, signal: AbortSignal): Promise<RouterAnswer> {
  const failure = (reason: string): Error => new DiscoveryError('P2P_NAT_FAILED', { gateway: url.host, reason })
  return new Promise<RouterAnswer>((resolve, reject) => {
    const headers = { ...post?.headers, connection: 'close' }
    const call = request(url, { method: post === null ? 'GET' : 'POST', headers, agent: false, signal })
    const timer = clock.setTimeout(() => call.destroy(failure(`no answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS)
    call.on('close', () => timer.dispose())
    call.on('error', (error) => reject(error instanceof DiscoveryError ? error : failure(messageOf(error))))
    call.on('response', (response) => {
      const chunks: Buffer[] = []
      let length = 0
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        length += chunk.length
        if (length > MAX_BYTES) call.destroy(failure(`its answer is longer than ${MAX_BYTES} bytes`))
      })
      response.on('error', (error) => reject(error instanceof DiscoveryError ? error : failure(messageOf(error))))
      response.on('end', () => {
        const localHost = response.socket.localAddress ?? ''
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8'), localHost })
      })
    })
    call.end(post?.body)
  })
}
