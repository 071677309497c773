// EthereumStratum/2.0.0: a session with settings that hold until changed.
import type { Extranonce, Share } from '../../work-source'
import { hexHeight, type JobFields, LAST_EPOCH, parseExtranonce } from '../session/job-maker'
import { parseTarget } from '../session/share-target'
import {
  Dialect,
  element,
  isYes,
  LOGIN_IDS,
  type LoginOutcome,
  loginOutcome,
  member,
  nameText,
  nonceTail,
  type Outgoing,
  type PoolMessage,
  type RpcAnswer,
} from './dialect'

const PROTOCOL = 'EthereumStratum/2.0.0'
const HELLO_MEMBERS = ['proto', 'encoding', 'resume', 'timeout', 'maxerrors', 'node']

/** Undefined: not known yet. */
interface Settings {
  readonly epoch: number | undefined
  /** null: unreadable */
  readonly target: Uint8Array | null | undefined
  readonly extranonce: Extranonce | null | undefined
}

/** EthereumStratum/2.0.0 over a line connection. */
export class Stratum2Dialect extends Dialect {
  readonly name = 'stratum2'
  #settings: Settings = { epoch: undefined, target: undefined, extranonce: undefined }
  #workerId = ''
  #silenceSeconds: number | null = null

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
    const login = await this.authorize()
    const workerId = nameText(login.result)
    this.#workerId = workerId ?? ''
    return loginOutcome(login, login.error === null && workerId !== null)
  }

  take({ method, params }: PoolMessage): boolean {
    switch (method) {
      case 'mining.set':
        this.#set(params)
        return true
      case 'mining.notify':
        this.give(() => this.#job(params))
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
  override accepts(answer: RpcAnswer): boolean {
    const code = answer.error?.code ?? 0
    return isYes(answer) || (code >= 200 && code < 300)
  }

  override hashrateReport(rate: bigint): { readonly message: Outgoing; readonly id: null } {
    return { message: { method: 'mining.hashrate', params: [rate.toString(16), this.#workerId] }, id: null }
  }

  override silenceMs(): number | null {
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
    const before = this.#settings
    const epochText = member(params, 'epoch')
    const epoch = epochText === undefined ? before.epoch : hexHeight(epochText)
    const targetText = member(params, 'target')
    const extranonceText = member(params, 'extranonce')
    const extranonce = extranonceText === undefined ? before.extranonce : parseExtranonce(extranonceText)
    const isUnreadable = extranonceText !== undefined && extranonce === undefined
    if (epoch === null || (epoch ?? 0) > LAST_EPOCH || isUnreadable) {
      const reason = 'mining.set holds an epoch or extranonce that cannot be read'
      this.link.end({ kind: 'lost', reason, trouble: 'job-misfit' })
      return
    }
    const target = targetText === undefined ? before.target : parseTarget(targetText)
    this.#settings = { epoch, target, extranonce }
    this.#setSilence(member(params, 'timeout'))
    this.settingsCame()
  }

  #job(params: unknown): JobFields | string {
    const { epoch, target, extranonce } = this.#settings
    if (epoch === undefined) return 'the epoch in mining.set'
    if (target === undefined) return 'the target in mining.set'
    if (extranonce === undefined) return 'the extranonce in mining.set'
    return {
      jobId: nameText(element(params, 0)) ?? '',
      sealHash: element(params, 2),
      seed: { epoch },
      target,
      height: hexHeight(element(params, 1)),
      extranonce,
      cleanJobs: element(params, 3) === '1' || element(params, 3) === true,
    }
  }

  #setSilence(text: unknown): void {
    const seconds = hexHeight(text)
    if (seconds !== null && seconds > 0 && seconds < 86_400) this.#silenceSeconds = seconds
  }
}
