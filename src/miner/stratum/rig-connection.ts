// One rig's connection: splits lines, finds out its dialect, logs it in, gives it jobs, and judges its shares. Every rig
// is untrusted: what one can cost is bounded, and who goes beyond is disconnected.
import type { Socket } from 'node:net'
import { bigintFromBytes, equalBytes } from '../../base/bytes'
import { isJsonObject } from '../../base/json-text'
import { TokenBucket } from '../../base/limits/token-bucket'
import type { Clock } from '../../base/time'
import { ByteGatherer } from '../../net/body-reader'
import { parseJson } from '../../net/json-rpc/json-rpc'
import type { LineDialect } from '../pool/session/session'
import type { Job } from '../work-source'
import {
  answerLine,
  cleanText,
  extranonceText,
  type GivenJob,
  jobLines,
  NICEHASH_PROTOCOL,
  type RigFault,
  readLogin,
  readShare,
  type SentShare,
  SILENCE_SECONDS,
  STRATUM2_PROTOCOL,
  shareTarget,
  workOf,
} from './rig-dialects'
import type { RigShareOutcome, ShareCheck } from './share-check'
import { START_DIFFICULTY, VariableDifficulty } from './variable-difficulty'
import type { RigLogin, RigWorker } from './workers'

const LF = 0x0a
const MAX_LINE_BYTES = 4_096
const HALF_LINE_LIMIT_MS = 20_000
const LOGIN_LIMIT_MS = 10_000
/** After our last line the rig has this long to close. */
const LINGER_MS = 2_000
const STALLED_LIMIT_MS = 20_000
const MAX_QUEUED_BYTES = 262_144
/** Jobs whose shares are known; shares of older ones are stale. */
const KEPT_JOBS = 16
/** After a change of difficulty, shares of the easier job still count this long. */
const GRACE_MS = 10_000
/** Lines, whatever they say. */
const LINE_RATE = { perSecond: 50, burst: 200 }
/** Whole checks: one a second is ten times the pace that the difficulty aims at. */
const CHECK_RATE = { perSecond: 1, burst: 48 }
/** What does no good: malformed lines, duplicates, shares for jobs that were never given. */
const OFFENCE_RATE = { perSecond: 0.5, burst: 50 }
/** A failed share has cost a whole check. */
const FAILED_WEIGHT = 5
const BUSY_WEIGHT = 0.25

const FAULTS = {
  parse: { code: -32_700, message: 'Parse error' },
  request: { code: -32_600, message: 'Invalid request: one JSON object per line' },
  method: { code: -32_601, message: 'Method not found' },
  dialect: { code: 20, message: 'Speak one dialect per connection' },
  order: { code: 25, message: 'Not subscribed: begin with mining.subscribe, mining.hello or eth_submitLogin' },
  unauthorized: { code: 24, message: 'Unauthorized worker: log in first' },
  hashwarp: {
    code: 20,
    message: 'hashwarp misreads the difficulties of EthereumStratum/1.0.0: use stratum+tcp:// or stratum3+tcp://',
  },
  unavailable: { code: 20, message: "The node can't take shares now" },
  noWork: { code: 20, message: 'No work yet: the node is syncing, or has no reward account' },
  stale: { code: 21, message: 'Stale share' },
  unknown: { code: 21, message: 'Job not found' },
  duplicate: { code: 22, message: 'Duplicate share' },
  low: { code: 23, message: 'Low difficulty share' },
  busy: { code: 20, message: 'Too many shares at once' },
  rejected: { code: 20, message: 'The node rejected the block' },
} as const satisfies Record<string, RigFault>

/** What the server decides for its connections. */
export interface ConnectionHost {
  readonly clock: Clock
  readonly check: ShareCheck
  /** `headframe/VERSION` */
  readonly agent: string
  /** null: there is no work */
  currentJob(): Job | null
  /** True for a job of a height that has its block: its shares can't become one. `isLate`: beyond the usual delay. */
  staleness(job: Job): 'current' | 'stale' | 'late'
  /** Null: the token is right, or none is needed; else what the rig is told. */
  refusal(login: RigLogin, password: string, payout: string | null): RigFault | null
  enter(connection: RigConnection, login: RigLogin, difficulty: number): RigWorker
  /** A result at or below the block's target. Resolves with the node's verdict. */
  submitBlock(worker: RigWorker, share: BlockShare): Promise<'accepted' | 'stale' | 'rejected'>
  /** A share was settled. */
  settled(outcome: RigShareOutcome): void
  /** A share of this difficulty was accepted. Expected hashes, of the share and of its job's block. */
  accepted(difficulty: number, blockDifficulty: number): void
  /** A share couldn't be judged: through no fault of the rig. */
  failed(error: unknown): void
  /** It went beyond its bounds and was disconnected. */
  offended(connection: RigConnection, reason: string): void
}

