// `headframe pool test`: one pool, examined without mining.
import { ConfigError } from '../../config/errors'
import { hostPort, shownPool } from '../../config/values/pool-url'
import { expectedHashes } from '../../miner/difficulty'
import { type PoolTrouble, TROUBLE_WORDS, troubleText } from '../../miner/pool-trouble'
import type { TradesDeps } from '../trades-deps'
import { createProbe } from './create-miner'
import { poolReader } from './pool-reader'

/** What a pool answered, or what is wrong with it. */
export type PoolFinding =
  | {
      readonly ok: true
      /** `host:port` */
      readonly host: string
      readonly dialect: string
      /** median answer time; null without answers */
      readonly latencyMs: number | null
      readonly height: number | null
      readonly epoch: number
      /** expected hashes per share */
      readonly difficulty: number
    }
  | {
      readonly ok: false
      readonly host: string
      readonly trouble: PoolTrouble
      /** the pool's last answer, or the system's words */
      readonly answer: string
      readonly action: string
      /** sentence, answer and action */
      readonly text: string
    }

/** Logs in, waits for a job and submits nothing. @throws ConfigError CONFIG_VALUE_INVALID */
export async function testPool(text: string, deps: TradesDeps, signal: AbortSignal): Promise<PoolFinding> {
  const read = poolReader(deps.config)(text)
  if ('fault' in read) {
    const expected = `a pool: ${read.fault.replace(/^pool address: /, '')}`
    throw new ConfigError('CONFIG_VALUE_INVALID', { where: 'pool test', value: shownPool(text), expected })
  }
  const host = hostPort(read.url)
  const outcome = await createProbe(deps)(read.url, signal)
  if ('fault' in outcome) {
    const { trouble, fault: answer } = outcome
    const { action } = TROUBLE_WORDS[trouble]
    return { ok: false, host, trouble, answer, action, text: troubleText({ trouble, answer }) }
  }
  const { dialect, latencyMs, job } = outcome
  const { height, epoch } = job
  return { ok: true, host, dialect, latencyMs, height, epoch, difficulty: Math.round(expectedHashes(job.target)) }
}
