// Recent jobs: the job of a token, the nonces given out for a header, and the solutions seen.
import { equalBytes } from '../../base/bytes'
import { type Extranonce, isSameExtranonce, type Job } from '../work-source'
import type { DeviceJob } from './device-backend'
import { NonceSpace } from './nonce-space'

/** Old jobs kept for late solutions. */
const KEPT_JOBS = 16
/** Nonces of one header remembered as found: a pool whose target is met by every hash must not fill memory. */
const KEPT_NONCES = 65_536

/** Start of the search for a new header. */
export interface NoncePlan {
  /** first nonce of spaces without an extranonce */
  readonly startNonce: bigint
  /** requested segment width, 10..63 */
  readonly segmentBits: number
}

/** Everything searched under one header and extranonce, across job names. */
interface Search {
  readonly sealHash: Uint8Array
  readonly extranonce: Extranonce | null
  space: NonceSpace
  readonly seen: Set<bigint>
}

interface Entry {
  /** the object that devices know */
  readonly job: Job
  /** the same work under the source's latest name */
  named: Job
  replaced: boolean
  readonly search: Search
  readonly tokens: number[]
}

/** The history of a farm. */
export class JobHistory {
  #entries: Entry[] = []
  readonly #byToken = new Map<number, Entry>()
  #nextToken = 1

  /** @param plan called for each new header */
  constructor(private readonly plan: () => NoncePlan) {}

  /**
   * Accepts the source's new job. The same header, target and extranonce as before aren't new work: the previous object
   * is returned (with the new job's name for later shares), so that devices continue undisturbed.
   */
  begin(job: Job, devices: number): Job {
    const current = this.#entries.at(-1)
    if (current !== undefined && sameWork(current.job, job)) {
      current.named = job
      return current.job
    }
    if (job.cleanJobs) {
      for (const entry of this.#entries) entry.replaced ||= !equalBytes(entry.job.sealHash, job.sealHash)
    }
    const search = this.#entries.find((entry) => sameSearch(entry.search, job))?.search ?? this.#newSearch(job, devices)
    this.#entries.push({ job, named: job, replaced: false, search, tokens: [] })
    if (this.#entries.length > KEPT_JOBS) this.#forgetOldest()
    return job
  }

  /** The current job's nonce space; null without one. */
  get space(): NonceSpace | null {
    return this.#entries.at(-1)?.search.space ?? null
  }

  /** Redistributes the current job's nonces; seen ones are kept. False: without a job, or the pool fixes them. */
  renew(devices: number, plan: NoncePlan): boolean {
    const current = this.#entries.at(-1)
    if (current === undefined || current.search.extranonce !== null) return false
    current.search.space = spaceOf(current.job, devices, plan)
    return true
  }

  /** A token and the next nonces of `job` for a device; null when none are left or the job is unknown. */
  assign(device: number, job: Job): DeviceJob | null {
    const entry = this.#entries.find((candidate) => candidate.job === job)
    const segment = entry?.search.space.take(device) ?? null
    if (entry === undefined || segment === null) return null
    const token = this.#nextToken++
    entry.tokens.push(token)
    this.#byToken.set(token, entry)
    return { token, sealHash: job.sealHash, target: job.target, segment }
  }

  /** The job of a solution; null when it is forgotten or this nonce was seen before under the same header. */
  takeSolution(token: number, nonce: bigint): Job | null {
    const entry = this.#byToken.get(token)
    if (entry === undefined || entry.search.seen.has(nonce)) return null
    remember(entry.search.seen, nonce)
    return entry.named
  }

  /** True when a later clean job with another header arrived. A forgotten job counts as replaced. */
  isReplaced(token: number): boolean {
    return this.#byToken.get(token)?.replaced ?? true
  }

  #newSearch(job: Job, devices: number): Search {
    const { sealHash, extranonce } = job
    return { sealHash, extranonce, space: spaceOf(job, devices, this.plan()), seen: new Set() }
  }

  #forgetOldest(): void {
    for (const token of this.#entries.shift()?.tokens ?? []) this.#byToken.delete(token)
  }
}

/** Evicts the oldest above the limit. */
function remember(seen: Set<bigint>, nonce: bigint): void {
  seen.add(nonce)
  const [oldest] = seen
  if (seen.size > KEPT_NONCES && oldest !== undefined) seen.delete(oldest)
}

function spaceOf({ extranonce }: Job, devices: number, { startNonce, segmentBits }: NoncePlan): NonceSpace {
  return new NonceSpace({ start: startNonce, extranonce, devices, bits: segmentBits })
}

function sameSearch(a: Pick<Job, 'sealHash' | 'extranonce'>, b: Pick<Job, 'sealHash' | 'extranonce'>): boolean {
  return equalBytes(a.sealHash, b.sealHash) && isSameExtranonce(a.extranonce, b.extranonce)
}

function sameWork(a: Job, b: Job): boolean {
  return sameSearch(a, b) && equalBytes(a.target, b.target) && a.epoch === b.epoch
}
