// The own node as the miner's work source: templates become jobs, shares become sealed blocks.
import { Emitter } from '../../base/events'
import { toBareHex } from '../../base/hex'
import { Disposables } from '../../base/lifecycle'
import { Mutex } from '../../base/mutex'
import type { Clock } from '../../base/time'
import { difficultyOfTarget } from '../../miner/difficulty'
import {
  type Job,
  type Share,
  type ShareVerdict,
  SOLO_HOST,
  SOLO_URL,
  type WorkSource,
  type WorkSourceEvents,
  type WorkSourceState,
} from '../../miner/work-source'
import type { ChainWork, NodeService } from '../../node/node-service'

/** The part of the node that is used. */
type WorkingNode = Pick<NodeService, 'events' | 'currentWork' | 'submitWork'>

interface NodeWorkSourceDeps {
  readonly node: WorkingNode
  readonly clock: Clock
}

export class NodeWorkSource implements WorkSource {
  readonly events = new Emitter<WorkSourceEvents>()
  readonly #held = new Disposables()
  /** A share waits for the verdict on the one before: a fast device finds many for the same block. */
  readonly #submits = new Mutex()
  /** The current template has made its block. */
  #isSealed = false
  #lastHeight: number | null = null
  #connected = false

  constructor(private readonly deps: NodeWorkSourceDeps) {}

  state(): WorkSourceState {
    return {
      kind: 'solo',
      connected: this.#connected,
      host: SOLO_HOST,
      url: SOLO_URL,
      switches: 0,
      warning: '',
    }
  }

  async start(): Promise<void> {
    const { node } = this.deps
    this.#held.add(node.events.on('workChanged', (work) => this.#take(work)))
    this.#held.add(node.events.on('workHeld', () => this.#take(null)))
    this.#held.add(node.events.on('lost', () => this.#take(null)))
    this.#held.add(node.events.on('stopped', () => this.#take(null)))
    this.#take(node.currentWork())
  }

  async stop(): Promise<void> {
    this.#held.dispose()
    this.#take(null)
  }

  /** Shares of a replaced job, and those found after the one that made the block, aren't sent. */
  submit(share: Share): Promise<ShareVerdict> {
    return this.#submits.run(async () => {
      if (share.replaced || this.#isSealed) return { kind: 'stale' }
      const { node, clock } = this.deps
      const sentAt = clock.monotonic()
      const { nonce, job, mixDigest } = share
      const outcome = await node.submitWork({ nonce, sealHash: job.sealHash, mixDigest })
      const latencyMs = Math.round(clock.monotonic() - sentAt)
      if (outcome === 'stale') return { kind: 'stale' }
      if (outcome === 'rejected') return { kind: 'rejected', reason: 'the node rejected the block', latencyMs }
      this.#isSealed = job.height !== null && job.height === this.#lastHeight
      return { kind: 'accepted', latencyMs }
    })
  }

  #take(work: ChainWork | null): void {
    this.#isSealed = false
    const connected = work !== null
    if (connected !== this.#connected) {
      this.#connected = connected
      this.events.emit('stateChanged', this.state())
    }
    if (work === null) this.#lastHeight = null // the next source of work doesn't know earlier templates
    this.events.emit('jobChanged', work === null ? null : this.#jobOf(work))
  }

  /** A new template at the same height only adds transactions: solutions of the earlier one still make a block. */
  #jobOf(work: ChainWork): Job {
    const cleanJobs = work.height !== this.#lastHeight
    this.#lastHeight = work.height
    return {
      jobId: toBareHex(work.sealHash.subarray(0, 8)),
      sealHash: work.sealHash,
      seedHash: work.seedHash,
      epoch: work.epoch,
      target: work.target,
      height: work.height,
      difficulty: difficultyOfTarget(work.target),
      extranonce: null,
      cleanJobs,
    }
  }
}
