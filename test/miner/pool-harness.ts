// A miner's side for pool tests: a real PoolSource over real sockets, and shares found with the real light hash.
import { fileURLToPath } from 'node:url'
import { compareBytes } from '../../src/base/bytes'
import { createLogger, type LogRecord } from '../../src/base/logger'
import { type Clock, systemClock } from '../../src/base/time'
import { type PoolUrl, parsePoolUrl } from '../../src/config/values/pool-url'
import { PoolSource } from '../../src/miner/pool/pool-source'
import type { PoolSourceOptions } from '../../src/miner/pool/pool-source-options'
import { JobMaker, SeedEpochs } from '../../src/miner/pool/session/job-maker'
import { type DialectMemory, SESSION_LIMITS, type SessionDeps } from '../../src/miner/pool/session/session'
import type { Job, Share, ShareVerdict } from '../../src/miner/work-source'
import { createXhashEngine, type XhashEngine } from '../../src/native/xhash-engine'
import { XHASH_FULL } from '../../src/xhash/params'
import { seedHash } from '../../src/xhash/seed'
import { PoolHasher } from './pool-sim/independent-xhash'

/** One per file: its cache costs a second. */
export const judge = new PoolHasher()

export function fullEngine(): XhashEngine {
  return createXhashEngine(XHASH_FULL, { searchFrom: fileURLToPath(new URL('.', import.meta.url)) })
}

export function poolUrl(text: string): PoolUrl {
  const outcome = parsePoolUrl(text)
  if ('fault' in outcome) throw new Error(outcome.fault)
  return outcome.url
}

export interface Rig {
  readonly source: PoolSource
  readonly session: SessionDeps
  /** every job and loss of work, in order */
  readonly jobs: (Job | null)[]
  readonly records: LogRecord[]
  readonly said: string[]
  exits: number
}

export function makeRig(
  urls: readonly string[],
  options: Partial<PoolSourceOptions> & {
    readonly limits?: Partial<SessionDeps['limits']>
    readonly dialects?: DialectMemory
    /** PEM; Node's own list when absent */
    readonly certificates?: string
    /** the system's when absent */
    readonly clock?: Clock
  } = {},
): Rig {
  const { limits, dialects, certificates = null, clock = systemClock(), ...rest } = options
  const records: LogRecord[] = []
  const said: string[] = []
  const log = createLogger('miner', {
    sink: { write: (record) => records.push(record) },
    minLevel: 'debug',
    now: () => clock.now(),
  })
  const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  const session: SessionDeps = {
    clock,
    log,
    jobs: new JobMaker(new SeedEpochs(nextTurn), seedHash),
    limits: { ...SESSION_LIMITS, pollMs: 30, pollErrorMs: 60, ...limits },
    agent: 'headframe/test',
    runId: 'ab'.repeat(32),
    certificates,
    say: (text) => said.push(text),
    ...(dialects === undefined ? {} : { dialects }),
  }
  const source = new PoolSource(
    {
      pools: urls.map(poolUrl),
      exitAtEnd: false,
      retryDelayMs: 50,
      retryMax: 3,
      failoverMs: 0,
      reportHashrate: false,
      ...rest,
    },
    {
      session,
      clock,
      log,
      hashrate: () => 12_345,
      random: () => 0.5,
      onExit: () => {
        rig.exits += 1
      },
    },
  )
  const rig: Rig = { source, session, jobs: [], records, said, exits: 0 }
  source.events.on('jobChanged', (job) => rig.jobs.push(job))
  return rig
}

/** Resolves when `condition` holds; after a minute, rejects with what was awaited. */
export async function until(what: string, condition: () => boolean, limitMs = 240_000): Promise<void> {
  const clock = systemClock()
  const end = clock.monotonic() + limitMs
  while (!condition()) {
    if (clock.monotonic() > end) throw new Error(`waited ${limitMs} ms for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

export async function currentJob(rig: Rig): Promise<Job> {
  await until('a job', () => rig.jobs.at(-1) !== undefined && rig.jobs.at(-1) !== null)
  const job = rig.jobs.at(-1)
  if (!job) throw new Error('no job')
  return job
}

/** Finds shares of one job one after another, each nonce once. */
export class ShareFinder {
  readonly #next = new Map<string, bigint>()

  constructor(private readonly engine: XhashEngine) {}

  async find(job: Job): Promise<Share> {
    const name = `${job.jobId}:${job.extranonce?.prefix ?? ''}`
    const first = job.extranonce === null ? 1n << 40n : job.extranonce.prefix << BigInt(64 - job.extranonce.bits)
    for (let nonce = this.#next.get(name) ?? first; ; nonce++) {
      const { mixDigest, result } = await this.engine.hashLight(job.epoch, job.sealHash, nonce)
      if (compareBytes(result, job.target) > 0) continue
      this.#next.set(name, nonce + 1n)
      return { job, nonce, mixDigest, result, replaced: false }
    }
  }

  async submit(rig: Rig, job: Job): Promise<ShareVerdict> {
    return rig.source.submit(await this.find(job), new AbortController().signal)
  }
}
