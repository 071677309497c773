// A pool for tests over real sockets: five dialects, its own hash function as the judge, and every fault by name.
import { createHash } from 'node:crypto'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { type Clock, systemClock } from '../../../src/base/time'
import type { Certificate } from './certificate'
import { PoolClient } from './client'
import type { Faults } from './faults'
import { PoolHasher } from './independent-xhash'

export type Flavour = 'stratum' | 'eth-proxy' | 'nicehash' | 'stratum2' | 'getwork'

export interface PoolOptions {
  /** null: decided by each connection's first message */
  readonly flavour: Flavour | null
  /** expected hashes per share */
  readonly difficulty: number
  readonly epoch?: number
  /** hex digits handed out; empty: none */
  readonly extranonce?: string
  /** meaning of `mining.set_difficulty` */
  readonly niceUnit?: 'hashes' | 'classic'
  readonly heights?: boolean
  /** false: accepts every share of a known job with a new nonce */
  readonly verify?: boolean
  readonly tls?: Certificate
  /** the only accepted login */
  readonly user?: string
  readonly faults?: Faults
  /** for its delays; the system's if absent */
  readonly clock?: Clock
}

export interface PoolJob {
  readonly id: string
  /** 64 hex digits */
  readonly header: string
  readonly epoch: number
  readonly height: number
  /** 64 hex digits */
  readonly target: string
}

/** What the pool decided about a share. */
export interface Judged {
  readonly verdict: 'accepted' | 'rejected' | 'stale' | 'duplicate'
  readonly reason: string
  readonly job: string
  /** 64 hex digits; empty if the job isn't known */
  readonly header: string
  readonly nonce: string
  readonly connection: number
}

export interface Reported {
  readonly rate: string
  readonly id: unknown
  readonly worker: unknown
}

const KEPT_JOBS = 16
const EPOCH_BLOCKS = 720
const MAX = 2n ** 256n - 1n

export class SimulatedPool {
  /** lines that clients sent, in order */
  readonly received: string[] = []
  readonly judged: Judged[] = []
  readonly reports: Reported[] = []
  readonly logins: string[] = []
  readonly flavour: Flavour | null
  readonly clock: Clock
  connections = 0
  faults: Faults
  job: PoolJob
  extranonce: string
  readonly #options: PoolOptions
  readonly #hasher: PoolHasher
  readonly #jobs = new Map<string, PoolJob>()
  readonly #seen = new Set<string>()
  readonly #clients = new Set<PoolClient>()
  readonly #server: Server
  #difficulty: number
  #epoch: number
  #height: number
  #serial = 0
  #port = 0

  /** @param hasher share it between pools of one test: its caches cost a second each */
  constructor(options: PoolOptions, hasher: PoolHasher = new PoolHasher()) {
    this.#options = options
    this.#hasher = hasher
    this.flavour = options.flavour
    this.clock = options.clock ?? systemClock()
    this.faults = options.faults ?? {}
    this.extranonce = options.extranonce ?? 'ab12'
    this.#difficulty = options.difficulty
    this.#epoch = options.epoch ?? 0
    this.#height = this.#epoch * EPOCH_BLOCKS + 1
    this.job = this.#newJob()
    const accept = (socket: Socket): void => this.#accept(socket)
    this.#server = options.tls === undefined ? createServer(accept) : createTlsServer(options.tls, accept)
    this.#server.on('tlsClientError', () => undefined)
  }

  get port(): number {
    return this.#port
  }

  get difficulty(): number {
    return this.#difficulty
  }

  get niceUnit(): 'hashes' | 'classic' {
    return this.#options.niceUnit ?? 'hashes'
  }

  get heights(): boolean {
    return this.#options.heights ?? true
  }

  /** How many shares ended with each verdict. */
  get counts(): Readonly<Record<Judged['verdict'], number>> {
    const counts = { accepted: 0, rejected: 0, stale: 0, duplicate: 0 }
    for (const { verdict } of this.judged) counts[verdict] += 1
    return counts
  }

