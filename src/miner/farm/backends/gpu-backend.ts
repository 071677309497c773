// The GPUs of one driver, CUDA or OpenCL, as farm devices.
import { hasCode } from '../../../base/errors'
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import type { Gpu, GpuDriver, GpuDriverOptions, GpuFacts, GpuKind, GpuShape } from '../../../native/gpu-port'
import type { XhashEngine } from '../../../native/xhash-port'
import { cacheBytes, datasetBytes } from '../../../xhash/sizes'
import { MinerError } from '../../errors'
import type {
  DetectedDevice,
  DeviceBackend,
  DeviceJob,
  DeviceLaunch,
  DeviceSink,
  MiningDevice,
  PrepareOptions,
} from '../device-backend'
import { deviceName } from './device-name'
import { GpuTuner } from './gpu-tuner'
import type { GpuTuningStore } from './gpu-tuning'

const NO_TUNING: GpuTuningStore = { find: async () => null, keep: async () => undefined }

/** Options of one driver. */
export interface GpuBackendOptions {
  readonly kind: GpuKind
  /** the driver's indexes of the devices to use; empty: every GPU, but no CPU */
  readonly indices: readonly number[]
  /** CPUs behind OpenCL are used even when not listed */
  readonly processors?: boolean
  /** Launch shape fixed by the user; null: devices are tuned. */
  readonly shape: FixedShape | null
  readonly driver?: GpuDriverOptions
}

/** The user's fixed parts of a launch shape. */
export interface FixedShape {
  /** work items per group; null: the device's default */
  readonly groupSize: number | null
  /** groups per launch; null: as many as fit the target time */
  readonly groups: number | null
}

/** What the backend uses. */
export interface GpuBackendDeps {
  readonly engine: XhashEngine
  readonly clock: Clock
  readonly log: Logger
  /** absent: tuning results are not stored */
  readonly tuning?: GpuTuningStore
  /** a driver with precedence; its devices are left to it */
  readonly preferred?: GpuBackend
}

/** The backend of one driver. */
export class GpuBackend implements DeviceBackend {
  /** Found by the last detect. */
  found: readonly GpuFacts[] = []
  absence: string | null = null

  constructor(
    private readonly options: GpuBackendOptions,
    private readonly deps: GpuBackendDeps,
  ) {}

  get kind(): GpuKind {
    return this.options.kind
  }

  async detect(signal: AbortSignal): Promise<readonly DetectedDevice[]> {
    const { kind } = this.options
    this.found = []
    this.absence = null
    const driver = await this.deps.engine.gpus?.open(kind, this.options.driver)
    signal.throwIfAborted()
    if (driver === undefined || 'absent' in driver) {
      this.absence = driver?.absent ?? 'the native addon is not loaded'
      this.deps.log.debug('no driver', { kind, reason: this.absence })
      return []
    }
    const all = await driver.list()
    signal.throwIfAborted()
    const used = [...all.entries()].filter(([index, facts]) => this.#isUsed(index, facts))
    this.found = used.map(([, facts]) => facts)
    return used.map(([index, facts]) => this.#detected(driver, index, facts))
  }

  #isUsed(index: number, facts: GpuFacts): boolean {
    const { indices, processors = false } = this.options
    const isNamed = indices.includes(index)
    if (facts.isCpu ? !isNamed && !processors : indices.length > 0 && !isNamed) return false
    return !this.#isPreferredElsewhere(facts)
  }

  /** The same GPU seen by another driver. OpenCL GPUs that don't report an address are matched by vendor. */
  #isPreferredElsewhere({ pci, vendor }: GpuFacts): boolean {
    const others = this.deps.preferred?.found ?? []
    if (pci !== '') return others.some((other) => other.pci === pci)
    return others.length > 0 && vendor.includes('NVIDIA')
  }

  #detected(driver: GpuDriver, index: number, facts: GpuFacts): DetectedDevice {
    const { kind, shape } = this.options
    return {
      info: { name: deviceName(facts.name), pci: facts.pci, backend: kind, threads: null },
      sensors: null,
      onProcessor: facts.isCpu,
      compiles: true,
      memoryBytes: facts.memoryBytes,
      driver: `${kind === 'cuda' ? 'CUDA' : 'OpenCL'} ${facts.driver}`,
      open: (sink) => new GpuDevice({ driver, index, facts, shape }, sink, this.deps),
    }
  }
}

interface GpuDeviceOptions {
  readonly driver: GpuDriver
  readonly index: number
  readonly facts: GpuFacts
  readonly shape: FixedShape | null
}

/** Memory left for other programs when a GPU holds two datasets. */
const AHEAD_SPARE_BYTES = 512 * 2 ** 20

interface Opened {
  readonly gpu: Gpu
  readonly tuner: GpuTuner | null
}

class GpuDevice implements MiningDevice {
  #opened: Opened
  /** the GPU opened a second time for the next dataset; `isBuilt`: the dataset is complete */
  #next: { readonly epoch: number; readonly opened: Opened; isBuilt: boolean } | null = null
  /** a replaced instance is releasing the GPU */
  #leaving: Promise<void> = Promise.resolve()
  /** hashes of replaced instances */
  #hashesBefore = 0n
  #datasetBytes: number | null = null

  constructor(
    private readonly options: GpuDeviceOptions,
    private readonly sink: DeviceSink,
    private readonly deps: GpuBackendDeps,
  ) {
    this.#opened = this.#open()
  }

