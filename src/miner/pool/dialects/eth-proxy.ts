// The dialect of proxies: getwork's methods over lines.
import { toHex } from '../../../base/hex'
import type { Share } from '../../work-source'
import { hexHeight } from '../session/job-maker'
import { parseTarget } from '../session/share-target'
import {
  type Dialect,
  type DialectLink,
  isYes,
  LOGIN_IDS,
  type LoginOutcome,
  lineHashrate,
  nonceDigits,
  type Outgoing,
  type PoolMessage,
  type RpcAnswer,
} from './dialect'

/** How pools reject an unknown request. */
const UNKNOWN_METHOD = /method|support|unrecogni|unknown (command|request)|invalid request/i

/** eth-proxy over a line connection. */
export class EthProxyDialect implements Dialect {
  readonly name = 'eth-proxy'
  readonly sendsReplaced = true
  readonly difficultyUnit = null

  constructor(private readonly link: DialectLink) {}

  async login(): Promise<LoginOutcome> {
    const { user, path, password, worker } = this.link.url
    const params = password === null ? [user + path] : [user + path, password.reveal()]
    const login = await this.link.request({
      method: 'eth_submitLogin',
      params,
      ...(worker === '' ? {} : { worker }),
    })
    if (!isYes(login)) {
      const reason = login.error?.message ?? 'the login was refused'
      // A pool of this dialect rejects with false; one of another dialect with null or an unknown method error.
      const isRefused = login.result === false && !UNKNOWN_METHOD.test(reason)
      return isRefused ? { kind: 'refused', reason } : { kind: 'foreign', reason, isClean: login.error !== null }
    }
    const work = await this.link.request({ method: 'eth_getWork', params: [] }, LOGIN_IDS.work)
    if (Array.isArray(work.result)) this.#take(work.result)
    return { kind: 'in' }
  }

  take({ id, method, params, result }: PoolMessage): boolean {
    if (method === 'mining.notify') return this.#take(Array.isArray(params) && params.length > 0 ? params : result)
    return method === null && (id === 0 || id === null || id === '0') && this.#take(result)
  }

  submission({ job, nonce, mixDigest }: Share): Outgoing {
    const { worker } = this.link.url
    const params = [`0x${nonceDigits(nonce)}`, toHex(job.sealHash), toHex(mixDigest)]
    return { method: 'eth_submitWork', params, ...(worker === '' ? {} : { worker }) }
  }

  accepts(answer: RpcAnswer): boolean {
    return isYes(answer)
  }

  hashrateReport(rate: bigint, runId: string): { readonly message: Outgoing; readonly id: number } {
    return { message: lineHashrate(rate, runId, this.link.url.worker), id: LOGIN_IDS.hashrate }
  }

  silenceMs(): null {
    return null
  }

  #take(work: unknown): boolean {
    if (!Array.isArray(work)) return false
    this.link.job({
      jobId: typeof work[0] === 'string' ? work[0] : '',
      sealHash: work[0],
      seed: { hash: work[1] },
      target: parseTarget(work[2]),
      height: hexHeight(work[3]),
      extranonce: null,
      cleanJobs: true,
    })
    return true
  }
}
