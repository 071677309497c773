// The one record of what was mined: hashes, shares, blocks, value, energy and losses, by source and device, in steps of
// a quarter of an hour. It survives crashes, full disks and wrong clocks. Everything about money is computed from it.
import { z } from 'zod'
import { messageOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import { Disposables, type Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { WEI_PER_MICRO } from '../../base/units'
import type { Journal } from '../../files/journal-file'
import type { MinerService } from '../miner-service'
import { type FoundBlock, FoundBlocks, foundSchema } from './found-blocks'
import { keyOf } from './history-recorder'
import { type LossCause, type LossReason, lossReason } from './loss-cause'
import {
  addSlot,
  DAY_MS,
  deviceOf,
  emptySlot,
  lossKey,
  lossOf,
  rigsOf,
  SLOT_MS,
  type Slot,
  type SourceSums,
  shifted,
  slotSchema,
  sourceOf,
} from './money-slots'
import { RecordClock } from './record-clock'
import type { DeviceSnapshot, MinerSnapshot, SettledShare, ShareOutcome } from './snapshot'

/** Older records are merged into days; those are dropped after the second. */
const FINE_MS = 32 * DAY_MS
const KEPT_MS = 400 * DAY_MS
const SAVE_MS = 30_000
/** Longer between two looks, the program didn't run: it was off, or the computer slept. */
const OFF_MS = 60_000
const MAX_OFFS = 500
/** Periods whose sums are remembered. */
const MAX_PAST = 500
/** Appended records after which the file is rewritten. */
const REWRITE_AFTER = 5_000
/** Per slot: a pool that keeps redirecting the miner to new names must not fill memory. */
const MAX_SOURCES = 64
const OTHERS = 'other:0'
const MS_PER_SECOND = 1_000
const MICRO_PER_LAX = 1e6

const offSchema = z.object({
  from: z.number().int().nonnegative(),
  to: z.number().int().nonnegative(),
  /** usual H/s by device key */
  rates: z.record(z.string().max(300), z.object({ name: z.string().max(200), rate: z.number().nonnegative() })),
})
const stateSchema = z.object({
  savedAt: z.number().int().nonnegative(),
  /** expected blocks since the last found one, solo */
  effort: z.number().nonnegative(),
  effortSince: z.number().int().nonnegative().nullable(),
})
/** What tells one slot from the others. */
const slotNameSchema = z.object({ slot: slotSchema.pick({ at: true, ms: true }) })
const recordSchema = z.union([
  z.object({ slot: slotSchema }),
  z.object({ off: offSchema }),
  z.object({ found: foundSchema }),
  z.object({ state: stateSchema }),
])

/** A time in which the program didn't run, with what the devices usually compute. */
export type OffTime = z.infer<typeof offSchema>

/** What blocks need and pay now. */
export interface BlockWorth {
  /** expected hashes per block of the network; null while the node isn't at the head */
  readonly difficulty: number | null
  /** what a block pays its finder */
  readonly subsidyWei: bigint
}
/** Null without a node. */
export type Worth = () => BlockWorth | null

/** Hashes that were lost just now. */
export interface Loss extends LossReason {
  readonly device: number
  /** UTC ms */
  readonly at: number
  readonly ms: number
  /** negative when the device was faster than usual */
  readonly hashes: number
  /** their value in millionths of a LAX; null while unknown */
  readonly micro: number | null
}

interface RecordedMiner {
  readonly events: Pick<MinerService['events'], 'on'>
  snapshot(): { readonly source: Pick<MinerSnapshot['source'], 'kind' | 'host' | 'difficulty'> }
}

interface MoneyLedgerDeps {
  /** null: only what rigs on the stratum port mine is recorded */
  readonly miner: RecordedMiner | null
  readonly worth: Worth
  /** whether a sensor is at its warning level */
  readonly isHot: (device: DeviceSnapshot) => boolean
  readonly journal: Journal
  readonly clock: Clock
  readonly log: Logger
}

/** Sums of a period, and when the program was off in it. */
export interface MoneyRecords {
  readonly sums: Slot
  readonly offs: readonly OffTime[]
}

/** Where a refused share is counted, and what its hashes are lost to. */
const REFUSED = {
  rejected: { count: 'rejected', cause: 'rejected' },
  stale: { count: 'stale', cause: 'stale' },
  lost: { count: 'unanswered', cause: 'unanswered' },
  failed: { count: 'failed', cause: 'wrong-results' },
} as const satisfies Readonly<
  Record<Exclude<ShareOutcome, 'accepted'>, { readonly count: keyof SourceSums; readonly cause: LossCause }>
>

/** How our own node settled a block. */
type BlockOutcome = 'accepted' | 'stale' | 'rejected'

interface PricedBlock {
  readonly difficulty: number
  readonly subsidyMicro: number
}

interface Known {
  readonly key: string
  readonly name: string
  hashes: number
  usual: number | null
}

/** The ledger of one network. */
export class MoneyLedger implements Service {
  readonly name = 'money'
  readonly events = new Emitter<{ lost: Loss; wasOff: OffTime }>()
  readonly found = new FoundBlocks((...change) => this.#corrected(...change))
  readonly #held = new Disposables()
  #slots = new Map<string, Slot>()
  /** sums of periods that are over */
  readonly #past = new Map<string, Slot>()
  #offs: OffTime[] = []
  /** Blocks that the hashes since the last found one find on average; solo. */
  effort = 0
  /** UTC ms of the last found block, or of the first solo work. */
  effortSince: number | null = null
  #time: RecordClock
  /** slots of this run: their times follow a clock that is set right */
  #own = new Set<Slot>()
  #unsaved = new Set<Slot | OffTime | FoundBlock>()
  #isStateUnsaved = false
  #mustRewrite = false
  #appended = 0
  /** Why the latest records aren't on disk; empty when they are. */
  notSaved = ''
  /** by index, as of the last look */
  #devices = new Map<number, Known>()
  /** UTC ms of the last look, of this run or an earlier one */
  #lastAt: number | null = null
  #lookedAt: number | null = null
  /** of the last job of our own node */
  #soloDifficulty: number | null = null
  #lastJob: { readonly pool: string; readonly difficulty: number } | null = null

  constructor(private readonly deps: MoneyLedgerDeps) {
    this.#time = new RecordClock(deps.clock, null, FINE_MS)
  }

  async start(): Promise<void> {
    const { miner, clock } = this.deps
    await this.#load()
    this.#time = new RecordClock(clock, this.#lastAt, FINE_MS)
    this.#own = new Set()
    this.#devices = new Map()
    this.#lookedAt = null
    if (miner !== null) {
      this.#held.add(miner.events.on('shareSettled', (share) => this.#settled(share)))
      this.#held.add(miner.events.on('devicesChanged', (devices) => this.#look(devices, miner)))
    }
    this.#held.add(clock.setInterval(() => void this.#save(), SAVE_MS))
  }

  async stop(): Promise<void> {
    this.#held.dispose()
    await this.#save()
  }

  /** @param from, to UTC ms; a record counts where it begins */
  read(from: number, to: number): MoneyRecords {
    const sums = this.#summed(from, to)
    return { sums, offs: this.#offs.filter((off) => off.to > from && off.from < to) }
  }

  /** The periods between neighboring bounds, and all of them together. @param bounds ascending UTC ms, at least two */
  readAll(bounds: readonly number[]): { readonly periods: readonly MoneyRecords[]; readonly whole: MoneyRecords } {
    const periods = bounds.slice(1).map((to, place) => this.read(bounds[place] ?? 0, to))
    const sums = nothingYet(bounds[0] ?? 0)
    for (const period of periods) addSlot(sums, period.sums)
    return { periods, whole: { sums, offs: [...new Set(periods.flatMap(({ offs }) => offs))] } }
  }

  /** What is over doesn't change: a page asks for the same days every minute. */
  #summed(from: number, to: number): Slot {
    const key = `${from} ${to}`
    const known = this.#past.get(key)
    if (known !== undefined) return known
    const sums = nothingYet(from)
    for (const slot of this.#slots.values()) if (slot.at >= from && slot.at < to) addSlot(sums, slot)
    const isOver = this.#lastAt !== null && to <= this.#lastAt - SLOT_MS
    if (isOver && this.#past.size >= MAX_PAST) this.#past.clear()
    if (isOver) this.#past.set(key, sums)
    return sums
  }

  /** UTC ms of the oldest record; null without any. */
  get firstAt(): number | null {
    let first: number | null = null
    for (const slot of this.#slots.values()) first = Math.min(first ?? slot.first, slot.first)
    return first
  }

  /** Index and usual rate of each present device, by key. */
  present(): ReadonlyMap<string, { readonly index: number; readonly name: string; readonly usual: number | null }> {
    return new Map([...this.#devices].map(([index, { key, name, usual }]) => [key, { index, name, usual }]))
  }

  /** A rig that mines for our own node found a share. Difficulties are expected hashes, of the share and of a block. */
  rigShare({ difficulty, blockDifficulty }: { readonly difficulty: number; readonly blockDifficulty: number }): void {
    const rigs = this.#rigs(this.#now())
    this.#addHashes(rigs, difficulty, { due: difficulty / blockDifficulty, worth: this.#worthOf('', blockDifficulty) })
  }

  rigBlock(block: { readonly height: number; readonly difficulty: number; readonly outcome: BlockOutcome }): void {
    const { height, difficulty, outcome } = block
    const now = this.#now()
    const rigs = this.#rigs(now)
    rigs[outcome] += 1
    if (outcome === 'accepted') this.#blockFound(rigs, { height, difficulty, now, by: 'rigs' })
  }

  #rigs(now: number): SourceSums {
    const slot = this.#slot(now)
    slot.last = Math.max(slot.last, now)
    return rigsOf(slot)
  }

  /** Of which our own node says what it pays. */
  #blockFound(
    source: SourceSums,
    block: { height: number | null; difficulty: number; now: number; by: FoundBlock['by'] },
  ): void {
    const { height, difficulty, now: at, by } = block
    const worth = this.#worthOf('', difficulty)
    const micro = this.#addWork(source, difficulty, worth)
    if (height === null) return
    const found = { height, hash: '', at, by, micro, fees: null, isOrphaned: false }
    this.#unsaved.add(found)
    this.found.add(found)
    void this.#save() // a block is worth a write of its own
  }

  /** A block that left the chain pays nothing; one that came back does. @param more of fees, in millionths of a LAX */
  #corrected(block: FoundBlock, isMoved: boolean, more: number): void {
    this.#unsaved.add(block)
    block.micro += more
    if (!isMoved && more === 0) return
    const { height, hash, at, by, micro, isOrphaned } = block
    const slot = this.#slots.get(slotKey({ at: at - (at % SLOT_MS), ms: SLOT_MS }))
    const filed = slot ?? this.#slots.get(slotKey({ at: at - (at % DAY_MS), ms: DAY_MS }))
    if (filed !== undefined) {
      const source = by === 'rigs' ? rigsOf(filed) : sourceOf(filed, '')
      if (isMoved) source.orphaned = Math.max(0, source.orphaned + (isOrphaned ? 1 : -1))
      source.micro = Math.max(0, source.micro + (!isMoved ? more : isOrphaned ? -micro : micro))
      this.#unsaved.add(filed)
      this.#past.clear()
    }
    void this.#save()
    if (!isMoved) return
    const text = isOrphaned ? 'the chain replaced a block of ours: its income is taken back' : 'a block of ours is back'
    this.deps.log.warn(text, { height, hash, lax: micro / MICRO_PER_LAX })
  }

  #settled({ pool, outcome, jobDifficulty, device, height }: SettledShare): void {
    const now = this.#now()
    const slot = this.#slot(now)
    const source = this.#source(slot, pool)
    if (outcome !== 'accepted') {
      const { count, cause } = REFUSED[outcome]
      source[count] += 1
      // Of a block for our own node that came too late: another was faster, as with one that the chain replaced.
      if (pool !== '' || outcome !== 'stale')
        this.#lose(slot, { device, cause, reason: '', ms: 0, hashes: jobDifficulty, at: now })
      return
    }
    source.accepted += 1
    if (pool !== '') {
      this.#addWork(source, jobDifficulty, this.#worthOf(pool, jobDifficulty))
      return
    }
    this.effort = 0
    this.effortSince = now
    this.#isStateUnsaved = true
    this.#blockFound(source, { height, difficulty: jobDifficulty, now, by: 'devices' })
    void this.#save()
  }

  /** @returns its value in millionths of a LAX; 0: unknown */
  #addWork(source: SourceSums, difficulty: number, worth: PricedBlock | null): number {
    source.work += difficulty
    if (worth === null) return 0
    const micro = (difficulty / worth.difficulty) * worth.subsidyMicro
    source.pricedWork += difficulty
    source.micro += micro
    return micro
  }

  #addHashes(source: SourceSums, hashes: number, { due, worth }: { due: number; worth: PricedBlock | null }): void {
    source.hashes += hashes
    source.due += due
    if (worth === null) return
    source.pricedHashes += hashes
    source.dueBlocks += hashes / worth.difficulty
    source.dueMicro += (hashes / worth.difficulty) * worth.subsidyMicro
  }

  #look(devices: readonly DeviceSnapshot[], miner: RecordedMiner): void {
    if (devices.length === 0) return
    const mono = this.deps.clock.monotonic()
    const now = this.#now()
    const [before, lastAt] = [this.#lookedAt, this.#lastAt]
    this.#lookedAt = mono
    this.#lastAt = now
    const isGap = lastAt !== null && now - lastAt >= OFF_MS
    const ms = before === null || isGap ? 0 : mono - before
    const slot = this.#slot(now)
    slot.last = Math.max(slot.last, now)
    slot.recordedMs += ms
    const { source } = miner.snapshot()
    const pool = source.kind === 'pool' ? source.host : ''
    if (source.kind === 'solo') this.#soloDifficulty = source.difficulty ?? this.#soloDifficulty
    // What finishes when the job is gone was computed for it.
    const last = this.#lastJob?.pool === pool ? this.#lastJob.difficulty : null
    const difficulty = source.difficulty ?? last
    if (difficulty !== null) this.#lastJob = { pool, difficulty }
    let computed = 0
    for (const device of devices) computed += this.#device(slot, device, { ms, now, pool })
    if (isGap) this.#wasOff(lastAt, now)
    if (source.kind !== 'none') this.#computed(slot, pool, { hashes: computed, difficulty, now })
  }

  /** @returns hashes since the last look */
  #device(slot: Slot, device: DeviceSnapshot, look: { ms: number; now: number; pool: string }): number {
    const { index, name, hashes, usualHashrate, powerWatts } = device
    const key = keyOf(device)
    const known = this.#devices.get(index)
    const before = known?.key === key ? known.hashes : hashes
    const done = Math.max(0, hashes - before)
    this.#devices.set(index, { key, name, hashes, usual: usualHashrate })
    const sums = deviceOf(slot, key, name)
    sums.hashes += done
    if (powerWatts !== null) {
      sums.joules += (powerWatts * look.ms) / MS_PER_SECOND
      sums.meteredMs += look.ms
      sums.meteredHashes += done
    }
    if (usualHashrate === null || look.ms === 0) return done
    const usual = (usualHashrate * look.ms) / MS_PER_SECOND
    sums.usual += usual
    sums.watchedMs += look.ms
    const why = lossReason(device, { isHot: this.deps.isHot(device), pool: look.pool })
    this.#lose(slot, { device: index, ...why, ms: look.ms, hashes: usual - done, at: look.now })
    return done
  }

  #computed(slot: Slot, pool: string, work: { hashes: number; difficulty: number | null; now: number }): void {
    const { hashes, difficulty, now } = work
    if (hashes === 0) return
    const source = this.#source(slot, pool)
    const due = difficulty !== null && difficulty > 0 ? hashes / difficulty : 0
    this.#addHashes(source, hashes, { due, worth: this.#worthOf(pool, difficulty) })
    if (pool !== '') return
    this.effort += due
    this.effortSince ??= now
    this.#isStateUnsaved = true
  }

  #lose(slot: Slot, { device, cause, reason, ms, hashes, at }: Omit<Loss, 'micro'>): void {
    const known = this.#devices.get(device)
    if (known === undefined) return
    const worth = this.#worthNow()
    const micro = worth === null ? null : (hashes / worth.difficulty) * worth.subsidyMicro
    const loss = lossOf(deviceOf(slot, known.key, known.name), lossKey(cause, reason), Math.round(at - ms))
    loss.ms += ms
    loss.hashes += hashes
    loss.to = at
    if (micro !== null) {
      loss.pricedHashes += hashes
      loss.micro += micro
    }
    this.events.emit('lost', { device, cause, reason, ms, hashes, micro, at })
  }

  /** Only a clock that agrees with the last run can tell how long that was. */
  #wasOff(from: number, to: number): void {
    const devices = [...this.#devices.values()]
    const rates = devices.flatMap(({ key, name, usual }) => (usual === null ? [] : [[key, { name, rate: usual }]]))
    if (rates.length === 0 || !this.#time.mayDrop || to - from > FINE_MS) return
    const off: OffTime = { from, to, rates: Object.fromEntries(rates) }
    this.#offs = [...this.#offs.slice(1 - MAX_OFFS), off]
    this.#unsaved.add(off)
    this.events.emit('wasOff', off)
  }

  #worthNow(): PricedBlock | null {
    return this.#worthOf('any', null) ?? this.#worthOf('', this.#soloDifficulty)
  }

  /** A solo job's difficulty is the network's. */
  #worthOf(pool: string, jobDifficulty: number | null): PricedBlock | null {
    const worth = this.deps.worth()
    if (worth === null) return null
    const difficulty = pool === '' ? jobDifficulty : worth.difficulty
    if (difficulty === null || difficulty <= 0) return null
    return { difficulty, subsidyMicro: Number(worth.subsidyWei / WEI_PER_MICRO) }
  }

  #source(slot: Slot, pool: string): SourceSums {
    const isFull = slot.sources[pool] === undefined && Object.keys(slot.sources).length >= MAX_SOURCES
    return sourceOf(slot, isFull ? OTHERS : pool)
  }

  #slot(now: number): Slot {
    const at = now - (now % SLOT_MS)
    const key = slotKey({ at, ms: SLOT_MS })
    let slot = this.#slots.get(key)
    if (slot === undefined) {
      slot = emptySlot(at, now)
      this.#tidy(now)
      this.#slots.set(key, slot)
    }
    this.#own.add(slot)
    this.#unsaved.add(slot)
    return slot
  }

  /** What a wrong clock dated in this run is dated again. */
  #now(): number {
    const { now, shift } = this.#time.read()
    if (shift === 0) return now
    this.deps.log.warn('the clock was set: records of this run follow it', { seconds: Math.round(shift / 1_000) })
    this.#past.clear()
    const own = [...this.#own]
    for (const slot of own) this.#slots.delete(slotKey(slot))
    this.#own = new Set()
    for (const slot of own) {
      const moved = shifted(slot, shift)
      const there = this.#slots.get(slotKey(moved))
      if (there === undefined) this.#slots.set(slotKey(moved), moved)
      else addSlot(there, moved)
      this.#own.add(there ?? moved)
    }
    if (this.#lastAt !== null) this.#lastAt += shift
    this.found.shift(shift)
    this.#mustRewrite = true
    return now
  }

  /** Merges and drops what is old, by a clock that can't be wrong. */
  #tidy(now: number): void {
    if (!this.#time.mayDrop) return
    for (const slot of [...this.#slots.values()]) {
      if (slot.at >= now - FINE_MS) continue
      if (slot.ms === DAY_MS && slot.at >= now - KEPT_MS) continue
      this.#slots.delete(slotKey(slot))
      this.#own.delete(slot)
      this.#past.clear()
      this.#mustRewrite = true
      if (slot.at < now - KEPT_MS) continue
      const at = slot.at - (slot.at % DAY_MS)
      const key = slotKey({ at, ms: DAY_MS })
      const day = this.#slots.get(key) ?? emptySlot(at, slot.first, DAY_MS)
      addSlot(day, slot)
      this.#slots.set(key, day)
    }
    this.#offs = this.#offs.filter((off) => off.to >= now - FINE_MS)
  }

  async #load(): Promise<void> {
    this.#slots = new Map()
    this.#past.clear()
    this.#offs = []
    this.#lastAt = null
    const lines = await this.deps.journal.load()
    const found = new Map<string, FoundBlock>()
    let unknown = 0
    let isState = false
    // The newest state of a record comes last; most lines are older ones.
    for (const line of [...lines].reverse()) {
      if (this.#isKnown(line)) continue
      const { success, data } = recordSchema.safeParse(line)
      if (!success) unknown += 1
      else if ('slot' in data) this.#slots.set(slotKey(data.slot), data.slot)
      else if ('off' in data) this.#offs.unshift(data.off)
      else if ('found' in data) addFirst(found, `${data.found.at} ${data.found.height}`, data.found)
      else if (!isState) {
        isState = true
        this.effort = data.state.effort
        this.effortSince = data.state.effortSince
      }
    }
    this.found.restore([...found.values()].reverse())
    if (unknown > 0) this.deps.log.warn('records that cannot be read were skipped', { count: unknown })
    for (const { last } of this.#slots.values()) this.#lastAt = Math.max(this.#lastAt ?? 0, last)
    this.#appended = lines.length - this.#slots.size
  }

  /** Whether a newer state of this slot was read; cheap, and never true for what isn't a slot. */
  #isKnown(line: unknown): boolean {
    const { success, data } = slotNameSchema.safeParse(line)
    return success && this.#slots.has(slotKey(data.slot))
  }

  /** A failed write is repeated with the next one; until then the reason is kept. */
  async #save(): Promise<void> {
    const unsaved = [...this.#unsaved]
    const mustRewrite = this.#mustRewrite || this.#appended > REWRITE_AFTER
    if (unsaved.length === 0 && !this.#isStateUnsaved && !mustRewrite) return
    this.#unsaved.clear()
    this.#isStateUnsaved = false
    this.#mustRewrite = false
    const savedAt = this.#time.read().now
    const state = { state: { savedAt, effort: this.effort, effortSince: this.effortSince } }
    try {
      const { journal } = this.deps
      const records = mustRewrite ? [...this.#slots.values(), ...this.#offs, ...this.found.all] : unsaved
      const lines = [...records.map(lineOf), state]
      await (mustRewrite ? journal.replace(lines) : journal.append(lines))
      this.#appended = mustRewrite ? 0 : this.#appended + lines.length
      this.#tellSaving('')
    } catch (error: unknown) {
      for (const record of unsaved) this.#unsaved.add(record)
      this.#isStateUnsaved = true
      this.#mustRewrite ||= mustRewrite
      this.#tellSaving(messageOf(error))
    }
  }

  #tellSaving(fault: string): void {
    if (fault === this.notSaved) return
    this.notSaved = fault
    if (fault === '') this.deps.log.info('the record of what was mined is saved again')
    else this.deps.log.warn('the record of what was mined cannot be saved', { error: fault })
  }
}

function lineOf(record: Slot | OffTime | FoundBlock): object {
  if ('sources' in record) return { slot: record }
  return 'rates' in record ? { off: record } : { found: record }
}

function addFirst<T>(map: Map<string, T>, key: string, value: T): void {
  if (!map.has(key)) map.set(key, value)
}

/** To add to: its first and last moments are those of what is added. */
function nothingYet(at: number): Slot {
  return { ...emptySlot(at, Number.MAX_SAFE_INTEGER), last: 0 }
}

function slotKey({ at, ms }: Pick<Slot, 'at' | 'ms'>): string {
  return `${ms} ${at}`
}
