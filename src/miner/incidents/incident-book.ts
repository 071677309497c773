// The book of incidents: conditions that lasted long enough become incidents, losses are priced to the one that explains
// them, and everything is kept for a year, through restarts and crashes. Nobody needs to be looking.
import { messageOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import { Disposables, type Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { WEI_PER_MICRO } from '../../base/units'
import type { Journal } from '../../files/journal-file'
import type { MinerService } from '../miner-service'
import type { WatchedRig } from '../monitor/rig-monitor'
import type { LossCause } from '../stats/loss-cause'
import type { Loss, MoneyLedger, OffTime, Worth } from '../stats/money-ledger'
import { RecordClock } from '../stats/record-clock'
import type { DeviceSnapshot, MinerSnapshot, SettledShare } from '../stats/snapshot'
import type { ServedRig } from '../stratum/workers'
import { DeviceMemory } from './device-memory'
import { type Condition, type Incident, incidentSchema, incidentText } from './incident'
import { type ComparedNode, conditionsOf, type IncidentRules, servedSubject, unmeasuredIds } from './incident-rules'

const LOOK_MS = 1_000
const SAVE_MS = 30_000
/** How often it is saved that an incident still lasts. */
const LASTS_MS = 600_000
/** It is over when it hasn't held for this long. */
const CLEAR_MS = 60_000
/** What nothing tells about stays as it was seen last, but not for ever. */
const UNMEASURED_MS = 86_400_000
/** Nothing about anything is an incident in its first two minutes. */
const GRACE_MS = 120_000
const KEPT_MS = 366 * 86_400_000
const RECENT_MS = 86_400_000
/** A flapping cause must not fill disk and memory. */
const MAX_KEPT = 20_000
const REWRITE_AFTER = 2_000
const MAX_ALERTS = 50
const COSTS_MS = 10_000

type Heard<T extends { readonly events: { on: unknown } }> = { readonly events: Pick<T['events'], 'on'> }

interface IncidentBookDeps {
  /** null: this program only monitors */
  readonly miner: (Pick<MinerService, 'devices' | 'snapshot'> & Heard<MinerService>) | null
  /** where losses come from */
  readonly losses: (Pick<MoneyLedger, 'notSaved'> & Heard<MoneyLedger>) | null
  readonly rigs: () => readonly WatchedRig[]
  /** rigs on the stratum port */
  readonly served: () => readonly ServedRig[]
  readonly beside: () => ComparedNode | null
  readonly rigStaleSeconds: () => number
  readonly rules: () => IncidentRules
  readonly worth: Worth
  readonly journal: Journal
  readonly clock: Clock
  readonly log: Logger
}

interface Seen {
  condition: Condition
  /** of its first moment: monotonic ms and UTC ms */
  readonly since: number
  sinceUtc: number
  /** monotonic ms */
  lastAt: number
  /** null: it hasn't lasted long enough */
  incident: Incident | null
  hashes: number
  micro: number | null
  /** some of what it cost can't be told: a device's usual rate wasn't known */
  isPartial: boolean
  actions: Incident['actions']
}

interface Look {
  /** monotonic ms */
  readonly at: number
  /** UTC ms */
  readonly now: number
  readonly names: ReadonlyMap<number, string>
  /** devices whose usual rate isn't known */
  readonly unknown: ReadonlySet<number>
}

/** What is lost to these is in the shares themselves; everything else is what is missing to the usual rate. */
const IN_SHARES: ReadonlySet<LossCause> = new Set(['rejected', 'stale', 'unanswered', 'wrong-results'])

const isByUsualRate = ({ takes }: Condition): boolean => takes.some((cause) => !IN_SHARES.has(cause))

/** Nobody was told yet. */
const NEW = { acknowledgedAt: null, alerts: [] }

/** `changed`: an incident began, changed or ended. */
export interface IncidentEvents {
  changed: null
  began: Incident
  ended: Incident
}

/** The book of one network. */
export class IncidentBook implements Service {
  readonly name = 'incidents'
  readonly events = new Emitter<IncidentEvents>()
  readonly #held = new Disposables()
  readonly #seen = new Map<string, Seen>()
  #memory = new DeviceMemory()
  /** by id, oldest first */
  #incidents = new Map<string, Incident>()
  #unsaved = new Set<string>()
  #appended = 0
  #isSaveFailing = false
  #time: RecordClock
  #startedAt = 0
  #toldAt = 0
  /** monotonic ms since which each subject is known */
  readonly #subjects = new Map<string, number>()
  readonly #restarts = new Map<number, number>()
  readonly #overheated = new Set<number>()
  #switches: number | null = null
  /** incidents of this run: their times follow a clock that is set right */
  #own = new Set<Incident>()

  constructor(private readonly deps: IncidentBookDeps) {
    this.#time = new RecordClock(deps.clock, null, KEPT_MS)
  }

  async start(): Promise<void> {
    const { miner, losses, clock } = this.deps
    await this.#load()
    this.#startedAt = clock.monotonic()
    this.#memory = new DeviceMemory()
    if (miner !== null)
      this.#held.add(
        miner.events.on('shareSettled', (share: SettledShare) => this.#memory.settled(share, clock.monotonic())),
      )
    if (losses !== null) {
      this.#held.add(losses.events.on('lost', (loss) => this.#lost(loss)))
      this.#held.add(losses.events.on('wasOff', (off) => this.#wasOff(off)))
    }
    this.#held.add(clock.setInterval(() => this.#look(), LOOK_MS))
    this.#held.add(clock.setInterval(() => void this.#save(), SAVE_MS))
    this.#held.add(clock.setInterval(() => this.#touch(), LASTS_MS))
  }

  async stop(): Promise<void> {
    this.#held.dispose()
    await this.#save()
    this.#seen.clear()
    this.#subjects.clear()
  }

  /** Problems first, then by start, newest first. */
  open(): readonly Incident[] {
    const order = { problem: 0, attention: 1, note: 2 } as const
    const all = [...this.#incidents.values()].filter(({ until }) => until === null)
    return all.sort((a, b) => order[a.level] - order[b.level] || b.since - a.since)
  }

  /** Ended in the last 24 hours, newest first. */
  recent(): readonly Incident[] {
    const since = this.#now() - RECENT_MS
    const all = [...this.#incidents.values()].filter(({ until }) => until !== null && until >= since)
    return all.sort((a, b) => b.since - a.since)
  }

  /** Those that overlap the period, newest first, at most `most`. @param from, to UTC ms */
  between(from: number, to: number, most: number): readonly Incident[] {
    const all = [...this.#incidents.values()].filter(({ since, until }) => since < to && (until ?? to) >= from)
    return all.sort((a, b) => b.since - a.since).slice(0, most)
  }

  /** They stay listed, but nobody is told again. @returns the ids of no incident */
  acknowledge(ids: readonly string[]): readonly string[] {
    const now = this.#now()
    for (const id of ids) {
      const incident = this.#incidents.get(id)
      if (incident === undefined || incident.acknowledgedAt !== null) continue
      incident.acknowledgedAt = now
      this.#unsaved.add(id)
    }
    void this.#save()
    this.events.emit('changed', null)
    return ids.filter((id) => !this.#incidents.has(id))
  }

  alerted(id: string, alert: Incident['alerts'][number]): void {
    const incident = this.#incidents.get(id)
    if (incident === undefined) return
    incident.alerts = [...incident.alerts, alert].slice(-MAX_ALERTS)
    this.#changed(incident)
    this.events.emit('changed', null)
  }

  #look(): void {
    const { miner, losses, rigs, rigStaleSeconds, rules, clock } = this.deps
    const served = this.deps.served()
    const at = clock.monotonic()
    const now = this.#now()
    const devices = miner?.devices() ?? []
    const status = miner?.snapshot() ?? null
    const watched = rigs()
    this.#meet(devices, status, [...watched.map(({ rig }) => `rig ${rig.name}`), ...served.map(servedSubject)])
    const input = {
      devices,
      status,
      rigs: watched,
      served,
      beside: this.deps.beside(),
      rigStaleSeconds: rigStaleSeconds(),
      recentShares: (device: number) => this.#memory.recent(device, at),
      lostSensors: (device: DeviceSnapshot) => this.#memory.lostSensors(device),
      notSaved: losses?.notSaved ?? '',
      open: (id: string) => this.#open(id),
    }
    const conditions = conditionsOf(input, rules())
    const names = new Map(devices.map(({ index, name }) => [index, name]))
    const unknown = new Set(devices.flatMap(({ index, usualHashrate }) => (usualHashrate === null ? [index] : [])))
    for (const condition of conditions) this.#holds(condition, { at, now, names, unknown })
    this.#watchActions(devices, status, now)
    this.#tellCosts(at)
    this.#clear({ holding: new Set(conditions.map(({ id }) => id)), unmeasured: unmeasuredIds(input) }, at)
  }

  #open(id: string): Condition | null {
    const seen = this.#seen.get(id)
    return seen === undefined || seen.incident === null ? null : seen.condition
  }

  /** What open incidents cost grows every second; that is reported from time to time. */
  #tellCosts(at: number): void {
    if (at - this.#toldAt < COSTS_MS || !this.open().some(({ hashes }) => hashes !== null)) return
    this.#toldAt = at
    this.events.emit('changed', null)
  }

  /** Since when everything is known. */
  #meet(devices: readonly DeviceSnapshot[], status: MinerSnapshot | null, rigs: readonly string[]): void {
    const at = this.deps.clock.monotonic()
    const source = status?.source
    const met = [
      'program',
      'node',
      ...devices.map(({ index, name }) => `device ${index} ${name}`),
      ...(source?.kind === 'pool' ? [`pool ${source.host}`] : []),
      ...rigs,
    ]
    for (const subject of met) if (!this.#subjects.has(subject)) this.#subjects.set(subject, at)
  }

  #holds(condition: Condition, { at, now, names, unknown }: Look): void {
    const before = this.#seen.get(condition.id)
    const fresh = { since: at, sinceUtc: now, incident: null, hashes: 0, micro: 0, isPartial: false, actions: [] }
    const seen: Seen = before ?? { condition, lastAt: at, ...fresh }
    this.#seen.set(condition.id, seen)
    const { lostRate } = condition
    if (lostRate === null) this.#unmeasured(seen)
    else if (lostRate !== undefined) this.#take(seen, (lostRate * (at - seen.lastAt)) / 1_000, this.#microOf)
    seen.condition = condition
    seen.lastAt = at
    if (isByUsualRate(condition) && condition.devices.some((index) => unknown.has(index))) this.#unmeasured(seen)
    const knownFor = at - (this.#subjects.get(condition.subject) ?? at)
    const devices = condition.devices.map((index) => ({ index, name: names.get(index) ?? '' }))
    const { level, values } = condition
    if (seen.incident !== null) {
      const isNew = seen.incident.level !== level || seen.incident.devices.length !== devices.length
      Object.assign(seen.incident, {
        level,
        values: { ...values },
        devices: merged(seen.incident.devices, devices),
        lastAt: now,
      })
      if (isNew) this.events.emit('changed', null)
      return
    }
    if (at - seen.since < condition.holdMs || knownFor < GRACE_MS) return
    seen.incident = this.#begin(seen, devices, now)
  }

  #begin(
    { condition, sinceUtc, hashes, micro, isPartial, actions }: Seen,
    devices: Incident['devices'],
    now: number,
  ): Incident {
    const { id, cause, level, pool, rig, values, takes, lostRate } = condition
    const isMeasured = !isPartial && (takes.length > 0 || lostRate !== undefined)
    const incident: Incident = {
      id: `${id} ${sinceUtc}`,
      condition: id,
      cause,
      level,
      devices,
      pool,
      rig,
      values: { ...values },
      since: sinceUtc,
      lastAt: now,
      until: null,
      hashes: isMeasured ? hashes : null,
      micro: isMeasured ? micro : null,
      actions,
      ...NEW,
    }
    this.#add(incident)
    this.#tidy(now)
    if (level !== 'note') this.deps.log.warn('incident', { what: incidentText(incident) })
    void this.#save()
    this.events.emit('began', incident)
    this.events.emit('changed', null)
    return incident
  }

  #clear(
    { holding, unmeasured }: { readonly holding: ReadonlySet<string>; readonly unmeasured: ReadonlySet<string> },
    at: number,
  ): void {
    const isYoung = at - this.#startedAt < GRACE_MS + CLEAR_MS
    for (const [id, seen] of this.#seen) {
      if (holding.has(id)) continue
      const { incident } = seen
      // It must hold all the time until it is an incident.
      if (incident === null) this.#seen.delete(id)
      if (incident === null) continue
      if (isYoung || at - seen.lastAt < (unmeasured.has(id) ? UNMEASURED_MS : CLEAR_MS)) continue
      this.#seen.delete(id)
      incident.until = incident.lastAt
      this.#changed(incident)
      if (incident.level !== 'note') this.deps.log.info('incident is over', { what: incidentText(incident) })
      void this.#save()
      this.events.emit('ended', incident)
      this.events.emit('changed', null)
    }
  }

  /** Each lost hash goes to one condition that explains it: to the one seen last, then to the first. */
  #lost({ device, cause, hashes, micro }: Loss): void {
    let taker: Seen | undefined
    for (const seen of this.#seen.values()) {
      const { takes, devices } = seen.condition
      const explains = takes.includes(cause) && devices.includes(device)
      if (explains && (taker === undefined || seen.lastAt > taker.lastAt)) taker = seen
    }
    if (taker !== undefined) this.#take(taker, hashes, () => micro)
  }

  /** Part of the cost is unknown, so no figure is the cost. */
  #unmeasured(seen: Seen): void {
    seen.isPartial = true
    if (seen.incident === null || seen.incident.hashes === null) return
    Object.assign(seen.incident, { hashes: null, micro: null })
    this.#unsaved.add(seen.incident.id)
  }

  #take(seen: Seen, hashes: number, microOf: (hashes: number) => number | null): void {
    const micro = microOf(hashes)
    seen.hashes += hashes
    seen.micro = seen.micro === null || micro === null ? null : seen.micro + micro
    const { incident } = seen
    if (incident === null || hashes === 0 || seen.isPartial) return
    incident.hashes = Math.max(0, seen.hashes)
    incident.micro = seen.micro === null ? null : Math.max(0, seen.micro)
    this.#unsaved.add(incident.id)
  }

  readonly #microOf = (hashes: number): number | null => {
    const worth = this.deps.worth()
    if (worth?.difficulty == null || worth.difficulty <= 0) return null
    return (hashes / worth.difficulty) * Number(worth.subsidyWei / WEI_PER_MICRO)
  }

  #wasOff({ from, to, rates }: OffTime): void {
    const hashes = Object.values(rates).reduce((sum, { rate }) => sum + (rate * (to - from)) / 1_000, 0)
    const about = { condition: 'off', cause: 'off', level: 'note', pool: '', rig: '', values: {} } as const
    const cost = { hashes, micro: null, actions: [] }
    this.#add({ ...NEW, ...about, devices: [], id: `off ${from}`, since: from, lastAt: to, until: to, ...cost })
    this.events.emit('changed', null)
  }

  #add(incident: Incident): void {
    this.#incidents.set(incident.id, incident)
    this.#own.add(incident)
    this.#changed(incident)
  }

  /** What a wrong clock dated in this run is dated again. */
  #now(): number {
    const { now, shift } = this.#time.read()
    if (shift === 0) return now
    const moved = (at: number): number => Math.max(0, at + shift)
    for (const incident of this.#own) {
      incident.since = moved(incident.since)
      incident.lastAt = moved(incident.lastAt)
      if (incident.until !== null) incident.until = moved(incident.until)
      this.#changed(incident)
    }
    for (const seen of this.#seen.values()) seen.sinceUtc = moved(seen.sinceUtc)
    return now
  }

  /** What the miner did by itself belongs to the incidents it answers. */
  #watchActions(devices: readonly DeviceSnapshot[], status: MinerSnapshot | null, at: number): void {
    for (const { index, restarts, pauseReasons } of devices) {
      const before = this.#restarts.get(index) ?? 0
      this.#restarts.set(index, restarts)
      if (restarts > before)
        this.#did(({ devices: of }) => of.length === 1 && of[0] === index, { at, did: 'restarted', text: '' })
      const isPaused = pauseReasons.includes('Overheating')
      if (isPaused && !this.#overheated.has(index))
        this.#did(({ cause, devices: of }) => cause === 'hot' && of.includes(index), { at, did: 'paused', text: '' })
      if (isPaused) this.#overheated.add(index)
      else this.#overheated.delete(index)
    }
    const { switches = null, host = '' } = status?.source ?? {}
    if (this.#switches !== null && switches !== null && switches > this.#switches)
      this.#did(({ pool }) => pool !== '' && pool !== host, { at, did: 'switched', text: host })
    this.#switches = switches
  }

  #did(isAbout: (condition: Condition) => boolean, action: Incident['actions'][number]): void {
    for (const seen of this.#seen.values()) {
      if (!isAbout(seen.condition)) continue
      seen.actions = [...seen.actions, action].slice(-MAX_ALERTS)
      if (seen.incident === null) continue
      seen.incident.actions = seen.actions
      this.#changed(seen.incident)
    }
  }

  /** What lasts is saved from time to time, so that a crash doesn't make it look short. */
  #touch(): void {
    for (const incident of this.open()) this.#changed(incident)
  }

  #changed({ id }: Incident): void {
    this.#unsaved.add(id)
  }

  /** Drops what is older than a year, by a clock that can't be wrong, and the oldest beyond the bound. */
  #tidy(now: number): void {
    const ended = [...this.#incidents.values()].filter(({ until }) => until !== null)
    const tooMany = Math.max(0, this.#incidents.size - MAX_KEPT)
    const old = ended.filter(({ since }, place) => place < tooMany || (this.#time.mayDrop && since < now - KEPT_MS))
    for (const incident of old) {
      this.#incidents.delete(incident.id)
      this.#own.delete(incident)
    }
    if (old.length > 0) this.#appended = REWRITE_AFTER
  }

  async #load(): Promise<void> {
    const { journal, clock, log } = this.deps
    this.#incidents = new Map()
    const lines = await journal.load()
    let last: number | null = null
    let unknown = 0
    for (const line of lines) {
      const { success, data } = incidentSchema.safeParse(line)
      if (!success) {
        unknown += 1
        continue
      }
      this.#incidents.delete(data.id) // the latest state comes last
      this.#incidents.set(data.id, data)
      last = Math.max(last ?? 0, data.lastAt)
    }
    if (unknown > 0) log.warn('incidents that cannot be read were skipped', { count: unknown })
    if (lines.length > 0) log.debug('incidents read', { count: this.#incidents.size })
    this.#time = new RecordClock(clock, last, KEPT_MS)
    this.#appended = lines.length - this.#incidents.size
    const at = clock.monotonic()
    // What was wrong when the program ended is over unless it holds again soon.
    for (const incident of this.#incidents.values()) {
      if (incident.until !== null) continue
      const { hashes, micro, actions, since: sinceUtc } = incident
      const condition = conditionOf(incident)
      const [known, isPartial] = [hashes ?? 0, hashes === null]
      const seen = { condition, since: at, sinceUtc, lastAt: at, incident, hashes: known, micro, isPartial, actions }
      this.#seen.set(incident.condition, seen)
    }
  }

  /** A failed write is repeated with the next one. */
  async #save(): Promise<void> {
    if (this.#unsaved.size === 0) return
    const ids = [...this.#unsaved]
    this.#unsaved = new Set()
    const mustRewrite = this.#appended >= REWRITE_AFTER
    const { journal, log } = this.deps
    try {
      const records = mustRewrite ? [...this.#incidents.values()] : ids.flatMap((id) => this.#incidents.get(id) ?? [])
      await (mustRewrite ? journal.replace(records) : journal.append(records))
      this.#appended = mustRewrite ? 0 : this.#appended + records.length
      this.#isSaveFailing = false
    } catch (error: unknown) {
      for (const id of ids) this.#unsaved.add(id)
      if (!this.#isSaveFailing) log.warn('incidents cannot be saved', { error: messageOf(error) })
      this.#isSaveFailing = true
    }
  }
}

function merged(before: Incident['devices'], now: Incident['devices']): Incident['devices'] {
  const added = now.filter(({ index }) => !before.some((each) => each.index === index))
  return added.length === 0 ? before : [...before, ...added].sort((a, b) => a.index - b.index)
}

/** Until the rules look again. */
function conditionOf(incident: Incident): Condition {
  const { condition: id, cause, level, devices, pool, rig, values } = incident
  return {
    id,
    cause,
    level,
    devices: devices.map(({ index }) => index),
    pool,
    rig,
    values,
    holdMs: 0,
    subject: 'program',
    takes: [],
  }
}
