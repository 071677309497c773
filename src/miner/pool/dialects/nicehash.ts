// EthereumStratum/1.0.0: the pool fixes the top of the nonce and sets the difficulty separately from the job.
import { elementTexts, memberTexts } from '../../../base/json-text'
import type { Extranonce, Share } from '../../work-source'
import { type JobFields, parseExtranonce } from '../session/job-maker'
import { type DifficultyUnit, startTarget, targetOfDifficultyText } from '../session/share-target'
import {
  Dialect,
  type DialectLink,
  element,
  isYes,
  LOGIN_IDS,
  type LoginOutcome,
  loginName,
  loginOutcome,
  nameText,
  nonceTail,
  type Outgoing,
  type PoolMessage,
} from './dialect'

export const NICEHASH_PROTOCOL = 'EthereumStratum/1.0.0'
const NO_DIFFICULTY = 'no difficulty from the pool yet: a share is taken to need 2^32 hashes'
const BAD_EXTRANONCE = 'the extranonce is not 0..7 bytes of hex'

/** NiceHash's dialect over a line connection. */
export class NicehashDialect extends Dialect {
  readonly name = 'nicehash'
  /** undefined: not known yet */
  #extranonce: Extranonce | null | undefined
  /** null: unreadable; undefined: not sent yet, then 2^32 hashes as the protocol defines */
  #target: Uint8Array | null | undefined
  #unit: DifficultyUnit

  /** @param unit interpretation of `set_difficulty`; null: by magnitude */
  constructor(
    link: DialectLink,
    private readonly unit: DifficultyUnit | null,
  ) {
    super(link)
    this.#unit = unit ?? 'classic'
  }

  override get difficultyUnit(): DifficultyUnit {
    return this.#unit
  }

  async login(): Promise<LoginOutcome> {
    const params = [this.link.agent, NICEHASH_PROTOCOL]
    const subscribed = await this.link.request({ method: 'mining.subscribe', params })
    const { error, result } = subscribed
    if (error !== null) return { kind: 'foreign', reason: error.message, isClean: true }
    if (!Array.isArray(result) || element(result[0], 2) !== NICEHASH_PROTOCOL)
      return { kind: 'foreign', reason: 'the answer to mining.subscribe names another protocol', isClean: false }
    if (!this.#setExtranonce(result[1])) throw new Error(BAD_EXTRANONCE)
    this.link.tell({ method: 'mining.extranonce.subscribe', params: [] }, LOGIN_IDS.second)
    const login = await this.authorize()
    return loginOutcome(login, isYes(login))
  }

  take({ method, params, line }: PoolMessage): boolean {
    if (method === 'mining.set_difficulty') return this.#setDifficulty(line)
    if (method === 'mining.set_extranonce') {
      if (!this.#setExtranonce(element(params, 0)))
        this.link.end({ kind: 'lost', reason: BAD_EXTRANONCE, trouble: 'job-misfit' })
      return true
    }
    if (method !== 'mining.notify') return false
    this.give(() => this.#job(params))
    return true
  }

  submission(share: Share): Outgoing {
    return { method: 'mining.submit', params: [loginName(this.link.url), share.job.jobId, nonceTail(share)] }
  }

  #job(params: unknown): JobFields | string {
    const extranonce = this.#extranonce
    if (extranonce === undefined) return 'the extranonce'
    if (this.#target === undefined) {
      this.link.say(NO_DIFFICULTY)
      this.#target = startTarget()
    }
    return {
      jobId: nameText(element(params, 0)) ?? '',
      // Seed before header, both without prefix.
      sealHash: element(params, 2),
      seed: { hash: element(params, 1) },
      target: this.#target,
      height: null,
      extranonce,
      cleanJobs: element(params, 3) === true,
    }
  }

  #setExtranonce(text: unknown): boolean {
    const extranonce = parseExtranonce(text)
    if (extranonce === undefined) return false
    this.#extranonce = extranonce
    this.settingsCame()
    return true
  }

  /** From the digits in the line: a float would lose precision. An unreadable one invalidates the next job. */
  #setDifficulty(line: string): boolean {
    const text = elementTexts(memberTexts(line).get('params') ?? '[]')[0] ?? ''
    const read = targetOfDifficultyText(text.replace(/^"|"$/g, ''), this.unit)
    this.#target = read?.target ?? null
    if (read !== null) this.#unit = read.unit
    this.settingsCame()
    return true
  }
}
