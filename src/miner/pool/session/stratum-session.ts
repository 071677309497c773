// A session over lines: request ids with timeouts, jobs in order, and the family's minor requests.
import { isIP } from 'node:net'
import type { Disposable } from '../../../base/disposable'
import { messageOf } from '../../../base/errors'
import { Emitter } from '../../../base/events'
import { isJsonObject, jsonOrNull } from '../../../base/json-text'
import { Disposables } from '../../../base/lifecycle'
import { hostPort, type PoolUrl } from '../../../config/values/pool-url'
import { loginTrouble, type PoolTrouble } from '../../pool-trouble'
import type { Job, Share } from '../../work-source'
import {
  type Dialect,
  type DialectLink,
  faultOf,
  LOGIN_IDS,
  type Outgoing,
  type PoolMessage,
  type RpcAnswer,
  type RpcFault,
} from '../dialects/dialect'
import { JobInbox } from './job-inbox'
import { LineSocket } from './line-socket'
import type { LineDialect, PoolSession, SessionDeps, SessionEnd, SessionEvents, SubmitOutcome } from './session'

const LONGEST_WAIT_SECONDS = 60
const HOST = /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?$/

/** @param params `[host?, port?, wait?]` */
export function movedEnd(params: unknown, url: PoolUrl): SessionEnd {
  const [hostWish, portWish, waitWish]: readonly unknown[] = Array.isArray(params) ? params : []
  const host = typeof hostWish === 'string' && hostWish !== '' ? hostWish : url.host
  const port = portNumber(portWish) ?? url.port
  const waitMs = Math.round(waitSeconds(waitWish) * 1_000)
  if (host !== url.host && !sameDomain(host, url.host)) {
    const reason = `the pool wanted to send this miner to ${host.slice(0, 80)}, which is not its own domain`
    return { kind: 'moved', reason, host: url.host, port: url.port, waitMs }
  }
  return { kind: 'moved', reason: 'the pool asked to reconnect', host, port, waitMs }
}

/** The last two labels must match, three as in `co.uk`: the strict rule without the public suffix list. */
function sameDomain(a: string, b: string): boolean {
  if (!HOST.test(a) || isIP(a) !== 0 || isIP(b) !== 0) return false
  const [left, right] = [registrable(a), registrable(b)]
  return left !== null && left === right
}

function registrable(host: string): string | null {
  const labels = host.toLowerCase().split('.')
  const last = labels.at(-1) ?? ''
  const second = labels.at(-2) ?? ''
  const count = last.length === 2 && second.length <= 3 ? 3 : 2
  return labels.length < count ? null : labels.slice(-count).join('.')
}

function portNumber(value: unknown): number | null {
  const port = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value
  return typeof port === 'number' && Number.isInteger(port) && port >= 1 && port <= 65_535 ? port : null
}

function waitSeconds(value: unknown): number {
  const seconds = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value
  return typeof seconds === 'number' && seconds >= 0 ? Math.min(seconds, LONGEST_WAIT_SECONDS) : 0
}

/** Consecutive lines that aren't JSON objects. */
const MAX_BAD_LINES = 10
const FIRST_SUBMIT_ID = 40
/** Consecutive unanswered shares while jobs keep coming. */
const MAX_UNANSWERED = 3
/** Some pools reject a login with this id. */
const LOGIN_FAILED_ID = 999
/** How long before the agreed silence ends a no-op is sent. */
const NOOP_AHEAD_MS = 5_000

interface Waiting {
  readonly resolve: (answer: RpcAnswer) => void
  readonly reject: (error: Error) => void
  readonly timer: Disposable
  /** monotonic ms */
  readonly sentAt: number
}

type DialectMaker = (name: LineDialect, link: DialectLink) => Dialect

interface StratumSessionOptions {
  readonly url: PoolUrl
  /** not empty; the next one is tried when the pool rejects the previous one */
  readonly dialects: readonly LineDialect[]
  /** the dialects are guesses: an error in the first answer means another one */
  readonly detecting: boolean
}