  /** @param port 0 = any; a fixed one lets a pool restart at the same address */
  async start(port = 0): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, '127.0.0.1', resolve)
    })
    const address = this.#server.address()
    this.#port = typeof address === 'object' && address !== null ? address.port : 0
  }

  async stop(): Promise<void> {
    this.drop()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }

  /** Cuts every connection. */
  drop(): void {
    for (const client of this.#clients) client.destroy()
  }

  /** Sends a new job to everyone. */
  broadcast(clean = true): PoolJob {
    this.job = this.#newJob()
    for (const client of this.#clients) client.offer(clean)
    return this.job
  }

  setEpoch(epoch: number): void {
    this.setHeight(epoch * EPOCH_BLOCKS + 1)
  }

  /** The chain reached this height: sends a job for it, in its epoch. */
  setHeight(height: number): void {
    this.#epoch = Math.floor(height / EPOCH_BLOCKS)
    this.#height = height
    this.job = this.#newJob()
    for (const client of this.#clients) client.settingsChanged()
    for (const client of this.#clients) client.offer(true)
  }

  setDifficulty(difficulty: number): void {
    this.#difficulty = difficulty
    this.job = this.#newJob()
    for (const client of this.#clients) client.settingsChanged()
    for (const client of this.#clients) client.offer(true)
  }

  setExtranonce(extranonce: string): void {
    this.extranonce = extranonce
    this.job = this.#newJob()
    for (const client of this.#clients) client.extranonceChanged(extranonce)
    for (const client of this.#clients) client.offer(true)
  }

  /** Sends a text chosen by the test to every logged-in client. */
  sendAll(message: object): void {
    for (const client of this.#clients) client.push(message)
  }

  letsIn(user: unknown): boolean {
    this.logins.push(String(user))
    return this.faults.rejectLogin !== true && (this.#options.user === undefined || this.#options.user === user)
  }

  jobById(id: unknown): PoolJob | undefined {
    return this.#jobs.get(String(id))
  }

  jobByHeader(header: unknown): PoolJob | undefined {
    return [...this.#jobs.values()].find((job) => `0x${job.header}` === header)
  }

  /**
   * Judges a share of a known job. @param nonce 16 hex digits @param mix 64 hex digits, or null if the dialect sends
   * none
   */
  judge(connection: number, job: PoolJob | undefined, nonce: string, mix: string | null): Judged {
    const [verdict, reason] = this.#verdict(job, nonce, mix)
    const judged = { verdict, reason, job: job?.id ?? '', header: job?.header ?? '', nonce, connection }
    this.judged.push(judged)
    return judged
  }

  #verdict(job: PoolJob | undefined, nonce: string, mix: string | null): readonly [Judged['verdict'], string] {
    const { rejectEvery, staleEvery } = this.faults
    const number = this.judged.length + 1
    if (!/^[0-9a-f]{16}$/.test(nonce)) return ['rejected', 'nonce has the wrong length']
    if (job === undefined) return ['stale', 'Job not found']
    if (staleEvery !== undefined && number % staleEvery === 0) return ['stale', 'Stale share']
    const key = `${job.header}:${nonce}`
    if (this.#seen.has(key)) return ['duplicate', 'Duplicate share']
    this.#seen.add(key)
    if (rejectEvery !== undefined && number % rejectEvery === 0) return ['rejected', 'Low difficulty share']
    if (this.#options.verify === false) return ['accepted', '']
    const { mix: rightMix, final } = this.#hasher.evaluate(
      job.epoch,
      Buffer.from(job.header, 'hex'),
      BigInt(`0x${nonce}`),
    )
    if (mix !== null && mix !== rightMix.toString('hex')) return ['rejected', 'invalid mix hash']
    return final.toString('hex') <= job.target ? ['accepted', ''] : ['rejected', 'Low difficulty share']
  }

  #newJob(): PoolJob {
    const target = (MAX / BigInt(this.#difficulty)).toString(16).padStart(64, '0')
    const header = digits(`header:${this.#port}:${this.#serial}`, 32)
    const job = { id: digits(`job:${this.#serial}`, 4), header, epoch: this.#epoch, height: this.#height, target }
    this.#serial += 1
    this.#height += 1
    this.#jobs.set(job.id, job)
    const oldest = [...this.#jobs.keys()][0]
    if (this.#jobs.size > KEPT_JOBS && oldest !== undefined) this.#jobs.delete(oldest)
    return job
  }

  #accept(socket: Socket): void {
    this.connections += 1
    socket.on('error', () => undefined)
    if (this.faults.closeOnConnect === true) {
      socket.destroy()
      return
    }
    const client = new PoolClient(this, socket, this.connections)
    this.#clients.add(client)
    socket.on('close', () => this.#clients.delete(client))
  }
}

/** Deterministic hex digits for a name. */
function digits(name: string, bytes: number): string {
  return createHash('sha256')
    .update(name)
    .digest('hex')
    .slice(0, bytes * 2)
}
