// The plain dialect: every job carries header, seed and target; the share returns them.
import { toHex } from '../../../base/hex'
import type { Share } from '../../work-source'
import { parseTarget } from '../session/share-target'
import {
  Dialect,
  type DialectLink,
  element,
  isYes,
  type LoginOutcome,
  loginOutcome,
  nameText,
  nonceDigits,
  type Outgoing,
  type PoolMessage,
} from './dialect'
import { NICEHASH_PROTOCOL } from './nicehash'

/** Stratum over a line connection. */
export class StratumDialect extends Dialect {
  readonly name = 'stratum'

  /** @param isGuess the dialect is being detected */
  constructor(
    link: DialectLink,
    private readonly isGuess: boolean,
  ) {
    super(link)
  }

  async login(): Promise<LoginOutcome> {
    const subscribed = await this.link.request({ jsonrpc: '2.0', method: 'mining.subscribe', params: [] })
    if (subscribed.error !== null) return { kind: 'foreign', reason: subscribed.error.message, isClean: true }
    if (this.isGuess && isOtherSession(subscribed.result)) {
      const reason = 'the answer to mining.subscribe names another protocol'
      return { kind: 'foreign', reason, isClean: false }
    }
    const login = await this.authorize({ jsonrpc: '2.0' })
    return loginOutcome(login, isYes(login))
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
    const params = [this.link.url.user, job.jobId, `0x${nonceDigits(nonce)}`, toHex(job.sealHash), toHex(mixDigest)]
    return { jsonrpc: '2.0', method: 'mining.submit', params, ...this.workerMember }
  }
}

/** EthereumStratum pools answer mining.subscribe with a list that names version 1, or version 2's session name. */
function isOtherSession(result: unknown): boolean {
  return typeof result === 'string' || element(element(result, 0), 2) === NICEHASH_PROTOCOL
}
