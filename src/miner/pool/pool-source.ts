// Pools as the miner's work source: the list, one active session, failover in order and the return to the first.
import type { Disposable } from '../../base/disposable'
import { messageOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import { sleep } from '../../base/time'
import { hostPort, type PoolUrl } from '../../config/values/pool-url'
import { MinerError } from '../errors'
import type { Job, Share, ShareVerdict, WorkSource, WorkSourceEvents, WorkSourceState } from '../work-source'
import { NO_SOURCE } from '../work-source'
import { DrainingSessions } from './draining-sessions'
import { FirstPoolReturn } from './first-pool-return'
import type { PoolEntry, SwitchCause } from './pool-entry'
import { PoolList } from './pool-list'
import { PoolShares } from './pool-shares'
import { type PoolSourceDeps, type PoolSourceOptions, type PoolView, poolView } from './pool-source-options'
import { RetryDelay } from './retry-delay'
import { ServedPools } from './served-pools'
import { connectPool, forgetDialect, openWithWork } from './session/connect-pool'
import type { PoolSession, SessionEnd } from './session/session'

/** A session that lasted this long was good: the next failure starts with the shortest delay. */
const GOOD_SESSION_MS = 30_000
const REPORT_MS = 60_000

interface Active {
  readonly session: PoolSession
  readonly entry: PoolEntry
  /** monotonic ms */
  readonly since: number
  /** UTC ms */
  readonly connectedAt: number
  readonly held: readonly Disposable[]
}

/** Connects to pools in order and passes their work on. */
export class PoolSource implements WorkSource {
  readonly events = new Emitter<WorkSourceEvents>()
  readonly poolEvents = new Emitter<{ poolsChanged: readonly PoolView[] }>()
  readonly #list: PoolList
  readonly #shares: PoolShares
  readonly #retry: RetryDelay
  /** the pool in use or being connected */
  #current: PoolEntry | null = null
  #active: Active | null = null
  #wake: AbortController = new AbortController()
  #stop: AbortController = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #switching: PoolEntry | null = null
  readonly #served = new ServedPools()
  #attempts = 0
  #warning = ''
  #onActiveEnd: (end: SessionEnd) => void = () => undefined
  readonly #timers: Disposable[] = []
  readonly #drains: DrainingSessions

  constructor(
    private readonly options: PoolSourceOptions,
    private readonly deps: PoolSourceDeps,
  ) {
    this.#list = new PoolList(options.pools, deps.clock)
    this.#drains = new DrainingSessions(deps.clock)
    const { clock, log } = deps
    const [active, onAccepted] = [() => this.#active, () => this.#wentWell()]
    const onPace = (warning: string | null): void => this.#warn(warning ?? '')
    this.#shares = new PoolShares({ clock, log, active, onPace, onAccepted }, options.maxSharesPerSecond)
    this.#retry = new RetryDelay(options.retryDelayMs, deps.random)
  }

  state(): WorkSourceState {
    const entry = this.#active?.entry ?? this.#current ?? this.#list.entries[0]
    if (entry === undefined) return { ...NO_SOURCE, kind: 'pool', switches: this.#served.switches }
    const connected = this.#active?.session.ready === true
    const { url } = entry
    const { switches } = this.#served
    return { kind: 'pool', connected, host: hostPort(url), url: url.masked, switches, warning: this.#warning }
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
    this.#drains.closeAll('stopped')
    this.#active?.session.close('stopped')
    this.#shares.clear('the miner stopped')
    await this.#running
  }

  async submit(share: Share, signal: AbortSignal): Promise<ShareVerdict> {
    const verdict = await this.#shares.submit(share, signal)
    this.#announceList()
    return verdict
  }

  /** Reports the current hashrate to the active pool. */
  reportNow(): void {
    this.#active?.session.reportHashrate(BigInt(Math.max(0, Math.round(this.deps.hashrate()))))
  }

  /**
   * Reconnects immediately: old connections are useless after this computer slept. Kept shares move to the new session.
   */
  reconnect(): void {
    this.#attempts = 0
    if (this.#active === null) this.#wakeUp()
    else this.#active.session.close('this computer slept')
  }

  /** @throws MinerError POOL_INDEX */
  setActive(index: number): void {
    const entry = this.#list.at(index)
    entry.unusableUntil = null
    if (entry === this.#active?.entry) return
    if (this.#active === null) {
      this.#served.expect('asked')
      this.#tryInstead(entry)
    } else this.#switchTo(entry, 'asked')
  }

  /** @param to position; default: the end. @throws MinerError POOL_DUPLICATE, POOL_LIST_FULL */
  add(url: PoolUrl, to?: number): void {
    this.#list.add(url, to)
    this.#wakeUp()
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

  /**
   * Changes a pool's address; an active one is reconnected. @throws MinerError POOL_INDEX, POOL_DUPLICATE,
   * POOL_SWITCHING
   */
  replace(index: number, url: PoolUrl): void {
    if (this.#switching !== null) throw new MinerError('POOL_SWITCHING', undefined)
    const before = this.#list.at(index)
    const entry = this.#list.replace(index, url)
    this.#served.replaced(before, entry)
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
      if ('session' in outcome && outcome.session.job === null) forgetDialect(entry)
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
    if (before !== null) this.#drains.add(before.session)
    const held = [
      session.events.on('jobChanged', (job) => this.#jobCame(job, session, entry)),
      session.events.on('workLost', (reason) => {
        entry.lastFault = reason
        this.events.emit('jobChanged', null)
        this.#announce()
      }),
      session.events.on('ended', (end) => this.#activeEnded(end)),
    ]
    const { clock } = this.deps
    const connectedAt = clock.now()
    this.#active = { session, entry, since: clock.monotonic(), connectedAt, held }
    this.#served.began(entry, connectedAt)
    this.#current = entry
    this.#shares.sessionBegan()
    this.#warning = ''
    entry.lastFault = session.idleReason ?? ''
    this.deps.log.info('pool connected', { pool: entry.url.masked, dialect: session.dialect })
    if (session.job !== null) this.#jobCame(session.job, session, entry)
    this.#announce()
  }

  #jobCame(job: Job, session: PoolSession, entry: PoolEntry): void {
    if (session.dialect !== 'getwork') this.deps.session.dialects?.keep(entry.url, session.dialect)
    this.#shares.jobCame(job, { session, entry })
    this.events.emit('jobChanged', job)
    this.#announceList()
  }

  #activeEnded(end: SessionEnd): void {
    const active = this.#active
    if (active === null) return
    for (const listener of active.held) listener.dispose()
    this.#active = null
    if (this.deps.clock.monotonic() - active.since >= GOOD_SESSION_MS) this.#wentWell()
    if (end.kind !== 'closed')
      this.deps.log.warn('pool connection lost', { pool: active.entry.url.masked, reason: end.reason })
    this.events.emit('jobChanged', null)
    this.#announce()
    this.#onActiveEnd(end)
  }

  /** A pool that gives work and disconnects has failed too: only a lasting or paying session resets the attempts. */
  #wentWell(): void {
    this.#attempts = 0
    this.#retry.reset()
  }

  /** Selects the next pool and waits as long as necessary. */
  async #afterEnd(end: SessionEnd, signal: AbortSignal): Promise<void> {
    const entry = this.#current
    if (entry === null || end.kind === 'closed') return
    entry.lastFault = end.reason
    if (end.kind === 'moved') {
      entry.movedTo = { host: end.host, port: end.port }
      return this.#pause(Math.max(end.waitMs, this.#retry.next()), signal)
    }
    if (end.kind === 'refused') {
      this.#list.refuse(entry)
      this.deps.log.error('pool refused', { pool: entry.url.masked, reason: end.reason })
      return this.#moveOn(entry)
    }
    this.#attempts += 1
    const { retryMax } = this.options
    if (retryMax > 0 && this.#attempts >= retryMax) this.#moveOn(entry)
    await this.#pause(this.#retry.next(), signal)
  }

  #moveOn(entry: PoolEntry): void {
    this.#attempts = 0
    const next = this.#list.after(entry, this.options.exitAtEnd)
    if (next === null) this.deps.onExit()
    else this.#current = next
  }

  #choose(): PoolEntry | null {
    const found = this.#list.usable(this.#current)
    const first = this.#list.entries[0]
    if (found === null && first !== undefined) this.#warn(`no pool is usable: ${first.lastFault}`)
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
    this.#served.expect(cause)
    this.#announce()
    this.#openBeside(entry)
      .catch((error: unknown) => {
        this.#served.expect('failed')
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

  #warn(text: string): void {
    if (this.#warning === text) return
    this.#warning = text
    this.#announce()
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
