// A session with a node over HTTP: work is polled, solutions are posted.
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import type { Disposable } from '../../../base/disposable'
import { messageOf } from '../../../base/errors'
import { Emitter } from '../../../base/events'
import { toHex } from '../../../base/hex'
import { isJsonObject, jsonOrNull } from '../../../base/json-text'
import { hostPort, type PoolUrl } from '../../../config/values/pool-url'
import { ByteGatherer } from '../../../net/body-reader'
import { certificateTrouble, connectionTrouble, httpTrouble, type PoolTrouble, PROXY_CODES } from '../../pool-trouble'
import type { Job, Share } from '../../work-source'
import { faultOf, nonceDigits, type RpcAnswer } from '../dialects/dialect'
import { JobInbox } from './job-inbox'
import { hexHeight } from './job-maker'
import { codeOf as codeOfError } from './line-socket'
import type { PoolSession, SessionDeps, SessionEnd, SessionEvents, SubmitOutcome } from './session'
import { parseTarget } from './share-target'
import { proxiedAgent } from './socks-proxy'

const MAX_ANSWER_BYTES = 256 * 1024
/** Unanswered polls before the node counts as gone. */
const MAX_FAILED_POLLS = 3
/** Error codes that mean the node was never reached. */
const UNREACHED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', ...Object.keys(PROXY_CODES)]

/** getwork over HTTP. */
export class GetworkSession implements PoolSession {
  readonly dialect = 'getwork'
  readonly difficultyUnit = null
  readonly events = new Emitter<SessionEvents>()
  readonly #agent: HttpAgent
  readonly #inbox: JobInbox
  #state: 'new' | 'polling' | 'ready' | 'ended' = 'new'
  job: Job | null = null
  idleReason: string | null = null
  #timer: Disposable | null = null
  #failedPolls = 0
  #nextId = 1

