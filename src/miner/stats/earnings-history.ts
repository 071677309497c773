// The last month's mining, by pool and in steps of ten minutes: accepted work, its average value, and the hashes
// computed for it. A share is valued when accepted, at the network difficulty of that moment; without a synced node it
// counts as unpriced, never estimated.
import { z } from 'zod'
import { messageOf } from '../../base/errors'
import { Disposables, type Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import type { MinerService } from '../miner-service'
import type { HistoryStore } from './history-file'
import { RecordClock } from './record-clock'
import type { MinerSnapshot, SettledShare } from './snapshot'

const STEP_MS = 600_000
const KEPT_MS = 31 * 86_400_000
const SAVE_MS = 300_000
/** A month of four pools; a pool that keeps redirecting the miner to new names must not fill memory. */
const MAX_SLOTS = 20_000
/** Longest time between two hashrate samples that isn't a gap. */
const LONGEST_LOOK_MS = 15_000
const WEI_PER_MICRO = 10n ** 12n

const slotSchema = z.object({
  /** start, UTC ms, a multiple of the step */
  at: z.number().int().nonnegative(),
  /** of its first record, UTC ms */
  first: z.number().int().nonnegative(),
  /** `host:port`; empty for our own node */
  pool: z.string().max(300),
  shares: z.number().int().nonnegative(),
  rejected: z.number().int().nonnegative(),
  /** expected hashes of the accepted shares */
  work: z.number().nonnegative(),
  /** the part of `work` whose value is in `micro` */
  priced: z.number().nonnegative(),
  /** average value of the accepted shares, millionths of a LAX */
  micro: z.number().nonnegative(),
  /** computed */
  hashes: z.number().nonnegative(),
  /** shares these hashes find on average; absent in records of earlier versions, where it is derived from the work */
  due: z.number().nonnegative().optional(),
  /** average value of the hashes, millionths of a LAX */
  dueMicro: z.number().nonnegative().default(0),
})
const fileSchema = z.object({
  version: z.literal(1),
  /** UTC ms by the clock that the records have; absent in files of earlier versions */
  savedAt: z.number().int().nonnegative().optional(),
  slots: z.array(slotSchema).max(100_000),
})

type KeptSlot = z.infer<typeof slotSchema>
type Slot = KeptSlot & { due: number }

/** One pool's totals since a time. */
interface EarningsRow {
  /** `host:port`; empty for our own node */
  readonly pool: string
  readonly shares: number
  readonly rejected: number
  readonly work: number
  readonly pricedWork: number
  readonly expectedWei: bigint
  readonly hashes: number
  /** shares these hashes find on average, each at its job's difficulty at the time */
  readonly expectedShares: number
  /** average value of these hashes in wei, at the network difficulty of their time */
  readonly computedWei: bigint
}

/** The totals of all pools. */
interface Earnings {
  /** UTC ms, start of the count: the requested time, rounded down to its step */
  readonly from: number
  /** UTC ms of the oldest record; null without any */
  readonly firstAt: number | null
  readonly rows: readonly EarningsRow[]
}

/** Difficulty and reward of a block now; null while the node can't say. */
export type Worth = () => { readonly difficulty: number; readonly subsidyWei: bigint } | null

/** The part of the miner that is used. */
interface EarningMiner {
  readonly events: Pick<MinerService['events'], 'on'>
  snapshot(): {
    readonly hashrate: { readonly now: number }
    readonly source: Pick<MinerSnapshot['source'], 'kind' | 'host' | 'difficulty'>
  }
}

/** What the history uses. */
interface EarningsHistoryDeps {
  readonly miner: EarningMiner
  readonly worth: Worth
  readonly store: HistoryStore
  readonly clock: Clock
  readonly log: Logger
}

/** Records and sums up earnings. */
export class EarningsHistory implements Service {
  readonly name = 'earnings'
  readonly #deps: EarningsHistoryDeps
  readonly #held = new Disposables()
  /** oldest first */
  #slots: Slot[] = []
  /** monotonic ms of the last hashrate sample */
  #lookedAt: number | null = null
  #isDirty = false
  #time: RecordClock
  /** slots of this run: their times follow a clock that is set right */
  #own = new Set<Slot>()

  constructor(deps: EarningsHistoryDeps) {
    this.#deps = deps
    this.#time = new RecordClock(deps.clock, null, KEPT_MS)
  }

  /** An unreadable file is restarted: the figures are an estimate, not an account. */
  async start(): Promise<void> {
    const { miner, clock, log, store } = this.#deps
    let last: number | null = null
    try {
      const bytes = await store.load()
      if (bytes !== null) {
        const { slots, savedAt } = fileSchema.parse(JSON.parse(new TextDecoder().decode(bytes)))
        this.#slots = slots.map((slot) => ({ ...slot, due: slot.due ?? dueByWork(slot) }))
        last = savedAt ?? slots.reduce((newest: number | null, { at }) => Math.max(newest ?? 0, at), null)
      }
    } catch (error: unknown) {
      log.warn('earnings history cannot be read, starting an empty one', { error: messageOf(error) })
    }
    this.#time = new RecordClock(clock, last, KEPT_MS)
    this.#own = new Set()
    this.#lookedAt = null
    this.#held.add(miner.events.on('shareSettled', (share) => this.#settled(share)))
    this.#held.add(miner.events.on('devicesChanged', () => this.#look()))
    this.#held.add(clock.setInterval(() => void this.#save(), SAVE_MS))
  }

  async stop(): Promise<void> {
    this.#held.dispose()
    await this.#save()
  }

  /** @param since UTC ms */
  read(since: number): Earnings {
    const from = since - (since % STEP_MS)
    const rows = new Map<string, EarningsRow>()
    for (const slot of this.#slots) {
      if (slot.at < from) continue
      const before = rows.get(slot.pool) ?? { ...NOTHING, pool: slot.pool }
      rows.set(slot.pool, {
        pool: slot.pool,
        shares: before.shares + slot.shares,
        rejected: before.rejected + slot.rejected,
        work: before.work + slot.work,
        pricedWork: before.pricedWork + slot.priced,
        expectedWei: before.expectedWei + BigInt(Math.round(slot.micro)) * WEI_PER_MICRO,
        hashes: before.hashes + slot.hashes,
        expectedShares: before.expectedShares + slot.due,
        computedWei: before.computedWei + BigInt(Math.round(slot.dueMicro)) * WEI_PER_MICRO,
      })
    }
    return { from, firstAt: this.#slots[0]?.first ?? null, rows: [...rows.values()] }
  }

  #settled({ pool, outcome, jobDifficulty }: SettledShare): void {
    if (outcome !== 'accepted' && outcome !== 'rejected') return
    const slot = this.#slot(pool)
    if (outcome === 'rejected') {
      slot.rejected += 1
      return
    }
    slot.shares += 1
    slot.work += jobDifficulty
    const worth = this.#deps.worth()
    if (worth === null || worth.difficulty <= 0) return
    slot.priced += jobDifficulty
    slot.micro += (jobDifficulty / worth.difficulty) * Number(worth.subsidyWei / WEI_PER_MICRO)
  }

  /** Adds what was computed since the last sample, at the rate of the last seconds. */
  #look(): void {
    const { miner, clock } = this.#deps
    const now = clock.monotonic()
    const before = this.#lookedAt
    this.#lookedAt = now
    if (before === null || now - before > LONGEST_LOOK_MS) return
    const { hashrate, source } = miner.snapshot()
    if (source.kind === 'none' || hashrate.now <= 0) return
    const slot = this.#slot(source.kind === 'pool' ? source.host : '')
    const hashes = (hashrate.now * (now - before)) / 1_000
    slot.hashes += hashes
    if (source.difficulty !== null && source.difficulty > 0) slot.due += hashes / source.difficulty
    const worth = this.#deps.worth()
    if (worth === null || worth.difficulty <= 0) return
    slot.dueMicro += (hashes / worth.difficulty) * Number(worth.subsidyWei / WEI_PER_MICRO)
  }

  #slot(pool: string): Slot {
    const now = this.#now()
    const at = now - (now % STEP_MS)
    this.#isDirty = true
    for (let index = this.#slots.length - 1; index >= 0; index--) {
      const slot = this.#slots[index]
      if (slot === undefined || slot.at !== at) break
      if (slot.pool === pool) return slot
    }
    const slot: Slot = { at, first: now, pool, ...EMPTY }
    this.#own.add(slot)
    this.#slots = [...this.#kept(now), slot].slice(-MAX_SLOTS)
    return slot
  }

  /** What a wrong clock dated in this run is dated again. */
  #now(): number {
    const { now, shift } = this.#time.read()
    if (shift === 0) return now
    this.#deps.log.warn('the clock was set: records of this run follow it', { seconds: Math.round(shift / 1_000) })
    for (const slot of this.#own) {
      slot.first += shift
      slot.at = slot.first - (slot.first % STEP_MS)
    }
    this.#slots.sort((a, b) => a.at - b.at)
    return now
  }

  /** Drops nothing by a clock that may be wrong; what such a clock once dated ahead counts as of now. */
  #kept(now: number): readonly Slot[] {
    if (!this.#time.mayDrop) return this.#slots
    const at = now - (now % STEP_MS)
    for (const slot of this.#slots) if (slot.at > at) Object.assign(slot, { at, first: now })
    return this.#slots.filter((each) => each.at > now - KEPT_MS)
  }

  /** A failed write is retried with the next step. */
  async #save(): Promise<void> {
    if (!this.#isDirty) return
    this.#isDirty = false
    const text = JSON.stringify({ version: 1, savedAt: this.#time.read().now, slots: this.#slots })
    try {
      await this.#deps.store.save(new TextEncoder().encode(text))
    } catch (error: unknown) {
      this.#isDirty = true
      this.#deps.log.warn('earnings history could not be written', { error: messageOf(error) })
    }
  }
}

/** Records of earlier versions reveal the mean difficulty only when shares were found. */
function dueByWork({ shares, work, hashes }: KeptSlot): number {
  return shares > 0 && work > 0 ? (hashes * shares) / work : 0
}

const EMPTY = { shares: 0, rejected: 0, work: 0, priced: 0, micro: 0, hashes: 0, due: 0, dueMicro: 0 } as const
const NOTHING = {
  shares: 0,
  rejected: 0,
  work: 0,
  pricedWork: 0,
  expectedWei: 0n,
  hashes: 0,
  expectedShares: 0,
  computedWei: 0n,
} as const
