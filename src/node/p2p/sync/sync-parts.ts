// What the parts of a sync share: its limits, the chain, the peers, and who gets reports.

import { Emitter } from '../../../base/events'
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import type { P2pChain } from '../network-parts'
import type { Peer } from '../peer/peer'

/**
 * `idle`: no sync. `finding-ancestor`: finding where the chains fork. `headers`: fetching and verifying the first
 * headers. `bodies`: the next block to import isn't here yet. `importing`: executing blocks.
 * Headers and bodies keep arriving in the last two.
 */
export type SyncPhase = 'idle' | 'finding-ancestor' | 'headers' | 'bodies' | 'importing'

/** Heights, counts of this run, and rates; plain data. The last figures stay after a run, with phase `idle`. */
export interface SyncProgress {
  readonly phase: SyncPhase
  /** Height of the common ancestor, the parent of the first block imported. 0 before the first run. */
  readonly startingBlock: number
  /** Height of the last imported block. */
  readonly currentBlock: number
  /** Height of the peer's head. */
  readonly highestBlock: number
  /** Headers of this run that passed every check, seal included. */
  readonly headersDone: number
  /** Bodies of this run that arrived or weren't needed. */
  readonly bodiesDone: number
  /** Import rate over the last half minute; null until known. */
  readonly blocksPerSecond: number | null
  /** Until `highestBlock` at that rate, rounded up; null when unknown. */
  readonly etaSeconds: number | null
  /** Connected peers that were asked for headers or bodies in this run. */
  readonly peersUsed: number
  /** The peer being synced with, 128 hex digits; null while no sync runs. */
  readonly peer: string | null
}

export const NO_PROGRESS: SyncProgress = {
  phase: 'idle',
  startingBlock: 0,
  currentBlock: 0,
  highestBlock: 0,
  headersDone: 0,
  bodiesDone: 0,
  blocksPerSecond: null,
  etaSeconds: null,
  peersUsed: 0,
  peer: null,
}

/** True while blocks are being fetched: what eth_syncing calls syncing. */
export function isFetching({ phase }: SyncProgress): boolean {
  return phase === 'headers' || phase === 'bodies' || phase === 'importing'
}

const WINDOW_MS = 30_000
/** A rate over less time is meaningless. */
const MIN_MS = 1_000
const SAMPLE_MS = 250

/** Import rate over the last half minute, from heights as reported. */
export class ImportRate {
  readonly #samples: { readonly at: number; readonly height: number }[] = []

  constructor(private readonly clock: Clock) {}

  /** Call it at the start with the ancestor's height, then after each import. */
  reached(height: number): void {
    const at = this.clock.monotonic()
    const last = this.#samples[this.#samples.length - 1]
    // Many small imports make one sample, so that the list stays short.
    if (last !== undefined && this.#samples.length > 1 && at - last.at < SAMPLE_MS) this.#samples.pop()
    this.#samples.push({ at, height })
    while (this.#samples.length > 2 && at - (this.#samples[1]?.at ?? at) >= WINDOW_MS) this.#samples.shift()
  }

  /** Blocks per second; null with too little data. Falls while nothing is imported. */
  perSecond(): number | null {
    const first = this.#samples[0]
    const last = this.#samples[this.#samples.length - 1]
    if (first === undefined || last === undefined || last.height <= first.height) return null
    const elapsedMs = this.clock.monotonic() - first.at
    return elapsedMs < MIN_MS ? null : ((last.height - first.height) * 1000) / elapsedMs
  }
}

/** Whole seconds until `highestBlock`; null without a rate. */
export function etaSeconds(currentBlock: number, highestBlock: number, blocksPerSecond: number | null): number | null {
  if (blocksPerSecond === null || blocksPerSecond <= 0) return null
  return Math.ceil(Math.max(0, highestBlock - currentBlock) / blocksPerSecond)
}

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

/** Times in ms, sizes in bytes or blocks. */
export const SYNC_LIMITS = {
  /** For a headers answer, and for a bodies answer. */
  headersMs: 10_000,
  bodiesMs: 15_000,
  /** After this long another peer is asked for the same. */
  lateMs: 4_000,
  ancestorMs: 30_000,
  /** A run without new verified work for this long gets rivals: first one, then twice as many each further time. */
  raceMs: 2_000,
  /** A run without new verified work for this long ends, and its peer is replaced. */
  idleMs: 20_000,
  /** Interval of checking whether a peer has more than we do. */
  tickMs: 1_000,
  /** Before asking a peer again that sent blocks from the future, and before all requests when the disk is full. */
  waitMs: 15_000,
  /** For no answer, or a useless one. */
  uselessBanMs: 60_000,
  /** For a block, a header or a claim that is provably false. */
  invalidBanMs: 60 * 60_000,
  /** Bodies waiting here and in transit together. Above it, only the next ones needed are requested. */
  bodyBytes: 48 * 1024 * 1024,
  /** Headers whose blocks aren't imported yet: above it, no more are requested. */
  aheadHeaders: 4096,
  aheadHeaderBytes: 4 * 1024 * 1024,
  /** Headers of a branch not yet known to be heavier than ours. */
  heldHeaders: 16_384,
}

export type SyncLimits = Readonly<typeof SYNC_LIMITS>

/** Ms that count against a peer until it delivers verified work, without the time that we spend on it. */
export class WorkWatch {
  #idleMs = 0
  /** monotonic ms; null while we are working ourselves */
  #since: number | null
  #ours = 0
  /** Whether the peer has delivered anything new with proof of work. */
  hasWorked = false

  constructor(private readonly clock: Clock) {
    this.#since = clock.monotonic()
  }

  get idleMs(): number {
    return this.#idleMs + (this.#since === null ? 0 : this.clock.monotonic() - this.#since)
  }

  worked(): void {
    this.hasWorked = true
    this.#idleMs = 0
    if (this.#since !== null) this.#since = this.clock.monotonic()
  }

  /** While `work` runs, the clock is stopped. */
  async ours<T>(work: Promise<T>): Promise<T> {
    if (this.#ours++ === 0) {
      this.#idleMs = this.idleMs
      this.#since = null
    }
    try {
      return await work
    } finally {
      if (--this.#ours === 0) this.#since = this.clock.monotonic()
    }
  }
}

export interface SyncParts {
  readonly chain: P2pChain
  readonly peers: () => readonly Peer[]
  readonly limits: SyncLimits
  readonly clock: Clock
  readonly log: Logger
  readonly meter: ProgressMeter
  readonly watch: WorkWatch
  /** A peer to be dropped: it sent wrong or unrequested data, or let two requests time out. */
  readonly onFault: (peer: Peer, reason: string) => void
}
