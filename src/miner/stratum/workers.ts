// The rigs that have logged in, by name: what each has found, and when it was last seen. A rig that reconnects goes on
// in its record.
import { z } from 'zod'
import type { Clock } from '../../base/time'
import type { OtherRig } from '../api/rigs'
import { SlotRing } from '../stats/slot-ring'
import { SOLO_HOST, SOLO_URL } from '../work-source'
import { RigCare, type RigCareView } from './rig-care'
import type { RigShareOutcome } from './share-check'

/** Window of the effective hashrate, in slots. */
const WINDOW_SLOTS = 60
const SLOT_SECONDS = 15
const WINDOW_MS = WINDOW_SLOTS * SLOT_SECONDS * 1_000
/** Before this the effective hashrate is unknown. */
const MIN_SEEN_MS = 120_000
/** A reported hashrate counts this long. */
const REPORT_MS = 600_000
/** A rig that is away is listed this long. */
const AWAY_MS = 86_400_000
/** Maximum records; the rig that has been away longest is dropped first. */
const MAX_WORKERS = 4_096

/** How long a usual rate is remembered over restarts. */
const REMEMBERED_MS = 7 * 86_400_000

/** The usual rates of rigs as they are on disk. */
export const rigRatesSchema = z
  .array(z.object({ name: z.string().max(64), rate: z.number().positive(), at: z.number().int().nonnegative() }))
  .max(MAX_WORKERS)
/** Each in H/s, and when it was known, in UTC ms. */
export type RigRates = z.infer<typeof rigRatesSchema>
type RigRate = RigRates[number]

/** What a rig said about itself; untrusted text, cleaned. */
export interface RigLogin {
  /** 1..64 characters without control and bidi characters */
  readonly name: string
  /** IP literal */
  readonly address: string
  /** its program, as it names itself; empty: unknown */
  readonly software: string
  readonly dialect: string
}

/** One rig's record at one moment. Times are UTC ms, and ms in `since`; null: none, or unknown. */
export type RigWorkerView = ReturnType<RigWorker['view']>

/** A rig as the rules of incidents look at it. */
export interface ServedRig {
  readonly name: string
  readonly connections: number
  readonly care: RigCareView
  /** ms since it sent something */
  readonly since: { readonly lastSeen: number }
}

