// The pool's side of the four line dialects.
import type { PoolClient } from './client'
import { epochSeed } from './independent-xhash'
import type { Flavour, Judged, PoolJob } from './pool'

export interface Request {
  readonly id?: unknown
  readonly method?: string
  readonly params?: readonly unknown[]
  readonly worker?: unknown
}

export interface Conversation {
  /** logged in: jobs may be sent */
  readonly ready: boolean
  take(request: Request): void
  jobMessages(clean: boolean): readonly object[]
  /** after a change of difficulty or epoch */
  settingsMessages(): readonly object[]
  extranonceMessages(): readonly object[]
}

export function flavourOf({ method, params }: Request): Exclude<Flavour, 'getwork'> {
  if (method === 'mining.hello') return 'stratum2'
  if (method === 'eth_submitLogin') return 'eth-proxy'
  return String(params?.[1] ?? '').startsWith('EthereumStratum/1') ? 'nicehash' : 'stratum'
}

export function startConversation(flavour: Exclude<Flavour, 'getwork'>, client: PoolClient): Conversation {
  switch (flavour) {
    case 'stratum':
      return new StratumConversation(client)
    case 'eth-proxy':
      return new EthProxyConversation(client)
    case 'nicehash':
      return new NicehashConversation(client)
    case 'stratum2':
      return new Stratum2Conversation(client)
  }
}

/** `[header, seed, target, height]` as nodes and eth-proxy pools send it. */
export function workOf({ pool }: Pick<PoolClient, 'pool'>): readonly string[] {
  const { job, faults } = pool
  const prefix = faults.noPrefix === true ? '' : '0x'
  const work = [prefix + headerOf(job, faults.badHeader), prefix + seedOf(job, faults.badSeed), targetOf(job, pool)]
  return pool.heights ? [...work, `0x${job.height.toString(16)}`] : work
}

function headerOf(job: PoolJob, bad: boolean | undefined): string {
  return bad === true ? job.header.slice(2) : job.header
}

function seedOf(job: PoolJob, bad: boolean | undefined): string {
  return bad === true ? 'dead'.repeat(16) : epochSeed(job.epoch).toString('hex')
}

function targetOf(job: PoolJob, { faults }: PoolClient['pool']): string {
  if (faults.zeroTarget === true) return `0x${'0'.repeat(64)}`
  if (faults.shortTarget === true) return `0x${job.target.replace(/^0+/, '')}`
  return `${faults.noPrefix === true ? '' : '0x'}${job.target}`
}

function extranonceOf({ extranonce, pool }: PoolClient): string {
  return pool.faults.badExtranonce === true ? 'zz' : extranonce
}

abstract class LineConversation implements Conversation {
  ready = false

  constructor(protected readonly client: PoolClient) {}

  abstract login(request: Request): boolean
  abstract share(request: Request): { readonly job: PoolJob | undefined; nonce: string; mix: string | null }
  abstract shareAnswer(id: unknown, judged: Judged): object
  abstract jobMessages(clean: boolean): readonly object[]

  settingsMessages(): readonly object[] {
    return []
  }

  extranonceMessages(): readonly object[] {
    return []
  }

  take(request: Request): void {
    const { pool } = this.client
    const { id, method, params = [] } = request
    if (this.login(request)) return
    if (method === 'mining.submit' || method === 'eth_submitWork') {
      if (pool.faults.muteSubmit === true) return
      const { job, nonce, mix } = this.share(request)
      const judged = pool.judge(this.client.number, job, nonce.replace(/^0x/, ''), mix)
      this.client.send(this.shareAnswer(pool.faults.wrongId === true ? 987_654 : id, judged))
    } else if (method === 'eth_submitHashrate' || method === 'mining.hashrate') {
      pool.reports.push({ rate: String(params[0]), id: params[1], worker: request.worker })
      this.client.send({ id, jsonrpc: '2.0', result: true })
    } else if (method !== undefined && method !== 'mining.noop') {
      this.client.send({ id, jsonrpc: '2.0', result: null, error: [20, 'Not supported.'] })
    }
  }

  protected loggedIn(): void {
    this.ready = true
    for (const message of this.settingsMessages()) this.client.send(message)
    this.client.offer(true)
    this.client.talk()
  }
}

class StratumConversation extends LineConversation {
  login({ id, method, params = [] }: Request): boolean {
    if (method === 'mining.subscribe' && params.length === 0) {
      this.client.send({ id, jsonrpc: '2.0', result: true, error: null })
      return true
    }
    if (method !== 'mining.authorize') return false
    const good = this.client.pool.letsIn(params[0])
    const error = good ? null : [24, 'Unauthorized worker', null]
    this.client.send({ id, jsonrpc: '2.0', result: good, error })
    if (good) this.loggedIn()
    return true
  }

  share({ params = [] }: Request): { job: PoolJob | undefined; nonce: string; mix: string | null } {
    const job = this.client.pool.jobById(params[1])
    const fits = params[3] === `0x${job?.header}`
    return { job: fits ? job : undefined, nonce: String(params[2]), mix: String(params[4]).replace(/^0x/, '') }
  }

  shareAnswer(id: unknown, { verdict, reason }: Judged): object {
    return listAnswer(id, verdict, reason)
  }

  jobMessages(clean: boolean): readonly object[] {
    const { pool } = this.client
    const [header, seed, target] = workOf(this.client)
    const params = [pool.job.id, header, seed, target, clean]
    return [{ jsonrpc: '2.0', id: null, method: 'mining.notify', params }]
  }
}

