// One device in the farm: aligns it with its job, epoch and pause reasons. A failing slot doesn't affect the others.
import { hasCode, messageOf } from '../../base/errors'
import { Disposables } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import { onAbort } from '../../base/on-abort'
import type { Clock } from '../../base/time'
import type { DeviceState } from '../stats/snapshot'
import type { Job } from '../work-source'
import { AheadBuild } from './datasets/ahead-build'
import type { BuildQueue } from './datasets/build-queue'
import type { DatasetPreparer } from './datasets/dataset-preparer'
import type { DetectedDevice, DeviceHash, DeviceInfo, DeviceJob, DeviceLaunch, MiningDevice } from './device-backend'
import { STUCK_COMPILE_MS } from './guard/watchdog'
import type { NonceSegment } from './nonce-space'
import { type PauseReason, PauseReasons } from './pauses/pause-reasons'

interface DeviceSlotOptions {
  readonly index: number
  readonly detected: DetectedDevice
}

interface DeviceSlotDeps {
  readonly log: Logger
  readonly clock: Clock
  readonly gate: BuildQueue
  readonly datasets: DatasetPreparer
  /** The next segment of the job for this device; null when the nonce space is exhausted. */
  readonly assign: (index: number, job: Job) => DeviceJob | null
  readonly onSolution: (index: number, found: DeviceSolution) => void
  /** The device can't continue; the watchdog decides what happens next. */
  readonly onFailed: (index: number, reason: string) => void
  /** The device started searching, or resumed. */
  readonly onMining: (index: number) => void
  readonly onChange: () => void
}

/** A device's solution; the hash only for devices that compute it. */
export interface DeviceSolution {
  readonly token: number
  readonly nonce: bigint
  readonly hash: DeviceHash | null
}

interface Build {
  readonly epoch: number
  readonly abort: AbortController
  /** false while other devices build first */
  begun: boolean
  progress: number
}

/** A hanging driver is abandoned after this, and the device reopened. */
const LEAVE_BEHIND_MS = 5_000
const EPOCH_FAULTS: readonly PauseReason[] = ['Insufficient GPU memory', 'Epoch initialization error']

/** The slot of one device. */
export class DeviceSlot {
  readonly index: number
  readonly info: DeviceInfo
  readonly #reasons = new PauseReasons()
  #device: MiningDevice | null = null
  /** hashes of instances closed by a restart */
  #hashesBefore = 0n
  #job: Job | null = null
  /** the device's current job, and its token */
  #assigned: { readonly job: Job; readonly given: DeviceJob } | null = null
  /** the job whose nonces are exhausted */
  #exhausted: Job | null = null
  #builtEpoch: number | null = null
  #build: Build | null = null
  readonly #ahead: AheadBuild
  #failedEpoch: number | null = null
  error = ''
  /** Duration of its last full build; null before the first. */
  buildSeconds: number | null = null
  /** hashes finished when its dataset became ready */
  #hashesAtBuild = 0n
  #closed = false
  /** builds and closes are serialized */
  #tail: Promise<void> = Promise.resolve()

  constructor(
    private readonly options: DeviceSlotOptions,
    private readonly deps: DeviceSlotDeps,
  ) {
    this.index = options.index
    this.info = options.detected.info
    this.#ahead = new AheadBuild({ ...options, ...deps })
  }