/** One rig by its name, over all its connections. */
export class RigWorker {
  readonly #worth = new SlotRing(WINDOW_SLOTS)
  readonly #care: RigCare
  readonly #shares: Record<RigShareOutcome, number> = {
    accepted: 0,
    stale: 0,
    failed: 0,
    duplicate: 0,
    unknown: 0,
    busy: 0,
  }
  readonly #firstSeen: { readonly at: number; readonly monotonic: number }
  #lastSeen: { readonly at: number; readonly monotonic: number }
  #lastShare: { readonly at: number; readonly monotonic: number } | null = null
  #reported: { readonly rate: number; readonly monotonic: number } | null = null
  /** as of its last connection */
  difficulty: number
  connections = 0
  blocks = 0

  constructor(
    public login: RigLogin,
    difficulty: number,
    private readonly clock: Clock,
    usual: number | null,
  ) {
    this.#care = new RigCare(usual)
    this.difficulty = difficulty
    this.#firstSeen = { at: clock.now(), monotonic: clock.monotonic() }
    this.#lastSeen = this.#firstSeen
  }

  /** It sent something. */
  seen(): void {
    this.#lastSeen = { at: this.clock.now(), monotonic: this.clock.monotonic() }
  }

  /** @param difficulty expected hashes of the share */
  share(outcome: RigShareOutcome, difficulty: number): void {
    this.#shares[outcome] += 1
    const at = this.clock.monotonic()
    this.#care.share(outcome, { at, difficulty, knownMs: at - this.#firstSeen.monotonic })
    if (outcome !== 'accepted') return
    this.#worth.add(this.clock.monotonic() / SLOT_SECONDS, difficulty)
    this.#lastShare = { at: this.clock.now(), monotonic: this.clock.monotonic() }
  }

  /** @param rate H/s */
  reported(rate: number): void {
    this.#reported = { rate, monotonic: this.clock.monotonic() }
  }

  look(ms: number): void {
    const at = this.clock.monotonic()
    const knownMs = at - this.#firstSeen.monotonic
    const worth = this.#worth.sum(at / SLOT_SECONDS, WINDOW_SLOTS)
    this.#care.look({ ms, at, now: this.clock.now(), worth, knownMs, difficulty: this.difficulty })
  }

  /** Ms since it sent something. */
  get awayMs(): number {
    return this.clock.monotonic() - this.#lastSeen.monotonic
  }

  /** What the rules of incidents look at, every second. */
  get watched(): ServedRig {
    const { login, connections, awayMs } = this
    return { name: login.name, connections, since: { lastSeen: awayMs }, care: this.#care.view }
  }

  view() {
    const now = this.clock.monotonic()
    const seenMs = now - this.#firstSeen.monotonic
    const worth = this.#worth.sum(now / SLOT_SECONDS, WINDOW_SLOTS)
    const report = this.#reported
    return {
      ...this.login,
      connections: this.connections,
      difficulty: this.difficulty,
      effectiveHashrate: seenMs < MIN_SEEN_MS ? null : (worth * 1_000) / Math.min(WINDOW_MS, seenMs),
      reportedHashrate: report === null || now - report.monotonic > REPORT_MS ? null : report.rate,
      shares: { ...this.#shares },
      blocks: this.blocks,
      lastSeenAt: this.#lastSeen.at,
      lastShareAt: this.#lastShare?.at ?? null,
      since: {
        firstSeen: seenMs,
        lastSeen: this.awayMs,
        lastShare: this.#lastShare === null ? null : now - this.#lastShare.monotonic,
      },
      care: this.#care.view,
    }
  }
}

export class RigWorkers {
  readonly #byName = new Map<string, RigWorker>()
  /** usual rates as an earlier run knew them */
  #remembered: ReadonlyMap<string, RigRate> = new Map()

  constructor(private readonly clock: Clock) {}

  /** A rig logged in. @param difficulty of its first job, unless an earlier connection found a better one */
  enter(login: RigLogin, difficulty: number): RigWorker {
    const worker = this.#byName.get(login.name) ?? this.#newWorker(login, difficulty)
    worker.login = login
    worker.connections += 1
    worker.seen()
    this.#byName.set(login.name, worker)
    if (this.#byName.size > MAX_WORKERS) this.#dropLongestAway()
    return worker
  }

  #newWorker(login: RigLogin, difficulty: number): RigWorker {
    return new RigWorker(login, difficulty, this.clock, this.#remembered.get(login.name)?.rate ?? null)
  }

  /** Of an earlier run; too old ones are ignored. */
  remember(rates: readonly RigRate[]): void {
    const since = this.clock.now() - REMEMBERED_MS
    this.#remembered = new Map(rates.filter(({ at }) => at >= since).map((rate) => [rate.name, rate]))
  }

  /** The usual rates to remember, also of rigs that haven't come back yet. */
  rates(): readonly RigRate[] {
    const at = this.clock.now()
    const known = new Map(this.#remembered)
    for (const { name, care } of this.watched())
      if (care.usualHashrate !== null) known.set(name, { name, rate: care.usualHashrate, at })
    return [...known.values()].sort((a, b) => b.at - a.at).slice(0, MAX_WORKERS)
  }

  leave(worker: RigWorker): void {
    worker.connections -= 1
    worker.seen()
  }

  /** Of the connected rigs, while there is work. @param ms since the last look */
  look(ms: number): void {
    for (const worker of this.#byName.values()) if (worker.connections > 0) worker.look(ms)
  }

  /** Drops rigs that have been away for a day. */
  sweep(): void {
    for (const [name, worker] of this.#byName)
      if (worker.connections === 0 && worker.awayMs > AWAY_MS) this.#byName.delete(name)
  }

  /** For the rules of incidents. */
  watched(): readonly ServedRig[] {
    return [...this.#byName.values()].map((worker) => worker.watched)
  }

  views(): readonly RigWorkerView[] {
    return [...this.#byName.values()].map((worker) => worker.view()).sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  #dropLongestAway(): void {
    let longest: [string, RigWorker] | null = null
    for (const entry of this.#byName)
      if (entry[1].connections === 0 && (longest === null || entry[1].awayMs > longest[1].awayMs)) longest = entry
    if (longest !== null) this.#byName.delete(longest[0])
  }
}

/**
 * A rig's entry in the mining API: the members of a rig that has an API of its own, as far as shares tell them. Its rates
 * are what it reports, else what its shares are worth.
 */
export function servedRig(
  rig: RigWorkerView,
  work: { readonly height: number | null; readonly epoch: number } | null,
): OtherRig {
  const online = rig.connections > 0
  const effective = rig.effectiveHashrate ?? 0
  const rate = online ? (rig.reportedHashrate ?? effective) : 0
  const { accepted, failed, stale, duplicate, unknown, busy } = rig.shares
  const seconds = (ms: number): number => Math.floor(ms / 1_000)
  return {
    name: rig.name,
    host: rig.address,
    online,
    error: online ? '' : 'disconnected',
    age: online ? 0 : seconds(rig.since.lastSeen),
    summary: {
      control: false,
      miner: { name: rig.software, version: rig.software, algorithm: 'xhash', uptime: seconds(rig.since.firstSeen) },
      pool: {
        connected: online,
        host: SOLO_HOST,
        url: SOLO_URL,
        difficulty: rig.difficulty,
        epoch: work?.epoch ?? -1,
        block: work?.height ?? -1,
        switches: 0,
        warning: '',
      },
      hashrate: { now: rate, '60s': rate, '15m': rate, effective },
      shares: { accepted, rejected: stale + duplicate + unknown + busy, failed },
      gpus: [],
    },
    worker: {
      software: rig.software,
      dialect: rig.dialect,
      connections: rig.connections,
      difficulty: rig.difficulty,
      reported_hashrate: rig.reportedHashrate ?? -1,
      blocks: rig.blocks,
      stale,
      last_share_age: rig.since.lastShare === null ? -1 : seconds(rig.since.lastShare),
    },
  }
}