  async prepare(epoch: number, options: PrepareOptions): Promise<void> {
    const next = this.#next
    this.#opened.tuner?.rest()
    this.#datasetBytes = null
    if (next?.isBuilt === true && next.epoch === epoch) this.#takeOver(next.opened)
    else {
      this.#dropNext()
      await this.#build(this.#opened.gpu, epoch, options)
    }
    await this.#prepared(epoch)
  }

  /** Opens the GPU a second time: the driver time-slices both. */
  async prepareAhead(epoch: number, options: PrepareOptions): Promise<void> {
    if (this.#next?.epoch === epoch && this.#next.isBuilt) return
    this.#dropNext()
    const neededBytes = this.#bytes(epoch) + (this.#datasetBytes ?? 0) + AHEAD_SPARE_BYTES
    const { memoryBytes } = this.options.facts
    if (neededBytes > memoryBytes) throw new MinerError('DEVICE_OUT_OF_MEMORY', { neededBytes, freeBytes: memoryBytes })
    const next = { epoch, opened: this.#open(), isBuilt: false }
    this.#next = next
    try {
      await this.#build(next.opened.gpu, epoch, options)
      options.signal.throwIfAborted()
      next.isBuilt = true
    } catch (error: unknown) {
      if (this.#next === next) this.#dropNext()
      throw error
    }
  }

  setJob({ token, sealHash, target, segment }: DeviceJob): void {
    const { gpu, tuner } = this.#opened
    gpu.setJob({ token, sealHash, target, startNonce: segment.start, segmentBits: segment.bits })
    tuner?.work()
  }

  clearJob(): void {
    this.#opened.tuner?.rest()
    this.#opened.gpu.clearJob()
  }

  hashCount(): bigint {
    return this.#hashesBefore + this.#opened.gpu.hashCount()
  }

  datasetBytes(): number | null {
    return this.#datasetBytes
  }

  launch(): DeviceLaunch | null {
    return this.#opened.gpu.shapes()?.current ?? null
  }

  readItems(indices: Uint32Array): Promise<Uint8Array> {
    return this.#opened.gpu.readItems(indices)
  }

  async close(): Promise<void> {
    this.#opened.tuner?.rest()
    this.#datasetBytes = null
    this.#dropNext()
    await Promise.all([this.#leaving, this.#opened.gpu.close()])
  }

  /** Events of an instance count only while it is the one that searches. */
  #open(): Opened {
    const { driver, index, facts, shape } = this.options
    const { sink } = this
    const ifCurrent = (heard: () => void): void => {
      if (this.#opened.gpu === gpu) heard()
    }
    const gpu = driver.open(index, {
      onSolution: (token, nonce) => ifCurrent(() => sink.solutionFound(token, nonce)),
      onSegmentDone: (token) =>
        ifCurrent(() => {
          tuner?.rest()
          sink.segmentDone(token)
        }),
      onFailed: (error) => {
        tuner?.failed()
        ifCurrent(() => sink.failed(error))
      },
    })
    // A CPU is shared with other programs: measurements on it are unreliable.
    const isTuned = shape === null && !facts.isCpu
    const { clock, log, tuning = NO_TUNING } = this.deps
    const identity = { kind: driver.kind, name: facts.name, driver: facts.driver }
    const tuner = isTuned ? new GpuTuner(gpu, identity, { clock, log, tuning }) : null
    return { gpu, tuner }
  }

  async #build(gpu: Gpu, epoch: number, { onProgress, signal }: PrepareOptions): Promise<void> {
    try {
      await gpu.prepare(epoch, { onProgress, signal })
    } catch (error: unknown) {
      if (!hasCode(error, 'DEVICE_GPU_MEMORY')) throw error
      const needed = { neededBytes: this.#bytes(epoch), freeBytes: this.options.facts.memoryBytes }
      throw new MinerError('DEVICE_OUT_OF_MEMORY', needed, { cause: error })
    }
  }

  #takeOver(opened: Opened): void {
    const before = this.#opened.gpu
    this.#next = null
    before.clearJob()
    this.#hashesBefore += before.hashCount()
    this.#opened = opened
    this.#leave(before)
  }

  /** In sequence and in the background: a hanging driver never releases. */
  #leave(gpu: Gpu): void {
    this.#leaving = Promise.all([this.#leaving, gpu.close()]).then(() => undefined)
  }

  async #prepared(epoch: number): Promise<void> {
    this.#datasetBytes = datasetBytes(this.deps.engine.params, epoch)
    this.#fixShape()
    await this.#opened.tuner?.prepared(this.#datasetBytes)
  }

  #dropNext(): void {
    const next = this.#next
    this.#next = null
    if (next !== null) this.#leave(next.opened.gpu)
  }

  /** Dataset plus cache. */
  #bytes(epoch: number): number {
    const { params } = this.deps.engine
    return datasetBytes(params, epoch) + cacheBytes(params, epoch)
  }

  #fixShape(): void {
    const { shape } = this.options
    const { gpu } = this.#opened
    const shapes = gpu.shapes()
    if (shape === null || shapes === null) return
    gpu.setShape(shapeOf(shape, shapes.current), shape.groups === null ? 'timed' : 'fixed')
  }
}

/** Whole groups, as requested, up to the maximum of one launch. */
function shapeOf(fixed: FixedShape, { groupSize: own, variant, batchHashes }: GpuShape): GpuShape {
  const groupSize = fixed.groupSize ?? own
  const wished = fixed.groups ?? Math.max(1, Math.floor(batchHashes / groupSize))
  return { groupSize, variant, batchHashes: Math.min(wished, 2 ** 28 / groupSize) * groupSize }
}
