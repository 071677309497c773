// Pools as the miner's source of work, looked at with the eyes of the own node: what its chain says about the active pool
// becomes the source's warning (miner.md B9, D16).
import { messageOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import { toBareHex } from '../../base/hex'
import { Disposables } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { PoolWatch, WINDOW_BLOCKS } from '../../miner/pool/pool-watch'
import type { Job, Share, ShareVerdict, WorkSource, WorkSourceEvents, WorkSourceState } from '../../miner/work-source'
import { decodeBlock } from '../../node/chain/block'
import { sealHash } from '../../node/chain/header'
import type { NodeService } from '../../node/node-service'
import type { TipWatch } from '../tip-watch'

/** What of the node is used. */
export type WatchingNode = Pick<NodeService, 'events' | 'head'> & {
  readonly reader: Pick<NodeService['reader'], 'blocksDown' | 'blockBytes'>
}

export interface WatchedPoolsDeps {
  readonly pools: WorkSource
  readonly node: WatchingNode
  readonly clock: Clock
  readonly log: Logger
  /** in blocks */
  readonly epochLength: number
  /** seconds between blocks that the chain aims at */
  readonly spacingSeconds: number
  /** told of every job and head */
  readonly tip: TipWatch
}

const LOOK_EVERY_MS = 30_000
/** A head that is older than so many blocks take says nothing: the node may be the one that is behind. */
const FRESH_BLOCKS = 12
/** More blocks at once are a sync, in which no job of ours can be. */
const MOST_AT_ONCE = 32

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
  readonly #deps: WatchedPoolsDeps
  readonly #watch: PoolWatch
  readonly #held = new Disposables()
  #warning = ''
  #isStarted = false
  /** the pool that the tip is watched of */
  #tipOf = ''

  constructor(deps: WatchedPoolsDeps) {
    this.#deps = deps
    this.#watch = new PoolWatch(deps.epochLength)
  }

  /** Of the chain first: where the pool is a wrong one, nothing that it says matters. */
  state(): WorkSourceState {
    const state = this.#deps.pools.state()
    return this.#warning === '' ? state : { ...state, warning: this.#warning }
  }

  /** Addresses that blocks of this pool paid, as far as a block was recognised by one of its jobs. */
  coinbases(pool: string): readonly string[] {
    return this.#watch.coinbasesOf(pool)
  }

  async start(signal: AbortSignal): Promise<void> {
    const { pools, node, clock, tip } = this.#deps
    this.#isStarted = true
    this.#held.add(pools.events.on('jobChanged', (job) => this.#jobCame(job)))
    this.#held.add(pools.events.on('stateChanged', () => this.#poolChanged()))
    this.#held.add(node.events.on('headChanged', ({ removed, added }) => this.#chainChanged(removed, added)))
    this.#held.add(clock.setInterval(() => this.#look(), LOOK_EVERY_MS))
    await this.#readWindow()
    const head = node.head()
    if (head !== null) tip.headIs(head.number, this.#isFresh(head))
    await pools.start(signal)
  }

  async stop(): Promise<void> {
    this.#isStarted = false
    await this.#deps.pools.stop()
    this.#held.dispose()
    this.#warning = ''
  }

  submit(share: Share, signal: AbortSignal): Promise<ShareVerdict> {
    return this.#deps.pools.submit(share, signal)
  }

  #jobCame(job: Job | null): void {
    const { host } = this.#deps.pools.state()
    if (job !== null && host !== this.#tipOf) {
      this.#tipOf = host
      this.#deps.tip.forget()
    }
    this.#deps.tip.jobCame(job)
    if (job === null) this.#watch.workLost()
    else {
      const { epoch, height } = job
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
    if (head !== undefined) this.#deps.tip.headCame(head.number, this.#isFresh(head))
    this.#look()
    if (!this.#watch.knowsHeaders || added.length > MOST_AT_ONCE) return
    this.#recognise(added).catch((error: unknown) => {
      this.#deps.log.debug('blocks could not be looked at', { error: messageOf(error) })
    })
  }

  /** The chain as it is at the start; without it the window fills by and by. */
  async #readWindow(): Promise<void> {
    const { node, log } = this.#deps
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

  /** Blocks whose header one of our pools gave out belong to that pool. */
  async #recognise(blocks: Blocks): Promise<void> {
    for (const { hash, miner } of blocks) {
      const bytes = await this.#deps.node.reader.blockBytes(hash)
      const block = bytes === null ? null : decodeBlock(bytes)
      if (block?.ok === true) this.#watch.sealSeen(toBareHex(sealHash(block.value.header)), toBareHex(miner))
    }
    this.#look()
  }

  #look(): void {
    const warning = this.#judge()
    if (warning === this.#warning) return
    this.#warning = warning
    if (warning !== '') this.#deps.log.warn('the chain of the own node warns of this pool', { warning })
    this.events.emit('stateChanged', this.state())
  }

  #judge(): string {
    if (!this.#isStarted) return ''
    const { pools, node } = this.#deps
    const { connected, host } = pools.state()
    const head = node.head()
    if (!connected || head === null) return ''
    return this.#watch.warning(host, this.#isFresh(head))
  }

  #isFresh({ timestamp }: Blocks[number]): boolean {
    return isFreshHead(timestamp, this.#deps)
  }
}