/** A share that makes a block. */
export interface BlockShare {
  readonly job: Job
  readonly nonce: bigint
  /** 32 bytes */
  readonly mixDigest: Uint8Array
  /** 32 bytes, big-endian */
  readonly result: Uint8Array
}

interface Request {
  readonly id: unknown
  readonly method: string
  readonly params: unknown
  readonly worker: unknown
}

/** Whom a share's answer is for. */
interface Asked {
  readonly id: unknown
  readonly worker: RigWorker
}
interface TypedLogin {
  readonly login: unknown
  readonly password: unknown
  readonly worker: unknown
  /** the request is answered by something else */
  readonly isSilent?: boolean
}

/** One connection, from its first line to its end. */
export class RigConnection {
  readonly #half = new ByteGatherer()
  readonly #lines: TokenBucket
  readonly #checks: TokenBucket
  readonly #offences: TokenBucket
  readonly #openedAt: number
  #halfSince: number | null = null
  #closingAt: number | null = null
  #sent = { bytes: 0, at: 0 }
  #dialect: LineDialect | null = null
  #software = ''
  worker: RigWorker | null = null
  #difficulty: VariableDifficulty | null = null
  /** eth-proxy: it has asked for work */
  #wantsWork = false
  #serial = 0
  readonly #given: GivenJob[] = []
  /** the address it wants to be paid at; null: none named */
  payout: string | null = null

