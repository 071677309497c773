// All devices together: gives out jobs, checks what devices find, and turns good solutions into shares.
import { messageOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import type { XhashEngine } from '../../native/xhash-port'
import { expectedHashes } from '../difficulty'
import { MinerError } from '../errors'
import type { SensorSource } from '../sensors/reading'
import type { SettledShare, ShareOutcome } from '../snapshot'
import type { Job, Share, ShareVerdict } from '../work-source'
import type { DeviceBackend } from './device-backend'
import { DeviceSlot } from './device-slot'
import { JobBook } from './job-book'
import type { PauseReason } from './pause-reasons'
import { checkSolution } from './solution-check'

/** Solutions waiting for their check; more means a difficulty far too low for these devices. */
const CHECK_QUEUE_LIMIT = 256
/** The next epoch's cache is built when the boundary is this near (miner.md B10). */
const CACHE_AHEAD_BLOCKS = 36

export interface FarmEvents {
  /** state, progress, pause reasons or error of at least one device */
  devicesChanged: null
  /** a device was given work; `device` is its index */
  miningBegan: { readonly device: number }
  shareSettled: SettledShare
}

export interface FarmOptions {
  /** wished segment width in bits, 10..63 */
  readonly segmentBits: number
}

export interface FarmDeps {
  readonly backends: readonly DeviceBackend[]
  readonly engine: XhashEngine
  readonly submit: (share: Share, signal: AbortSignal) => Promise<ShareVerdict>
  readonly clock: Clock
  readonly log: Logger
  /** 64 random bits */
  readonly random: () => bigint
}

interface Found {
  readonly device: number
  readonly token: number
  readonly nonce: bigint
  readonly job: Job
}

export class Farm {
  readonly events = new Emitter<FarmEvents>()
  #slots: DeviceSlot[] = []
  #sensors: (SensorSource | null)[] = []
  #book: JobBook
  #job: Job | null = null
  #queue: Found[] = []
  #checking = false
  #overflowed = false
  #preparedAhead = -1
  #stopped = new AbortController()

  constructor(
    private readonly options: FarmOptions,
    private readonly deps: FarmDeps,
  ) {
    this.#book = this.#newBook()
  }

  get slots(): readonly DeviceSlot[] {
    return this.#slots
  }

  /** By device index; null where a device has none. */
  get sensors(): readonly (SensorSource | null)[] {
    return this.#sensors
  }

  /** As the source gave it last. */
  get job(): Job | null {
    return this.#job
  }

  /** Finds the devices; they begin with the first job. A backend that fails is left out, said in the log. */
  async start(signal: AbortSignal): Promise<void> {
    this.#stopped = new AbortController()
    this.#book = this.#newBook()
    for (const backend of this.deps.backends) {
      try {
        for (const detected of await backend.detect(signal)) {
          this.#sensors.push(detected.sensors)
          this.#slots.push(new DeviceSlot({ index: this.#slots.length, detected }, this.#slotDeps()))
        }
      } catch (error: unknown) {
        signal.throwIfAborted()
        this.deps.log.error('devices could not be listed', { backend: backend.kind, error: messageOf(error) })
      }
    }
  }

  async stop(): Promise<void> {
    this.#stopped.abort(new Error('miner stopped'))
    const slots = this.#slots
    this.#slots = []
    this.#sensors = []
    this.#queue = []
    this.#job = null
    await Promise.all(slots.map((slot) => slot.close()))
  }

  setJob(job: Job | null): void {
    this.#job = job
    const searched = job === null ? null : this.#book.begin(job, this.#slots.length)
    for (const slot of this.#slots) slot.setJob(searched)
    if (job !== null) this.#prepareAhead(job)
  }

  /** @param device index, or null for all. @throws MinerError DEVICE_UNKNOWN */
  pause(device: number | null, reason: PauseReason): void {
    for (const slot of this.#select(device)) slot.pause(reason)
  }

  /** Lifts this reason only. @throws MinerError DEVICE_UNKNOWN */
  resume(device: number | null, reason: PauseReason): void {
    for (const slot of this.#select(device)) slot.resume(reason)
  }

  /** Has begun on every device when it returns. Pause reasons that a restart cannot heal stay. */
  restart(): void {
    for (const slot of this.#slots) slot.restart()
  }

  #select(device: number | null): readonly DeviceSlot[] {
    if (device === null) return this.#slots
    const slot = this.#slots[device]
    if (slot === undefined) throw new MinerError('DEVICE_UNKNOWN', { device, count: this.#slots.length })
    return [slot]
  }

  #slotDeps(): ConstructorParameters<typeof DeviceSlot>[1] {
    return {
      log: this.deps.log,
      assign: (index, job) => this.#book.assign(index, job),
      onSolution: (device, token, nonce) => this.#solutionFound(device, token, nonce),
      onMining: (device) => this.events.emit('miningBegan', { device }),
      onChange: () => this.events.emit('devicesChanged', null),
    }
  }

  #newBook(): JobBook {
    return new JobBook({ startNonce: this.deps.random(), segmentBits: this.options.segmentBits })
  }

  #solutionFound(device: number, token: number, nonce: bigint): void {
    const job = this.#book.takeSolution(token, nonce)
    if (job === null || this.#stopped.signal.aborted) return
    if (this.#queue.length >= CHECK_QUEUE_LIMIT) {
      if (!this.#overflowed) this.deps.log.warn('difficulty too low for these devices, solutions are dropped')
      this.#overflowed = true
      return
    }
    this.#queue.push({ device, token, nonce, job })
    if (!this.#checking) void this.#checkAll()
  }

  /** One check at a time, oldest first; a share that waits for its verdict holds nobody up. */
  async #checkAll(): Promise<void> {
    this.#checking = true
    for (let found = this.#queue.shift(); found !== undefined; found = this.#queue.shift()) await this.#check(found)
    this.#checking = false
    this.#overflowed = false
  }

  async #check(found: Found): Promise<void> {
    const { signal } = this.#stopped
    const { job, nonce, token } = found
    try {
      const checked = await checkSolution(this.deps.engine, job, nonce)
      if (signal.aborted) return
      if (checked.kind === 'failed') {
        this.deps.log.warn('device computed a wrong solution', { device: found.device, epoch: job.epoch })
        this.#settle(found, null, { outcome: 'failed', reason: 'wrong result' })
      }
      if (checked.kind !== 'good') return
      const { mixDigest, result } = checked
      void this.#submit(found, { job, nonce, mixDigest, result, replaced: this.#book.isReplaced(token) })
    } catch (error: unknown) {
      if (!signal.aborted) this.deps.log.error('solution could not be checked', { error: messageOf(error) })
    }
  }

  async #submit(found: Found, share: Share): Promise<void> {
    const { signal } = this.#stopped
    const own = expectedHashes(share.result)
    try {
      const verdict = await this.deps.submit(share, signal)
      const reason = verdict.kind === 'rejected' || verdict.kind === 'lost' ? verdict.reason : ''
      const latencyMs = 'latencyMs' in verdict ? verdict.latencyMs : null
      this.#settle(found, own, { outcome: verdict.kind, reason, latencyMs })
    } catch (error: unknown) {
      if (signal.aborted) return
      this.#settle(found, own, { outcome: 'lost', reason: messageOf(error) })
    }
  }

  #settle(
    { device, job }: Found,
    ownDifficulty: number | null,
    end: { readonly outcome: ShareOutcome; readonly reason: string; readonly latencyMs?: number | null },
  ): void {
    this.events.emit('shareSettled', {
      at: this.deps.clock.now(),
      device,
      jobId: job.jobId,
      height: job.height,
      jobDifficulty: expectedHashes(job.target),
      ownDifficulty,
      outcome: end.outcome,
      reason: end.reason,
      latencyMs: end.latencyMs ?? null,
    })
  }

  #prepareAhead({ epoch, height }: Job): void {
    const { epochLength } = this.deps.engine.params
    if (height === null || this.#preparedAhead > epoch) return
    if (epochLength - (height % epochLength) > CACHE_AHEAD_BLOCKS) return
    this.#preparedAhead = epoch + 1
    this.deps.engine.prepareEpoch(epoch + 1, this.#stopped.signal).catch((error: unknown) => {
      if (!this.#stopped.signal.aborted)
        this.deps.log.warn('next epoch could not be prepared', { epoch: epoch + 1, error: messageOf(error) })
    })
  }
}
