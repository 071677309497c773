// Decides when to sync and with whom. No peer owns the sync: a run without new verified work gets more and more rivals,
// and the run that brings some takes over. Reports progress, and drops peers that don't deliver what they announced.
import { equalBytes } from '../../../base/bytes'
import { hasCode, messageOf } from '../../../base/errors'
import { Emitter } from '../../../base/events'
import { Disposables } from '../../../base/lifecycle'
import { untilAborted } from '../../../base/on-abort'
import { DISCONNECT } from '../../protocol/base-messages'
import type { NetworkParts } from '../network-parts'
import type { Peer } from '../peer/peer'
import { NO_PROGRESS, ProgressMeter, SYNC_LIMITS, type SyncLimits, type SyncProgress, WorkWatch } from './sync-parts'
import { type SyncOutcome, syncWith } from './sync-run'

/** The order, and peers set aside for a while after a failed run. */
class SyncCandidates {
  /** Peers not to sync with before this time on the monotonic clock. */
  readonly #aside = new WeakMap<Peer, number>()
  readonly #proven = new WeakSet<Peer>()

  constructor(private readonly deps: Pick<NetworkParts, 'peers' | 'ratings' | 'clock' | 'ownTotal'>) {}

  /** Those that claim more than we have, best first. */
  list(): readonly Peer[] {
    const { peers, clock, ownTotal } = this.deps
    const now = clock.monotonic()
    const own = ownTotal()
    return peers
      .list()
      .filter((peer) => !peer.isClosed && peer.totalDifficulty > own && (this.#aside.get(peer) ?? 0) <= now)
      .sort((a, b) => this.#compare(a, b))
  }

  /** Prefers others for this long. */
  setAside(peer: Peer, durationMs: number): void {
    this.#aside.set(peer, this.deps.clock.monotonic() + durationMs)
  }

  proved(peer: Peer): void {
    this.#proven.add(peer)
  }

  #compare(a: Peer, b: Peer): number {
    const { ratings } = this.deps
    const byCost = Math.round(ratings.pointsOf(a.info.host)) - Math.round(ratings.pointsOf(b.info.host))
    const byTrust = this.#trustIn(b) - this.#trustIn(a)
    const byClaim = b.totalDifficulty > a.totalDifficulty ? 1 : b.totalDifficulty < a.totalDifficulty ? -1 : 0
    return byCost || byTrust || byClaim
  }

  /** Anyone can dial us under any name; the others were chosen by us or have proven useful. */
  #trustIn(peer: Peer): number {
    const { trusted, isStatic, direction } = peer.info
    if (trusted || isStatic) return 3
    if (this.#proven.has(peer)) return 2
    return direction === 'outbound' ? 1 : 0
  }
}

interface SynchroniserDeps extends Omit<NetworkParts, 'randomBytes'> {
  /** Default `SYNC_LIMITS`; shorter in tests. */
  readonly limits?: Partial<SyncLimits>
}

interface SynchroniserEvents {
  progress: SyncProgress
  /** A run ended; true when our head is now the peer's. */
  ended: { readonly isDone: boolean }
  /** A peer's chain forks from ours deeper below our head than we can reorganize. */
  tooDeep: { readonly peer: Peer; readonly partsAt: number | null }
}

/** A peer whose chain changes during every sync is useless after this many. */
const MAX_MOVES = 3
/** How long to leave everybody alone on a chain that we can't follow: we may be the ones who are wrong. */
const TOO_DEEP_MS = 10 * 60_000
/** Points for an address group: for a peer that wasted time, and for one that sent provably false data. */
const COST = { idle: 1, lies: 2 } as const

interface Run {
  readonly peer: Peer
  readonly watch: WorkWatch
  readonly meter: ProgressMeter
  readonly over: AbortController
  /** Why we end it; null while we don't. */
  ending: 'idle' | 'replaced' | null
  settled: Promise<void>
}

/** Runs until `stop`. Several runs may be active at once; all feed one chain, which imports each block once. */
export class Synchroniser {
  readonly events = new Emitter<SynchroniserEvents>()
  readonly #limits: SyncLimits
  readonly #candidates: SyncCandidates
  readonly #held = new Disposables()
  readonly #moves = new WeakMap<Peer, number>()
  readonly #runs = new Map<Peer, Run>()
  /** The run whose progress is reported. */
  #leader: Run | null = null
  #lastProgress: SyncProgress = NO_PROGRESS
  /** How many rivals the next stall adds, and when, on the monotonic clock. */
  #rivals = 1
  #nextRace = 0
  #isStopped = true
  #behindSince: number | null = null
  #notBefore = 0

  constructor(private readonly deps: SynchroniserDeps) {
    this.#limits = { ...SYNC_LIMITS, ...deps.limits }
    this.#candidates = new SyncCandidates(deps)
  }

  /** Plain data, new for each call. */
  progress(): SyncProgress {
    return this.#leader === null ? this.#lastProgress : this.#leader.meter.progress()
  }

  /** Whether blocks with verified work are being fetched: not while peers only claim to have some. */
  get isCatchingUp(): boolean {
    return [...this.#runs.values()].some(({ watch }) => watch.hasWorked)
  }

  start(): void {
    const { clock, peers } = this.deps
    this.#isStopped = false
    this.#held.add(clock.setInterval(() => this.#tick(), this.#limits.tickMs))
    this.#held.add(peers.events.on('joined', () => this.poke()))
  }

  async stop(): Promise<void> {
    this.#held.dispose()
    this.#isStopped = true
    const runs = [...this.#runs.values()]
    for (const { over } of runs) over.abort(new Error('stopped'))
    await Promise.all(runs.map(({ settled }) => settled))
  }

  /** Syncs immediately if a peer claims more than we have and none is being asked. */
  poke(): void {
    if (this.#runs.size > 0 || !this.#mayStart()) return
    const [first] = this.#candidates.list()
    if (first === undefined) return
    this.#rivals = 1
    this.#nextRace = this.deps.clock.monotonic() + this.#limits.raceMs
    this.#start(first)
  }

  #mayStart(): boolean {
    return !this.#isStopped && this.deps.clock.monotonic() >= this.#notBefore
  }

  /** A block that was just announced gets two ticks to arrive by itself. */
  #tick(): void {
    this.#endIdle()
    if (this.#runs.size > 0) this.#race()
    if (this.#runs.size > 0 || this.#candidates.list().length === 0) {
      this.#behindSince = null
      return
    }
    const now = this.deps.clock.monotonic()
    this.#behindSince ??= now
    if (now - this.#behindSince >= 2 * this.#limits.tickMs) this.poke()
  }

  #endIdle(): void {
    const { idleMs } = this.#limits
    for (const run of this.#runs.values()) {
      if (run.ending !== null || run.watch.idleMs < idleMs) continue
      run.ending = 'idle'
      run.over.abort(new Error(`no verified work for ${idleMs} ms`))
    }
  }

  /** While no run makes progress, more and more are started; with whom matters less each time. */
  #race(): void {
    const { raceMs } = this.#limits
    const now = this.deps.clock.monotonic()
    const isWaiting = [...this.#runs.values()].every(({ watch }) => watch.idleMs >= raceMs)
    if (!isWaiting) this.#rivals = 1
    if (!isWaiting || now < this.#nextRace || !this.#mayStart()) return
    const next = this.#candidates.list().filter((peer) => !this.#runs.has(peer))
    for (const peer of next.slice(0, this.#rivals)) this.#start(peer)
    this.#rivals *= 2
    this.#nextRace = now + raceMs
  }

  #start(peer: Peer): void {
    const { clock } = this.deps
    const [meter, watch, over] = [new ProgressMeter(clock), new WorkWatch(clock), new AbortController()]
    const run: Run = { peer, meter, watch, over, ending: null, settled: Promise.resolve() }
    this.#runs.set(peer, run)
    this.#leader ??= run
    meter.events.on('progress', (progress) => {
      if (this.#leader === run) this.events.emit('progress', progress)
    })
    run.settled = this.#run(run).finally(() => {
      this.#runs.delete(peer)
      if (this.#leader === run) this.#follow(run)
    })
  }

  /** After the reported run ended, reports another one that makes progress. */
  #follow(ended: Run): void {
    this.#lastProgress = ended.meter.progress()
    this.#leader = [...this.#runs.values()].find(({ watch }) => watch.hasWorked) ?? null
  }

  async #run(run: Run): Promise<void> {
    const { chain, clock, log, peers } = this.deps
    const { peer, meter, watch, over } = run
    const head = peer.head
    let outcome: SyncOutcome | null = null
    meter.begin(peer)
    try {
      const running = syncWith({
        master: peer,
        chain,
        clock,
        log,
        meter,
        watch,
        signal: over.signal,
        limits: this.#limits,
        peers: () => peers.list(),
        onFault: (faulty, reason) => this.#drop(faulty, reason, 'useless'),
        onVerified: (last) => {
          peer.proved(last)
          if (watch.hasWorked) this.#leads(run)
        },
      })
      outcome = await untilAborted(running, over.signal) // a pending request may run until its timeout
      this.#judge(peer, head, outcome)
    } catch (error: unknown) {
      this.#failed(run, error)
    } finally {
      meter.end()
      if (!this.#isStopped) this.events.emit('ended', { isDone: outcome?.kind === 'done' })
    }
  }

  /** It makes progress: stalled runs are ended, and it is reported instead of one without progress. */
  #leads(run: Run): void {
    const { raceMs } = this.#limits
    for (const other of this.#runs.values()) {
      if (other === run || !other.watch.hasWorked || other.watch.idleMs < raceMs || other.ending !== null) continue
      other.ending = 'replaced'
      other.over.abort(new Error('another peer brings more'))
    }
    const leader = this.#leader
    if (leader === null || (leader !== run && (!leader.watch.hasWorked || leader.ending !== null))) this.#leader = run
  }

  #judge(peer: Peer, head: Uint8Array, outcome: SyncOutcome): void {
    switch (outcome.kind) {
      case 'done':
        this.#done(peer)
        return
      case 'light':
        // It only announced a hash, which isn't heavier than what we have.
        if (equalBytes(peer.head, head)) peer.totalDifficulty = outcome.total
        return
      case 'future':
        this.#candidates.setAside(peer, this.#limits.waitMs)
        return
      case 'moved':
        this.#moved(peer)
        return
      case 'too deep':
        this.#candidates.setAside(peer, TOO_DEEP_MS)
        this.events.emit('tooDeep', { peer, partsAt: outcome.partsAt })
        return
      case 'invalid':
        this.#drop(peer, outcome.reason, 'lies')
    }
  }

  /** Its head may be a guess, and reorganizations happen, but not during every sync. */
  #moved(peer: Peer): void {
    const moves = (this.#moves.get(peer) ?? 0) + 1
    this.#moves.set(peer, moves)
    if (moves >= MAX_MOVES) this.#drop(peer, `${moves} syncs in a row did not reach its head`, 'useless')
    else this.#candidates.setAside(peer, this.#limits.waitMs)
  }

  #failed({ peer, ending }: Run, error: unknown): void {
    const { log, clock } = this.deps
    const { waitMs } = this.#limits
    if (this.#isStopped) return
    if (hasCode(error, 'STORE_DISK_LOW')) {
      this.#notBefore = clock.monotonic() + waitMs
      log.warn('sync waits: the disk is nearly full', { error: messageOf(error) })
      return
    }
    if (ending === 'idle' || hasCode(error, 'P2P_BAD_DATA') || hasCode(error, 'P2P_TIMEOUT')) {
      this.#drop(peer, messageOf(error), 'useless')
    } else {
      log.info('sync with a peer ended', { peer: peer.name.slice(0, 16), reason: messageOf(error) })
      this.#candidates.setAside(peer, waitMs)
    }
  }

  #done(peer: Peer): void {
    this.#moves.delete(peer)
    this.#candidates.proved(peer)
    this.deps.ratings.worked(peer.info.host)
    const { startingBlock, currentBlock } = this.progress()
    this.deps.log.info('synced', { blocks: currentBlock - startingBlock, head: currentBlock })
  }

  /** The reason is in the log and in the list of bans. */
  #drop(peer: Peer, reason: string, kind: 'useless' | 'lies'): void {
    const { bans, ratings, log } = this.deps
    const { uselessBanMs, invalidBanMs } = this.#limits
    const fields = { peer: peer.name.slice(0, 16), reason }
    if (kind === 'lies') log.warn('peer dropped: it sent or promised false data', fields)
    else log.info('peer dropped: not useful for syncing', fields)
    bans.add(peer.name, `sync: ${reason}`, kind === 'lies' ? invalidBanMs : uselessBanMs)
    ratings.wasted(peer.info.host, kind === 'lies' ? COST.lies : COST.idle)
    peer.disconnect(DISCONNECT.uselessPeer)
  }
}