  constructor(
    readonly url: PoolUrl,
    private readonly deps: SessionDeps,
  ) {
    const options = { keepAlive: true, maxSockets: 4 }
    const { proxy, tls } = url
    const direct = (): HttpAgent => (tls ? new HttpsAgent(options) : new HttpAgent(options))
    const { clock, limits } = deps
    this.#agent = proxy === null ? direct() : proxiedAgent(proxy, { tls, clock, connectMs: limits.connectMs })
    this.#inbox = new JobInbox(deps, {
      job: (job) => this.#jobArrived({ ...job, pool: hostPort(url) }),
      misfit: (reason) => this.events.emit('misfit', reason),
      giveUp: (reason, trouble) => this.#end({ kind: 'lost', reason, trouble }),
    })
  }

  get ready(): boolean {
    return this.#state === 'ready'
  }

  start(): void {
    this.#state = 'polling'
    this.#pollAfter(0)
  }

  /** Nodes accept a known work item for some blocks after it was replaced: shares of old jobs are sent too. */
  async submit({ job, nonce, mixDigest }: Share): Promise<SubmitOutcome> {
    if (!this.ready) return { kind: 'unsent' }
    const { clock } = this.deps
    const sentAt = clock.monotonic()
    const params = [`0x${nonceDigits(nonce)}`, toHex(job.sealHash), toHex(mixDigest)]
    try {
      const { result, error } = await this.#call('eth_submitWork', params)
      const latencyMs = clock.monotonic() - sentAt
      if (result === true) return { kind: 'accepted', latencyMs }
      return { kind: 'rejected', reason: error?.message ?? 'the node did not take it', latencyMs }
    } catch (error: unknown) {
      const reason = messageOf(error)
      if (!(error instanceof UnsentError)) return { kind: 'lost', reason }
      this.#end({ kind: 'lost', reason, trouble: this.#troubleOf(error) }) // the next session sends it
      return { kind: 'unsent' }
    }
  }

  /** Without leading zeros: nodes parse it as a QUANTITY. */
  reportHashrate(rate: bigint): void {
    if (!this.ready) return
    this.#call('eth_submitHashrate', [`0x${rate.toString(16)}`, `0x${this.deps.runId}`]).catch((error: unknown) =>
      this.deps.log.debug('hashrate not reported', { reason: messageOf(error) }),
    )
  }

  close(reason: string): void {
    this.#end({ kind: 'closed', reason })
  }

  #pollAfter(delayMs: number): void {
    if (this.#state === 'ended') return
    this.#timer = this.deps.clock.setTimeout(() => {
      this.#poll().catch((error: unknown) => this.#pollFailed(error))
    }, delayMs)
  }

  async #poll(): Promise<void> {
    const { pollMs, pollErrorMs } = this.deps.limits
    const { result, error } = await this.#call('eth_getWork', [])
    if (this.#state === 'ended') return
    this.#failedPolls = 0
    if (!Array.isArray(result)) {
      this.#workLost(error?.message ?? 'the node gave no work')
      return this.#pollAfter(pollErrorMs)
    }
    const [sealHash, seed, target, height]: readonly unknown[] = result
    this.#inbox.take({
      jobId: typeof sealHash === 'string' ? sealHash : '',
      sealHash,
      seed: { hash: seed },
      target: parseTarget(target),
      height: hexHeight(height),
      extranonce: null,
      // The node still accepts older work, but the new one is worth more.
      cleanJobs: true,
    })
    this.#pollAfter(pollMs)
  }

  #pollFailed(error: unknown): void {
    if (this.#state === 'ended') return
    const reason = messageOf(error)
    const trouble = this.#troubleOf(error)
    this.#failedPolls += 1
    const gone = this.#state === 'polling' || this.#failedPolls >= MAX_FAILED_POLLS
    if (certificateTrouble(codeOf(error)) !== null) this.#end({ kind: 'refused', reason, trouble })
    else if (gone) this.#end({ kind: 'lost', reason, trouble })
    else this.#pollAfter(this.deps.limits.pollMs)
  }

  #troubleOf(error: unknown): PoolTrouble {
    if (error instanceof SilentError) return 'silence'
    if (error instanceof StatusError) return httpTrouble(error.status)
    const code = codeOf(error)
    // Node's parser of HTTP, which something else answered.
    if (code.startsWith('HPE_') || error instanceof ForeignError) return 'other-protocol'
    // Without an error of the connection, it was reached.
    const isReached = code === '' || code === 'ECONNRESET' || code === 'EPIPE'
    return connectionTrouble({ tls: this.url.tls, isReached, isOpen: isReached, heard: new Uint8Array(), code })
  }

  #workLost(reason: string): void {
    const told = this.idleReason === reason
    this.idleReason = reason
    if (told) return
    this.job = null
    this.#inbox.forget()
    this.#becomeReady()
    this.events.emit('workLost', reason)
  }

  #jobArrived(job: Job): void {
    if (this.#state === 'ended') return
    this.job = job
    this.idleReason = null
    this.#becomeReady()
    this.events.emit('jobChanged', job)
  }

  #becomeReady(): void {
    if (this.#state !== 'polling') return
    this.#state = 'ready'
    this.events.emit('ready', undefined)
  }

  #call(method: string, params: readonly unknown[]): Promise<RpcAnswer> {
    const body = JSON.stringify({ id: this.#nextId++, jsonrpc: '2.0', method, params })
    return new Promise((resolve, reject) => {
      const { clock, limits } = this.deps
      const sentAt = clock.monotonic()
      const open = this.url.tls ? httpsRequest : httpRequest
      let answered = false
      const request = open(this.#requestOptions(body), (response) => {
        answered = true // from here on the body's end or failure decides; `close` may come before it is read
        this.events.emit('answered', clock.monotonic() - sentAt)
        readAnswer(response).then(resolve, reject)
      })
      const limit = clock.setTimeout(
        () => request.destroy(new SilentError(`no answer within ${limits.responseMs / 1_000} s`)),
        limits.responseMs,
      )
      let bytesBefore = 0
      request.on('socket', (socket) => {
        bytesBefore = socket.bytesRead
      })
      request.on('error', (error) => {
        const code = codeOf(error)
        // The node may close a kept connection just as a request is sent. Any part of an answer means that it arrived.
        const isMute = request.socket?.bytesRead === bytesBefore
        const isUnsent = UNREACHED.includes(code) || (request.reusedSocket && code === 'ECONNRESET' && isMute)
        reject(isUnsent ? new UnsentError(error) : error)
      })
      request.on('close', () => {
        limit.dispose()
        if (!answered) reject(new Error('the node closed the connection'))
      })
      request.end(body)
    })
  }

  #requestOptions(body: string): RequestOptions {
    const { host, port, path, user, worker, password, verify, tls } = this.url
    const name = worker === '' ? user : `${user}.${worker}`
    const { certificates } = this.deps
    return {
      host,
      port,
      path: path === '' ? '/' : path,
      method: 'POST',
      agent: this.#agent,
      headers: {
        Host: hostPort({ host, port }),
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
      },
      ...(password === null ? {} : { auth: `${name}:${password.reveal()}` }),
      ...(tls ? { minVersion: 'TLSv1.2', rejectUnauthorized: verify } : {}),
      ...(tls && isIP(host) === 0 ? { servername: host } : {}),
      ...(tls && certificates !== null ? { ca: certificates } : {}),
    }
  }

  #end(end: SessionEnd): void {
    if (this.#state === 'ended') return
    this.#state = 'ended'
    this.#timer?.dispose()
    this.#inbox.close()
    this.#agent.destroy()
    this.events.emit('ended', end)
  }
}

/** The node never got the request: it may be repeated. */
class UnsentError extends Error {
  constructor(readonly fault: Error) {
    super(fault.message)
  }
}

class SilentError extends Error {}

/** An answer that isn't getwork's. */
class ForeignError extends Error {}

/** An HTTP status without an answer of JSON-RPC. */
class StatusError extends Error {
  constructor(readonly status: number) {
    super(`HTTP ${status}`)
  }
}

function codeOf(error: unknown): string {
  const own = error instanceof UnsentError ? error.fault : error
  return own instanceof Error ? codeOfError(own) : ''
}

async function readAnswer(response: IncomingMessage): Promise<RpcAnswer> {
  const body = new ByteGatherer()
  for await (const piece of response) {
    body.add(Buffer.from(piece))
    if (body.length > MAX_ANSWER_BYTES) throw new Error(`an answer of more than ${MAX_ANSWER_BYTES} bytes`)
  }
  const status = response.statusCode ?? 0
  const answer = parseAnswer(body.take().toString('utf8'))
  // With another status only an error of JSON-RPC is the node's: the rest is what stands before it.
  if (answer !== null && (status === 200 || (answer.error?.code ?? null) !== null)) return answer
  throw status === 200 ? new ForeignError('an answer that is no JSON-RPC') : new StatusError(status)
}

function parseAnswer(text: string): RpcAnswer | null {
  const parsed = jsonOrNull(text)
  return isJsonObject(parsed) ? { result: parsed.result, error: faultOf(parsed.error) } : null
}
