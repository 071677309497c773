// The plain dialect: every job carries header, seed and target; the share returns them.
import { toHex } from '../../../base/hex'
import type { Share } from '../../work-source'
import { parseTarget } from '../session/share-target'
import {
  type Dialect,
  type DialectLink,
  element,
  fullLogin,
  isYes,
  LOGIN_IDS,
  type LoginOutcome,
  lineHashrate,
  nameText,
  nonceDigits,
  type Outgoing,
  type PoolMessage,
  type RpcAnswer,
} from './dialect'
import { NICEHASH_PROTOCOL } from './nicehash'

/** Stratum over a line connection. */
export class StratumDialect implements Dialect {
  readonly name = 'stratum'
  readonly sendsReplaced = false
  readonly difficultyUnit = null

  /** @param isGuess the dialect is being detected */
  constructor(
    private readonly link: DialectLink,
    private readonly isGuess: boolean,
  ) {}

  async login(): Promise<LoginOutcome> {
    const { url } = this.link
    const subscribed = await this.link.request({ jsonrpc: '2.0', method: 'mining.subscribe', params: [] })
    if (subscribed.error !== null) return { kind: 'foreign', reason: subscribed.error.message, isClean: true }
    if (this.isGuess && isOtherSession(subscribed.result)) {
      const reason = 'the answer to mining.subscribe names another protocol'
      return { kind: 'foreign', reason, isClean: false }
    }
    const params = [fullLogin(url), url.password?.reveal() ?? '']
    const login = await this.link.request({ jsonrpc: '2.0', method: 'mining.authorize', params }, LOGIN_IDS.authorize)
    return isYes(login) ? { kind: 'in' } : { kind: 'refused', reason: login.error?.message ?? 'the login was refused' }
  }

  take({ method, params }: PoolMessage): boolean {
    if (method !== 'mining.notify') return false
    this.link.job({
      jobId: nameText(element(params, 0)) ?? '',
      sealHash: element(params, 1),
      seed: { hash: element(params, 2) },
      target: parseTarget(element(params, 3)),
      height: null,
      extranonce: null,
      cleanJobs: element(params, 4) === true,
    })
    return true
  }

  submission({ job, nonce, mixDigest }: Share): Outgoing {
    const { user, worker } = this.link.url
    const params = [user, job.jobId, `0x${nonceDigits(nonce)}`, toHex(job.sealHash), toHex(mixDigest)]
    return { jsonrpc: '2.0', method: 'mining.submit', params, ...(worker === '' ? {} : { worker }) }
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
}

/**
 * How EthereumStratum pools answer mining.subscribe: version 1 with a list that names it, version 2 with a session
 * name.
 */
function isOtherSession(result: unknown): boolean {
  return typeof result === 'string' || element(element(result, 0), 2) === NICEHASH_PROTOCOL
}