/** A session in one of the line dialects. */
export class StratumSession implements PoolSession {
  readonly url: PoolUrl
  readonly events = new Emitter<SessionEvents>()
  readonly #socket: LineSocket
  readonly #makeDialect: DialectMaker
  #dialect: Dialect
  readonly #inbox: JobInbox
  readonly #held = new Disposables()
  readonly #waiting = new Map<number, Waiting>()
  #nextSubmitId = FIRST_SUBMIT_ID
  /** dialects rejected on this connection, each with the pool's text */
  #refusals: string[] = []
  #badLines = 0
  #unansweredInARow = 0
  #lastLineAt = 0
  #state: 'new' | 'login' | 'ready' | 'ended' = 'new'
  job: Job | null = null
  idleReason: string | null = null
  #workTimer: Disposable | null = null
  #noopTimer: Disposable | null = null
  /** the pending hashrate report: its answer only matters for the latency */
  #report: { readonly id: number; readonly sentAt: number } | null = null

  constructor(
    private readonly options: StratumSessionOptions,
    makeDialect: DialectMaker,
    private readonly deps: SessionDeps,
  ) {
    const { url } = options
    const { limits, certificates, clock } = deps
    this.url = url
    this.#makeDialect = makeDialect
    this.#dialect = this.#dialectAt(0)
    const sink = {
      job: (job: Job) => this.#jobArrived({ ...job, pool: hostPort(url) }),
      misfit: (reason: string) => this.events.emit('misfit', reason),
      giveUp: (reason: string, trouble: PoolTrouble) => this.#end({ kind: 'lost', reason, trouble }),
    }
    this.#inbox = new JobInbox(deps, sink, () => options.detecting && this.job === null)
    this.#socket = new LineSocket({ ...url, certificates, connectMs: limits.connectMs }, clock)
  }

  get dialect(): LineDialect {
    return this.#dialect.name
  }

  get difficultyUnit(): Dialect['difficultyUnit'] {
    return this.#dialect.difficultyUnit
  }

  get ready(): boolean {
    return this.#state === 'ready'
  }

