// Collects a run's progress in one object and reports changes.
import { Emitter } from '../../../base/events'
import type { Clock } from '../../../base/time'
import type { Peer } from '../peer/peer'
import { etaSeconds, ImportRate, NO_PROGRESS, type SyncPhase, type SyncProgress } from './sync-progress'

/** Collects from all parts of a run; a new run starts at zero. */
export class ProgressMeter {
  /** `progress` when it changed. */
  readonly events = new Emitter<{ progress: SyncProgress }>()
  readonly #used = new Set<Peer>()
  #now: SyncProgress = NO_PROGRESS
  #rate: ImportRate

  constructor(private readonly clock: Clock) {
    this.#rate = new ImportRate(clock)
  }

  /** A new object for each call; rate and ETA are current. */
  progress(): SyncProgress {
    const { phase, currentBlock, highestBlock } = this.#now
    if (phase === 'idle') return this.#now
    const blocksPerSecond = this.#rate.perSecond()
    const eta = etaSeconds(currentBlock, highestBlock, blocksPerSecond)
    const peersUsed = [...this.#used].filter((peer) => !peer.isClosed).length
    return { ...this.#now, blocksPerSecond, etaSeconds: eta, peersUsed }
  }

  begin(peer: Peer): void {
    this.#used.clear()
    this.#rate = new ImportRate(this.clock)
    this.#now = { ...NO_PROGRESS, peer: peer.name }
    this.use(peer)
    this.enter('finding-ancestor')
  }

  /** Heights of the common ancestor, our head and the peer's head. The reported height is never below our own head. */
  heights({ from, own, target }: { readonly from: number; readonly own: number; readonly target: number }): void {
    const highestBlock = Math.max(own, target)
    this.#now = { ...this.#now, startingBlock: from, highestBlock, currentBlock: Math.max(from, own) }
    this.#rate.reached(this.#now.currentBlock)
    this.enter('headers')
  }

  headers(count: number): void {
    this.#now = { ...this.#now, headersDone: this.#now.headersDone + count }
  }

  bodies(count: number): void {
    this.#now = { ...this.#now, bodiesDone: this.#now.bodiesDone + count }
  }

  /** @param height of the last block of a successful import */
  imported(height: number): void {
    const currentBlock = Math.max(this.#now.currentBlock, height)
    this.#now = { ...this.#now, currentBlock, highestBlock: Math.max(this.#now.highestBlock, currentBlock) }
    this.#rate.reached(currentBlock)
    this.#tell()
  }

  enter(phase: SyncPhase): void {
    if (this.#now.phase === phase) return
    this.#now = { ...this.#now, phase }
    this.#tell()
  }

  use(peer: Peer): void {
    this.#used.add(peer)
  }

  /** The last figures stay; rates and peers belong to a run only. */
  end(): void {
    this.#used.clear()
    this.#now = { ...this.#now, phase: 'idle', blocksPerSecond: null, etaSeconds: null, peersUsed: 0, peer: null }
    this.#tell()
  }

  #tell(): void {
    this.events.emit('progress', this.progress())
  }
}
