// EthereumStratum/2.0.0: a session with settings that hold until changed.
import type { Extranonce, Share } from '../../work-source'
import { hexHeight, LAST_EPOCH, parseExtranonce } from '../session/job-maker'
import { parseTarget, startTarget } from '../session/share-target'
import {
  type Dialect,
  type DialectLink,
  element,
  fullLogin,
  isYes,
  LOGIN_IDS,
  type LoginOutcome,
  member,
  nameText,
  nonceTail,
  type Outgoing,
  type PoolMessage,
  type RpcAnswer,
} from './dialect'

const PROTOCOL = 'EthereumStratum/2.0.0'
const HELLO_MEMBERS = ['proto', 'encoding', 'resume', 'timeout', 'maxerrors', 'node']

interface Settings {
  readonly epoch: number
  readonly target: Uint8Array | null
  readonly extranonce: Extranonce | null
}

/** EthereumStratum/2.0.0 over a line connection. */
export class Stratum2Dialect implements Dialect {
  readonly name = 'stratum2'
  readonly sendsReplaced = false
  readonly difficultyUnit = null
  #settings: Settings | null = null
  #workerId = ''
  #silenceSeconds: number | null = null

  constructor(private readonly link: DialectLink) {}

  async login(): Promise<LoginOutcome> {
    const { url, agent } = this.link
    const hello = { agent, host: url.host, port: url.port.toString(16), proto: PROTOCOL }
    const greeted = await this.link.request({ method: 'mining.hello', params: hello })
    if (greeted.error !== null) return { kind: 'foreign', reason: greeted.error.message, isClean: true }
    const missing = HELLO_MEMBERS.find((name) => member(greeted.result, name) === undefined)
    if (missing !== undefined) {
      const reason = `the answer to mining.hello lacks "${missing}"`
      return { kind: 'foreign', reason, isClean: false }
    }
    this.#setSilence(member(greeted.result, 'timeout'))
    const session = await this.link.request({ method: 'mining.subscribe' }, LOGIN_IDS.second)
    if (session.error !== null) return { kind: 'refused', reason: session.error.message }
    const params = [fullLogin(url), url.password?.reveal() ?? '']
    const login = await this.link.request({ method: 'mining.authorize', params }, LOGIN_IDS.authorize)
    const workerId = nameText(login.result)
    if (login.error !== null || workerId === null)
      return { kind: 'refused', reason: login.error?.message ?? 'the login was refused' }
    this.#workerId = workerId
    return { kind: 'in' }
  }

  take({ method, params }: PoolMessage): boolean {
    switch (method) {
      case 'mining.set':
        this.#set(params)
        return true
      case 'mining.notify':
        this.#notify(params)
        return true
      case 'mining.bye':
        this.link.end({ kind: 'lost', reason: 'the pool said goodbye', trouble: 'connection-lost' })
        return true
      default:
        return false
    }
  }

  submission(share: Share): Outgoing {
    return { method: 'mining.submit', params: [share.job.jobId, nonceTail(share), this.#workerId] }
  }

  /** Codes 200..299 are accepted shares that were late. */
  accepts(answer: RpcAnswer): boolean {
    const code = answer.error?.code ?? 0
    return isYes(answer) || (code >= 200 && code < 300)
  }

  hashrateReport(rate: bigint): { readonly message: Outgoing; readonly id: null } {
    return { message: { method: 'mining.hashrate', params: [rate.toString(16), this.#workerId] }, id: null }
  }

  silenceMs(): number | null {
    return this.#silenceSeconds === null ? null : this.#silenceSeconds * 1_000
  }

  /** Omitted members keep their value. */
  #set(params: unknown): void {
    const algorithm = member(params, 'algo')
    if (algorithm !== undefined && algorithm !== 'xhash') {
      const name = nameText(algorithm)?.slice(0, 32) ?? 'something without a name'
      this.link.end({
        kind: 'refused',
        reason: `the pool works on "${name}", this miner on xhash`,
        trouble: 'other-coin',
      })
      return
    }
    const before = this.#settings ?? { epoch: 0, target: startTarget(), extranonce: null }
    const epochText = member(params, 'epoch')
    const epoch = epochText === undefined ? before.epoch : hexHeight(epochText)
    const targetText = member(params, 'target')
    const extranonceText = member(params, 'extranonce')
    const extranonce = extranonceText === undefined ? before.extranonce : parseExtranonce(extranonceText)
    if (epoch === null || epoch > LAST_EPOCH || extranonce === undefined) {
      const reason = 'mining.set holds an epoch or extranonce that cannot be read'
      this.link.end({ kind: 'lost', reason, trouble: 'job-misfit' })
      return
    }
    const target = targetText === undefined ? before.target : parseTarget(targetText)
    this.#settings = { epoch, target, extranonce }
    this.#setSilence(member(params, 'timeout'))
  }

  /** Jobs before the first `mining.set` lack a target and an epoch. */
  #notify(params: unknown): void {
    if (this.#settings === null) return
    const { epoch, target, extranonce } = this.#settings
    this.link.job({
      jobId: nameText(element(params, 0)) ?? '',
      sealHash: element(params, 2),
      seed: { epoch },
      target,
      height: hexHeight(element(params, 1)),
      extranonce,
      cleanJobs: element(params, 3) === '1' || element(params, 3) === true,
    })
  }

  #setSilence(text: unknown): void {
    const seconds = hexHeight(text)
    if (seconds !== null && seconds > 0 && seconds < 86_400) this.#silenceSeconds = seconds
  }
}
