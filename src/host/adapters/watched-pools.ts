// Pools as a work source checked against our own node: what the chain reveals of the active one becomes its warning.
import { bigintFromBytes } from '../../base/bytes'
import { messageOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import { toBareHex } from '../../base/hex'
import { Disposables } from '../../base/lifecycle'
import { BoundedMap } from '../../base/limits/bounded-map'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import type { JobLag } from '../../miner/pool/job-lag'
import { type HonestyCounts, PoolHonesty } from '../../miner/pool/pool-honesty'
import { PoolWatch, WINDOW_BLOCKS } from '../../miner/pool/pool-watch'
import type { Job, Share, ShareVerdict, WorkSource, WorkSourceEvents, WorkSourceState } from '../../miner/work-source'
import { decodeBlock } from '../../node/model/block'
import { sealHash } from '../../node/model/header'
import type { NodeService } from '../../node/node-service'

/** The part of the node that is used. */
type WatchingNode = Pick<NodeService, 'events' | 'head'> & {
  readonly reader: Pick<NodeService['reader'], 'blocksDown' | 'blockBytes'>
}

/** What the source uses. */
interface WatchedPoolsDeps {
  readonly pools: WorkSource
  readonly node: WatchingNode
  readonly clock: Clock
  readonly log: Logger
  /** in blocks */
  readonly epochLength: number
  /** target block time, seconds */
  readonly spacingSeconds: number
  /** receives every job and head */
  readonly lag: JobLag
  /** stores the block counts by pool across restarts */
  readonly honesty: HonestyStore
}

/** Storage of the counts. */
interface HonestyStore {
  /** Null when there are none, or they can't be read. */
  load(): Promise<Readonly<Record<string, HonestyCounts>> | null>
  /** Rejects with the system's error. */
  save(counts: Readonly<Record<string, HonestyCounts>>): Promise<void>
}

const LOOK_EVERY_MS = 30_000
/** A head older than this many block times proves nothing: the node may be the one that is behind. */
const FRESH_BLOCKS = 12
/** More blocks at once are a sync, which can't contain our jobs. */
const MAX_AT_ONCE = 32
/** Jobs remembered for their heights. */
const MAX_JOBS = 512

type Blocks = Awaited<ReturnType<WatchingNode['reader']['blocksDown']>>

/** @param timestamp of the head, unix seconds */
export function isFreshHead(
  timestamp: number,
  { clock, spacingSeconds }: Pick<WatchedPoolsDeps, 'clock' | 'spacingSeconds'>,
): boolean {
  return clock.now() / 1_000 - timestamp < FRESH_BLOCKS * spacingSeconds
}

export class WatchedPools implements WorkSource {
  readonly events = new Emitter<WorkSourceEvents>()
  readonly #watch: PoolWatch
  #honesty = new PoolHonesty()
  /** blocks are examined one at a time, in chain order */
  #looking: Promise<void> = Promise.resolve()
  /** our head when a job arrived, by its seal hash, oldest first: for dialects without a height */
  readonly #headOf = new BoundedMap<string, number>(MAX_JOBS)
  readonly #held = new Disposables()
  #warning = ''
  #isStarted = false
  /** the pool whose work is compared with the head */
  #lagOf = ''

  constructor(private readonly deps: WatchedPoolsDeps) {
    this.#watch = new PoolWatch(deps.epochLength)
  }

  /** The chain first: on the wrong chain, nothing else about the pool matters. */
  state(): WorkSourceState {
    const state = this.deps.pools.state()
    return this.#warning === '' ? state : { ...state, warning: this.#warning }
  }

  /** Coinbases of this pool's blocks, as far as recognized by its jobs. */
  coinbases(pool: string): readonly string[] {
    return this.#watch.coinbasesOf(pool)
  }

  async start(signal: AbortSignal): Promise<void> {
    const { pools, node, clock, lag } = this.deps
    this.#honesty = new PoolHonesty((await this.deps.honesty.load()) ?? {})
    this.#isStarted = true
    this.#held.add(pools.events.on('jobChanged', (job) => this.#jobCame(job)))
    this.#held.add(pools.events.on('stateChanged', () => this.#poolChanged()))
    this.#held.add(node.events.on('headChanged', ({ removed, added }) => this.#chainChanged(removed, added)))
    this.#held.add(clock.setInterval(() => this.#look(), LOOK_EVERY_MS))
    await this.#readWindow()
    const head = node.head()
    if (head !== null) lag.headIs(head.number, this.#isFresh(head))
    await pools.start(signal)
  }

  async stop(): Promise<void> {
    this.#isStarted = false
    await this.deps.pools.stop()
    this.#held.dispose()
    this.#warning = ''
  }

  async submit(share: Share, signal: AbortSignal): Promise<ShareVerdict> {
    const { pools, node } = this.deps
    const { job, result } = share
    const sealHash = toBareHex(job.sealHash)
    const before = this.#headOf.get(sealHash)
    const height = job.height ?? (before === undefined ? null : before + 1)
    const head = node.head()
    const pool = job.pool ?? pools.state().host
    const verdict = await pools.submit(share, signal)
    // A block at this height already existed: this one could only be a side block.
    const isOpen = head !== null && height !== null && height > head.number && height <= head.number + MAX_AT_ONCE
    if (verdict.kind === 'accepted' && isOpen && this.#isFresh(head))
      this.#honesty.shareFound({ pool, sealHash, result: bigintFromBytes(result), height })
    return verdict
  }

  #jobCame(job: Job | null): void {
    const { host } = this.deps.pools.state()
    if (job !== null && host !== this.#lagOf) {
      this.#lagOf = host
      this.deps.lag.forget()
    }
    this.deps.lag.jobCame(job)
    if (job === null) this.#watch.workLost()
    else {
      const { epoch, height } = job
      const head = this.deps.node.head()
      if (head !== null) this.#noteHead(toBareHex(job.sealHash), head.number)
      this.#watch.jobGiven({ pool: host, sealHash: toBareHex(job.sealHash), epoch, height })
    }
    this.events.emit('jobChanged', job)
    this.#look()
  }

  #poolChanged(): void {
    this.#warning = this.#judge()
    this.events.emit('stateChanged', this.state())
  }

  #chainChanged(removed: Blocks, added: Blocks): void {
    this.#watch.blocksLeft(removed)
    this.#join(added)
    const head = added[added.length - 1]
    if (head !== undefined) this.deps.lag.headCame(head.number, this.#isFresh(head))
    this.#look()
    if (!this.#watch.knowsHeaders) return
    if (added.length > MAX_AT_ONCE) {
      this.#honesty.blinded()
      return
    }
    this.#looking = this.#looking
      .then(() => this.#recognise(added))
      .catch((error: unknown) => {
        this.#honesty.blinded()
        this.deps.log.debug('blocks could not be looked at', { error: messageOf(error) })
      })
  }

  /** The first head under which a header was a job: a later one may have passed it. */
  #noteHead(sealHash: string, head: number): void {
    if (!this.#headOf.has(sealHash)) this.#headOf.set(sealHash, head)
  }

  /** The chain at startup; without it the window fills gradually. */
  async #readWindow(): Promise<void> {
    const { node, log } = this.deps
    if (node.head() === null) return
    try {
      const newestFirst = await node.reader.blocksDown(null, WINDOW_BLOCKS)
      this.#join([...newestFirst].reverse())
    } catch (error: unknown) {
      log.debug('the last blocks could not be read', { error: messageOf(error) })
    }
  }

  #join(blocks: Blocks): void {
    this.#watch.blocksJoined(blocks.map(({ number, miner }) => ({ number, miner: toBareHex(miner) })))
  }

  /** A block whose header was a job of one of our pools belongs to that pool. */
  async #recognise(blocks: Blocks): Promise<void> {
    const before = JSON.stringify(this.#honesty.counts())
    for (const { hash, miner, number, difficulty } of blocks) {
      this.#honesty.heightReached(number, difficulty)
      const bytes = await this.deps.node.reader.blockBytes(hash)
      const block = bytes === null ? null : decodeBlock(bytes)
      if (block?.ok !== true) {
        this.#honesty.blinded()
        continue
      }
      const seal = toBareHex(sealHash(block.value.header))
      this.#watch.sealSeen(seal, toBareHex(miner))
      this.#honesty.blockSeen(seal, this.#watch.poolOfHeader(seal))
    }
    const head = blocks.at(-1)
    if (head !== undefined && this.#honesty.settle(head.number))
      this.deps.log.warn('an accepted share was a block that never appeared on this node’s chain', {
        head: head.number,
      })
    if (JSON.stringify(this.#honesty.counts()) !== before) void this.#keep()
    this.#look()
  }

  async #keep(): Promise<void> {
    try {
      await this.deps.honesty.save(this.#honesty.counts())
    } catch (error: unknown) {
      this.deps.log.warn('block counts by pool could not be saved', { error: messageOf(error) })
    }
  }

  #look(): void {
    const warning = this.#judge()
    if (warning === this.#warning) return
    this.#warning = warning
    if (warning !== '') this.deps.log.warn('pool warning from this node', { warning })
    this.events.emit('stateChanged', this.state())
  }

  #judge(): string {
    if (!this.#isStarted) return ''
    const { pools, node } = this.deps
    const { connected, host } = pools.state()
    const head = node.head()
    if (!connected || head === null) return ''
    return this.#watch.warning(host, this.#isFresh(head)) || this.#honesty.warning(host)
  }

  #isFresh({ timestamp }: Blocks[number]): boolean {
    return isFreshHead(timestamp, this.deps)
  }
}
