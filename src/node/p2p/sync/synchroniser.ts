// Decides when to sync and with whom, says how far it is, and drops who does not keep what it promised.
import { equalBytes } from '../../../base/bytes'
import { hasCode, messageOf } from '../../../base/errors'
import { Emitter } from '../../../base/events'
import { Disposables } from '../../../base/lifecycle'
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import type { P2pChain } from '../p2p-chain'
import type { Bans } from '../peer/bans'
import type { Peer } from '../peer/peer'
import type { PeerSet } from '../peer/peer-set'
import { DISCONNECT } from '../wire/base-messages'
import { ProgressMeter } from './progress-meter'
import { SYNC_LIMITS, type SyncLimits } from './sync-limits'
import type { SyncProgress } from './sync-progress'
import { type SyncOutcome, syncWith } from './sync-run'

export interface SynchroniserDeps {
  readonly chain: P2pChain
  readonly peers: PeerSet
  readonly bans: Bans
  readonly clock: Clock
  readonly log: Logger
  /** Total difficulty of our head. */
  readonly ownTotal: () => bigint
  /** Default `SYNC_LIMITS`; shorter in tests. */
  readonly limits?: Partial<SyncLimits>
}

export interface SynchroniserEvents {
  /** A run ended; true when our head is now the peer's. */
  ended: { readonly isDone: boolean }
}

/** A peer whose chain changes under every sync with it is no use after so many. */
const MOST_MOVES = 3

export class Synchroniser {
  readonly events = new Emitter<SynchroniserEvents>()
  readonly #deps: SynchroniserDeps
  readonly #limits: SyncLimits
  readonly #meter: ProgressMeter
  readonly #held = new Disposables()
  /** Peers that are not synced with before this time, on the monotonic clock. */
  readonly #aside = new WeakMap<Peer, number>()
  readonly #moves = new WeakMap<Peer, number>()
  /** Peers whose chain we took to its end. */
  readonly #proven = new WeakSet<Peer>()
  /** Whether the last sync was wasted on a peer. */
  #wasWasted = false
  #running: Promise<void> | null = null
  #over = new AbortController()
  #behindSince: number | null = null
  #notBefore = 0

  constructor(deps: SynchroniserDeps) {
    this.#deps = deps
    this.#limits = { ...SYNC_LIMITS, ...deps.limits }
    this.#meter = new ProgressMeter(deps.clock)
  }

  /** Plain data, new at each call. */
  progress(): SyncProgress {
    return this.#meter.progress()
  }

  /** `progress`: at each change of the phase and after each import. */
  get progressEvents(): ProgressMeter['events'] {
    return this.#meter.events
  }

  get isRunning(): boolean {
    return this.#running !== null
  }

  start(): void {
    const { clock, peers } = this.#deps
    this.#over = new AbortController()
    this.#held.add(clock.setInterval(() => this.#tick(), this.#limits.tickMs))
    this.#held.add(peers.events.on('joined', () => this.poke()))
  }

  async stop(): Promise<void> {
    this.#held.dispose()
    this.#over.abort(new Error('stopped'))
    await this.#running
  }

