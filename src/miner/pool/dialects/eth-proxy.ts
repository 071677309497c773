// The dialect of proxies: getwork's methods over lines.
import { toHex } from '../../../base/hex'
import type { Share } from '../../work-source'
import { hexHeight } from '../session/job-maker'
import { parseTarget } from '../session/share-target'
import { Dialect, isYes, LOGIN_IDS, type LoginOutcome, nonceDigits, type Outgoing, type PoolMessage } from './dialect'

/** How pools reject an unknown request. */
const UNKNOWN_METHOD = /method|support|unrecogni|unknown (command|request)|invalid request/i

/** eth-proxy over a line connection. */
export class EthProxyDialect extends Dialect {
  readonly name = 'eth-proxy'
  override readonly sendsReplaced = true

  async login(): Promise<LoginOutcome> {
    const { user, path, password } = this.link.url
    const params = password === null ? [user + path] : [user + path, password.reveal()]
    const login = await this.link.request({ method: 'eth_submitLogin', params, ...this.workerMember })
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
    const params = [`0x${nonceDigits(nonce)}`, toHex(job.sealHash), toHex(mixDigest)]
    return { method: 'eth_submitWork', params, ...this.workerMember }
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
