// EthereumStratum/1.0.0: the pool fixes the top of the nonce and sets the difficulty separately from the job.
import { elementTexts, memberTexts } from '../../../base/json-text'
import type { Extranonce, Share } from '../../work-source'
import { parseExtranonce } from '../session/job-maker'
import { type DifficultyUnit, startTarget, targetOfDifficultyText } from '../session/share-target'
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
  nonceTail,
  type Outgoing,
  type PoolMessage,
  type RpcAnswer,
} from './dialect'

export const NICEHASH_PROTOCOL = 'EthereumStratum/1.0.0'
const BAD_EXTRANONCE = 'the extranonce is not 0..7 bytes of hex'

/** NiceHash's dialect over a line connection. */
export class NicehashDialect implements Dialect {
  readonly name = 'nicehash'
  readonly sendsReplaced = false
  #extranonce: Extranonce | null = null
  #target: Uint8Array | null = startTarget()
  #unit: DifficultyUnit

  /** @param unit interpretation of `set_difficulty`; null: by magnitude */
  constructor(
    private readonly link: DialectLink,
    private readonly unit: DifficultyUnit | null,
  ) {
    this.#unit = unit ?? 'classic'
  }

  /** The interpretation of the last difficulty. */
  get difficultyUnit(): DifficultyUnit {
    return this.#unit
  }

  async login(): Promise<LoginOutcome> {
    const { url, agent } = this.link
    const subscribed = await this.link.request({ method: 'mining.subscribe', params: [agent, NICEHASH_PROTOCOL] })
    const { error, result } = subscribed
    if (error !== null) return { kind: 'foreign', reason: error.message, isClean: true }
    if (!Array.isArray(result) || element(result[0], 2) !== NICEHASH_PROTOCOL)
      return { kind: 'foreign', reason: 'the answer to mining.subscribe names another protocol', isClean: false }
    if (!this.#setExtranonce(result[1])) throw new Error(BAD_EXTRANONCE)
    this.link.tell({ method: 'mining.extranonce.subscribe', params: [] }, LOGIN_IDS.second)
    const params = [fullLogin(url), url.password?.reveal() ?? '']
    const login = await this.link.request({ method: 'mining.authorize', params }, LOGIN_IDS.authorize)
    return isYes(login) ? { kind: 'in' } : { kind: 'refused', reason: login.error?.message ?? 'the login was refused' }
  }

  take({ method, params, line }: PoolMessage): boolean {
    if (method === 'mining.set_difficulty') return this.#setDifficulty(line)
    if (method === 'mining.set_extranonce') {
      if (!this.#setExtranonce(element(params, 0)))
        this.link.end({ kind: 'lost', reason: BAD_EXTRANONCE, trouble: 'job-misfit' })
      return true
    }
    if (method !== 'mining.notify') return false
    // Seed before header, both without prefix.
    this.link.job({
      jobId: nameText(element(params, 0)) ?? '',
      sealHash: element(params, 2),
      seed: { hash: element(params, 1) },
      target: this.#target,
      height: null,
      extranonce: this.#extranonce,
      cleanJobs: element(params, 3) === true,
    })
    return true
  }

  submission(share: Share): Outgoing {
    const { user, worker } = this.link.url
    const name = worker === '' ? user : `${user}.${worker}`
    return { method: 'mining.submit', params: [name, share.job.jobId, nonceTail(share)] }
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

  #setExtranonce(text: unknown): boolean {
    const extranonce = parseExtranonce(text)
    if (extranonce === undefined) return false
    this.#extranonce = extranonce
    return true
  }

  /** From the digits in the line: a float would lose precision. An unreadable one invalidates the next job. */
  #setDifficulty(line: string): boolean {
    const text = elementTexts(memberTexts(line).get('params') ?? '[]')[0] ?? ''
    const read = targetOfDifficultyText(text.replace(/^"|"$/g, ''), this.unit)
    this.#target = read?.target ?? null
    if (read !== null) this.#unit = read.unit
    return true
  }
}