  start(): void {
    this.#held.add(this.#socket.events.on('line', (line) => this.#take(line)))
    this.#held.add(
      this.#socket.events.on('closed', ({ reason, trouble }) =>
        this.#end(isFinal(trouble) ? { kind: 'refused', reason, trouble } : this.#lost(reason, trouble)),
      ),
    )
    this.#held.add(
      this.#socket.events.on('connected', () => {
        this.#login().catch((error: unknown) => this.#end(this.#lost(messageOf(error), 'silence')))
      }),
    )
    this.#socket.connect()
  }

  async submit(share: Share): Promise<SubmitOutcome> {
    if (share.replaced && !this.#dialect.sendsReplaced) return { kind: 'stale' }
    if (!this.ready) return { kind: 'unsent' }
    const { clock } = this.deps
    const sentAt = clock.monotonic()
    try {
      const answer = await this.#request(this.#dialect.submission(share), this.#nextSubmitId++)
      const latencyMs = clock.monotonic() - sentAt
      if (this.#dialect.accepts(answer)) return { kind: 'accepted', latencyMs }
      const { message = 'rejected without a reason', code = null } = answer.error ?? {}
      return { kind: 'rejected', reason: message, latencyMs, ...(code === null ? {} : { code }) }
    } catch (error: unknown) {
      if (error instanceof NotSentError) return { kind: 'unsent' }
      return { kind: 'lost', reason: error instanceof Error ? error.message : String(error) }
    }
  }

  reportHashrate(rate: bigint): void {
    if (!this.ready) return
    const { message, id } = this.#dialect.hashrateReport(rate, this.deps.runId)
    const number = id ?? this.#nextSubmitId++
    this.#report = { id: number, sentAt: this.deps.clock.monotonic() }
    this.#tell(message, number)
  }

  close(reason: string): void {
    this.#end({ kind: 'closed', reason })
  }

  async #login(): Promise<void> {
    this.#state = 'login'
    this.#workTimer = this.deps.clock.setTimeout(() => this.#noWork(), this.deps.limits.workMs)
    const outcome = await this.#dialect.login()
    if (this.#state !== 'login') return
    if (outcome.kind === 'refused') return this.#end({ ...outcome, trouble: loginTrouble(outcome.reason) })
    if (outcome.kind === 'foreign') return this.#tryNext(outcome)
    this.#state = 'ready'
    this.events.emit('ready', undefined)
    if (this.job !== null) this.events.emit('jobChanged', this.job)
  }

  /** A rejection leaves the connection usable; after any other answer the pool may have settled on this dialect. */
  async #tryNext({ reason, isClean }: { readonly reason: string; readonly isClean: boolean }): Promise<void> {
    this.#refusals.push(`${this.#dialect.name}: ${reason}`)
    const untried = this.#untried
    if (!isClean || untried.length === 0)
      return this.#end({ kind: 'foreign', reason: this.#refusals.join('; '), untried })
    this.#dialect = this.#dialectAt(this.options.dialects.length - untried.length)
    await this.#login()
  }

  get #untried(): readonly LineDialect[] {
    const { dialects } = this.options
    return dialects.slice(dialects.indexOf(this.dialect) + 1)
  }

  #dialectAt(index: number): Dialect {
    const name = this.options.dialects[index]
    if (name === undefined) throw new Error('a session needs a dialect')
    return this.#makeDialect(name, this.#link())
  }

  /**
   * How a lost connection ends. If a guess got no answer, the next attempt continues with the one after it; after an
   * earlier rejection it tries the same one again, since the pool may have disconnected because of that.
   */
  #lost(reason: string, trouble: PoolTrouble): SessionEnd {
    const isUnanswered = this.options.detecting && this.#state === 'login' && this.#waiting.has(LOGIN_IDS.first)
    if (!isUnanswered) return { kind: 'lost', reason, trouble }
    const probeNext = this.#refusals.length > 0 ? this.dialect : (this.#untried[0] ?? this.options.dialects[0])
    return { kind: 'lost', reason, trouble, ...(probeNext === undefined ? {} : { probeNext }) }
  }

  #link(): DialectLink {
    return {
      url: this.options.url,
      agent: this.deps.agent,
      request: (message, id) => this.#request(message, id ?? LOGIN_IDS.first),
      tell: (message, id) => this.#tell(message, id ?? LOGIN_IDS.first),
      job: (fields) => this.#inbox.take(fields),
      waits: (reason) => this.#jobWaits(reason),
      say: this.deps.say,
      end: (reason) => this.#end(reason),
    }
  }

  #jobArrived(job: Job): void {
    if (this.#state === 'ended') return
    this.#workTimer?.dispose()
    this.#workTimer = this.deps.clock.setTimeout(() => this.#noWork(), this.deps.limits.workMs)
    this.job = job
    this.idleReason = null
    if (this.ready) this.events.emit('jobChanged', job)
  }

  /** Only before the first job: settings that came stay known. */
  #jobWaits(reason: string): void {
    if (this.idleReason === reason) return
    this.idleReason = reason
    this.deps.say(reason)
    if (this.ready) this.events.emit('workLost', reason)
  }

  #noWork(): void {
    this.#end({ kind: 'lost', reason: `no new job for ${this.deps.limits.workMs / 1_000} s`, trouble: 'no-work' })
  }

  #request(message: Outgoing, id: number): Promise<RpcAnswer> {
    const { clock, limits } = this.deps
    const limitMs = limits.responseMs
    const sentAt = clock.monotonic()
    return new Promise((resolve, reject) => {
      const notSent = (): void => {
        this.#waiting.get(id)?.timer.dispose()
        this.#waiting.delete(id)
        reject(new NotSentError('the connection is closed'))
      }
      if (!this.#tell(message, id, notSent)) return notSent()
      const timer = clock.setTimeout(() => {
        const reason = `no answer to ${message.method} within ${limitMs / 1_000} s`
        if (this.#state === 'login' && id === LOGIN_IDS.first) return this.#end(this.#lost(reason, 'silence'))
        this.#waiting.delete(id)
        reject(new Error(reason))
        if (this.#state === 'ready') this.#unanswered(sentAt, limitMs)
      }, limitMs)
      this.#waiting.set(id, { resolve, reject, timer, sentAt })
    })
  }

  /** A single unanswered share is the pool's problem; a connection on which nothing arrives is dead. */
  #unanswered(sentAt: number, limitMs: number): void {
    this.#unansweredInARow += 1
    const silent = this.#lastLineAt < sentAt
    if (silent || this.#unansweredInARow >= MAX_UNANSWERED)
      this.#end({ kind: 'lost', reason: `no answer within ${limitMs / 1_000} s`, trouble: 'share-unanswered' })
  }

  #tell(message: Outgoing, id: number, onFailed?: () => void): boolean {
    this.#armNoop()
    return this.#socket.send(JSON.stringify({ id, ...message }), onFailed)
  }

  #armNoop(): void {
    this.#noopTimer?.dispose()
    this.#noopTimer = null
    const silenceMs = this.#state === 'ready' ? this.#dialect.silenceMs() : null
    if (silenceMs === null) return
    const delayMs = Math.max(1_000, silenceMs - NOOP_AHEAD_MS)
    this.#noopTimer = this.deps.clock.setTimeout(() => {
      this.#socket.send(JSON.stringify({ method: 'mining.noop' }))
      this.#armNoop()
    }, delayMs)
  }

  #take(line: string): void {
    this.#lastLineAt = this.deps.clock.monotonic()
    const message = parseLine(line)
    if (message === null) {
      this.#badLines += 1
      this.deps.log.debug('line of the pool is no JSON object', { host: this.url.host })
      if (this.#badLines >= MAX_BAD_LINES)
        this.#end({
          kind: 'lost',
          reason: `${MAX_BAD_LINES} consecutive lines that aren't JSON objects`,
          trouble: 'other-protocol',
        })
      return
    }
    this.#badLines = 0
    if (message.method === null && this.#settle(message)) return
    if (this.#dialect.take(message)) return
    this.#common(message)
  }

  /** True when the message answers one of our requests. */
  #settle({ id, result, error }: ParsedLine): boolean {
    const number = typeof id === 'string' && /^\d{1,9}$/.test(id) ? Number(id) : id
    const first = this.#waiting.get(LOGIN_IDS.first)
    if (this.#state === 'login' && error !== null && (number === LOGIN_FAILED_ID || number === null)) {
      // For a guess, it is the answer to the guess.
      if (this.options.detecting && first !== undefined) return this.#answer(LOGIN_IDS.first, first, { result, error })
      if (number === LOGIN_FAILED_ID)
        this.#end({ kind: 'refused', reason: error.message, trouble: loginTrouble(error.message) })
      return number === LOGIN_FAILED_ID
    }
    const waiting = typeof number === 'number' ? this.#waiting.get(number) : undefined
    if (waiting === undefined || typeof number !== 'number') return this.#reportAnswered(number)
    return this.#answer(number, waiting, { result, error })
  }

  #answer(id: number, waiting: Waiting, answer: RpcAnswer): true {
    this.#waiting.delete(id)
    waiting.timer.dispose()
    this.events.emit('answered', this.deps.clock.monotonic() - waiting.sentAt)
    this.#unansweredInARow = 0
    waiting.resolve(answer)
    return true
  }

  /** Always passed to the dialect as well: some pools answer a report and a job alike. */
  #reportAnswered(id: unknown): false {
    if (this.#report !== null && this.#report.id === id) {
      this.events.emit('answered', this.deps.clock.monotonic() - this.#report.sentAt)
      this.#report = null
    }
    return false
  }

  /** Requests that any pool may send. */
  #common({ id, method, params }: PoolMessage): void {
    const answerable = typeof id === 'number' || (typeof id === 'string' && id !== '')
    if (method === 'client.get_version' && answerable) {
      this.#socket.send(JSON.stringify({ id, jsonrpc: '2.0', result: this.deps.agent }))
    } else if (method === 'mining.ping' && answerable) {
      this.#socket.send(JSON.stringify({ id, jsonrpc: '2.0', result: 'pong' }))
    } else if (method === 'client.reconnect') {
      this.#end(movedEnd(params, this.url))
    } else if (method === 'client.show_message') {
      const text: unknown = Array.isArray(params) ? params[0] : params
      if (typeof text === 'string') this.deps.say(text.slice(0, 500))
    } else if (method !== null && answerable) {
      this.#socket.send(JSON.stringify({ id, jsonrpc: '2.0', error: { code: -32601, message: 'Method not found' } }))
    }
  }

  #end(end: SessionEnd): void {
    if (this.#state === 'ended') return
    this.#state = 'ended'
    this.#workTimer?.dispose()
    this.#noopTimer?.dispose()
    for (const { timer, reject } of this.#waiting.values()) {
      timer.dispose()
      reject(new Error(end.reason))
    }
    this.#waiting.clear()
    this.#held.dispose()
    this.#socket.close(end.reason)
    this.#inbox.close()
    this.deps.log.debug('pool session ended', { host: this.url.host, kind: end.kind, reason: end.reason })
    this.events.emit('ended', end)
  }
}

/** Trying again at once would end the same way. */
function isFinal(trouble: PoolTrouble): boolean {
  return trouble.startsWith('certificate-')
}

/** The request was never written: the caller may use another session. */
class NotSentError extends Error {}

interface ParsedLine extends PoolMessage {
  readonly error: RpcFault | null
}

function parseLine(line: string): ParsedLine | null {
  const parsed = jsonOrNull(line)
  if (!isJsonObject(parsed)) return null
  const { id, method, params, result, error } = parsed
  const name = typeof method === 'string' ? method : null
  return { id, method: name, params, result, error: faultOf(error), line }
}