  /**
   * @param address IP literal of the rig
   * @param extranonce of this connection alone, 0..65535
   */
  constructor(
    private readonly socket: Socket,
    private readonly host: ConnectionHost,
    readonly address: string,
    readonly extranonce: number,
  ) {
    const { clock } = host
    this.#lines = new TokenBucket(LINE_RATE, clock)
    this.#checks = new TokenBucket(CHECK_RATE, clock)
    this.#offences = new TokenBucket(OFFENCE_RATE, clock)
    this.#openedAt = clock.monotonic()
    socket.setNoDelay(true)
    socket.setKeepAlive(true, 60_000)
    socket.on('data', (chunk: Buffer) => this.#received(chunk))
    socket.on('error', () => socket.destroy())
    socket.once('close', () => this.#closed())
  }

  /** A new job, or null: there is no work. */
  give(job: Job | null): void {
    if (job !== null) this.#push(job, job.cleanJobs)
  }

  /** Enforces the time limits and adapts the difficulty; call it about once a second. */
  sweep(): void {
    const now = this.host.clock.monotonic()
    const late = (since: number | null, limitMs: number): boolean => since !== null && now - since >= limitMs
    const { writableLength, bytesWritten } = this.socket
    const taken = bytesWritten - writableLength
    if (writableLength === 0 || taken !== this.#sent.bytes) this.#sent = { bytes: taken, at: now }
    if (
      late(this.#closingAt, LINGER_MS) ||
      late(this.#halfSince, HALF_LINE_LIMIT_MS) ||
      late(this.#sent.at, STALLED_LIMIT_MS) ||
      (this.worker === null && late(this.#openedAt, LOGIN_LIMIT_MS))
    ) {
      this.socket.destroy()
      return
    }
    if (this.#difficulty?.check(now) === true) this.#newDifficulty()
  }

  /** Sends what is queued, then ends. */
  end(): void {
    this.#closingAt ??= this.host.clock.monotonic()
    this.#half.take()
    this.socket.end()
  }

  destroy(): void {
    this.socket.destroy()
  }

  #closed(): void {
    this.host.check.leave(this)
  }

  #received(chunk: Buffer): void {
    let rest = chunk
    for (let end = rest.indexOf(LF); end >= 0 && this.#closingAt === null; end = rest.indexOf(LF)) {
      this.#half.add(rest.subarray(0, end))
      const line = this.#half.take()
      this.#halfSince = null
      rest = rest.subarray(end + 1)
      if (line.length > MAX_LINE_BYTES) return void this.#offend('a line longer than 4 KiB')
      if (!this.#lines.take(1)) return void this.#offend('too many lines')
      this.#line(line.toString('utf8').trim())
    }
    if (rest.length === 0 || this.#closingAt !== null) return
    this.#half.add(rest)
    this.#halfSince ??= this.host.clock.monotonic()
    if (this.#half.length > MAX_LINE_BYTES) this.#offend('a line longer than 4 KiB')
  }

  #line(text: string): void {
    if (text === '') return
    this.worker?.seen()
    if (/^[A-Z]+ \S+ HTTP\//.test(text)) return void this.#refuseHttp()
    const read = parseJson(text)
    if (read === null) return void this.#fail(null, FAULTS.parse, 1)
    const { value: message } = read
    if (!isJsonObject(message)) return void this.#fail(null, FAULTS.request, 1)
    const { id = null, method, params, worker } = message
    const isId = id === null || typeof id === 'number' || (typeof id === 'string' && id.length <= 64)
    if (!isId) return void this.#fail(null, FAULTS.request, 1)
    // An answer to one of our notifications has no method.
    if (typeof method === 'string') this.#request({ id, method, params, worker })
    else if (!('result' in message || 'error' in message)) this.#fail(id, FAULTS.request, 1)
  }

  #refuseHttp(): void {
    const text = 'This port speaks stratum: point a miner at it, not a browser.\n'
    this.socket.write(`HTTP/1.1 400 Bad Request\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`)
    this.end()
  }

  #request(request: Request): void {
    switch (request.method) {
      case 'mining.hello':
        return void this.#hello(request)
      case 'mining.subscribe':
        return void this.#subscribe(request)
      case 'mining.authorize':
        return void this.#authorize(request)
      case 'eth_submitLogin':
      case 'eth_login':
        if (this.#speaks('eth-proxy', request)) this.#logIn(request, loginOf(request))
        return
      case 'mining.extranonce.subscribe':
        return void this.#answer(request.id, { result: true })
      case 'mining.ping':
        return void this.#answer(request.id, { result: 'pong' })
      case 'mining.noop':
        return
      case 'mining.bye':
        return void this.end()
      default:
        return void this.#work(request)
    }
  }

  /** What only a rig that is logged in may ask. */
  #work(request: Request): void {
    const { id, method } = request
    if (method === 'eth_getWork' && this.worker === null && this.#speaks('eth-proxy', request))
      this.#logIn(request, { login: '', password: '', worker: request.worker, isSilent: true })
    const worker = this.worker
    if (worker === null) return void this.#fail(id, FAULTS.unauthorized, 1)
    const asked = { id, worker }
    switch (method) {
      case 'eth_getWork':
        return void this.#getWork(id)
      case 'mining.submit':
      case 'eth_submitWork':
        this.#submit(request, asked).catch((error: unknown) => {
          this.host.failed(error)
          this.#settle(asked, 'busy', FAULTS.unavailable, 0)
        })
        return
      case 'eth_submitHashrate':
      case 'mining.hashrate':
        return void this.#hashrate(request, worker)
      default:
        return void this.#fail(id, FAULTS.method, 1)
    }
  }

  #speaks(dialect: LineDialect, { id }: Request): boolean {
    if (this.#dialect !== null && this.#dialect !== dialect) this.#fail(id, FAULTS.dialect, 1)
    else this.#dialect = dialect
    return this.#dialect === dialect
  }

  #hello(request: Request): void {
    const { params } = request
    if (!this.#speaks('stratum2', request)) return
    const { agent, proto } = isJsonObject(params) ? params : {}
    if (proto !== undefined && proto !== STRATUM2_PROTOCOL)
      return void this.#fail(request.id, { code: 20, message: `This server speaks ${STRATUM2_PROTOCOL}` }, 1)
    this.#software = cleanText(agent)
    const timeout = SILENCE_SECONDS.toString(16)
    const { agent: node } = this.host
    this.#answer(request.id, {
      result: { proto: STRATUM2_PROTOCOL, encoding: 'plain', resume: '0', timeout, maxerrors: '32', node },
    })
  }

  /** EthereumStratum/2.0.0 has said hello; version 1 names itself; otherwise it is the plain dialect. */
  #subscribe(request: Request): void {
    const { id, params } = request
    const session = extranonceText(this.extranonce)
    if (this.#dialect === 'stratum2') return void this.#answer(id, { result: `s-${session}` })
    const [agent, protocol]: readonly unknown[] = Array.isArray(params) ? params : []
    const isNicehash = protocol === NICEHASH_PROTOCOL
    if (!this.#speaks(isNicehash ? 'nicehash' : 'stratum', request)) return
    this.#software = cleanText(agent)
    if (!isNicehash) return void this.#answer(id, { result: true })
    if (/^hashwarp/i.test(this.#software)) return void this.#fail(id, FAULTS.hashwarp, 1)
    this.#answer(id, { result: [['mining.notify', session, NICEHASH_PROTOCOL], session] })
  }

  #authorize(request: Request): void {
    if (this.#dialect === null || this.#dialect === 'eth-proxy') return void this.#fail(request.id, FAULTS.order, 1)
    this.#logIn(request, loginOf(request))
  }

  #logIn({ id }: Request, { login: text, password, worker, isSilent = false }: TypedLogin): void {
    const dialect = this.#dialect ?? 'stratum'
    const { name, payout } = readLogin(text, worker)
    const login = { name: name === '' ? this.address : name, address: this.address, software: this.#software, dialect }
    const refusal = this.host.refusal(login, typeof password === 'string' ? password : '', payout)
    if (refusal !== null) {
      this.#answer(id, refusal)
      return void this.end()
    }
    this.payout = payout
    const worker_ = this.host.enter(this, login, START_DIFFICULTY)
    this.worker = worker_
    this.#difficulty ??= new VariableDifficulty(worker_.difficulty, this.host.clock.monotonic())
    if (!isSilent) this.#answer(id, { result: dialect === 'stratum2' ? `w-${extranonceText(this.extranonce)}` : true })
    if (dialect !== 'eth-proxy') this.give(this.host.currentJob())
  }

  #getWork(id: unknown): void {
    const job = this.host.currentJob()
    this.#wantsWork = true
    if (job === null) return void this.#answer(id, FAULTS.noWork)
    const last = this.#given.at(-1)
    const given = last?.job === job ? last : this.#take(job, job.cleanJobs)
    this.#answer(id, { result: workOf(given) })
  }

  /** The rate in hex, with or without prefix, padded or not. */
  #hashrate({ id, params }: Request, worker: RigWorker): void {
    const [text]: readonly unknown[] = Array.isArray(params) ? params : []
    const digits = typeof text === 'string' ? /^(?:0x)?([0-9a-f]{1,64})$/i.exec(text)?.[1] : undefined
    const rate = digits === undefined ? Number.NaN : Number(BigInt(`0x${digits}`))
    if (!(rate <= Number.MAX_SAFE_INTEGER))
      return void this.#fail(id, { code: 20, message: 'The hashrate is not a hex number' }, 1)
    worker.reported(rate)
    this.#answer(id, { result: true })
    if (this.#difficulty?.reported(rate, this.host.clock.monotonic()) === true) this.#newDifficulty()
  }

  #newDifficulty(): void {
    const job = this.host.currentJob()
    if (job === null) return
    const last = this.#given.at(-1)
    // At the block's difficulty nothing has changed for the rig.
    if (last?.job === job && last.difficulty === this.#difficulty?.limited(Number(job.difficulty))) return
    this.#push(job, false)
  }

  #push(job: Job, clean: boolean): void {
    if (this.worker === null || (this.#dialect === 'eth-proxy' && !this.#wantsWork)) return
    const before = this.#given.at(-1) ?? null
    const given = this.#take(job, clean)
    const { extranonce } = this
    for (const line of jobLines(this.#dialect ?? 'stratum', given, { before, extranonce })) this.#write(line)
  }

  /** A share is never harder than the block: else blocks would be lost. */
  #take(job: Job, clean: boolean): GivenJob {
    const difficulty = this.#difficulty?.limited(Number(job.difficulty)) ?? START_DIFFICULTY
    if (this.worker !== null) this.worker.difficulty = difficulty
    const target = shareTarget(this.#dialect ?? 'stratum', difficulty, job)
    this.#serial += 1
    const given = { id: this.#serial.toString(16), job, difficulty, ...target, clean, replacedAt: null }
    for (const older of this.#given)
      if (older.replacedAt === null && equalBytes(older.job.sealHash, job.sealHash))
        older.replacedAt = this.host.clock.monotonic()
    this.#given.push(given)
    if (this.#given.length > KEPT_JOBS) this.#given.shift()
    return given
  }

  async #submit({ params }: Request, asked: Asked): Promise<void> {
    const { id, worker } = asked
    const dialect = this.#dialect ?? 'stratum'
    const sent = readShare(dialect, params, this.extranonce)
    if (typeof sent === 'string') return this.#fail(id, { code: 20, message: `Malformed share: ${sent}` }, 1)
    const given = this.#find(sent)
    if (given === null) return this.#settle(asked, this.#wasGiven(sent) ? 'stale' : 'unknown', FAULTS.unknown)
    const staleness = this.host.staleness(given.job)
    if (staleness !== 'current') return this.#settle(asked, 'stale', FAULTS.stale, staleness === 'late' ? 1 : 0)
    if (!this.#checks.take(1)) return this.#settle(asked, 'busy', FAULTS.busy, BUSY_WEIGHT)
    const candidates = this.#candidates(given)
    const target = candidates.reduce((most, each) => (each.target > most ? each.target : most), 0n)
    const { job } = given
    const checked = await this.host.check.check(this, { job, nonce: sent.nonce, mixDigest: sent.mixDigest, target })
    switch (checked.kind) {
      case 'duplicate':
        this.#checks.charge(-1)
        return this.#settle(asked, 'duplicate', FAULTS.duplicate)
      case 'low':
        if (!checked.isComputed) this.#checks.charge(-1)
        return this.#settle(asked, 'failed', FAULTS.low, checked.isComputed ? FAILED_WEIGHT : 1)
      case 'busy':
        return this.#settle(asked, 'busy', FAULTS.busy, BUSY_WEIGHT)
      case 'good':
    }
    if (checked.result <= bigintFromBytes(job.target)) {
      const block = { job, nonce: sent.nonce, mixDigest: checked.mixDigest, result: checked.resultBytes }
      const verdict = await this.host.submitBlock(worker, block)
      if (verdict === 'stale') return this.#settle(asked, 'stale', FAULTS.stale, 0)
      if (verdict === 'rejected') return this.#settle(asked, 'failed', FAULTS.rejected, 0)
    }
    const worth = Math.max(...candidates.filter((each) => checked.result <= each.target).map((each) => each.difficulty))
    worker.share('accepted', worth)
    this.host.settled('accepted')
    this.host.accepted(worth, Number(given.job.difficulty))
    this.#answer(id, { result: true })
    if (this.#difficulty?.shareFound(this.host.clock.monotonic(), worth) === true) this.#newDifficulty()
  }

  /** The newest job that the share can belong to. */
  #find({ jobId, sealHash }: SentShare): GivenJob | null {
    const found = [...this.#given]
      .reverse()
      .find((given) =>
        jobId === null ? sealHash !== null && equalBytes(given.job.sealHash, sealHash) : given.id === jobId,
      )
    const fits = sealHash === null || (found !== undefined && equalBytes(found.job.sealHash, sealHash))
    return fits ? (found ?? null) : null
  }

  /** It was ours once, and is forgotten. */
  #wasGiven({ jobId }: SentShare): boolean {
    const serial = jobId !== null && /^[0-9a-f]{1,12}$/.test(jobId) ? Number.parseInt(jobId, 16) : 0
    return serial > 0 && serial <= this.#serial - this.#given.length
  }

  /** The newest of the same header, and those that it has replaced a moment ago. */
  #candidates({ job }: GivenJob): readonly GivenJob[] {
    const now = this.host.clock.monotonic()
    return this.#given.filter(
      ({ job: { sealHash }, replacedAt }) =>
        equalBytes(sealHash, job.sealHash) && (replacedAt === null || now - replacedAt < GRACE_MS),
    )
  }

  #settle({ id, worker }: Asked, outcome: RigShareOutcome, fault: RigFault, weight = 1): void {
    worker.share(outcome, 0)
    this.host.settled(outcome)
    this.#fail(id, fault, weight)
  }

  #fail(id: unknown, fault: RigFault, weight: number): void {
    this.#answer(id, fault)
    if (weight > 0 && !this.#offences.take(weight)) this.#offend('nothing but malformed, repeated or wrong requests')
  }

  #offend(reason: string): void {
    if (this.#closingAt !== null || this.socket.destroyed) return
    this.#closingAt = this.host.clock.monotonic()
    this.host.offended(this, reason)
    this.socket.destroy()
  }

  #answer(id: unknown, outcome: { readonly result: unknown } | RigFault): void {
    this.#write(answerLine(this.#dialect, id, outcome))
  }

  #write(line: string): void {
    if (this.socket.destroyed || this.#closingAt !== null) return
    this.socket.write(`${line}\n`)
    if (this.socket.writableLength > MAX_QUEUED_BYTES) this.socket.destroy()
  }
}

function loginOf({ params, worker }: Request): TypedLogin {
  const [login, password]: readonly unknown[] = Array.isArray(params) ? params : []
  return { login, password, worker }
}
