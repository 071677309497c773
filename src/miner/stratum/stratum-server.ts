// A pool of your own: serves your node's work to your other rigs over stratum, and takes their blocks.
import { createHash, timingSafeEqual } from 'node:crypto'
import { BlockList, createServer, isIP, type Server, type Socket } from 'node:net'
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls'
import type { Disposable } from '../../base/disposable'
import { messageOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import { plainAddress } from '../../base/ip-address'
import { Disposables, type Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { MetricsRegistry } from '../../base/metrics'
import type { Clock } from '../../base/time'
import type { StratumConfig } from '../../config/resolved-config'
import type { KeptJson } from '../../files/json-file'
import type { XhashEngine } from '../../native/xhash-port'
import { ConnectionLimit } from '../../net/connection-limit'
import { isListenFailure, listenTcp, type TcpAddress, tcpAddressOf } from '../../net/listen'
import type { OtherRig } from '../api/rigs'
import { MinerError } from '../errors'
import type { Job, WorkSource } from '../work-source'
import { Offenders } from './offenders'
import { type BlockShare, type ConnectionHost, RigConnection } from './rig-connection'
import { EXTRANONCES } from './rig-dialects'
import { type RigShareOutcome, ShareCheck } from './share-check'
import { registerStratumMetrics, StratumCounts } from './stratum-metrics'
import {
  type RigLogin,
  type RigRates,
  type RigWorker,
  RigWorkers,
  type RigWorkerView,
  type ServedRig,
  servedRig,
} from './workers'

const SWEEP_MS = 1_000
/** How often a rig's silence and usual rate are taken. */
const LOOK_MS = 15_000
const SAVE_MS = 900_000
/** Shares for a height that has its block come this long without being held against the rig. */
const STALE_WINDOW_MS = 10_000
const NO_WORK = 'no work for the rigs: the node is syncing, or has no reward account'
const LIMITS = { max: 4_096, maxPerAddress: 1_024, maxPerProgram: 4_096 }
/** The same refusal is logged once in this time. */
const QUIET_MS = 60_000

/** `agent` is `headframe/VERSION`. */
export interface StratumServerOptions extends Omit<StratumConfig, 'bind'> {
  readonly bind: TcpAddress
  readonly agent: string
}

interface StratumServerDeps {
  /** your node's work; started and stopped by the server */
  readonly source: WorkSource
  readonly engine: Pick<XhashEngine, 'hashLight' | 'prepareEpoch'>
  /** where blocks pay: `0x` and 40 lower-case digits; null: unknown */
  readonly receiver: () => string | null
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: MetricsRegistry
  /** the rigs' usual rates over restarts; absent: not kept */
  readonly rates?: Pick<KeptJson<RigRates>, 'load' | 'save'>
}

/** Difficulties are expected hashes. */
interface StratumEvents {
  /** a rig came, went, or found something */
  rigsChanged: null
  shareAccepted: { readonly difficulty: number; readonly blockDifficulty: number }
  blockSettled: {
    readonly height: number
    readonly difficulty: number
    readonly outcome: 'accepted' | 'stale' | 'rejected'
  }
}

export class StratumServer implements Service {
  readonly name = 'stratum'
  readonly events = new Emitter<StratumEvents>()
  readonly #workers: RigWorkers
  readonly #counts = new StratumCounts()
  readonly #offenders: Offenders
  readonly #check: ShareCheck
  readonly #allow: BlockList | null
  readonly #connections = new Map<Socket, RigConnection>()
  readonly #extranonces = new Set<number>()
  readonly #quiet = new Map<string, number>()
  #nextExtranonce = 0
  #limit = new ConnectionLimit(LIMITS)
  #held = new Disposables()
  #server: Server | null = null
  #secure: SecureContext | null = null
  #job: Job | null = null
  #headAt = 0
  #lookedAt = 0
  #savedAt = 0
  #sweeper: Disposable | null = null

  constructor(
    private readonly options: StratumServerOptions,
    private readonly deps: StratumServerDeps,
  ) {
    const { clock, engine, metrics } = deps
    this.#workers = new RigWorkers(clock)
    this.#offenders = new Offenders(clock)
    this.#check = new ShareCheck(engine)
    this.#allow = options.allow.length === 0 ? null : blockListOf(options.allow)
    registerStratumMetrics(metrics, () => ({
      counts: this.#counts,
      connections: this.#connections.size,
      views: this.#workers.views(),
    }))
  }

  /** Null while it doesn't listen. */
  address(): TcpAddress | null {
    return tcpAddressOf(this.#server)
  }

  /** Every rig that logged in lately, by name. */
  workers(): readonly RigWorkerView[] {
    return this.#workers.views()
  }

  /** The same for the rules of incidents. */
  watched(): readonly ServedRig[] {
    return this.#workers.watched()
  }

  /** The same as entries of the mining API. */
  rigs(): readonly OtherRig[] {
    return this.#workers.views().map((rig) => servedRig(rig, this.#job))
  }

  /** H/s that the rigs' accepted shares are worth. */
  effectiveHashrate(): number {
    return this.#workers.views().reduce((sum, rig) => sum + (rig.effectiveHashrate ?? 0), 0)
  }

  /** @throws MinerError POOL_CERTIFICATE_UNUSABLE, POOL_PORT_IN_USE, POOL_PORT_UNUSABLE */
  async start(signal: AbortSignal): Promise<void> {
    const { source, clock, log } = this.deps
    const { bind, tls, token, allow } = this.options
    this.#secure = tls === null ? null : secureContext(tls)
    this.#held.add(source.events.on('jobChanged', (job) => this.#jobCame(job)))
    this.#workers.remember((await this.deps.rates?.load()) ?? [])
    this.#savedAt = clock.monotonic()
    await source.start(signal)
    const server = createServer((socket) => this.#accept(socket))
    server.on('error', (error) => log.error('stratum listener failed', { error: messageOf(error) }))
    const outcome = await listenTcp(server, bind)
    if (isListenFailure(outcome)) {
      await this.stop()
      const place = { host: bind.host, port: bind.port }
      if (outcome.kind === 'in-use') throw new MinerError('POOL_PORT_IN_USE', place, { cause: outcome.cause })
      throw new MinerError('POOL_PORT_UNUSABLE', { ...place, reason: outcome.reason }, { cause: outcome.cause })
    }
    this.#server = server
    this.#sweeper = clock.setInterval(() => this.#sweep(), SWEEP_MS)
    const access = {
      tls: tls !== null,
      token: token !== null,
      allow: allow.length === 0 ? 'all addresses' : allow.join(', '),
    }
    log.info('stratum port open', { host: outcome.host, port: outcome.port, ...access })
  }

  async stop(): Promise<void> {
    const server = this.#server
    this.#server = null
    this.#sweeper?.dispose()
    this.#sweeper = null
    this.#held.dispose()
    this.#job = null
    const closed = server === null ? null : new Promise<void>((resolve) => server.close(() => resolve()))
    for (const connection of this.#connections.values()) connection.destroy()
    for (const socket of this.#limit.sockets()) socket.destroy()
    this.#limit = new ConnectionLimit(LIMITS)
    await this.deps.source.stop()
    await closed
    if (server !== null) await this.#saveRates()
  }

  async #saveRates(): Promise<void> {
    this.#savedAt = this.deps.clock.monotonic()
    try {
      await this.deps.rates?.save([...this.#workers.rates()])
    } catch (error: unknown) {
      this.deps.log.warn("the rigs' usual rates could not be saved", { error: messageOf(error) })
    }
  }

  #jobCame(job: Job | null): void {
    const before = this.#job
    this.#job = job
    if (job === null) {
      if (before !== null) this.deps.log.warn(NO_WORK)
      return
    }
    if (job.height !== before?.height) {
      this.#headAt = this.deps.clock.monotonic()
      this.#check.forgetNonces()
    }
    if (job.epoch !== before?.epoch) this.#prepare(job.epoch)
    const receiver = this.deps.receiver()
    for (const connection of this.#connections.values()) {
      if (isOtherPayout(connection.payout, receiver)) this.#endForeign(connection)
      else connection.give(job)
    }
  }

  /** The first share of an epoch mustn't wait for its cache. */
  #prepare(epoch: number): void {
    this.deps.engine
      .prepareEpoch(epoch)
      .catch((error: unknown) => this.deps.log.debug('no cache for shares', { epoch, error: messageOf(error) }))
  }

  #endForeign(connection: RigConnection): void {
    const { worker, payout } = connection
    const fields = { rig: worker?.login.name, address: connection.address, payout }
    this.deps.log.warn('rig disconnected: it expects another reward account', fields)
    connection.end()
  }

  #accept(socket: Socket): void {
    const address = plainAddress(socket.remoteAddress)
    if (this.#server === null || address === '') return void socket.destroy()
    if (!this.#isAllowed(address)) return void this.#refuse(socket, address, 'not-allowed')
    if (this.#offenders.bannedForMs(address) > 0) return void this.#refuse(socket, address, 'banned')
    const extranonce = this.#freeExtranonce()
    if (extranonce === null || !this.#limit.admit(socket)) return void this.#refuse(socket, address, 'full')
    socket.on('error', () => socket.destroy())
    const carrier =
      this.#secure === null ? socket : new TLSSocket(socket, { isServer: true, secureContext: this.#secure })
    const connection = new RigConnection(carrier, this.#hostFor(socket), address, extranonce)
    this.#extranonces.add(extranonce)
    this.#connections.set(socket, connection)
    socket.once('close', () => this.#closed(socket, connection))
  }

  #refuse(socket: Socket, address: string, reason: 'not-allowed' | 'banned' | 'full'): void {
    socket.destroy()
    this.#counts.refused[reason] += 1
    this.#warn(`${reason} ${address}`, 'stratum connection refused', { address, reason })
  }

  /** A flood of the same refusal makes one line a minute. */
  #warn(key: string, message: string, fields: Readonly<Record<string, unknown>>): void {
    const now = this.deps.clock.monotonic()
    if (now - (this.#quiet.get(key) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return
    if (this.#quiet.size > 1_024) this.#quiet.clear()
    this.#quiet.set(key, now)
    this.deps.log.warn(message, fields)
  }

  #isAllowed(address: string): boolean {
    const family = isIP(address)
    return this.#allow === null || (family !== 0 && this.#allow.check(address, family === 4 ? 'ipv4' : 'ipv6'))
  }

  #freeExtranonce(): number | null {
    for (let tried = 0; tried < EXTRANONCES; tried++) {
      const extranonce = this.#nextExtranonce
      this.#nextExtranonce = (extranonce + 1) % EXTRANONCES
      if (!this.#extranonces.has(extranonce)) return extranonce
    }
    return null
  }

  #closed(socket: Socket, connection: RigConnection): void {
    this.#connections.delete(socket)
    this.#extranonces.delete(connection.extranonce)
    connection.destroy()
    const { worker } = connection
    if (worker === null) return
    this.#workers.leave(worker)
    this.deps.log.info('rig disconnected', { rig: worker.login.name, address: connection.address })
    this.events.emit('rigsChanged', null)
  }

  #hostFor(socket: Socket): ConnectionHost {
    const { clock } = this.deps
    return {
      clock,
      check: this.#check,
      agent: this.options.agent,
      currentJob: () => this.#job,
      staleness: (job) => this.#staleness(job),
      refusal: (login, password, payout) => this.#refusal(login, password, payout),
      enter: (connection, login, difficulty) => this.#enter(socket, connection, { login, difficulty }),
      submitBlock: (worker, share) => this.#submitBlock(worker, share),
      settled: (outcome) => this.#settled(outcome),
      accepted: (difficulty, blockDifficulty) => this.events.emit('shareAccepted', { difficulty, blockDifficulty }),
      failed: (error) => this.#warn('failed', "a rig's share couldn't be judged", { error: messageOf(error) }),
      offended: (connection, reason) => this.#offended(connection, reason),
    }
  }

  #staleness(job: Job): 'current' | 'stale' | 'late' {
    if (this.#job !== null && job.height === this.#job.height) return 'current'
    return this.deps.clock.monotonic() - this.#headAt < STALE_WINDOW_MS ? 'stale' : 'late'
  }

  #refusal(login: RigLogin, password: string, payout: string | null): ReturnType<ConnectionHost['refusal']> {
    const { token } = this.options
    const { name: rig, address } = login
    if (token !== null && !isSame(password, token.reveal())) {
      this.#counts.refused.token += 1
      const banMs = this.#offenders.strike(address, 'token')
      this.#warn(`token ${address}`, 'rig refused: its password is not the token', { rig, address })
      if (banMs > 0) this.deps.log.warn('address banned: too many wrong tokens', { address, seconds: banMs / 1_000 })
      return { code: 24, message: 'Unauthorized worker: the password must be the token' }
    }
    const receiver = this.deps.receiver()
    if (!isOtherPayout(payout, receiver)) return null
    this.#counts.refused.payout += 1
    this.#warn(`payout ${address}`, 'rig refused: it expects another reward account', {
      rig,
      address,
      payout,
      receiver,
    })
    const message = `Unauthorized worker: blocks pay ${receiver}, not ${payout}: log in with the rig's name alone`
    return { code: 24, message }
  }

  #enter(
    socket: Socket,
    connection: RigConnection,
    { login, difficulty }: { readonly login: RigLogin; readonly difficulty: number },
  ): RigWorker {
    if (connection.worker !== null) this.#workers.leave(connection.worker)
    this.#limit.busy(socket)
    const { name: rig, ...fields } = login
    this.deps.log.info('rig logged in', { rig, ...fields })
    if (this.#job === null) this.#warn('no work', NO_WORK, { rig })
    this.events.emit('rigsChanged', null)
    return this.#workers.enter(login, difficulty)
  }

  async #submitBlock(worker: RigWorker, share: BlockShare): Promise<'accepted' | 'stale' | 'rejected'> {
    const { source, log } = this.deps
    const fields = { rig: worker.login.name, height: share.job.height }
    const verdict = await source
      .submit({ ...share, replaced: false }, new AbortController().signal)
      .catch((error: unknown) => ({ kind: 'lost' as const, reason: messageOf(error) }))
    const { kind } = verdict
    const outcome = kind === 'accepted' || kind === 'stale' ? kind : 'rejected'
    this.#counts.blocks[outcome] += 1
    if (outcome === 'accepted') worker.blocks += 1
    if (outcome === 'accepted') log.info('block found by a rig', fields)
    else if (outcome === 'stale') log.info("a rig's block came too late", fields)
    else log.error("the node rejected a rig's block", { ...fields, reason: 'reason' in verdict ? verdict.reason : '' })
    const { height, difficulty } = share.job
    if (height !== null) this.events.emit('blockSettled', { height, difficulty: Number(difficulty), outcome })
    return outcome
  }

  #settled(outcome: RigShareOutcome): void {
    this.#counts.shares[outcome] += 1
    this.events.emit('rigsChanged', null)
  }

  #offended({ address, worker }: RigConnection, reason: string): void {
    this.#counts.refused.flood += 1
    const banMs = this.#offenders.strike(address, 'flood')
    const fields = { rig: worker?.login.name ?? '', address, reason }
    this.#warn(`flood ${address} ${reason}`, 'rig disconnected', fields)
    if (banMs > 0)
      this.deps.log.warn('address banned: disconnected again and again', { address, seconds: banMs / 1_000 })
  }

  #sweep(): void {
    for (const connection of this.#connections.values()) connection.sweep()
    this.#workers.sweep()
    const now = this.deps.clock.monotonic()
    if (now - this.#lookedAt < LOOK_MS) return
    // Without work nobody is silent.
    if (this.#job !== null) this.#workers.look(Math.min(now - this.#lookedAt, 2 * LOOK_MS))
    this.#lookedAt = now
    if (now - this.#savedAt >= SAVE_MS) void this.#saveRates()
  }
}

/** @param networks as checked by the option: `192.168.1.0/24` */
function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [host = '', bits] = network.split('/')
    list.addSubnet(host, Number(bits), isIP(host) === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}

/** @throws MinerError POOL_CERTIFICATE_UNUSABLE */
function secureContext({ certificate, key }: NonNullable<StratumServerOptions['tls']>): SecureContext {
  try {
    return createSecureContext({ cert: certificate, key: key.reveal(), minVersion: 'TLSv1.2' })
  } catch (cause) {
    throw new MinerError('POOL_CERTIFICATE_UNUSABLE', { reason: messageOf(cause) }, { cause })
  }
}

/** Without a reward account there is no work, and so nobody is misled. */
function isOtherPayout(payout: string | null, receiver: string | null): boolean {
  return payout !== null && receiver !== null && payout !== receiver
}

/** In constant time. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