  /** Syncs at once if a peer has more than we. */
  poke(): void {
    if (this.#running !== null || this.#over.signal.aborted || this.#deps.clock.monotonic() < this.#notBefore) return
    const master = this.#best()
    if (master === null) return
    this.#running = this.#run(master).finally(() => {
      this.#running = null
      this.#behindSince = null
    })
  }

  /**
   * The one with the most total difficulty, if that is more than ours. After a peer wasted our time it is the turn of those that
   * there is most reason to trust: liars with ever new names could keep the others waiting for ever.
   */
  #best(): Peer | null {
    const { clock, peers, ownTotal } = this.#deps
    const now = clock.monotonic()
    const own = ownTotal()
    let best: Peer | null = null
    for (const peer of peers.list()) {
      if (peer.isClosed || peer.totalDifficulty <= own || (this.#aside.get(peer) ?? 0) > now) continue
      if (best === null || this.#isBetter(peer, best)) best = peer
    }
    return best
  }

  #isBetter(peer: Peer, than: Peer): boolean {
    const [trust, other] = this.#wasWasted ? [this.#trustIn(peer), this.#trustIn(than)] : [0, 0]
    return trust === other ? peer.totalDifficulty > than.totalDifficulty : trust > other
  }

  /** Whoever wants can dial us under any name; the others were chosen by us or have shown what they are worth. */
  #trustIn(peer: Peer): number {
    const { trusted, isStatic, direction } = peer.info
    if (trusted || isStatic) return 3
    if (this.#proven.has(peer)) return 2
    return direction === 'outbound' ? 1 : 0
  }

  /** A block that was just announced gets two ticks to come by itself. */
  #tick(): void {
    if (this.#best() === null) {
      this.#behindSince = null
      return
    }
    const now = this.#deps.clock.monotonic()
    this.#behindSince ??= now
    if (now - this.#behindSince >= 2 * this.#limits.tickMs) this.poke()
  }

  async #run(master: Peer): Promise<void> {
    const { chain, clock, log, peers } = this.#deps
    const { signal } = this.#over
    const head = master.head
    this.#wasWasted = false
    let outcome: SyncOutcome | null = null
    this.#meter.begin(master)
    try {
      outcome = await syncWith({
        ...{ master, chain, clock, log, signal, meter: this.#meter, limits: this.#limits },
        peers: () => peers.list(),
        onFault: (peer, reason) => this.#drop(peer, reason, 'useless'),
      })
      this.#judge(master, head, outcome)
    } catch (error: unknown) {
      if (!signal.aborted) this.#giveUp(master, error)
    } finally {
      this.#meter.end()
      if (!signal.aborted) this.events.emit('ended', { isDone: outcome?.kind === 'done' })
    }
  }

  #judge(master: Peer, head: Uint8Array, outcome: SyncOutcome): void {
    switch (outcome.kind) {
      case 'done':
        this.#moves.delete(master)
        this.#proven.add(master)
        this.#tellDone()
        return
      case 'light':
        // It only announced a hash, and what it announced is not more than what we have.
        if (equalBytes(master.head, head)) master.totalDifficulty = outcome.total
        return
      case 'future':
        this.#setAside(master)
        return
      case 'moved':
        this.#moved(master)
        return
      case 'invalid':
        this.#drop(master, outcome.reason, 'lies')
    }
  }

  /** Reorganisations happen, but not under every sync. */
  #moved(master: Peer): void {
    const moves = (this.#moves.get(master) ?? 0) + 1
    this.#moves.set(master, moves)
    if (moves >= MOST_MOVES) this.#drop(master, `its chain changed under ${moves} syncs`, 'useless')
    else this.#setAside(master)
  }

  /** Others first. */
  #setAside(peer: Peer): void {
    this.#aside.set(peer, this.#deps.clock.monotonic() + this.#limits.waitMs)
  }

  #giveUp(master: Peer, error: unknown): void {
    const { log, clock } = this.#deps
    if (hasCode(error, 'STORE_DISK_LOW')) {
      this.#notBefore = clock.monotonic() + this.#limits.waitMs
      log.warn('sync waits: the disk is nearly full', { error: messageOf(error) })
      return
    }
    if (hasCode(error, 'P2P_BAD_DATA') || hasCode(error, 'P2P_TIMEOUT')) {
      this.#drop(master, messageOf(error), 'useless')
      return
    }
    log.info('sync with a peer ended', { peer: master.name.slice(0, 16), reason: messageOf(error) })
    this.#setAside(master)
  }

  #tellDone(): void {
    const { startingBlock, currentBlock } = this.progress()
    this.#deps.log.info('synchronised', { blocks: currentBlock - startingBlock, head: currentBlock })
  }

  /** The reason is in the log and in the list of bans. */
  #drop(peer: Peer, reason: string, kind: 'useless' | 'lies'): void {
    const { bans, log } = this.#deps
    const { uselessBanMs, invalidBanMs } = this.#limits
    this.#wasWasted = true
    const fields = { peer: peer.name.slice(0, 16), reason }
    if (kind === 'lies') log.warn('peer dropped: what it gave or promised is false', fields)
    else log.info('peer dropped: it is no good to sync with', fields)
    bans.add(peer.name, `sync: ${reason}`, kind === 'lies' ? invalidBanMs : uselessBanMs)
    peer.disconnect(DISCONNECT.uselessPeer)
  }
}