class EthProxyConversation extends LineConversation {
  login({ id, method, params = [] }: Request): boolean {
    if (method === 'eth_getWork') {
      if (this.client.pool.faults.noJob !== true) this.client.send({ id, jsonrpc: '2.0', result: workOf(this.client) })
      return true
    }
    if (method !== 'eth_submitLogin') return false
    const good = this.client.pool.letsIn(params[0])
    const error = good ? {} : { error: { code: -1, message: 'Invalid login' } }
    this.client.send({ id, jsonrpc: '2.0', result: good, ...error })
    this.ready = good
    if (good) this.client.talk()
    return true
  }

  share({ params = [] }: Request): { job: PoolJob | undefined; nonce: string; mix: string | null } {
    const job = this.client.pool.jobByHeader(params[1])
    return { job, nonce: String(params[0]), mix: String(params[2]).replace(/^0x/, '') }
  }

  shareAnswer(id: unknown, { verdict, reason }: Judged): object {
    if (verdict === 'accepted') return { id, jsonrpc: '2.0', result: true }
    return { id, jsonrpc: '2.0', result: false, error: { code: codeOf(verdict), message: reason } }
  }

  jobMessages(): readonly object[] {
    return [{ id: 0, jsonrpc: '2.0', result: workOf(this.client) }]
  }
}

class NicehashConversation extends LineConversation {
  login({ id, method, params = [] }: Request): boolean {
    if (method === 'mining.subscribe') {
      if (!String(params[1] ?? '').startsWith('EthereumStratum/1')) return false
      const session = ['mining.notify', 'ae6812eb4cd7735a302a8a9dd95cf71f', 'EthereumStratum/1.0.0']
      this.client.send({ id, result: [session, extranonceOf(this.client)], error: null })
      return true
    }
    if (method === 'mining.extranonce.subscribe') {
      this.client.send({ id, result: true, error: null })
      return true
    }
    if (method !== 'mining.authorize') return false
    const good = this.client.pool.letsIn(params[0])
    this.client.send({ id, jsonrpc: '2.0', result: good, error: good ? null : [24, 'Unauthorized worker', null] })
    if (good) this.loggedIn()
    return true
  }

  share({ params = [] }: Request): { job: PoolJob | undefined; nonce: string; mix: string | null } {
    return { job: this.client.pool.jobById(params[1]), nonce: this.client.extranonce + String(params[2]), mix: null }
  }

  shareAnswer(id: unknown, { verdict, reason }: Judged): object {
    return listAnswer(id, verdict, reason)
  }

  /** Seed before header, no prefixes. */
  jobMessages(clean: boolean): readonly object[] {
    const { job, faults } = this.client.pool
    const params = [job.id, seedOf(job, faults.badSeed), headerOf(job, faults.badHeader), clean]
    return [{ id: null, method: 'mining.notify', params }]
  }

  override settingsMessages(): readonly object[] {
    const { difficulty, niceUnit } = this.client.pool
    const right = niceUnit === 'classic' ? difficulty / 2 ** 32 : difficulty
    const stated = this.client.pool.faults.badDifficulty === true ? '1e-' : right
    return [{ id: null, method: 'mining.set_difficulty', params: [stated] }]
  }

  override extranonceMessages(): readonly object[] {
    return [{ id: null, method: 'mining.set_extranonce', params: [extranonceOf(this.client)] }]
  }
}

class Stratum2Conversation extends LineConversation {
  login({ id, method, params = [] }: Request): boolean {
    const { pool, number } = this.client
    if (method === 'mining.hello') {
      const common = { proto: 'EthereumStratum/2.0.0', encoding: 'plain', resume: '0', timeout: '1e' }
      this.client.send({ id, result: { ...common, maxerrors: '5', node: 'test/1' } })
    } else if (method === 'mining.subscribe') this.client.send({ id, result: `s-${number}` })
    else if (method === 'mining.authorize') {
      const good = pool.letsIn(params[0])
      this.client.send(good ? { id, result: `w-${number}` } : { id, error: { code: 403, message: 'Forbidden' } })
      if (good) this.loggedIn()
    } else return false
    return true
  }

  share({ params = [] }: Request): { job: PoolJob | undefined; nonce: string; mix: string | null } {
    const known = params[2] === `w-${this.client.number}`
    const job = known ? this.client.pool.jobById(params[0]) : undefined
    return { job, nonce: this.client.extranonce + String(params[1]), mix: null }
  }

  shareAnswer(id: unknown, { verdict, reason }: Judged): object {
    if (verdict === 'accepted') return { id, result: true }
    const codes = { stale: 202, duplicate: 407, rejected: 406 } as const
    return { id, error: { code: codes[verdict], message: reason } }
  }

  jobMessages(clean: boolean): readonly object[] {
    const { job, faults } = this.client.pool
    const params = [job.id, job.height.toString(16), headerOf(job, faults.badHeader), clean ? '1' : '0']
    return [{ method: 'mining.notify', params }]
  }

  override settingsMessages(): readonly object[] {
    const { job } = this.client.pool
    const extranonce = extranonceOf(this.client)
    const target = targetOf(job, this.client.pool).replace(/^0x/, '')
    const params = { epoch: job.epoch.toString(16), target, algo: 'xhash', extranonce }
    return [{ method: 'mining.set', params }]
  }

  override extranonceMessages(): readonly object[] {
    return this.settingsMessages()
  }
}

function listAnswer(id: unknown, verdict: Judged['verdict'], reason: string): object {
  const good = verdict === 'accepted'
  return { id, jsonrpc: '2.0', result: good, error: good ? null : [codeOf(verdict), reason, null] }
}

function codeOf(verdict: Judged['verdict']): number {
  if (verdict === 'stale') return 21
  return verdict === 'duplicate' ? 22 : 23
}
