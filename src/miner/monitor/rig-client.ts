// An HTTP client for another rig's control port: complete answers within time and size limits, keep-alive between
// polls.
import { Agent, type IncomingMessage, request } from 'node:http'
import { z } from 'zod'
import { messageOf } from '../../base/errors'
import type { Secret } from '../../base/secret'
import type { Clock } from '../../base/time'
import { ByteGatherer } from '../../net/body-reader'
import { parseJson } from '../../net/json-rpc/json-rpc'
import type { ForeignSummary } from '../api/rigs'

const TIME_LIMIT_MS = 4_000
const BODY_LIMIT_BYTES = 1_048_576
const NOT_A_SUMMARY = 'not a summary'
const NOT_DONE = 'it answered without confirming'

/** Address of a rig. */
export interface RigPlace {
  /** name or address; IPv6 without brackets */
  readonly host: string
  readonly port: number
  readonly token: Secret | null
}

/** A summary, or why there is none. */
export type PollOutcome = { readonly summary: ForeignSummary } | { readonly error: string }
/** `status`: of the HTTP response; null without one. */
export type CommandOutcome = { readonly done: true } | { readonly error: string; readonly status: number | null }

const part = z.record(z.string(), z.unknown())
/** More than any summary has; what handles it level by level would run out of stack. */
const MAX_LEVELS = 32
/** Unknown members are kept. */
const summarySchema = z
  .looseObject({
    miner: part,
    pool: part,
    hashrate: part,
    shares: part,
    gpus: z.array(z.unknown()),
  })
  .refine((summary) => isWithin(MAX_LEVELS, summary))
const confirmationSchema = z.object({ result: z.literal(true) })
const refusalSchema = z.object({ error: z.string() })

interface Reply {
  readonly status: number
  readonly body: string
}

/** `closed`: it failed on a reused connection. */
type Outcome = Reply | { readonly error: string; readonly closed: boolean }

/** Talks to one rig. */
export class RigClient {
  readonly #agent: Agent
  readonly #isShared: boolean

  /** @param shared connections of many clients, closed by their owner; without it the client keeps its own */
  constructor(
    private readonly place: RigPlace,
    private readonly clock: Clock,
    shared: Agent | null = null,
  ) {
    this.#isShared = shared !== null
    this.#agent = shared ?? new Agent({ keepAlive: true, maxSockets: 2 })
  }

  /** Never rejects. */
  async summary(): Promise<PollOutcome> {
    const reply = await this.#ask('GET', '/api/v1/summary', null)
    if ('error' in reply) return { error: reply.error }
    if (reply.status !== 200) return { error: statusText(reply.status) }
    const parsed = summarySchema.safeParse(parseJson(reply.body)?.value)
    return parsed.success ? { summary: parsed.data } : { error: NOT_A_SUMMARY }
  }

  /** One control command, in that rig's API format. Never rejects. */
  async control(command: { readonly action: string; readonly gpu?: number }): Promise<CommandOutcome> {
    const reply = await this.#ask('POST', '/api/v1/control', JSON.stringify(command))
    if ('error' in reply) return { error: reply.error, status: null }
    const { status, body } = reply
    const answer = parseJson(body)?.value
    if (status === 200)
      return confirmationSchema.safeParse(answer).success ? { done: true } : { error: NOT_DONE, status }
    const refusal = refusalSchema.safeParse(answer)
    return { error: refusal.success ? `HTTP ${status}: ${refusal.data.error}` : statusText(status), status }
  }

  close(): void {
    if (!this.#isShared) this.#agent.destroy()
  }

  /** A kept connection that the rig has closed says nothing about the rig: reads are retried once. */
  async #ask(method: string, path: string, body: string | null): Promise<Outcome> {
    const first = await this.#askOnce(method, path, body)
    return 'closed' in first && first.closed && method === 'GET' ? this.#askOnce(method, path, body) : first
  }

  #askOnce(method: string, path: string, body: string | null): Promise<Outcome> {
    const { host, port, token } = this.place
    return new Promise((resolve) => {
      const headers = {
        Accept: 'application/json',
        ...(token === null ? {} : { Authorization: `Bearer ${token.reveal()}` }),
        ...(body === null ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
      }
      const sent = request({ host, port, method, path, agent: this.#agent, headers }, (response) => {
        readWhole(response).then(settle, fail)
      })
      const limit = this.clock.setTimeout(() => settle({ error: 'timeout', closed: false }), TIME_LIMIT_MS)
      const settle = (outcome: Outcome): void => {
        limit.dispose()
        resolve(outcome)
        if ('error' in outcome) sent.destroy()
      }
      const fail = (error: unknown): void => settle({ error: connectionWords(error), closed: sent.reusedSocket })
      sent.on('error', fail)
      sent.end(body ?? undefined)
    })
  }
}

async function readWhole(response: IncomingMessage): Promise<Reply> {
  const body = new ByteGatherer()
  for await (const piece of response) {
    body.add(Buffer.from(piece))
    if (body.length > BODY_LIMIT_BYTES) throw new Error(NOT_A_SUMMARY)
  }
  return { status: response.statusCode ?? 0, body: body.take().toString('utf8') }
}

function isWithin(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((each) => isWithin(levels - 1, each))
}

function statusText(status: number): string {
  if (status === 401) return 'HTTP 401: token missing or wrong'
  if (status === 404) return 'HTTP 404: this instance is a monitor or too old'
  return `HTTP ${status}`
}

/** Why a rig can't be reached, in words. */
export function connectionWords(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ECONNREFUSED') return 'connection refused'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'host not found'
  return code === 'ETIMEDOUT' ? 'timeout' : messageOf(error)
}