  get state(): DeviceState {
    if (this.#reasons.faulty) return 'error'
    if (this.#reasons.paused) return 'paused'
    if (this.#build !== null) return this.#buildState(this.#build)
    if (this.#job === null || this.#job === this.#exhausted) return 'waiting'
    if (this.#assigned === null) return 'starting'
    // Drivers also compile at the first launch of the search.
    const isFirst = this.options.detected.compiles === true && this.#device?.hashCount() === this.#hashesAtBuild
    return isFirst ? 'compiling' : 'mining'
  }

  #buildState({ begun, progress }: Build): DeviceState {
    if (!begun) return 'starting'
    return this.options.detected.compiles === true && progress === 0 ? 'compiling' : 'building'
  }

  get pauseReasons(): PauseReason[] {
    return this.#reasons.list()
  }

  /** 0..1 while building, otherwise null */
  get progress(): number | null {
    return this.#build?.progress ?? null
  }

  get datasetBytes(): number | null {
    return this.#device?.datasetBytes() ?? null
  }

  /** Whether this kind of device can hold two datasets. */
  get canBuildAhead(): boolean {
    return this.#device?.prepareAhead !== undefined
  }

  /** Its current launch size; null when not applicable. */
  get launch(): DeviceLaunch | null {
    return this.#device?.launch?.() ?? null
  }

  /** The nonces being searched; null while idle. */
  get segment(): NonceSegment | null {
    return this.#assigned?.given.segment ?? null
  }

  /** hashes finished since the farm started; never decreases */
  hashCount(): bigint {
    return this.#hashesBefore + (this.#device?.hashCount() ?? 0n)
  }

  setJob(job: Job | null): void {
    this.#job = job
    if (job !== null && this.#failedEpoch !== null && job.epoch !== this.#failedEpoch) this.#forgetEpochFault()
    this.#reconcile()
  }

  /** The next epoch is near: its dataset may be built beside the one in use. */
  setNextEpoch(epoch: number): void {
    this.#ahead.want(epoch)
    this.#reconcile()
  }

  pause(reason: PauseReason): void {
    if (this.#reasons.add(reason)) this.#reconcile()
  }

  /** Lifts this reason only. */
  resume(reason: PauseReason): void {
    if (this.#reasons.remove(reason)) this.#reconcile()
  }

  /** Closes and reopens the device; faults that a restart can fix are cleared, other pause reasons stay. */
  restart(): void {
    this.#forgetEpochFault()
    this.#reasons.remove('Device error')
    this.#dropAll()
    this.#builtEpoch = null
    this.#assigned = null
    this.#queue(() => this.#closeDevice())
    this.#reconcile()
  }

  /** Stays off, with this as its error, until the user restarts it. */
  giveUp(reason: string): void {
    this.error = reason
    this.#dropAll()
    this.#builtEpoch = null
    this.#queue(() => this.#closeDevice())
    this.pause('Device error')
  }

  /** The job's nonces were redistributed: takes its new segment. */
  renewSegment(): void {
    this.#assigned = null
    this.#exhausted = null
    this.#reconcile()
  }

  /** The segment with this token is exhausted. */
  segmentDone(token: number): void {
    if (this.#assigned?.given.token !== token) return
    this.#assigned = null
    this.#reconcile()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#job = null
    this.#dropAll()
    this.#device?.clearJob()
    this.#queue(() => this.#closeDevice())
    await this.#tail
  }

  #reconcile(): void {
    if (this.#closed) return
    const job = this.#job
    if (job === null || this.#reasons.paused) {
      // A lost pool usually returns in the same epoch, and a dataset can take minutes: only a pause cancels it.
      if (this.#reasons.paused) this.#dropBuild()
      this.#assigned = null
      this.#device?.clearJob()
      if (this.#reasons.paused) this.#standStill()
    } else if (this.#builtEpoch !== job.epoch) {
      this.#startBuild(job.epoch)
    } else if (this.#assigned?.job !== job && this.#exhausted !== job) {
      this.#giveJob(job)
    }
    if (this.#assigned !== null && this.#device !== null && this.#builtEpoch !== null)
      this.#ahead.begin(this.#device, this.#builtEpoch)
    this.deps.onChange()
  }

  /** A paused device builds nothing, and frees the memory of a past epoch. */
  #standStill(): void {
    this.#ahead.pause()
    if (this.#builtEpoch === null || this.#job === null || this.#builtEpoch === this.#job.epoch) return
    this.#builtEpoch = null
    this.#ahead.drop()
    this.#queue(() => this.#closeDevice())
  }

  #giveJob(job: Job): void {
    const assigned = this.deps.assign(this.index, job)
    if (assigned === null) {
      this.deps.log.warn('nonce space used up, device idles until the next job', { device: this.index })
      this.#exhausted = job
      this.#assigned = null
      this.#device?.clearJob()
      return
    }
    this.#assigned = { job, given: assigned }
    this.#device?.setJob(assigned)
    this.deps.onMining(this.index)
  }

  #startBuild(epoch: number): void {
    if (this.#build?.epoch === epoch) return
    this.#dropBuild()
    this.#ahead.keepOnly(epoch)
    const build: Build = { epoch, abort: new AbortController(), begun: !this.deps.gate.isSequential, progress: 0 }
    this.#build = build
    this.#assigned = null
    this.#builtEpoch = null
    this.#device?.clearJob()
    this.#queue(() => this.#runBuild(build))
  }

  async #runBuild(build: Build): Promise<void> {
    const { log, gate } = this.deps
    const { signal } = build.abort
    if (signal.aborted) return
    try {
      // A dataset that is already built is used immediately, whichever device is building now.
      await (this.#ahead.isReady(build.epoch) ? this.#prepare(build) : gate.run(() => this.#prepare(build)))
    } catch (error: unknown) {
      if (!signal.aborted) this.#buildFailed(build, error)
      return
    }
    if (signal.aborted) return
    log.info('DAG ready', { device: this.index, epoch: build.epoch })
    this.#build = null
    this.#builtEpoch = build.epoch
    this.#hashesAtBuild = this.#device?.hashCount() ?? 0n
    this.#ahead.drop() // it is now current, or of an epoch that didn't come
    this.#reconcile()
  }

  async #prepare(build: Build): Promise<void> {
    const { log, clock, datasets } = this.deps
    const { epoch } = build
    const { signal } = build.abort
    signal.throwIfAborted()
    build.begun = true
    log.info('building DAG', { device: this.index, epoch })
    const isAhead = this.#ahead.isReady(epoch)
    const begunAt = clock.monotonic()
    const device = this.#device ?? this.#open()
    const work = datasets.prepare(
      { detected: this.options.detected, device, epoch },
      { signal, onProgress: (fraction) => this.#progressed(build, fraction) },
    )
    const limitMs = (): number => this.#patience(build, begunAt)
    const end = await endedOrLate(work, { clock, limitMs, from: signal })
    if (end === 'late') this.#leaveBehind(device, work)
    else if (!isAhead) this.buildSeconds = (clock.monotonic() - begunAt) / 1_000
  }

  /** A compilation can't be interrupted: abandoning a device in one would waste a thread and memory. */
  #patience({ progress }: Build, begunAt: number): number {
    const isCompiling = this.options.detected.compiles === true && progress === 0 && !this.#closed
    const leftMs = isCompiling ? begunAt + STUCK_COMPILE_MS - this.deps.clock.monotonic() : 0
    return Math.max(LEAVE_BEHIND_MS, leftMs)
  }

  /** Callbacks after closing or abandoning the device are ignored. */
  #open(): MiningDevice {
    const ifCurrent = (heard: () => void): void => {
      if (this.#device === device) heard()
    }
    const device = this.options.detected.open({
      solutionFound: (token, nonce, hash) =>
        ifCurrent(() => this.deps.onSolution(this.index, { token, nonce, hash: hash ?? null })),
      segmentDone: (token) => ifCurrent(() => this.segmentDone(token)),
      failed: (error) => ifCurrent(() => this.deps.onFailed(this.index, messageOf(error))),
    })
    this.#device = device
    return device
  }

  #progressed(build: Build, fraction: number): void {
    if (this.#build !== build) return
    build.progress = Math.min(1, Math.max(0, fraction))
    this.deps.onChange()
  }

  #buildFailed(build: Build, error: unknown): void {
    if (hasCode(error, 'DEVICE_GPU_LOST')) {
      // What its driver released can't be used for a later build either: it is reopened, as after a search.
      this.#build = null
      this.deps.onFailed(this.index, messageOf(error))
      return
    }
    const noMemory = hasCode(error, 'DEVICE_OUT_OF_MEMORY')
    this.error = messageOf(error)
    this.deps.log.error('device could not build its DAG', {
      device: this.index,
      epoch: build.epoch,
      error: this.error,
    })
    this.#build = null
    this.#failedEpoch = build.epoch
    this.pause(noMemory ? 'Insufficient GPU memory' : 'Epoch initialization error')
  }

  #forgetEpochFault(): void {
    this.#failedEpoch = null
    this.error = ''
    for (const reason of EPOCH_FAULTS) this.#reasons.remove(reason)
  }

  #dropAll(): void {
    this.#dropBuild()
    this.#ahead.drop()
  }

  #dropBuild(): void {
    this.#build?.abort.abort(new Error('build no longer needed'))
    this.#build = null
  }

  async #closeDevice(): Promise<void> {
    const device = this.#device
    if (device === null) return
    try {
      const closing = device.close()
      const end = await endedOrLate(closing, { clock: this.deps.clock, limitMs: LEAVE_BEHIND_MS, from: null })
      if (end === 'late') return this.#leaveBehind(device, closing)
    } catch (error: unknown) {
      this.deps.log.error('device failed to close', { device: this.index, error: messageOf(error) })
    }
    this.#hashesBefore += device.hashCount()
    this.#device = null
  }

  /** @param hanging the pending call; if it ever returns, the device is closed then */
  #leaveBehind(device: MiningDevice, hanging: Promise<void>): void {
    const close = (): Promise<void> => device.close()
    hanging.then(close, close).catch((error: unknown) => {
      this.deps.log.warn('abandoned device failed to close', { device: this.index, error: messageOf(error) })
    })
    this.deps.log.error('device is not responding, abandoning it', { device: this.index })
    if (this.#device !== device) return
    this.#hashesBefore += device.hashCount()
    this.#device = null
  }

  #queue(step: () => Promise<void>): void {
    this.#tail = this.#tail.then(step).catch((error: unknown) => {
      this.deps.log.error('device step failed', { device: this.index, error: messageOf(error) })
    })
  }
}

interface LateEndOptions {
  readonly clock: Clock
  /** called when the time begins */
  readonly limitMs: number | (() => number)
  /** time starts when it aborts; null: now */
  readonly from: AbortSignal | null
}

/**
 * `late` when `work` hasn't settled in time: a call to a device may never return because its driver hangs.
 * @throws what `work` throws in time
 */
async function endedOrLate(work: Promise<void>, { clock, limitMs, from }: LateEndOptions): Promise<'ended' | 'late'> {
  const held = new Disposables()
  const late = new Promise<'late'>((resolve) => {
    const begin = (): void =>
      void held.add(clock.setTimeout(() => resolve('late'), typeof limitMs === 'number' ? limitMs : limitMs()))
    if (from === null) begin()
    else held.add(onAbort(from, begin))
  })
  try {
    return await Promise.race([work.then(() => 'ended' as const), late])
  } finally {
    held.dispose()
  }
}
