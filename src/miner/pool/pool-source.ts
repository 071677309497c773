// Pools as the miner's work source: the list, one active session, failover in order and the return to the first.

import type { Disposable } from '../../base/disposable'
import { messageOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import { sleep } from '../../base/time'
import { hostPort, type PoolUrl } from '../../config/values/pool-url'
import { expectedHashes } from '../difficulty'
import { MinerError } from '../errors'
import { type PoolTrouble, troubleText } from '../pool-trouble'
import {
  type Job,
  NO_SOURCE,
  type Share,
  type ShareVerdict,
  type WorkSource,
  type WorkSourceEvents,
  type WorkSourceState,
} from '../work-source'
import { FirstPoolReturn } from './first-pool-return'
import { diagnosisOf, PoolDoctor, type Remedy } from './pool-doctor'
import {
  DATE_RETRY_MS,
  LEFT_MS,
  LONGEST_LEFT_MS,
  LONGEST_REFUSED_MS,
  type PoolEntry,
  REFUSED_MS,
  readOtherWay,
  type SwitchCause,
} from './pool-entry'
import { PoolList } from './pool-list'
import { PoolShares } from './pool-shares'
import { type PoolSourceDeps, type PoolSourceOptions, type PoolView, poolView } from './pool-source-options'
import { connectPool, learnFrom, openWithWork } from './session/connect-pool'
import type { PoolSession, SessionEnd } from './session/session'

/** Delays between attempts double up to it. */
const LONGEST_DELAY_MS = 60_000
const JITTER = 0.2
/** How long a session that was switched away from is kept for shares in flight. */
const DRAIN_MS = 5_000
/** A session that lasted this long was good: the next failure starts with the shortest delay. */
const GOOD_SESSION_MS = 30_000
const REPORT_MS = 60_000
/** How often the doctor looks at the pool in use. */
const LOOK_MS = 5_000
/** How long the only job of an earlier epoch waits: pools send a stray one, for which each device would build two datasets. */
const STRAY_MS = 5_000

interface Active {
  readonly session: PoolSession
  readonly entry: PoolEntry
  /** monotonic ms */
  readonly since: number
  /** UTC ms */
  readonly connectedAt: number
  readonly held: readonly Disposable[]
  /** of the job that is worked on */
  epoch: number | null
  /** a job of an earlier epoch waits */
  stray: Disposable | null
}

/** Connects to pools in order and passes their work on. */
export class PoolSource implements WorkSource {
  readonly events = new Emitter<WorkSourceEvents>()
  readonly poolEvents = new Emitter<{ poolsChanged: readonly PoolView[] }>()
  readonly #list: PoolList
  readonly #shares: PoolShares
  #retryMs: number
  /** the pool in use or being connected */
  #current: PoolEntry | null = null
  #active: Active | null = null
  #wake: AbortController = new AbortController()
  #stop: AbortController = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #switching: PoolEntry | null = null
  /** changes since startup; the first connection isn't one */
  #switches = 0
  #lastServed: PoolEntry | null = null
  /** of the next change */
  #cause: SwitchCause = 'failed'
  #attempts = 0
  #onActiveEnd: (end: SessionEnd) => void = () => undefined
  readonly #timers: Disposable[] = []
  readonly #drains = new Map<PoolSession, Disposable>()
  readonly #doctor: PoolDoctor

  constructor(
    private readonly options: PoolSourceOptions,
    private readonly deps: PoolSourceDeps,
  ) {
    this.#list = new PoolList(options.pools, deps.clock)
    const { clock, log } = deps
    this.#doctor = new PoolDoctor(clock, log)
    const active = (): Active | null => this.#active
    const onPace = (warning: string | null): void => this.#paced(warning)
    const onSettled = (entry: PoolEntry, verdict: ShareVerdict): void => this.#settled(entry, verdict)
    this.#shares = new PoolShares({ clock, log, active, onPace, onSettled }, options.maxSharesPerSecond)
    this.#retryMs = options.retryDelayMs
  }

  state(): WorkSourceState {
    const entry = this.#active?.entry ?? this.#current ?? this.#list.entries[0]
    if (entry === undefined) return { ...NO_SOURCE, kind: 'pool', switches: this.#switches }
    const connected = this.#active?.session.ready === true
    const diagnosis = diagnosisOf(entry)
    const warning = diagnosis === null ? '' : troubleText(diagnosis)
    // Where the pool sent this miner, not where it was sent from.
    const host = hostPort(this.#active?.session.url ?? entry.url)
    return { kind: 'pool', connected, host, url: entry.url.masked, switches: this.#switches, warning, diagnosis }
  }

  /** In failover order. */
  pools(): readonly PoolView[] {
    return this.#list.entries.map((entry, index) => {
      const active = this.#active?.entry === entry ? this.#active : null
      return poolView(entry, { index, state: this.#stateOf(entry), active })
    })
  }

  async start(): Promise<void> {
    this.#stop = new AbortController()
    const { clock, log } = this.deps
    if (this.options.reportHashrate) this.#timers.push(clock.setInterval(() => this.reportNow(), REPORT_MS))
    this.#timers.push(clock.setInterval(() => this.#look(), LOOK_MS))
    if (this.options.failoverMs > 0) this.#timers.push(this.#wayBack().start())
    await this.deps.session.dialects?.load()
    this.#running = this.#run(this.#stop.signal).catch((error: unknown) => {
      if (!this.#stop.signal.aborted) log.error('pool connection ended permanently', { error: messageOf(error) })
    })
  }

  async stop(): Promise<void> {
    this.#stop.abort(new Error('stopped'))
    this.#wake.abort(new Error('stopped'))
    for (const timer of this.#timers.splice(0)) timer.dispose()
    for (const [session, timer] of this.#drains) {
      timer.dispose()
      session.close('stopped')
    }
    this.#drains.clear()
    this.#active?.session.close('stopped')
    this.#shares.clear('the miner stopped')
    await this.#running
  }

  async submit(share: Share, signal: AbortSignal): Promise<ShareVerdict> {
    const verdict = await this.#shares.submit(share, signal)
    this.#announceList()
    return verdict
  }

  reportNow(): void {
    this.#active?.session.reportHashrate(BigInt(Math.max(0, Math.round(this.deps.hashrate()))))
  }

  /** Old connections are useless after this computer slept. Kept shares move to the new session. */
  reconnect(): void {
    this.#attempts = 0
    if (this.#active === null) this.#wakeUp()
    else this.#active.session.close('this computer slept')
  }

  /** @throws MinerError POOL_INDEX */
  setActive(index: number): void {
    const entry = this.#list.at(index)
    entry.unusableUntil = null
    entry.refusals = 0
    if (entry === this.#active?.entry) return
    if (this.#active === null) {
      this.#cause = 'asked'
      this.#tryInstead(entry)
    } else this.#switchTo(entry, 'asked')
  }

  /** @param to position; default: the end. @throws MinerError POOL_DUPLICATE, POOL_LIST_FULL */
  add(url: PoolUrl, to?: number): void {
    const entry = this.#list.add(url, to)
    const isFailing = this.#current !== null && this.#current.health.tries > 0
    if (this.#active === null && isFailing) this.#tryInstead(entry)
    else this.#wakeUp()
    this.#announce()
  }

  /**
   * The one in use can't be removed, nor the last one unless there is other work; one that is only being tried can.
   * @throws MinerError POOL_INDEX, POOL_ACTIVE, POOL_SWITCHING
   */
  remove(index: number): void {
    const entry = this.#list.at(index)
    if (this.#switching !== null) throw new MinerError('POOL_SWITCHING', undefined)
    const isOnly = this.#list.entries.length === 1
    const isNeeded = isOnly ? this.options.mayBeEmpty !== true : entry === this.#active?.entry
    if (isNeeded) throw new MinerError('POOL_ACTIVE', { index })
    const next = this.#list.after(entry, false)
    this.#list.remove(index)
    if (isOnly) this.#leaveLast()
    else if (entry === this.#current) this.#tryInstead(next)
    this.#announce()
  }

  #tryInstead(entry: PoolEntry | null): void {
    this.#current = entry
    this.#attempts = 0
    this.#wakeUp()
  }

  #leaveLast(): void {
    this.#tryInstead(null)
    this.#active?.session.close('it was taken from the list')
  }

  /** An active one is reconnected. @throws MinerError POOL_INDEX, POOL_DUPLICATE, POOL_SWITCHING */
  replace(index: number, url: PoolUrl): void {
    if (this.#switching !== null) throw new MinerError('POOL_SWITCHING', undefined)
    const before = this.#list.at(index)
    const entry = this.#list.replace(index, url)
    if (this.#lastServed === before) this.#lastServed = entry
    if (before === this.#current) {
      this.#current = entry
      this.#attempts = 0
      this.#active?.session.close('its address was changed')
    }
    this.#wakeUp()
    this.#announce()
  }

  /** Changes the failover order; the active pool stays active. @throws MinerError POOL_INDEX */
  move(index: number, to: number): void {
    this.#list.move(index, to)
    this.#announce()
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const entry = this.#choose()
      if (entry === null) {
        await this.#pause(this.#list.untilUsable(), signal)
        continue
      }
      this.#current = entry
      this.#announce()
      const outcome = await connectPool(entry, this.deps.session, this.#freshWake(signal))
      entry.movedTo = null
      const end = 'session' in outcome ? await this.#serve(outcome.session, entry) : outcome.end
      if ('session' in outcome && outcome.session.job === null) learnFrom(entry, end)
      if (signal.aborted) return
      if ('end' in outcome && end.kind === 'lost')
        this.deps.log.warn('pool not reached', { pool: entry.url.masked, reason: end.reason })
      await this.#afterEnd(end, signal)
    }
  }

  /** Makes a session active and resolves when the session active by then (it may have been swapped) ends. */
  #serve(session: PoolSession, entry: PoolEntry): Promise<SessionEnd> {
    return new Promise((resolve) => {
      this.#onActiveEnd = resolve
      this.#adopt(session, entry)
    })
  }

  #adopt(session: PoolSession, entry: PoolEntry): void {
    const before = this.#active
    for (const listener of before?.held ?? []) listener.dispose()
    before?.stray?.dispose()
    if (before !== null) this.#drain(before.session)
    const held = [
      session.events.on('jobChanged', (job) => this.#jobCame(job, session, entry)),
      session.events.on('misfit', (reason) => {
        this.#doctor.noticed(entry, 'job-misfit', reason)
        this.#announce()
      }),
      session.events.on('workLost', (reason) => {
        entry.lastFault = reason
        this.#doctor.noticed(entry, 'no-work', reason)
        this.events.emit('jobChanged', null)
        this.#announce()
      }),
      session.events.on('ended', (end) => this.#activeEnded(end)),
    ]
    const { clock } = this.deps
    const connectedAt = clock.now()
    this.#active = { session, entry, since: clock.monotonic(), connectedAt, held, epoch: null, stray: null }
    this.#tellSwitch(entry, connectedAt)
    this.#current = entry
    this.#shares.sessionBegan()
    entry.lastFault = session.idleReason ?? ''
    entry.refusals = 0
    if (session.idleReason !== null) this.#doctor.noticed(entry, 'no-work', session.idleReason)
    this.deps.log.info('pool connected', { pool: entry.url.masked, dialect: session.dialect })
    if (session.job !== null) this.#jobCame(session.job, session, entry)
    this.#announce()
  }

  #drain(session: PoolSession): void {
    const end = (): void => {
      this.#drains.delete(session)
      session.close('switched to another pool')
    }
    this.#drains.set(session, this.deps.clock.setTimeout(end, DRAIN_MS))
  }

  #tellSwitch(entry: PoolEntry, at: number): void {
    const [last, cause] = [this.#lastServed, this.#cause]
    this.#lastServed = entry
    this.#cause = 'failed'
    if (last === null || last === entry) return
    this.#switches += 1
    entry.lastSwitch = { at, cause, from: hostPort(last.url), reason: cause === 'failed' ? last.lastFault : '' }
  }

  /** Epochs don't go back: a second job, or time, shows that the pool means it. */
  #jobCame(job: Job, session: PoolSession, entry: PoolEntry): void {
    const active = this.#active
    if (active === null) return
    const isSecond = active.stray !== null
    active.stray?.dispose()
    active.stray = null
    if (active.epoch === null || job.epoch >= active.epoch || isSecond) {
      this.#takeJob(job, session, entry)
      return
    }
    this.deps.log.info('a job of an earlier epoch waits for another', { epoch: job.epoch, current: active.epoch })
    active.stray = this.deps.clock.setTimeout(() => {
      active.stray = null
      this.#takeJob(job, session, entry)
    }, STRAY_MS)
  }

  #takeJob(job: Job, session: PoolSession, entry: PoolEntry): void {
    if (this.#active !== null) this.#active.epoch = job.epoch
    if (session.dialect !== 'getwork') this.deps.session.dialects?.keep(entry.url, session.dialect)
    this.#shares.jobCame(job, { session, entry })
    this.#doctor.jobCame(entry, job)
    this.events.emit('jobChanged', job)
    this.#announceList()
  }

  #activeEnded(end: SessionEnd): void {
    const active = this.#active
    if (active === null) return
    for (const listener of active.held) listener.dispose()
    active.stray?.dispose()
    this.#active = null
    const lasted = this.deps.clock.monotonic() - active.since
    if (lasted >= GOOD_SESSION_MS && end.kind !== 'moved' && active.session.job !== null) this.#wentWell(active.entry)
    if (end.kind !== 'closed')
      this.deps.log.warn('pool connection lost', { pool: active.entry.url.masked, reason: end.reason })
    this.events.emit('jobChanged', null)
    this.#announce()
    this.#onActiveEnd(end)
  }

  /** A pool that gives work and disconnects has failed too: only a lasting or paying session resets the attempts. */
  #wentWell(entry: PoolEntry): void {
    this.#attempts = 0
    entry.health.tries = 0
    this.#retryMs = this.options.retryDelayMs
  }

  #settled(entry: PoolEntry, verdict: ShareVerdict): void {
    const before = diagnosisOf(entry)
    const remedy = this.#doctor.settled(entry, verdict)
    if (verdict.kind === 'accepted') this.#wentWell(entry)
    this.#treat(entry, remedy, verdict.kind === 'rejected' ? verdict.reason : 'its shares are not accepted')
    if (before !== diagnosisOf(entry)) this.#announce()
  }

  /** Looks at the pool in use, or at the one being tried. */
  #look(): void {
    const active = this.#active
    const entry = active?.entry ?? this.#current
    if (entry === null) return
    const job = active?.session.job ?? null
    const difficulty = job === null ? null : expectedHashes(job.target)
    const remedy = this.#doctor.worked(entry, { hashrate: this.deps.hashrate(), difficulty, ms: LOOK_MS })
    const isOld = diagnosisOf(entry)?.trouble === 'old-work'
    if (active !== null) this.#treat(entry, remedy, isOld ? 'it repeats old work' : 'nothing was accepted')
    this.#announce()
  }

  /** What the miner does by itself about a pool that accepts nothing. */
  #treat(entry: PoolEntry, remedy: Remedy, reason: string): void {
    const active = this.#active
    if (remedy === 'none' || active?.entry !== entry) return
    if (remedy === 'otherUnit' && !readOtherWay(entry, active.session.difficultyUnit)) return
    entry.lastFault = reason
    const others = this.#list.entries.filter((other) => other !== entry && other.unusableUntil === null)
    if (remedy === 'leave' && others.length > 0) {
      this.#list.refuse(entry, Math.min(LONGEST_LEFT_MS, LEFT_MS * 2 ** Math.max(0, entry.health.left - 1)), true)
      this.#current = this.#list.usable(this.#list.after(entry, false))
      this.deps.log.warn('pool left', { pool: entry.url.masked, reason })
    } else this.deps.log.warn('logging in again', { pool: entry.url.masked, reason })
    active.session.close(reason)
  }

  #paced(warning: string | null): void {
    const entry = this.#active?.entry
    if (entry === undefined) return
    if (warning === null) this.#doctor.over(entry, 'share-flood')
    else this.#doctor.noticed(entry, 'share-flood', '')
    this.#announce()
  }

  async #afterEnd(end: SessionEnd, signal: AbortSignal): Promise<void> {
    const entry = this.#current
    if (entry === null || end.kind === 'closed') return
    entry.lastFault = end.reason
    const trouble = this.#doctor.ended(entry, end)
    if (end.kind === 'refused') return this.#refused(entry, trouble, end.reason)
    // A redirect that leads nowhere is a failed attempt: only an accepted share or a lasting session is none.
    if (end.kind === 'moved') entry.movedTo = { host: end.host, port: end.port }
    this.#attempts += 1
    const { retryMax } = this.options
    if (retryMax > 0 && this.#attempts >= retryMax) this.#moveOn(entry)
    // A pool that isn't known to fail needn't wait for the delay of this one.
    if (this.#current !== entry && this.#current?.health.tries === 0) return
    // With jitter, so that a pool that comes back isn't stormed.
    const delay = Math.round(this.#retryMs * (1 - JITTER + 2 * JITTER * this.deps.random()))
    this.#retryMs = Math.min(LONGEST_DELAY_MS, this.#retryMs * 2)
    const delayMs = Math.max(end.kind === 'moved' ? end.waitMs : 0, delay)
    entry.health.nextTryAt = this.deps.clock.now() + delayMs
    this.#announce()
    await this.#pause(delayMs, signal)
  }

  #refused(entry: PoolEntry, trouble: PoolTrouble | null, reason: string): void {
    const isDate = trouble === 'certificate-expired' || trouble === 'certificate-clock'
    const ms = isDate ? DATE_RETRY_MS : Math.min(LONGEST_REFUSED_MS, REFUSED_MS * 2 ** entry.refusals)
    entry.refusals += 1
    entry.health.nextTryAt = this.deps.clock.now() + ms
    this.#list.refuse(entry, ms)
    this.deps.log.error('pool refused', { pool: entry.url.masked, reason })
    this.#moveOn(entry)
  }

  #moveOn(entry: PoolEntry): void {
    this.#attempts = 0
    const next = this.#list.after(entry, this.options.exitAtEnd)
    if (next === null) this.deps.onExit()
    else this.#current = this.#list.besides(entry, next)
  }

  #choose(): PoolEntry | null {
    const found = this.#list.usable(this.#current)
    if (found === null) this.#announce()
    return found
  }

  async #pause(delayMs: number, signal: AbortSignal): Promise<void> {
    const wake = this.#freshWake(signal)
    if (wake.aborted) return
    await sleep(this.deps.clock, delayMs, wake).catch(() => undefined)
  }

  /** A signal that ends the current wait or attempt when the list changes, or on stop. */
  #freshWake(signal: AbortSignal): AbortSignal {
    if (!signal.aborted) this.#wake = new AbortController()
    return this.#wake.signal
  }

  #wakeUp(): void {
    if (this.#active === null) this.#wake.abort(new Error('the list of pools changed'))
  }

  #wayBack(): FirstPoolReturn {
    const first = (): PoolEntry | null => {
      const [entry] = this.#list.entries
      const isFree = (entry?.unusableUntil ?? 0) <= this.deps.clock.monotonic()
      return entry !== undefined && isFree && this.#active !== null && this.#active.entry !== entry ? entry : null
    }
    return new FirstPoolReturn(this.options.failoverMs, {
      clock: this.deps.clock,
      isDue: () => this.#switching === null && first() !== null,
      test: async () => {
        const entry = first()
        if (entry !== null) (await openWithWork(entry, this.deps.session, this.#stop.signal)).close('tested')
      },
      goBack: () => {
        const entry = first()
        if (entry !== null) this.#switchTo(entry, 'returned')
      },
    })
  }

  /** Logs in beside the active session and takes over only once the new one has given work. */
  #switchTo(entry: PoolEntry, cause: SwitchCause): void {
    if (this.#switching !== null) return
    this.#switching = entry
    this.#cause = cause
    this.#announce()
    this.#openBeside(entry)
      .catch((error: unknown) => {
        this.#cause = 'failed'
        entry.lastFault = messageOf(error)
        this.deps.log.info('pool not switched', { pool: entry.url.masked, reason: entry.lastFault })
      })
      .finally(() => {
        this.#switching = null
        this.#announce()
      })
  }

  async #openBeside(entry: PoolEntry): Promise<void> {
    const session = await openWithWork(entry, this.deps.session, this.#stop.signal)
    if (this.#stop.signal.aborted || !session.ready) return session.close('stopped')
    if (this.#active === null) {
      // The active session ended meanwhile: the loop continues with this pool.
      session.close('the list is served by the loop')
      this.#current = entry
      return this.#wakeUp()
    }
    this.#adopt(session, entry)
  }

  #announce(): void {
    this.events.emit('stateChanged', this.state())
    this.#announceList()
  }

  #announceList(): void {
    this.poolEvents.emit('poolsChanged', this.pools())
  }

  #stateOf(entry: PoolEntry): PoolView['state'] {
    if (entry === this.#active?.entry) return 'active'
    if (entry.unusableUntil !== null) return 'unusable'
    return entry === this.#switching || (entry === this.#current && this.#active === null) ? 'connecting' : 'idle'
  }
}
