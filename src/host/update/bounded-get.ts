// Downloads from an untrusted host: size, silence, time and redirects are limited, and partial content is never used.
import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as safeRequest } from 'node:https'
import { messageOf } from '../../base/errors'
import { onAbort } from '../../base/on-abort'
import type { Clock } from '../../base/time'
import { HostError } from '../errors'

const MAX_REDIRECTS = 3
const REDIRECTS = [301, 302, 303, 307, 308]
/** A host silent for this long is abandoned. */
const SILENCE_MS = 30_000
/** A slower download, after a minute's grace, is abandoned. */
const MIN_BYTES_PER_MS = 8
const GRACE_MS = 60_000

interface BoundedGet {
  readonly url: string
  /** More bytes than this are refused, beforehand when the host announces the length. */
  readonly maxBytes: number
  /** Receives the bytes. @throws to abort */
  readonly take: (bytes: Buffer) => void
  readonly signal: AbortSignal
  readonly clock: Clock
}

/** All bytes, in order; no user agent. @throws HostError HOST_UPDATE_UNREACHABLE; as `take`; the signal's reason */
export async function boundedGet(get: BoundedGet): Promise<void> {
  let url = get.url
  for (let redirects = 0; ; redirects++) {
    const next = await fetchOnce({ ...get, url })
    if (next === null) return
    if (redirects === MAX_REDIRECTS) throw unreachable(get.url, `redirected more than ${MAX_REDIRECTS} times`)
    url = redirected(url, next)
  }
}

/** A small response as a whole. @throws as `boundedGet` */
export async function boundedText(get: Omit<BoundedGet, 'take'>): Promise<Buffer> {
  const parts: Buffer[] = []
  await boundedGet({ ...get, take: (bytes) => void parts.push(bytes) })
  return Buffer.concat(parts)
}

/** @returns the redirect's target; null when it was received */
function fetchOnce({ url, maxBytes, take, signal, clock }: BoundedGet): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const start = url.startsWith('https:') ? safeRequest : plainRequest
    const sent = start(url, { agent: false, headers: { accept: '*/*', 'accept-encoding': 'identity' } })
    const limitMs = GRACE_MS + maxBytes / MIN_BYTES_PER_MS
    const whole = clock.setTimeout(() => refuse(`not complete within ${Math.round(limitMs / 1_000)} s`), limitMs)
    let silence = clock.setTimeout(() => refuse(SILENT), SILENCE_MS)
    const heard = (): void => {
      silence.dispose()
      silence = clock.setTimeout(() => refuse(SILENT), SILENCE_MS)
    }
    const aborted = onAbort(signal, () => fail(signal.reason))
    // Later events change nothing; a connection that was cut off ends the request silently.
    const end = (settle: () => void): void => {
      for (const held of [whole, silence, aborted]) held.dispose()
      settle()
      sent.destroy()
    }
    const fail = (error: unknown): void => end(() => reject(error))
    const refuse = (reason: string): void => fail(unreachable(url, reason))
    sent.on('error', (error) => refuse(messageOf(error)))
    sent.on('response', (answer) => {
      const place = redirectOf(answer)
      if (place !== null) end(() => resolve(place))
      else if (answer.statusCode !== 200) refuse(`it answered ${answer.statusCode}`)
      else {
        heard()
        receive(answer, { maxBytes, take, heard, fail, url })
        answer.on('end', () => answer.complete && end(() => resolve(null)))
        answer.on('close', () => answer.complete || refuse('the connection was cut off'))
      }
    })
    sent.end()
  })
}

const SILENT = `it sent nothing for ${SILENCE_MS / 1_000} s`

interface Receiving extends Pick<BoundedGet, 'maxBytes' | 'take' | 'url'> {
  readonly heard: () => void
  readonly fail: (error: unknown) => void
}

function receive(answer: IncomingMessage, { maxBytes, take, url, heard, fail }: Receiving): void {
  const tooMuch = unreachable(url, `it has more than the ${maxBytes} bytes that were announced`)
  if (Number(answer.headers['content-length'] ?? 0) > maxBytes) {
    fail(tooMuch)
    return
  }
  let received = 0
  answer.on('data', (bytes: Buffer) => {
    heard()
    received += bytes.length
    if (received > maxBytes) return fail(tooMuch)
    try {
      take(bytes)
    } catch (error) {
      fail(error)
    }
  })
  answer.on('error', () => undefined) // reported by the request, or by 'close'
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage): string | null {
  return REDIRECTS.includes(statusCode) ? (headers.location ?? '') : null
}

/** Never redirects from https to http. @throws HostError HOST_UPDATE_UNREACHABLE */
function redirected(from: string, place: string): string {
  let url: URL
  try {
    url = new URL(place, from)
  } catch {
    throw unreachable(from, 'redirected to no address')
  }
  if (url.protocol === 'https:' || (url.protocol === 'http:' && from.startsWith('http:'))) return url.href
  throw unreachable(from, `redirected to ${url.protocol}//, which is not encrypted`)
}

function unreachable(address: string, reason: string): Error {
  return new HostError('HOST_UPDATE_UNREACHABLE', { address, reason })
}
