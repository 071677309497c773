// All devices together: distributes jobs, verifies what devices find, and turns valid solutions into shares.
import { bigintFromBytes } from '../../base/bytes'
import { messageOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import type { XhashEngine } from '../../native/xhash-port'
import { expectedHashes } from '../difficulty'
import { MinerError } from '../errors'
import { rejectionTrouble } from '../pool-trouble'
import type { SensorSource } from '../sensors/reading'
import type { SettledShare, ShareOutcome } from '../stats/snapshot'
import type { Job, Share, ShareVerdict } from '../work-source'
import { BuildQueue } from './datasets/build-queue'
import { DatasetPreparer } from './datasets/dataset-preparer'
import type { DetectedDevice, DeviceBackend, DeviceHash, Fault, TemperatureLimits } from './device-backend'
import { DeviceSlot, type DeviceSolution } from './device-slot'
import { DeviceCare } from './guard/device-care'
import { JobHistory, type NoncePlan } from './job-history'
import { type NonceSegment, NonceSpace } from './nonce-space'
import type { PauseReason } from './pauses/pause-reasons'

/** Consecutive correct solutions after which a device's hash is trusted (`--noeval`). */
const GOOD_IN_A_ROW = 100

// Verifies a device's solution on the CPU: it becomes a share, fails, or was only borderline.

/** Devices compare only the top 64 bits, so equal ones with a larger rest aren't the device's fault. */
const COMPARED_BITS = 64n
const REST_BITS = 256n - COMPARED_BITS

type CheckedSolution =
  | { readonly kind: 'good'; readonly mixDigest: Uint8Array; readonly result: Uint8Array }
  | { readonly kind: 'borderline' }
  | { readonly kind: 'failed' }

function judge(job: Job, { mixDigest, result }: DeviceHash): CheckedSolution {
  const hash = bigintFromBytes(result)
  const target = bigintFromBytes(job.target)
  if (hash <= target) return { kind: 'good', mixDigest, result }
  return hash >> REST_BITS === target >> REST_BITS ? { kind: 'borderline' } : { kind: 'failed' }
}

/** What a source calls too late is stale, whether it says so with a kind, in words or by number. */
const outcomeOf = (verdict: ShareVerdict): ShareOutcome =>
  verdict.kind === 'rejected' && rejectionTrouble(verdict.reason, verdict.code ?? null) === 'share-stale'
    ? 'stale'
    : verdict.kind

/** By device index: its own, or the one at its PCI address; null where a device has none. */
export function sensorSources(
  { sensors, slots }: Pick<Farm, 'sensors' | 'slots'>,
  sensorsOf: (pci: string) => SensorSource | null = () => null,
): readonly (SensorSource | null)[] {
  return sensors.map((own, index) => {
    const pci = slots[index]?.info.pci ?? ''
    return own ?? (pci === '' ? null : sensorsOf(pci))
  })
}

// Decides when the next epoch is close enough to prepare its cache and, if enabled, its dataset.

const AHEAD_BLOCKS = 36
/** An epoch lasts about five days; without heights this errs on the early side. */
const AHEAD_MS = 12 * 3_600_000

/** Watches for the approach of the next epoch. */
export class NextEpoch {
  #epoch: number | null = null
  #since = 0
  #told: number | null = null

  /** @param epochLength in blocks */
  constructor(private readonly epochLength: number) {}

  /** The epoch to prepare now, reported once each; null: none. @param at monotonic ms */
  due({ epoch, height }: Pick<Job, 'epoch' | 'height'>, at: number): number | null {
    if (this.#epoch !== epoch) {
      this.#epoch = epoch
      this.#since = at
    }
    const next = epoch + 1
    if (this.#told === next || !this.#isNear(epoch, height, at)) return null
    this.#told = next
    return next
  }

  /** Ignores a height that contradicts the seed's epoch. */
  #isNear(epoch: number, height: number | null, at: number): boolean {
    if (height === null || Math.floor(height / this.epochLength) !== epoch) return at - this.#since >= AHEAD_MS
    return this.epochLength - (height % this.epochLength) <= AHEAD_BLOCKS
  }
}

/** Solutions waiting for verification; more means a difficulty far too low for these devices. */
const CHECK_QUEUE_LIMIT = 256
const MIN_RATE_FRACTION = 0.5

/** When nonces are redrawn, in the family's numbers. */
export type Ergodicity = '0' | '1' | '2'

/** The current distribution of nonces. */
export interface NonceLayout {
  /** first nonce: the extranonce's if the pool gives one */
  readonly start: bigint
  /** segment width in bits */
  readonly bits: number
  /** by device index: its current segment, or its first one */
  readonly segments: readonly NonceSegment[]
}

interface FarmEvents {
  /** state, progress, pause reasons or error of at least one device changed */
  devicesChanged: null
  /** a device got work; `device` is its index */
  miningBegan: { readonly device: number }
  shareSettled: SettledShare
}

export interface FarmOptions {
  /** requested segment width in bits, 10..63 */
  readonly segmentBits: number
  /** when the first nonce is redrawn: at startup only, at each `reconnected`, at each new header */
  readonly ergodicity?: Ergodicity
  /** selects among detected devices; default all */
  readonly select?: (found: readonly DetectedDevice[]) => readonly DetectedDevice[]
  /** datasets are built one after another */
  readonly sequentialBuilds?: boolean
  /** build the next epoch's dataset beside the one in use if memory permits */
  readonly doubleDatasets?: boolean
  /** called when the watchdog disables a device until the user restarts it */
  readonly onGaveUp?: (device: number, reason: string) => void
  /** skip verification for devices with a proven record */
  readonly noEval?: boolean
  /** temperature limits for every device; default: the device's own */
  readonly limits?: TemperatureLimits | null
  /** 0..1: a device below this fraction of its own mean is restarted; 0 = never; default one half */
  readonly minRateFraction?: number
}

interface FarmDeps {
  readonly backends: readonly DeviceBackend[]
  readonly engine: XhashEngine
  readonly submit: (share: Share, signal: AbortSignal) => Promise<ShareVerdict>
  readonly clock: Clock
  readonly log: Logger
  /** 64 random bits */
  readonly random: () => bigint
}

interface Found extends DeviceSolution {
  readonly device: number
  readonly job: Job
}

export class Farm {
  readonly events = new Emitter<FarmEvents>()
  slots: DeviceSlot[] = []
  #sensors: (SensorSource | null)[] = []
  /** kept across a restart, so a pool that repeats a job and extranonce doesn't get the same shares again */
  readonly #history: JobHistory
  #plan: NoncePlan
  /** The source's latest job. */
  job: Job | null = null
  /** the job as devices know it: the same object while the work is unchanged */
  #searched: Job | null = null
  #queue: Found[] = []
  #checking = false
  #overflowed = false
  #nextEpoch: NextEpoch
  /** the epoch whose datasets may be built ahead; null: none */
  #aheadEpoch: number | null = null
  #stopped = new AbortController()
  /** consecutive correct solutions by device index */
  readonly #good = new Map<number, number>()
  /** by device index */
  #detected: DetectedDevice[] = []
  readonly #gate: BuildQueue
  /** Watchdog and thermal guard of the devices. */
  readonly care: DeviceCare
  readonly #datasets: DatasetPreparer

  constructor(
    private readonly options: FarmOptions,
    private readonly deps: FarmDeps,
  ) {
    const { limits = null, minRateFraction = MIN_RATE_FRACTION, onGaveUp = () => undefined } = options
    this.#gate = new BuildQueue(options.sequentialBuilds ?? false)
    this.care = new DeviceCare({ limits, minRateFraction, onGaveUp }, deps)
    this.#datasets = new DatasetPreparer(deps)
    this.#plan = this.#newPlan()
    this.#history = new JobHistory(() => this.#planOfHeader())
    this.#nextEpoch = new NextEpoch(deps.engine.params.epochLength)
  }

  /** By device index; null where a device has none. */
  get sensors(): readonly (SensorSource | null)[] {
    return this.#sensors
  }

  /** Detects the devices; they start with the first job. */
  async start(signal: AbortSignal): Promise<void> {
    this.#stopped = new AbortController()
    this.#plan = this.#newPlan()
    this.#good.clear()
    this.#nextEpoch = new NextEpoch(this.deps.engine.params.epochLength)
    this.#aheadEpoch = null
    const found = await this.detect(signal)
    this.#append(this.options.select?.(found) ?? found)
  }

  /** Every detected device, used or not, in index order. A failing backend is skipped and logged. */
  async detect(signal: AbortSignal): Promise<readonly DetectedDevice[]> {
    const found: DetectedDevice[] = []
    for (const backend of this.deps.backends) {
      try {
        found.push(...(await backend.detect(signal)))
      } catch (error: unknown) {
        signal.throwIfAborted()
        this.deps.log.error('devices could not be listed', { backend: backend.kind, error: messageOf(error) })
      }
    }
    return found
  }

  /** Adds devices after startup; they take the current job. */
  add(devices: readonly DetectedDevice[]): void {
    const searched = this.#searched
    for (const slot of this.#append(devices)) {
      if (this.#aheadEpoch !== null) slot.setNextEpoch(this.#aheadEpoch)
      slot.setJob(searched)
    }
    this.events.emit('devicesChanged', null)
  }

  /** @throws MinerError DEVICE_UNKNOWN, DEVICE_NOT_SIMULATED */
  simulateFault(device: number, fault: Fault): void {
    this.#select(device)
    const simulate = this.#detected[device]?.simulateFault
    if (simulate === undefined) throw new MinerError('DEVICE_NOT_SIMULATED', { device })
    simulate(fault)
  }

  async stop(): Promise<void> {
    this.#stopped.abort(new Error('miner stopped'))
    const slots = this.slots
    this.slots = []
    this.#sensors = []
    this.#detected = []
    this.care.clear()
    this.#queue = []
    this.job = null
    this.#searched = null
    await Promise.all(slots.map((slot) => slot.close()))
  }

  setJob(job: Job | null): void {
    this.job = job
    const searched = job === null ? null : this.#history.begin(job, this.slots.length)
    this.#searched = searched
    for (const slot of this.slots) slot.setJob(searched)
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

  /** Has begun on every device when it returns. Pause reasons that a restart can't fix stay. */
  restart(): void {
    this.care.forgive()
    for (const slot of this.slots) slot.restart()
  }

  layout(): NonceLayout {
    const { startNonce, segmentBits } = this.#plan
    const devices = this.slots.length
    const planned = new NonceSpace({ start: startNonce, extranonce: null, devices, bits: segmentBits })
    const { base, bits } = (this.job?.extranonce ? this.#history.space : null) ?? planned
    const first = (index: number): NonceSegment => ({
      start: BigInt.asUintN(64, base + (BigInt(index) << BigInt(bits))),
      bits,
    })
    return { start: base, bits, segments: this.slots.map((slot) => slot.segment ?? first(slot.index)) }
  }

  /**
   * Sets the first nonce, the width or both; devices switch immediately unless the pool fixes the first nonce.
   * @param plan startNonce 0..2^64 - 1; segmentBits 10..63
   */
  setNonces(plan: Partial<NoncePlan>): void {
    this.#plan = { ...this.#plan, ...plan }
    if (this.#history.renew(this.slots.length, this.#plan)) for (const slot of this.slots) slot.renewSegment()
  }

  /** Redraws the first nonce, effective immediately on every device whose pool gives no extranonce. */
  shuffle(): void {
    this.setNonces({ startNonce: this.deps.random() })
  }

  /** The source has a new connection. */
  reconnected(): void {
    if (this.options.ergodicity === '1') this.#plan = { ...this.#plan, startNonce: this.deps.random() }
  }

  #select(device: number | null): readonly DeviceSlot[] {
    if (device === null) return this.slots
    const slot = this.slots[device]
    if (slot === undefined) throw new MinerError('DEVICE_UNKNOWN', { device, count: this.slots.length })
    return [slot]
  }

  #append(devices: readonly DetectedDevice[]): readonly DeviceSlot[] {
    const slots = devices.map((detected, position) => {
      const slot = new DeviceSlot({ index: this.slots.length + position, detected }, this.#slotDeps())
      this.care.add(slot, detected)
      return slot
    })
    this.slots.push(...slots)
    this.#detected.push(...devices)
    this.#sensors.push(...devices.map(({ sensors }) => sensors))
    return slots
  }

  #slotDeps(): ConstructorParameters<typeof DeviceSlot>[1] {
    return {
      log: this.deps.log,
      clock: this.deps.clock,
      gate: this.#gate,
      datasets: this.#datasets,
      assign: (index, job) => this.#history.assign(index, job),
      onSolution: (device, solution) => this.#solutionFound(device, solution),
      onFailed: (device, reason) => this.care.deviceFailed(device, reason),
      onMining: (device) => this.events.emit('miningBegan', { device }),
      onChange: () => this.events.emit('devicesChanged', null),
    }
  }

  #planOfHeader(): NoncePlan {
    if (this.options.ergodicity === '2') this.#plan = { ...this.#plan, startNonce: this.deps.random() }
    return this.#plan
  }

  #newPlan(): NoncePlan {
    return { startNonce: this.deps.random(), segmentBits: this.options.segmentBits }
  }

  #solutionFound(device: number, solution: DeviceSolution): void {
    const job = this.#history.takeSolution(solution.token, solution.nonce)
    if (job === null || this.#stopped.signal.aborted) return
    if (this.#queue.length >= CHECK_QUEUE_LIMIT) {
      if (!this.#overflowed) this.deps.log.warn('difficulty too low for these devices, solutions are dropped')
      this.#overflowed = true
      return
    }
    this.#queue.push({ device, job, ...solution })
    if (!this.#checking) void this.#checkAll()
  }

  /** One verification at a time, oldest first; a share waiting for its verdict blocks nothing. */
  async #checkAll(): Promise<void> {
    this.#checking = true
    for (let found = this.#queue.shift(); found !== undefined; found = this.#queue.shift()) await this.#check(found)
    this.#checking = false
    this.#overflowed = false
  }

  async #check(found: Found): Promise<void> {
    const { signal } = this.#stopped
    const { job, nonce, token, device, hash } = found
    try {
      const good = this.#good.get(device) ?? 0
      const isTrusted = this.options.noEval === true && hash !== null && good >= GOOD_IN_A_ROW
      // Recomputed from the light cache, off the event loop.
      const checked = judge(job, isTrusted ? hash : await this.deps.engine.hashLight(job.epoch, job.sealHash, nonce))
      if (signal.aborted) return
      this.#good.set(device, checked.kind === 'failed' ? 0 : good + 1)
      if (checked.kind === 'failed') {
        this.deps.log.warn('device returned a wrong result', { device: found.device, epoch: job.epoch })
        this.#settle(found, null, { outcome: 'failed', reason: 'wrong result' })
      }
      if (checked.kind !== 'good') return
      const { mixDigest, result } = checked
      void this.#submit(found, { job, nonce, mixDigest, result, replaced: this.#history.isReplaced(token) })
    } catch (error: unknown) {
      if (signal.aborted) return
      this.deps.log.error('solution could not be checked', { error: messageOf(error) })
      this.#settle(found, null, { outcome: 'lost', reason: `not checked: ${messageOf(error)}` })
    }
  }

  async #submit(found: Found, share: Share): Promise<void> {
    const { signal } = this.#stopped
    const own = expectedHashes(share.result)
    try {
      const verdict = await this.deps.submit(share, signal)
      const reason = verdict.kind === 'rejected' || verdict.kind === 'lost' ? verdict.reason : ''
      const latencyMs = 'latencyMs' in verdict ? verdict.latencyMs : null
      this.#settle(found, own, { outcome: outcomeOf(verdict), reason, latencyMs })
    } catch (error: unknown) {
      if (signal.aborted) return
      this.#settle(found, own, { outcome: 'lost', reason: messageOf(error) })
    }
  }

  #settle(
    { device, job, nonce }: Found,
    ownDifficulty: number | null,
    end: { readonly outcome: ShareOutcome; readonly reason: string; readonly latencyMs?: number | null },
  ): void {
    this.events.emit('shareSettled', {
      at: this.deps.clock.now(),
      device,
      pool: job.pool ?? '',
      jobId: job.jobId,
      height: job.height,
      jobDifficulty: expectedHashes(job.target),
      ownDifficulty,
      outcome: end.outcome,
      reason: end.reason,
      latencyMs: end.latencyMs ?? null,
      epoch: job.epoch,
      nonce,
    })
  }

  #prepareAhead(job: Job): void {
    const epoch = this.#nextEpoch.due(job, this.deps.clock.monotonic())
    if (epoch === null || !this.#datasets.hasRoom(this.#detected, epoch)) return
    const { signal } = this.#stopped
    const ready = (): void => {
      if (signal.aborted || this.options.doubleDatasets !== true) return
      this.#aheadEpoch = epoch
      for (const slot of this.slots) slot.setNextEpoch(epoch)
    }
    this.deps.engine.prepareEpoch(epoch, signal).then(ready, (error: unknown) => {
      if (!signal.aborted) this.deps.log.warn('next epoch could not be prepared', { epoch, error: messageOf(error) })
    })
  }
}
