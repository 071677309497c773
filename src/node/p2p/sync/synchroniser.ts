// Decides when to sync and with whom, and says how far it is.
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
import { type SyncOutcome, type SyncPhase, syncWith } from './sync-run'

export interface SyncState {
  readonly phase: SyncPhase
  /** Heights; 0 before the first run. */
  readonly from: number
  readonly target: number
}

export interface SynchroniserDeps {
  readonly chain: P2pChain
  readonly peers: PeerSet
  readonly bans: Bans
  readonly clock: Clock
  readonly log: Logger
  /** Total difficulty of our head. */
  readonly ownTotal: () => bigint
}

export interface SynchroniserEvents {
  changed: SyncState
  /** A run ended; true when our head is now the peer's. */
  ended: { readonly isDone: boolean }
}

const TICK_MS = 1_000
const BAN_INVALID_MS = 60 * 60_000
const BAN_USELESS_MS = 60_000
const WAIT_MS = 15_000

export class Synchroniser {
  readonly events = new Emitter<SynchroniserEvents>()
  readonly #deps: SynchroniserDeps
  readonly #held = new Disposables()
  #state: SyncState = { phase: 'idle', from: 0, target: 0 }
  #running: Promise<void> | null = null
  #over = new AbortController()
  #behindSince: number | null = null
  #notBefore = 0

  constructor(deps: SynchroniserDeps) {
    this.#deps = deps
  }

  get state(): SyncState {
    return this.#state
  }

  get isRunning(): boolean {
    return this.#running !== null
  }

  start(): void {
    const { clock, peers } = this.#deps
    this.#over = new AbortController()
    this.#held.add(clock.setInterval(() => this.#tick(), TICK_MS))
    this.#held.add(peers.events.on('joined', () => this.poke()))
  }

  async stop(): Promise<void> {
    this.#held.dispose()
    this.#over.abort(new Error('stopped'))
    await this.#running
  }

  /** Syncs at once if a peer has more than we. */
  poke(): void {
    const { clock, peers, ownTotal } = this.#deps
    if (this.#running !== null || this.#over.signal.aborted || clock.monotonic() < this.#notBefore) return
    const master = peers.best()
    if (master === null || master.totalDifficulty <= ownTotal()) return
    this.#running = this.#run(master).finally(() => {
      this.#running = null
      this.#behindSince = null
    })
  }

  /** A block that was just announced gets a second to come by itself. */
  #tick(): void {
    const { clock, peers, ownTotal } = this.#deps
    const best = peers.best()
    if (best === null || best.totalDifficulty <= ownTotal()) {
      this.#behindSince = null
      return
    }
    const now = clock.monotonic()
    this.#behindSince ??= now
    if (now - this.#behindSince >= 2 * TICK_MS) this.poke()
  }

  async #run(master: Peer): Promise<void> {
    const { chain, clock, log, peers } = this.#deps
    const { signal } = this.#over
    let outcome: SyncOutcome | null = null
    try {
      outcome = await syncWith({
        ...{ master, chain, clock, log, signal },
        peers: () => peers.list(),
        onPhase: (phase) => this.#change({ phase }),
        onTarget: (from, target) => this.#change({ from, target }),
      })
      this.#judge(master, outcome)
    } catch (error: unknown) {
      if (!signal.aborted) this.#giveUp(master, error)
    } finally {
      this.#change({ phase: 'idle' })
      if (!signal.aborted) this.events.emit('ended', { isDone: outcome?.kind === 'done' })
    }
  }

  #judge(master: Peer, outcome: SyncOutcome): void {
    const { bans, clock, log, ownTotal } = this.#deps
    if (outcome.kind === 'wait') this.#notBefore = clock.monotonic() + WAIT_MS
    // We have all that it had and it is not more than before: what it said of its total difficulty was not so.
    if (outcome.kind === 'done' && master.totalDifficulty > ownTotal()) master.totalDifficulty = ownTotal()
    if (outcome.kind !== 'invalid') return
    log.warn('peer dropped: it gave an invalid block', { peer: master.name.slice(0, 16), reason: outcome.reason })
    bans.add(master.name, `invalid block: ${outcome.reason}`, BAN_INVALID_MS)
    master.disconnect(DISCONNECT.uselessPeer)
  }

  #giveUp(master: Peer, error: unknown): void {
    const { bans, log, clock } = this.#deps
    const peer = master.name.slice(0, 16)
    if (hasCode(error, 'STORE_DISK_LOW')) {
      this.#notBefore = clock.monotonic() + WAIT_MS
      log.warn('sync waits: the disk is nearly full', { error: messageOf(error) })
      return
    }
    log.info('sync with a peer ended', { peer, reason: messageOf(error) })
    const isPeers = hasCode(error, 'P2P_BAD_DATA') || hasCode(error, 'P2P_TIMEOUT')
    if (!isPeers) return
    bans.add(master.name, messageOf(error), BAN_USELESS_MS)
    master.disconnect(DISCONNECT.uselessPeer)
  }

  #change(part: Partial<SyncState>): void {
    this.#state = { ...this.#state, ...part }
    this.events.emit('changed', this.#state)
  }
}
